"""What is checked in an archive, each by an archive with that one fault."""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Mapping

import pytest

from tests.builders.torch_values import full
from tests.builders.torch_zip import ZipPickler, ZipWriter, torch_zip
from tests.builders.zips import Member, plain_zip
from tests.opened import Traced, codes, opened
from viewer.core.archive.checks import check_padding, check_sums
from viewer.core.archive.inflated import InflatedSource
from viewer.core.archive.zip_reader import ZipArchive, read_zip
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress


def records_of(**changed: bytes | None) -> dict[str, bytes]:
    """The records of a small checkpoint; None takes one out."""
    pickler = ZipPickler()
    body = pickler.dumps(OrderedDict(a=full("float32", (4,), range(4))))
    records = {"data.pkl": body, "byteorder": b"little", "data/0": pickler.storages["0"].data, "version": b"3\n"}
    return {name: data for name, data in {**records, **changed}.items() if data is not None}


def packed(records: Mapping[str, bytes], root: str = "archive", crc: bool = True) -> bytes:
    writer = ZipWriter(root, crc=crc)
    for name, data in records.items():
        writer.add(name, data)
    return writer.finish()


def read(data: bytes) -> ZipArchive:
    return read_zip(Traced(data), Progress())


def test_a_whole_archive() -> None:
    assert codes(opened(packed(records_of()))) == []


def test_without_a_version() -> None:
    document = opened(packed(records_of(version=None)))
    assert codes(document) == ["torch-version-missing"]
    assert document.problems[0].text.endswith("The data is complete. Export it to make a file that loads.")


@pytest.mark.parametrize(("stated", "shown"), [(b"0\n", r"'0\n'"), (b"11", "'11'"), (b"three", "'three'"), (b"", "''")])
def test_versions_that_torch_refuses(stated: bytes, shown: str) -> None:
    document = opened(packed(records_of(version=stated)))
    assert codes(document) == ["torch-version"]
    assert document.problems[0].params["value"] == shown


@pytest.mark.parametrize("stated", [b"1", b"10\n"])
def test_versions_that_torch_takes(stated: bytes) -> None:
    assert codes(opened(packed(records_of(version=stated)))) == []


def test_records_without_a_folder() -> None:
    writer = ZipWriter("")
    for name, data in records_of().items():
        writer.add(f"archive/{name}", data)
    writer.add("elsewhere/note", b"hello")
    document = opened(writer.finish())
    assert codes(document) == ["torch-folders", "torch-records-other"]
    assert document.problems[0].params == {"name": "elsewhere/note", "root": "archive"}


def test_an_alignment_that_is_not_kept() -> None:
    writer = ZipWriter(alignment=2)
    body, *others = records_of().items()
    for name, data in (body, (".format_version", b"1"), (".storage_alignment", b"64"), *others):
        writer.add(name, data)
    document = opened(writer.finish())
    assert codes(document) == ["torch-alignment"]
    assert document.problems[0].params["alignment"] == 64


def test_checksums_that_are_not_stated() -> None:
    document = opened(packed(records_of(), crc=False))
    assert codes(document) == ["zip-no-checksums"]
    assert document.problems[0].params == {"count": 4, "name": "archive/data.pkl"}


def test_storages_without_a_checksum_beside_records_that_have_one() -> None:
    document = opened(skipped(bytes(16)))
    assert codes(document) == ["torch-data-skipped"]
    assert document.problems[0].params == {"count": 1, "name": "archive/data/0"}


@pytest.mark.parametrize(("data", "found"), [(bytes(16), ["storage-zeros"]), (bytes(15) + b"1", [])])
def test_storages_that_were_saved_without_their_data(data: bytes, found: list[str]) -> None:
    sums = check_sums(read(skipped(data)).records, {"archive/data/0": ["a", "b", "c", "d"]}, Progress())
    assert (sums.good, sums.unstated, [problem.code for problem in sums.problems]) == (3, 1, found)
    for problem in sums.problems:
        assert problem.params == {"count": 1, "names": "a, b, c (+1)"}


def skipped(data: bytes) -> bytes:
    """A checkpoint whose storage has this content and no checksum, as under skip_data()."""
    writer = ZipWriter()
    for name, held in {**records_of(), "data/0": data}.items():
        writer.crc = name != "data/0"
        writer.add(name, held)
    return writer.finish()


def test_a_storage_that_no_tensor_uses() -> None:
    records = records_of(version=None)
    document = opened(packed({**records, "data/7": bytes(24), "version": b"3"}))
    assert codes(document) == ["torch-unreferenced"]
    assert document.problems[0].params == {"count": 1, "name": "archive/data/7", "nbytes": 24}


def test_a_deflated_storage_is_used() -> None:
    document = opened(torch_zip(OrderedDict(a=full("float32", (4,), range(4))), deflated=True))
    assert codes(document) == ["torch-deflated"]


def test_nothing_is_said_of_what_was_cut_off() -> None:
    data = packed(records_of())
    assert codes(opened(data[: data.index(b"PK\x01\x02")])) == ["zip-directory-missing"]


def test_sums_that_fit() -> None:
    sums = check_sums(read(packed(records_of())).records, {}, Progress())
    assert (sums.good, sums.unstated, sums.problems) == (4, 0, ())


def test_sums_that_are_not_stated() -> None:
    sums = check_sums(read(packed(records_of(), crc=False)).records, {}, Progress())
    assert (sums.good, sums.unstated, sums.problems) == (0, 4, ())


def test_a_flipped_bit_is_named_by_its_tensors() -> None:
    data = bytearray(packed(records_of()))
    archive = read(bytes(data))
    storage = archive.find("archive/data/0")
    assert storage is not None
    data[storage.data.start + 5] ^= 0x40
    names = {"archive/data/0": ["a", "b", "c", "d"]}
    sums = check_sums(read(bytes(data)).records, names, Progress())
    assert sums.good == 3
    (problem,) = sums.problems
    assert (problem.code, problem.span) == ("tensor-checksum", storage.data)
    assert problem.title == "The bytes of a, b, c (+1) do not fit their checksum"


def test_a_flipped_bit_in_a_record_of_no_tensor() -> None:
    data = bytearray(packed(records_of()))
    data[data.index(b"little")] ^= 1
    (problem,) = check_sums(read(bytes(data)).records, {}, Progress()).problems
    assert problem.code == "record-checksum"
    assert problem.params["name"] == "archive/byteorder"


def test_sums_can_be_stopped() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        check_sums(read(packed(records_of())).records, {}, progress)


def test_deflated_records_are_checked_and_nothing_is_kept() -> None:
    data = torch_zip(OrderedDict(a=full("float32", (400,), range(400))), deflated=True)
    records = read(data).records
    assert check_sums(records, {}, Progress()).good == len(records)
    assert all(record.source._content is None for record in records if isinstance(record.source, InflatedSource))


def test_a_deflated_record_whose_checksum_is_another() -> None:
    members = [Member("a/data.pkl", b"x" * 100, deflated=True), Member("a/data/0", b"y" * 100, deflated=True, crc=5)]
    sums = check_sums(read(plain_zip(members)).records, {"a/data/0": ["w"]}, Progress())
    assert sums.good == 1
    (problem,) = sums.problems
    assert (problem.code, problem.params["tensors"], problem.params["stated"]) == ("tensor-checksum", "w", 5)


def test_a_deflated_record_that_is_damaged() -> None:
    member = Member("a/data/0", bytes(range(256)) * 40, deflated=True)
    data = bytearray(plain_zip([member]))
    place = read(bytes(data)).records[0].data
    data[place.start + 40 : place.start + 60] = bytes(20)
    (problem,) = check_sums(read(bytes(data)).records, {"a/data/0": ["w"]}, Progress()).problems
    assert problem.code in ("inflate-broken", "inflate-size", "tensor-checksum")
    assert problem.span == place


def test_a_deflated_record_beyond_the_limit_is_passed_over() -> None:
    data = plain_zip([Member("a/data/0", bytes(100_000), deflated=True)])
    sums = check_sums(read_zip(Traced(data), Progress(), limit=1000).records, {}, Progress())
    assert (sums.good, sums.problems) == (0, ())


def test_what_was_inflated_is_not_told_twice() -> None:
    data = plain_zip([Member("a/data/0", b"y" * 100, deflated=True, crc=5), Member("a/b", b"y" * 9, deflated=True)])
    records = read(data).records
    assert [record.source.read(0, 1) for record in records if record.source] == [b"y", b"y"]
    sums = check_sums(records, {}, Progress())
    assert (sums.good, sums.problems) == (1, ())


def test_padding_of_other_bytes() -> None:
    data = bytearray(packed(records_of()))
    assert check_padding(Traced(bytes(data)), read(bytes(data)).records, Progress()) == []
    data[data.index(b"ZZZ") + 1] = 0
    (problem,) = check_padding(Traced(bytes(data)), read(bytes(data)).records, Progress())
    assert (problem.code, problem.params["name"]) == ("zip-padding", "archive/data.pkl")


def test_a_local_header_of_another_method() -> None:
    data = bytearray(packed(records_of()))
    data[8] = 8
    archive = read(bytes(data))
    assert [problem.code for problem in archive.problems] == ["zip-local-facts"]
    assert archive.problems[0].params == {
        "name": "archive/data.pkl",
        "fact": "method of compression",
        "local": 8,
        "listed": 0,
    }


def test_a_local_header_of_other_flags() -> None:
    data = bytearray(packed(records_of()))
    data[7] = 0
    archive = read(bytes(data))
    assert [problem.code for problem in archive.problems] == ["zip-local-facts"]
    assert archive.problems[0].params == {
        "name": "archive/data.pkl",
        "fact": "value of the flags",
        "local": 8,
        "listed": 0x808,
    }


@pytest.mark.parametrize(
    ("size", "packed_size", "fact"), [(100, 100, None), (101, 100, "size"), (100, 99, "compressed size")]
)
def test_sizes_of_64_bits_in_a_local_header(size: int, packed_size: int, fact: str | None) -> None:
    extra = struct.pack("<HHQQ", 1, 16, size, packed_size)
    data = bytearray(plain_zip([Member("a/b", b"x" * 100, local_extra=extra)]))
    data[18:26] = b"\xff" * 8
    found = read(bytes(data)).problems
    assert [(problem.code, problem.params["fact"]) for problem in found] == (
        [("zip-local-facts", fact)] if fact else []
    )


def test_a_descriptor_of_another_size() -> None:
    data = bytearray(packed(records_of()))
    data[data.index(b"PK\x07\x08") + 12] ^= 1
    assert [problem.code for problem in read(bytes(data)).problems] == ["zip-descriptor"]
