"""Opening: what is no checkpoint, files and sources, children and siblings, cancelling."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import full
from tests.builders.torch_zip import ZipWriter, torch_zip
from tests.opened import codes, opened, regions_tile
from viewer.core.errors import CancelledError, SourceError
from viewer.core.formats import formats
from viewer.core.formats.raw_bytes import RawBytes
from viewer.core.formats.reading import NO_CHECKPOINT
from viewer.core.opening import open_document
from viewer.core.problem import Severity
from viewer.core.progress import Progress

PLAIN = torch_zip({"w": full("float32", (2,), [1, 2])})
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 12345\n" % (b"a" * 64)


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"", "empty", "file-empty"),
        (bytes(5000), "zeros", "kind-zeros-all"),
        (b"The quick brown fox jumps over the lazy dog.\n" * 4, "text", "kind-text"),
        (b"<!DOCTYPE html><html><body>404</body></html>", "html", "kind-html"),
        (b'{"error": "not found"}', "json", "kind-json-said"),
        (b"<?xml version='1.0'?><Error/>", "xml", "kind-xml"),
        (LFS, "git-lfs-pointer", "kind-git-lfs-pointer"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "foreign", "kind-foreign"),
        (random.Random(4).randbytes(4000), "unknown", "kind-unknown"),
    ],
)
def test_what_is_no_checkpoint(data: bytes, name: str, code: str) -> None:
    document = opened(data)
    assert document.format == name
    assert [(problem.code, problem.severity) for problem in document.problems] == [(code, Severity.ERROR)]
    assert "{" not in document.problems[0].text
    regions_tile(document)


def test_every_kind_has_a_sentence() -> None:
    from viewer.wording.problems import PROBLEMS

    names = (
        "torchscript torchscript-json torch-mobile torch-package torch-export torch-export-json distributed "
        "sharded-index tar zip lz4 7z rar git-lfs-pointer html xml json text "
        "hdf5 onnx gguf lua-t7 keras flatbuffer zeros foreign unknown"
    )
    assert [name for name in names.split() if f"kind-{name}" not in PROBLEMS] == []


def test_other_models_are_no_error() -> None:
    document = opened(b"GGUF\x03\x00\x00\x00" + bytes(64))
    assert (document.format, codes(document)) == ("gguf", ["kind-gguf"])
    assert document.problems[0].severity is Severity.WARNING
    assert "gguf" not in NO_CHECKPOINT


def test_a_plain_zip_shows_its_records_and_what_is_in_them() -> None:
    writer = ZipWriter("")
    writer.add("readme.txt", b"hello")
    writer.add("model.pth", legacy([full("int8", (1,), [3])]))
    document = opened(writer.finish())
    assert document.format == "zip"
    assert [record.name for record in document.records] == ["readme.txt", "model.pth"]
    assert [child.format for child in document.children] == ["torch-legacy"]
    regions_tile(document)


def test_the_last_format_takes_everything() -> None:
    assert isinstance(formats()[-1], RawBytes)
    assert len({type(known) for known in formats()}) == len(formats())


def test_a_file_by_path(tmp_path: Path) -> None:
    path = tmp_path / "model.txt"
    path.write_bytes(PLAIN)
    document = open_document(path)
    assert (document.format, document.path, document.offset) == ("torch-zip", path, 0)
    document.source.close()


def test_documents_are_numbered_parents_first() -> None:
    second = legacy([full("int8", (1,), [3])])
    document = opened(second + second)
    assert [(part.index, part.parent) for part in document.walk()] == [(0, None), (1, 0)]


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda path: None, "file-missing"),
        (lambda path: path.mkdir(), "file-is-folder"),
        (os.mkfifo, "file-not-regular"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, make: object, code: str) -> None:
    path = tmp_path / "x"
    make(path)
    with pytest.raises(SourceError) as caught:
        open_document(path)
    assert caught.value.code == code


def test_cancelling_closes_the_file(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    path.write_bytes(PLAIN)
    progress = Progress()
    progress.cancel()
    before = open_descriptors()
    with pytest.raises(CancelledError):
        open_document(path, progress)
    assert open_descriptors() == before


def open_descriptors() -> int:
    """Number of files that this process has open; 0 where the system does not tell."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0


def test_depth_is_bounded() -> None:
    data = b"hello"
    for _ in range(12):
        writer = ZipWriter("")
        writer.add("inner.zip", data)
        data = writer.finish()
    document = opened(data)
    assert len(list(document.walk())) <= 9


@pytest.mark.parametrize("seed", range(40))
def test_random_bytes(seed: int) -> None:
    chance = random.Random(seed)
    head = chance.choice((b"", b"\x80\x02", b"PK\x03\x04", b"\x93NUMPY\x01\x00", b"PK\x05\x06", b"(dp0\n", PLAIN[:200]))
    for part in opened(head + chance.randbytes(chance.randrange(600))).walk():
        regions_tile(part)


@pytest.mark.parametrize("data", [PLAIN, legacy({"w": full("float32", (2,), [1, 2])})], ids=["zip", "legacy"])
def test_flipped_bytes(data: bytes) -> None:
    chance = random.Random(7)
    for _ in range(300):
        changed = bytearray(data)
        for _ in range(chance.randrange(1, 4)):
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
        for part in opened(bytes(changed)).walk():
            regions_tile(part)
