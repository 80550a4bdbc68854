"""Zips of every layout are read as torch reads them; what readers disagree on is a Problem."""

from __future__ import annotations

import io
import zipfile

import pytest

from tests.builders.torch_zip import ZipWriter
from tests.builders.zips import ENCRYPTED, UTF8, Member, plain_zip
from viewer.core.archive import zip_directory, zip_reader
from viewer.core.archive.zip_reader import ZipArchive, read_zip
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.source import ByteSource, MemorySource
from viewer.core.span import Span

HELLO = Member("a/hello", b"hello")
BYE = Member("a/bye", b"bye bye")


def read(data: bytes) -> ZipArchive:
    archive = read_zip(MemorySource(data), Progress())
    check_tiling(archive)
    return archive


def check_tiling(archive: ZipArchive) -> None:
    reached = 0
    for region in archive.regions:
        assert region.span.start == reached
        assert region.span.length > 0
        reached = region.span.stop
    assert reached == archive.source.size


def content(archive: ZipArchive, name: str) -> bytes:
    record = archive.find(name)
    assert record is not None
    assert record.source is not None
    return record.source.read(0, record.source.size)


def codes(archive: ZipArchive) -> list[str]:
    return [problem.code for problem in archive.problems]


def kinds(archive: ZipArchive) -> list[tuple[int, int, str]]:
    return [(region.span.start, region.span.stop, region.kind) for region in archive.regions]


def test_a_plain_zip() -> None:
    archive = read(plain_zip([HELLO, BYE]))
    assert list(archive.names) == ["a/hello", "a/bye"]
    assert archive.root == "a"
    assert codes(archive) == []
    assert content(archive, "a/bye") == b"bye bye"
    assert archive.find("hello") is None
    first = archive.records[0]
    assert first.header == Span(0, 37)
    assert first.data == Span(37, 42)
    assert first.entry == Span(84, 137)
    assert first.crc == 0x3610A686
    assert (first.size, first.method, first.stored) == (5, 0, True)
    assert kinds(archive) == [
        (0, 37, "zip-header"),
        (37, 42, "record"),
        (42, 77, "zip-header"),
        (77, 84, "record"),
        (84, 137, "zip-directory"),
        (137, 188, "zip-directory"),
        (188, 210, "zip-end"),
    ]


def test_the_layout_of_torch() -> None:
    writer = ZipWriter("net")
    writer.add("data.pkl", b"0123456789")
    writer.add("version", b"")
    archive = read(writer.finish())
    assert codes(archive) == []
    assert archive.root == "net"
    assert [str(record.data) for record in archive.records] == ["0x40–0x4A", "0xC0–0xC0"]
    assert kinds(archive) == [
        (0, 42, "zip-header"),
        (42, 64, "padding"),
        (64, 74, "record"),
        (74, 90, "zip-descriptor"),
        (90, 131, "zip-header"),
        (131, 192, "padding"),
        (192, 250, "zip-directory"),
        (250, 307, "zip-directory"),
        (307, 363, "zip-end"),
        (363, 383, "zip-end"),
        (383, 405, "zip-end"),
    ]


@pytest.mark.parametrize("length", [12, 16, 20, 24])
def test_descriptors_of_every_form(length: int) -> None:
    members = [Member("a/x", b"12345678", descriptor=length), Member("a/y", b"abc", descriptor=length)]
    archive = read(plain_zip(members))
    assert codes(archive) == []
    assert content(archive, "a/y") == b"abc"
    found = [region.span.length for region in archive.regions if region.kind == "zip-descriptor"]
    assert found == [length, length]


def test_a_descriptor_with_other_sizes_is_still_owned() -> None:
    data = plain_zip([Member("x", b"1234", descriptor=16)])
    at = data.index(b"PK\x07\x08")
    archive = read(data[: at + 8] + b"\xff" + data[at + 9 :])
    assert ("zip-descriptor", at, at + 16) in [(r.kind, r.span.start, r.span.stop) for r in archive.regions]


def test_zip64_numbers_of_entries_and_end() -> None:
    archive = read(plain_zip([HELLO, Member("a/wide", b"wide", zip64=True)], zip64=True))
    assert codes(archive) == []
    assert content(archive, "a/wide") == b"wide"
    assert [region.label for region in archive.regions[-3:]] == [
        "zip64 end record",
        "zip64 locator",
        "end record",
    ]


def test_only_the_numbers_that_overflow_stand_in_the_zip64_field() -> None:
    # the size of 4 GiB and more is 0xFFFFFFFF in the entry, its other numbers are as they are
    wide = Member("a/w", b"wide", size=0xFFFFFFFF, entry_extra=b"\x01\x00\x08\x00" + (5 * 2**30).to_bytes(8, "little"))
    archive = read(plain_zip([HELLO, wide]))
    assert archive.records[1].size == 5 * 2**30
    assert archive.records[1].data == Span(75, 79)


def test_a_comment_that_holds_the_signature_of_an_end() -> None:
    archive = read(plain_zip([HELLO], comment=b"see PK\x05\x06 for the end, or not: PK\x05\x06"))
    assert codes(archive) == ["zip-end-in-comment"]
    assert archive.problems[0].params["offset"] == 147
    assert content(archive, "a/hello") == b"hello"


def test_the_end_whose_comment_reaches_the_end_of_the_file_wins() -> None:
    # the whole of another archive in the comment: its own end record does not reach the end of the file
    inner = plain_zip([Member("inner", b"no")])
    archive = read(plain_zip([HELLO], comment=inner + b"..."))
    assert list(archive.names) == ["a/hello"]


def test_bytes_in_front_and_behind() -> None:
    archive = read(plain_zip([HELLO, BYE], prefix=b"#!/bin/sh\n", shift=0) + b"tail")
    assert codes(archive) == ["zip-prefix", "zip-trailing"]
    assert content(archive, "a/bye") == b"bye bye"
    assert archive.records[0].data == Span(47, 52)
    assert kinds(archive)[0] == (0, 10, "prefix")
    assert kinds(archive)[-1] == (220, 224, "trailing")


def test_64_kib_behind_a_comment() -> None:
    archive = read(plain_zip([HELLO], comment=b"c" * 65535) + b"t" * 65000)
    assert content(archive, "a/hello") == b"hello"
    assert codes(archive) == ["zip-trailing"]


def test_of_two_directories_that_fit_torch_takes_the_first() -> None:
    first, second = plain_zip([Member("x", b"one")]), plain_zip([Member("x", b"two")])
    archive = read(first + second)
    assert content(archive, "x") == b"one"
    assert codes(archive)[0] == "zip-two-directories"
    with zipfile.ZipFile(io.BytesIO(first + second)) as other:
        assert other.read("x") == b"two"


def test_a_name_that_stands_twice() -> None:
    archive = read(plain_zip([Member("x", b"old"), HELLO, Member("x", b"new")]))
    assert list(archive.names) == ["x", "a/hello", "x"]
    assert content(archive, "x") == b"new"
    assert archive.root == ""
    assert [problem.text for problem in archive.problems] == [
        (
            "The name x stands 2 times in the archive. torch takes number 2 of them, in the order of the directory; "
            "Python's zipfile takes the last. Look at each of them in Contents."
        )
    ]
    assert archive.problems[0].span == archive.records[2].header


def test_entries_beyond_the_stated_number_are_listed_and_not_found() -> None:
    archive = read(plain_zip([Member("x", b"seen"), Member("x", b"hidden")], count=1))
    assert [record.source.read(0, 9) for record in archive.records if record.source] == [b"seen", b"hidden"]
    assert content(archive, "x") == b"seen"
    assert "zip-entry-count" in codes(archive)


def test_the_local_header_has_another_name() -> None:
    archive = read(plain_zip([Member("a/data.pkl", b"x", local_name=b"a/datap.kl"), HELLO]))
    assert content(archive, "a/data.pkl") == b"x"
    assert archive.records[0].extra == {"local_name": "a/datap.kl"}
    assert archive.problems[0].title == "The record a/data.pkl is called a/datap.kl in its local header"


def test_a_local_name_of_another_length_moves_the_data() -> None:
    archive = read(plain_zip([Member("a/data.pkl", b"x" * 9, local_name=b"evil"), HELLO]))
    assert archive.records[0].data == Span(34, 43)
    assert codes(archive) == ["zip-local-name"]


def test_a_damaged_signature_does_not_lose_the_record() -> None:
    archive = read(plain_zip([Member("a/x", b"data", signature=b"PK\x03\x05"), HELLO]))
    assert content(archive, "a/x") == b"data"
    assert codes(archive) == ["zip-header-signature"]


@pytest.mark.parametrize("header", [3, 10_000, 2**32 - 2])
def test_a_record_that_is_not_where_it_should_be(header: int) -> None:
    archive = read(plain_zip([HELLO, Member("a/x", b"data", header=header)]))
    lost = archive.find("a/x")
    assert lost is not None
    assert lost.data == Span(75, 79)
    assert content(archive, "a/x") == b"data"
    assert {"zip-header-missing", "zip-entry-damaged"} <= set(codes(archive))
    assert content(archive, "a/hello") == b"hello"


def test_an_offset_of_64_bits_is_not_cut() -> None:
    field = b"\x01\x00\x08\x00" + (2**64 - 2).to_bytes(8, "little")
    archive = read(plain_zip([HELLO, Member("a/x", b"data", header=0xFFFFFFFF, entry_extra=field)]))
    assert [problem.params["offset"] for problem in archive.problems if problem.code == "zip-header-missing"] == [
        2**64 - 2
    ]


def test_an_archive_whose_first_bytes_are_lost() -> None:
    archive = read(plain_zip([HELLO, BYE])[3:])
    assert codes(archive) == ["zip-header-outside", "zip-bytes-lost"]
    outside, lost = archive.problems
    assert (outside.params, outside.span) == ({"name": "a/hello"}, None)
    assert (lost.params, lost.severity) == ({"count": 3}, "error")
    assert content(archive, "a/bye") == b"bye bye"


def test_sizes_that_reach_beyond_the_end() -> None:
    archive = read(plain_zip([Member("x", b"data", size=10_000, packed=10_000)]))
    record = archive.records[0]
    assert record.extra == {"cut": True}
    assert record.size == 10_000
    assert record.data == Span(31, archive.source.size)
    assert archive.problems[-1].text.startswith("The record x is cut. 73 of 10,000 bytes are there.")


def test_encrypted_records_and_other_methods_are_not_read() -> None:
    archive = read(plain_zip([Member("x", b"data", flags=ENCRYPTED), Member("y", b"data", method=12), HELLO]))
    assert [record.source is None for record in archive.records] == [True, True, False]
    assert [problem.title for problem in archive.problems] == [
        "The record x is marked as encrypted",
        "The record y is compressed with method 12",
    ]


def test_two_sizes_of_a_stored_record() -> None:
    archive = read(plain_zip([Member("x", b"12345678", size=5)]))
    assert content(archive, "x") == b"12345"
    assert codes(archive) == ["zip-stored-size"]


def test_checksums_are_not_verified_on_opening() -> None:
    archive = read(plain_zip([Member("x", b"data", crc=1)]))
    assert codes(archive) == []
    assert archive.records[0].crc == 1
    assert content(archive, "x") == b"data"


def test_records_that_share_bytes() -> None:
    archive = read(plain_zip([Member("x", b"data"), Member("y", b"data", header=0, local_name=b"x")]))
    assert "zip-overlap" in codes(archive)
    assert archive.find("y") is not None


def test_bytes_that_belong_to_no_record() -> None:
    archive = read(plain_zip([HELLO, Member("a/x", b"data", before=b"hidden payload")]))
    assert [(problem.code, problem.span) for problem in archive.problems] == [("zip-gap", Span(42, 56))]
    assert (42, 56, "gap") in kinds(archive)


def test_deflated_records_have_offsets_of_their_own() -> None:
    archive = read(plain_zip([Member("x", b"abc" * 1000, deflated=True)]))
    record = archive.records[0]
    assert (record.stored, record.size) == (False, 3000)
    assert record.source is not None
    assert record.source.read(1500, 6) == b"abcabc"
    assert record.source.to_outer(0) is None


def test_stored_records_have_those_of_the_file() -> None:
    source = MemorySource(plain_zip([HELLO]))
    record = read_zip(source, Progress()).records[0]
    assert record.source is not None
    assert source.read(record.data.start, 5) == b"hello"


def test_names_in_utf8_and_in_a_code_page() -> None:
    members = [
        Member("модель/x", b"1", flags=UTF8),
        Member(b"\xcd\xf8/x", b"2"),
        Member(b"\xff\xfe", b"3", flags=UTF8),
    ]
    archive = read(plain_zip(members))
    assert list(archive.names) == ["модель/x", "\u2550\u00b0/x", "\\xff\\xfe"]
    assert [record.extra["raw_name"] for record in archive.records] == [
        "модель/x".encode(),
        b"\xcd\xf8/x",
        b"\xff\xfe",
    ]
    assert [problem.title for problem in archive.problems] == ["2 names in the archive are not written in UTF-8"]


def test_folders_are_records_without_bytes() -> None:
    archive = read(plain_zip([Member("a/"), HELLO]))
    assert list(archive.names) == ["a/", "a/hello"]
    assert archive.root == "a"
    assert codes(archive) == []


def test_an_archive_of_nothing() -> None:
    archive = read(plain_zip([]))
    assert len(archive.records) == 0
    assert codes(archive) == []
    assert kinds(archive) == [(0, 22, "zip-end")]
    assert archive.root == ""


def test_records_are_made_once_and_sliced() -> None:
    archive = read(plain_zip([HELLO, BYE, Member("a/z", b"z")]))
    assert archive.records[-1] is archive.records[2]
    assert [record.name for record in archive.records[1:]] == ["a/bye", "a/z"]
    with pytest.raises(IndexError):
        archive.records[3]


def test_a_million_faults_are_not_a_million_sentences() -> None:
    archive = read(plain_zip([Member(f"x{row}", b"", flags=ENCRYPTED) for row in range(250)]))
    assert len(archive.problems) == 101
    assert archive.problems[-1].title == "150 more problems of the kind zip-encrypted were found"


def test_more_records_than_can_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_directory, "MOST_RECORDS", 3)
    monkeypatch.setattr(zip_reader, "MOST_RECORDS", 3)
    archive = read(plain_zip([Member(f"x{row}") for row in range(5)]))
    assert list(archive.names) == ["x0", "x1", "x2"]
    assert "zip-too-many-records" in codes(archive)


class Shrinking(ByteSource):
    """A file that another process cut after it was opened."""

    def __init__(self, data: bytes, left: int) -> None:
        self.size = len(data)
        self.data = data[:left]

    def read(self, offset: int, length: int) -> bytes:
        return self.data[offset : offset + length] if length > 0 and offset >= 0 else b""


def test_a_file_that_was_cut_since_it_was_opened() -> None:
    data = plain_zip([HELLO, BYE], zip64=True)
    for left in range(len(data)):
        check_tiling(read_zip(Shrinking(data, left), Progress()))


def test_far_records_are_found_as_near_ones_are() -> None:
    # more than 8 KiB from header to header: read one by one, with the descriptor before each
    members = [Member(f"a/{row}", bytes([row]) * 9000, descriptor=16) for row in range(40)]
    archive = read(plain_zip(members))
    assert codes(archive) == []
    assert content(archive, "a/39") == bytes([39]) * 9000
    assert sum(region.kind == "zip-descriptor" for region in archive.regions) == 40


def test_reading_can_be_stopped() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        read_zip(MemorySource(plain_zip([HELLO])), progress)


@pytest.mark.parametrize("data", [b"", b"P", b"PK", b"PK\x03\x04", b"PK\x05\x06", b"\x00" * 100, b"not a zip at all"])
def test_what_is_no_zip_has_no_records(data: bytes) -> None:
    archive = read(data)
    assert len(archive.records) == 0
    assert len(archive.problems) >= 1
