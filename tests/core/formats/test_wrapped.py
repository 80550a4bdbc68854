"""Compressed files as documents: the file inside is a child, nested ones too, and each keeps to its bound."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
import zstandard

from tests.builders.compressed import gzip_member
from tests.builders.legacy import legacy
from tests.builders.tars import member, tar
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.builders.zips import Member, plain_zip
from tests.opened import codes, opened, regions_tile
from viewer.core.formats.base import Options
from viewer.core.summary.facts import facts
from viewer.core.summary.rows.inspection import Wanted
from viewer.core.summary.rows.inspection import facts as json_facts
from viewer.core.tensors import window

INNER: Final = torch_zip({"w": full("float32", (2, 3), range(6))})
PACKERS: Final[dict[str, tuple[str, Callable[[bytes], bytes]]]] = {
    "gzip": ("gzip", gzip.compress),
    "bz2": ("bz2", bz2.compress),
    "xz": ("xz", lzma.compress),
    "lzma": ("xz", lambda data: lzma.compress(data, lzma.FORMAT_ALONE)),
    "zlib": ("zlib", zlib.compress),
    "zstd": ("zstd", zstandard.ZstdCompressor().compress),
}


@pytest.mark.parametrize("how", PACKERS)
def test_what_is_inside_is_a_child(how: str) -> None:
    name, pack = PACKERS[how]
    document = opened(pack(INNER))
    assert (document.format, document.offset, codes(document)) == (name, 0, ["unpacked"])
    child = document.children[0]
    assert (child.how, child.format, child.offset, child.parent) == (how, "torch-zip", None, 0)
    assert window.read(child.tensors[0]).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert document.content is child
    assert child.source.read(0, 1 << 20) == INNER
    regions_tile(document)
    regions_tile(child)


def test_the_ratio_is_told() -> None:
    problem = opened(gzip.compress(legacy([0] * 100_000))).problems[0]
    assert problem.severity == "note"
    assert problem.params["kind"] == "gzip"
    assert float(str(problem.params["ratio"])) > 100


def test_offsets_of_what_was_unpacked_count_in_its_own_bytes() -> None:
    document = opened(gzip.compress(INNER))
    found = json_facts(document, Wanted())
    assert [(row["index"], row["parent"], row["how"], row["offset"]) for row in found["documents"]] == [
        (0, None, "", 0),
        (1, 0, "gzip", None),
    ]
    row = next(iter(found["tensors"]))
    place = INNER.index(b"\0\0\0\0\0\0\x80\x3f\0\0\0\x40")
    assert (row["document"], row["start"], row["source_start"], row["source_stop"]) == (1, None, place, place + 24)
    assert (found["format"], found["root"], found["keys"]) == ("gzip", "dict", ["w"])
    assert found["written_by"] == "torch 2.7 or later"


def test_the_summary_is_that_of_the_file_inside() -> None:
    found = facts(opened(gzip.compress(INNER)))
    assert (found.title.text, found.root, found.tensors, [key.key for key in found.keys]) == (
        "gzip file",
        "dict",
        1,
        ["w"],
    )


def test_the_summary_of_several_files() -> None:
    found = facts(opened(tar(member(b"a.pt", INNER), member(b"b.pt", INNER))))
    assert [(say.text, say.params) for say in found.holds] == [("Files that can be opened: {count}", {"count": 2})]


def test_the_name_that_gzip_keeps() -> None:
    assert opened(gzip_member(INNER, b"model.pt")).detail == "model.pt"


def test_tar_gz_and_others_inside_one_another() -> None:
    document = opened(bz2.compress(gzip.compress(tar(member(b"a.pt.zst", PACKERS["zstd"][1](INNER))))))
    chain = [(part.how, part.format) for part in document.walk()]
    assert chain == [
        ("", "bz2"),
        ("bz2", "gzip"),
        ("gzip", "tar"),
        ("record a.pt.zst", "zstd"),
        ("zstd", "torch-zip"),
    ]
    assert len(list(document.walk())[-1].tensors) == 1
    assert document.content is list(document.walk())[-1]


def test_a_compressed_file_in_a_zip() -> None:
    document = opened(
        plain_zip([Member("a.gz", gzip.compress(INNER)), Member("b.zip", plain_zip([Member("c.pt", INNER)]))])
    )
    assert [(part.how, part.format) for part in document.walk()] == [
        ("", "zip"),
        ("record a.gz", "gzip"),
        ("gzip", "torch-zip"),
        ("record b.zip", "zip"),
        ("record c.pt", "torch-zip"),
    ]


def test_text_inside_is_shown_as_text() -> None:
    document = opened(gzip.compress(b"hello, this is text\n"))
    assert [child.format for child in document.children] == ["text"]


def test_depth_is_bounded() -> None:
    data = INNER
    for _ in range(12):
        data = gzip.compress(data)
    documents = list(opened(data).walk())
    assert [part.format for part in documents] == ["gzip"] * 9
    assert codes(documents[-1]) == ["unpacked", "unpack-depth"]


def test_the_bound_holds_for_all_together() -> None:
    packed = gzip.compress(bytes(1000))
    data = tar(*(member(b"%d.gz" % number, packed) for number in range(5)))
    document = opened(data, Options(most_unpacked=2500))
    assert [codes(child) for child in document.children] == [["unpacked"]] * 2 + [["unpack-limit"]] * 3


def test_a_cut_file_shows_what_could_be_unpacked() -> None:
    whole = gzip.compress(
        legacy({"w": full("float32", (1000,), range(1000)), "z": full("float32", (9000,), range(9000))})
    )
    document = opened(whole[: len(whole) // 2])
    assert codes(document) == ["unpacked", "unpack-cut"]
    tensors = document.children[0].tensors
    assert [window.complete(tensor) for tensor in tensors] == [True, False]
    assert 0 < window.available(tensors[1]) < 36_000


def test_nothing_could_be_unpacked() -> None:
    document = opened(gzip.compress(INNER)[:12])
    assert (document.children, codes(document)) == ([], ["unpack-cut"])
    regions_tile(document)


def test_no_room_for_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "absent"))
    document = opened(gzip.compress(bytes(3_000_000)))
    assert (document.children, codes(document)) == ([], ["unpack-failed"])


@pytest.mark.parametrize("start", [b"\x04\x22\x4d\x18", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\x00"])
def test_others_are_named_and_not_opened(start: bytes) -> None:
    document = opened(start + bytes(range(40)))
    assert document.children == []
    assert codes(document) == [f"kind-{document.format}"]
    assert document.format in ("lz4", "7z", "rar")
