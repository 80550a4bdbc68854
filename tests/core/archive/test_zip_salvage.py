"""An archive without its directory still gives the records that its local headers tell of."""

from __future__ import annotations

import struct
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders.torch_zip import ZipWriter, torch_zip
from tests.builders.zips import Member, local, plain_zip
from tests.core.archive.test_zip_reader import check_tiling, codes, content, read
from viewer.core.archive.zip_reader import ZipArchive, read_zip
from viewer.core.progress import Progress, Step
from viewer.core.source import ByteSource, MemorySource
from viewer.core.span import Span


def torch_archive() -> tuple[bytes, ZipWriter]:
    writer = ZipWriter("net")
    writer.add("data.pkl", b"pickle " * 20)
    writer.add("data/0", bytes(range(200)))
    writer.add("data/1", b"")
    writer.add("data/2", b"\x01\x02" * 300, deflated=True)
    writer.add("version", b"3\n")
    return writer.finish(), writer


def facts(archive: ZipArchive) -> list[tuple[str, str, int]]:
    return [(record.name, str(record.data), record.size) for record in archive.records]


def test_without_directory_all_records_are_there() -> None:
    data, writer = torch_archive()
    whole = read(data)
    cut = read(data[: data.index(b"PK\x01\x02")])
    assert facts(cut) == facts(whole)
    assert [record.crc for record in cut.records] == [entry.crc for entry in writer.entries]
    assert content(cut, "net/data/0") == bytes(range(200))
    assert content(cut, "net/data/2") == b"\x01\x02" * 300
    assert cut.root == "net"
    assert codes(cut) == ["zip-directory-missing"]
    assert cut.problems[0].params == {"count": 5}
    assert all(record.entry is None and not record.extra for record in cut.records)


def test_without_end_record_the_directory_is_used() -> None:
    data, _ = torch_archive()
    cut = read(data[: data.index(b"PK\x05\x06")])
    assert facts(cut) == facts(read(data))
    assert codes(cut) == ["zip-directory-cut"]
    assert cut.problems[0].params == {"entries": 5, "count": 5}
    assert all(record.entry is not None for record in cut.records)


def test_a_cut_directory_names_the_entries_that_are_left() -> None:
    data, _ = torch_archive()
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 4)
    cut = read(data[: second + 20])
    assert cut.problems[0].params == {"entries": 1, "count": 5}
    assert [record.entry is not None for record in cut.records] == [True, False, False, False, False]


def test_the_last_record_is_cut() -> None:
    data, writer = torch_archive()
    start = writer.entries[1].start
    cut = read(data[: start + 55])
    assert facts(cut)[1] == ("net/data/0", str(Span(start, start + 55)), 55)
    assert cut.records[1].extra == {"cut": True}
    assert cut.records[0].extra == {}
    assert codes(cut) == ["zip-record-cut-unknown", "zip-directory-missing"]
    assert cut.problems[0].text.startswith("The record net/data/0 is cut. 55 bytes of it are there; how many")


def test_a_header_is_cut() -> None:
    data, writer = torch_archive()
    cut = read(data[: writer.entries[1].header + 33])
    assert [record.name for record in cut.records] == ["net/data.pkl"]
    assert codes(cut) == ["zip-header-cut", "zip-directory-missing"]


def test_sizes_that_headers_state_are_believed() -> None:
    data = plain_zip([Member("a/x", b"first"), Member("a/y", b"second")])
    cut = read(data[: data.index(b"PK\x01\x02") - 2])
    assert facts(cut) == [("a/x", "0x21–0x26", 5), ("a/y", "0x47–0x4B", 6)]
    assert cut.records[1].extra == {"cut": True}
    assert codes(cut) == ["zip-directory-missing", "zip-record-cut"]


def test_a_record_of_4_gib_states_its_size_in_the_zip64_field() -> None:
    size = 5 * 2**30
    extra = struct.pack("<HHQQ", 1, 16, size, 0) + b"FB\x00\x00"
    header = struct.pack("<4sHHHHHIIIHH", b"PK\x03\x04", 0, 0x808, 0, 0, 0, 0, 0, 0, 3, len(extra)) + b"a/x" + extra
    cut = read(header + b"x" * 1000)
    assert [(record.size, record.data) for record in cut.records] == [(size, Span(57, 1057))]
    assert cut.problems[-1].params["stated"] == size


def test_an_archive_within_an_archive_does_not_end_it() -> None:
    inner, _ = torch_archive()
    writer = ZipWriter("outer")
    writer.add("data/0", inner)
    writer.add("version", b"3\n")
    data = writer.finish()
    cut = read(data[: data.rindex(b"PK\x01\x02") - 60])
    assert [record.name for record in cut.records] == ["outer/data/0", "outer/version"]
    assert content(cut, "outer/data/0") == inner


@pytest.mark.parametrize("inner_root", ["net", "outer", ""])
def test_an_archive_within_an_archive_that_is_cut(inner_root: str) -> None:
    inner = ZipWriter(inner_root)
    inner.add("data.pkl", b"pickle")
    inner.add("data/0", bytes(100))
    writer = ZipWriter("outer")
    writer.add("first", b"1")
    entry = writer.add("model.pt", inner.finish())
    cut = read(writer.finish()[: entry.stop - 40])
    assert [(record.name, record.data) for record in cut.records] == [
        ("outer/first", Span(64, 65)),
        ("outer/model.pt", Span(entry.start, entry.stop - 40)),
    ]
    assert cut.records[1].extra == {"cut": True}


def test_the_descriptor_of_an_archive_within_an_archive_is_damaged() -> None:
    inner = ZipWriter("net")
    inner.add("data/0", bytes(100))
    writer = ZipWriter("outer")
    entry = writer.add("model.pt", inner.finish())
    writer.add("last", b"2")
    data = writer.finish()
    cut = read(data[: entry.stop] + b"XX" + data[entry.stop + 2 : writer.entries[1].stop + 16])
    assert [(record.name, record.data) for record in cut.records] == [
        ("outer/model.pt", Span(entry.start, entry.stop + 16)),
        ("outer/last", Span(writer.entries[1].start, writer.entries[1].start + 1)),
    ]


@pytest.mark.parametrize("row", [0, 1, 4])
@pytest.mark.parametrize("at", range(4))
def test_a_signature_of_a_header_is_damaged(row: int, at: int) -> None:
    data, writer = torch_archive()
    place = writer.entries[row].header
    cut = read((data[: place + at] + b"?" + data[place + at + 1 :])[: data.index(b"PK\x01\x02")])
    whole = read(data)
    assert facts(cut) == facts(whole)
    assert codes(cut) == ["zip-header-signature", "zip-directory-missing"]
    assert cut.problems[0].span == Span(place, place + 4)
    assert cut.problems[0].params == {"name": writer.entries[row].name}


def test_sizes_in_a_header_that_are_damaged() -> None:
    data, writer = torch_archive()
    place = writer.entries[1].header + 18
    cut = read((data[:place] + b"\x07" + data[place + 1 :])[: data.index(b"PK\x01\x02")])
    assert facts(cut) == facts(read(data))


def test_a_record_without_descriptor_ends_at_the_next_header() -> None:
    lost = Member("a/x", b"data of no stated size", descriptor=16)
    data = local(lost)[:-16] + local(Member("a/y", b"next"))
    cut = read(data)
    assert facts(cut) == [("a/x", "0x21–0x37", 22), ("a/y", "0x58–0x5C", 4)]


def test_a_damaged_header_is_passed_over() -> None:
    data = local(Member("a/x", b"one")) + b"JUNK" + local(Member("a/y", b"two")) + local(Member("a/z", b"three"))
    cut = read(data)
    assert [record.name for record in cut.records] == ["a/x", "a/y", "a/z"]
    assert [(region.span.start, region.span.stop) for region in cut.regions if region.kind == "gap"] == [(36, 40)]


def test_bytes_in_front_of_the_first_header() -> None:
    data, _ = torch_archive()
    cut = read(b"in front" + data[: data.index(b"PK\x05\x06")])
    assert content(cut, "net/data/0") == bytes(range(200))
    assert cut.regions[0].kind == "prefix"


def test_only_a_signature() -> None:
    assert facts(read(b"PK\x03\x04")) == []


class Counted(ByteSource):
    """Counts the bytes that are asked for."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.size = len(data)
        self.asked = 0

    def read(self, offset: int, length: int) -> bytes:
        data = self.data[offset : offset + length] if length > 0 else b""
        self.asked += len(data)
        return data


@pytest.mark.parametrize(
    "unit", [b"PK\x03\x04" + b"\x00" * 26, b"PK\x07\x08" * 6, local(Member("x", b"", descriptor=16))[:-16]]
)
def test_bytes_full_of_signatures_are_looked_at_once(unit: bytes) -> None:
    source = Counted(local(Member("x", b"", descriptor=16))[:-16] + unit * (2**20 // len(unit)))
    archive = read_zip(source, Progress())
    assert source.asked < 14 * source.size
    check_tiling(archive)


def test_a_cut_archive_of_zeros_takes_no_memory() -> None:
    class Zeros(ByteSource):
        size = 300 * 2**20

        def read(self, offset: int, length: int) -> bytes:
            head = local(Member("a/x", b"", descriptor=16))[:-16]
            data = (head[offset:] + bytes(max(0, length - len(head[offset:]))))[:length]
            return data[: max(0, self.size - offset)]

    steps: list[Step] = []
    tracemalloc.start()
    archive = read_zip(Zeros(), Progress(steps.append))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [record.size for record in archive.records] == [300 * 2**20 - 33]
    assert peak < 12 * 2**20
    assert {step.total for step in steps} == {300 * 2**20}


WHOLE = torch_zip({"weight": [1.0, 2.0], "name": "x"})


@given(st.integers(0, len(WHOLE)))
def test_cut_anywhere(length: int) -> None:
    archive = read(WHOLE[:length])
    for record in archive.records:
        assert record.source is None or len(record.source.read(0, record.size)) <= record.size


@given(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), min_size=1, max_size=12))
def test_bytes_changed_anywhere(changes: list[tuple[int, int]]) -> None:
    data = bytearray(WHOLE)
    for at, value in changes:
        data[at] = value
    archive = read(bytes(data))
    for record in archive.records:
        assert record.source is None or record.data.stop <= len(data)
        assert archive.find(record.name) is not None


@given(st.binary(max_size=300), st.binary(max_size=60))
def test_any_bytes_around_signatures(data: bytes, more: bytes) -> None:
    for signature in (b"PK\x03\x04", b"PK\x05\x06", b"PK\x01\x02", b"PK\x06\x06", b"PK\x06\x07"):
        check_tiling(read_zip(MemorySource(signature + data + signature + more), Progress()))
