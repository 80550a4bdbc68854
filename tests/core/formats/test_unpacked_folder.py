"""A lone data.pkl: its storages stand in files of the folder beside it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Final

import pytest

from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.opened import codes
from viewer.core.document import Document
from viewer.core.formats.base import Options
from viewer.core.opening import open_document
from viewer.core.tensors import window

DESCRIPTORS: Final = Path("/dev/fd")


def open_files() -> int:
    """How many files this process has open, on systems that tell."""
    return len(list(DESCRIPTORS.iterdir())) if DESCRIPTORS.is_dir() else 0


def unpacked(folder: Path, byteorder: str = "little") -> Path:
    """The parts of a checkpoint with two tensors, as an unpacking tool leaves them."""
    value = {"w": full("float32", (2, 2), [1, 2, 3, 4]), "b": full("int16", (2,), [1, 258])}
    with zipfile.ZipFile(io.BytesIO(torch_zip(value, byteorder=byteorder))) as archive:
        archive.extractall(folder)
    return folder / "archive" / "data.pkl"


def read(path: Path, options: Options | None = None) -> Document:
    document = open_document(path, options=options)
    document.source.close()
    return document


def values(document: Document) -> dict[str, object]:
    return {str(tensor.name): window.read(tensor).tolist() for tensor in document.tensors}


def test_storages_beside(tmp_path: Path) -> None:
    document = read(unpacked(tmp_path))
    assert (document.format, document.problems) == ("pickle", [])
    assert values(document) == {"w": [[1.0, 2.0], [3.0, 4.0]], "b": [1, 258]}
    places = [tensor.storage for tensor in document.tensors]
    assert [(place.record, place.span) for place in places if place is not None] == [("data/0", None), ("data/1", None)]


def test_no_files_stay_open(tmp_path: Path) -> None:
    path = unpacked(tmp_path)
    before = open_files()
    document = open_document(path)
    values(document)
    after = open_files()
    document.source.close()
    assert after - before == int(DESCRIPTORS.is_dir())


def test_byte_order_of_the_file_beside(tmp_path: Path) -> None:
    path = unpacked(tmp_path, byteorder="big")
    assert values(read(path))["b"] == [256, 513]
    assert values(read(path, Options(byteorder="little")))["b"] == [1, 258]


def test_folder_of_torch_1_4(tmp_path: Path) -> None:
    path = unpacked(tmp_path)
    (path.parent / "data").rename(path.parent / "tensors")
    assert values(read(path))["b"] == [1, 258]


def test_a_storage_that_is_missing(tmp_path: Path) -> None:
    path = unpacked(tmp_path)
    (path.parent / "data" / "1").unlink()
    document = read(path)
    assert codes(document) == ["storage-missing"]
    assert [window.complete(tensor) for tensor in document.tensors] == [True, False]


def test_a_storage_that_is_cut(tmp_path: Path) -> None:
    path = unpacked(tmp_path)
    (path.parent / "data" / "0").write_bytes(bytes(15))
    document = read(path)
    assert codes(document) == ["storage-size-differs"]
    assert [window.complete(tensor) for tensor in document.tensors] == [False, True]


def test_a_storage_that_is_taken_away_later(tmp_path: Path) -> None:
    path = unpacked(tmp_path)
    document = read(path)
    place = document.tensors[0].storage
    (path.parent / "data" / "0").unlink()
    assert place is not None
    assert place.source is not None
    assert place.source.read(0, 16) == b""


@pytest.mark.parametrize("key", ["../../secret", "/etc/hostname", "1/../../../secret"])
def test_keys_do_not_lead_out_of_the_folder(tmp_path: Path, key: str) -> None:
    (tmp_path / "secret").write_bytes(bytes(16))
    path = unpacked(tmp_path)
    body = path.read_bytes()
    old = b"X\x01\x00\x00\x000"
    assert body.count(old) == 1
    path.write_bytes(body.replace(old, b"X" + len(key).to_bytes(4, "little") + key.encode()))
    assert "storage-missing" in codes(read(path))


def test_only_the_file_itself_looks_beside(tmp_path: Path) -> None:
    path = unpacked(tmp_path)
    other = path.parent / "other.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.write(path, "one.pkl")
    document = read(other)
    assert [child.format for child in document.children] == ["pickle"]
    assert codes(document.children[0]) == ["storage-missing", "storage-missing"]
