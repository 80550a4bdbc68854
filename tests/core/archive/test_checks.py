"""What is checked in an archive, each by an archive with that one fault."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

import pytest

from tests.builders.torch_values import full
from tests.builders.torch_zip import ZipPickler, ZipWriter, torch_zip
from tests.opened import Traced, codes, opened
from viewer.core.archive.checks import check_padding, check_sums
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
    assert codes(document) == ["torch-folders"]
    assert document.problems[0].params == {"name": "elsewhere/note", "root": "archive"}


def test_an_alignment_that_is_not_kept() -> None:
    writer = ZipWriter(alignment=2)
    for name, data in {**records_of(), ".storage_alignment": b"64"}.items():
        writer.add(name, data)
    document = opened(writer.finish())
    assert codes(document) == ["torch-alignment"]
    assert document.problems[0].params["alignment"] == 64


def test_checksums_that_are_not_stated() -> None:
    document = opened(packed(records_of(), crc=False))
    assert codes(document) == ["zip-no-checksums"]
    assert document.problems[0].params == {"count": 4, "name": "archive/data.pkl"}


def test_a_storage_that_no_tensor_uses() -> None:
    document = opened(packed({**records_of(), "data/7": bytes(24)}))
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
    assert archive.problems[0].params == {"name": "archive/data.pkl", "fact": "method", "local": 8, "listed": 0}


def test_a_descriptor_of_another_size() -> None:
    data = bytearray(packed(records_of()))
    data[data.index(b"PK\x07\x08") + 12] ^= 1
    assert [problem.code for problem in read(bytes(data)).problems] == ["zip-descriptor"]
