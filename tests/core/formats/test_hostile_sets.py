"""Sets that are made to hang, to fill memory, or to lead elsewhere: each opens, and one sentence says what is odd."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.builders.distributed import (
    CHUNK,
    FILE,
    FORMAT,
    METADATA,
    PROPERTIES,
    STRIDED,
    TENSOR,
    Chunk,
    MetadataPickler,
    Saved,
    Value,
    save,
    size,
    tensor_item,
    whole,
)
from tests.builders.sets import INDEX, numbered, shard, write_set
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Global, Instance
from tests.opened import codes
from tests.shared import ROOT
from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.opening import open_document
from viewer.core.tensors import window

OTHER: Final = "__1_0.distcp"
NOBODY: Final = 65534
Place = Callable[[Path], None]


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made, pytest.MonkeyPatch.context() as patch:
        # Names of sockets are short.
        patch.chdir(path.parent)
        made.bind(path.name)


def link_out(path: Path) -> None:
    target = path.parent.parent / "outside"
    target.write_bytes(torch_zip(7))
    path.symlink_to(target)


def link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def link_to_zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


ODD: Final = {
    pipe: "it is a device or a pipe",
    listening: "it is a device or a pipe",
    link_to_zeros: "it is a device or a pipe",
    folder: "it is a folder",
    link_out: "it is reached by a link out of the folder",
    link_to_itself: "Too many levels of symbolic links",
}
needs_posix = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="made of what only POSIX systems have")


def reasons(document: Document) -> list[tuple[str, object]]:
    return [(problem.code, problem.params.get("reason")) for problem in document.problems]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    made = tmp_path / "set"
    made.mkdir()
    return made


@needs_posix
@pytest.mark.parametrize("make", ODD)
def test_what_is_no_file_in_a_distributed_checkpoint(place: Path, make: Place) -> None:
    save(place, [whole("t", "int16", (1,), [1]), whole("u", "int16", (1,), [2], OTHER)], [Value("step", torch_zip(7))])
    (place / FILE).unlink()
    make(place / FILE)
    document = open_document(place)
    assert reasons(document) == [("set-file-unreadable", ODD[make])]
    assert [window.available(tensor) for tensor in document.tensors] == [0, 2]
    document.close()


@needs_posix
@pytest.mark.parametrize("make", ODD)
def test_what_is_no_file_in_an_index(place: Path, make: Place) -> None:
    one, two = numbered(1, 2), numbered(2, 2)
    write_set(place, {two: shard({"b": ([1], [2])})}, {"a": one, "b": two})
    make(place / one)
    document = open_document(place)
    assert reasons(document) == [("set-shard-unreadable", ODD[make])]
    assert [tensor.name for tensor in document.tensors] == ["b"]
    document.close()


@needs_posix
@pytest.mark.parametrize("make", [make for make in ODD if make is not folder])
def test_what_is_no_file_among_those_of_ranks(place: Path, make: Place) -> None:
    for rank in (0, 2):
        (place / f"consolidated.0{rank}.pth").write_bytes(torch_zip({"norm.weight": full("int16", (1,), [1])}))
    make(place / "consolidated.01.pth")
    document = open_document(place)
    codes_of = codes(document)
    # A link out of the folder is listed as any file; what is none is not.
    assert ("ranks-file-unreadable" if make is link_out else "ranks-missing") in codes_of
    assert [tensor.name for tensor in document.tensors] == ["norm.weight"]
    document.close()


@needs_posix
@pytest.mark.parametrize(
    ("name", "said"), [(".metadata", "a link out of the folder"), (INDEX, "is a folder"), ("latest", "is a folder")]
)
def test_a_folder_whose_first_file_is_a_link_out_of_it(place: Path, name: str, said: str) -> None:
    (place.parent / "outside").write_bytes(b"what is no business of this folder")
    (place / name).symlink_to(place.parent / "outside")
    with pytest.raises(SourceError, match=said):
        open_document(place)


@needs_posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be somebody else")
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv is what makes it somebody else")
def test_a_file_that_may_not_be_read(place: Path) -> None:
    save(place, [whole("t", "int16", (1,), [1]), whole("u", "int16", (1,), [2], OTHER)])
    (place / FILE).chmod(0)
    script = (
        "import sys; from viewer.core.opening import open_document; d = open_document(sys.argv[1]); "
        "print([(p.code, p.params.get('reason')) for p in d.problems], len(d.tensors))"
    )
    identity = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    for parent in (place, *place.parents):
        if parent.owner() == "root" and str(parent).startswith("/tmp/"):
            parent.chmod(0o755)
    command = [*identity, sys.executable, "-B", "-c", script, str(place)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if "No module named" in done.stderr or "Permission denied: " in done.stderr:
        pytest.skip("that user cannot run this program")
    assert done.stdout == "[('set-file-unreadable', 'Permission denied')] 2\n", done.stderr


@needs_posix
@pytest.mark.parametrize("make", ODD)
def test_a_file_that_is_replaced_while_the_set_is_open(place: Path, make: Place) -> None:
    files = 70
    saved = [whole(f"t{row}", "int16", (1,), [row], f"__{row}_0.distcp") for row in range(files)]
    save(place, saved)
    document = open_document(place)
    # Of 64 files at most the descriptor is kept.
    values = [window.read(tensor).tolist() for tensor in document.tensors]
    assert values == [[row] for row in range(files)]
    (place / "__0_0.distcp").unlink()
    make(place / "__0_0.distcp")
    storage = document.tensors[0].storage
    assert storage is not None
    assert storage.source is not None
    with pytest.raises(SourceError):
        storage.source.read(0, 2)
    document.close()


def test_a_file_of_another_save_is_not_read_in_the_place_of_the_first(place: Path) -> None:
    save(place, [whole("t", "int16", (1,), [1])])
    document = open_document(place)
    tensor = document.tensors[0]
    assert window.read(tensor).tolist() == [1]
    document.close()
    (place / FILE).rename(place / "old")
    (place / FILE).write_bytes(b"0" * 5000)
    with pytest.raises(SourceError, match="another file than when the set was opened"):
        window.read(tensor)
    (place / "old").replace(place / FILE)
    assert window.read(tensor).tolist() == [1]
    document.close()


# -- numbers and lists ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "offsets", "sizes"),
    [
        ((4,), (-1,), (3,)),
        ((4,), (0,), (-3,)),
        ((4,), (0,), (2**70,)),
        ((4,), (2**70,), (1,)),
        ((2**70,), (0,), (1,)),
        ((-4,), (0,), (1,)),
        ((1,) * 70, (0,) * 70, (1,) * 70),
        ((2**40, 2**40), (0, 0), (1, 1)),
        ((4,), (0, 0), (1, 1)),
    ],
)
def test_chunks_that_cannot_be(
    place: Path, shape: tuple[int, ...], offsets: tuple[int, ...], sizes: tuple[int, ...]
) -> None:
    odd = Saved("t", "float32", shape, [Chunk(offsets, sizes, FILE, tensor_item("float32", (2,), [1, 2]))])
    save(place, [odd, whole("ok", "int16", (1,), [5])])
    document = open_document(place)
    assert "set-metadata-entry" in codes(document)
    assert window.read(document.tensors[-1]).tolist() == [5]
    document.close()


def entries(count: int, shared: str) -> bytes:
    """Metadata of that many tensors, all of which share a list of as many chunks, or a size of as many axes."""
    properties = Instance(PROPERTIES, (), (Global("torch", "float32"), STRIDED, False, FORMAT, False))
    chunk = Instance(CHUNK, (), {"offsets": size((0,)), "sizes": size((2,))})
    chunks = [chunk] * count if shared == "chunks" else []
    shape = size((1,) * count) if shared == "size" else size((2,))
    state = {"properties": properties, "size": shape, "chunks": chunks}
    found = {f"t{row}": Instance(TENSOR, (), state) for row in range(count)}
    return MetadataPickler().dumps(
        Instance(METADATA, (), {"state_dict_metadata": found, "planner_data": None, "storage_data": {}})
    )


@pytest.mark.parametrize("shared", ["chunks", "size"])
def test_lists_that_all_entries_share_fill_no_memory(place: Path, shared: str) -> None:
    data = entries(1500, shared)
    assert len(data) < 60_000
    (place / ".metadata").write_bytes(data)
    document = open_document(place)
    assert "set-metadata-shared" in codes(document)
    assert len(document.tensors) > 100
    document.close()


@pytest.mark.parametrize("text", ['{"weight_map":{"a":' + "[" * 200_000, '{"weight_map":{"a":' + '{"a":' * 200_000])
def test_an_index_of_deep_nesting(place: Path, text: str) -> None:
    (place / INDEX).write_text(text, encoding="utf-8")
    document = open_document(place)
    assert codes(document) == ["set-index-json"]
    assert document.problems[0].params["expected"] == "less nesting"
    document.close()


@pytest.mark.parametrize(
    "name", ["../outside", "/etc/hostname", "sub/../../outside", "..\\outside", "c:outside", "a\0b"]
)
def test_an_index_that_names_what_is_elsewhere(place: Path, name: str) -> None:
    (place.parent / "outside").write_bytes(shard({"a": ([1], [1])}))
    (place / INDEX).write_text(json.dumps({"weight_map": {"a": name}}), encoding="utf-8")
    document = open_document(place)
    assert codes(document) == ["set-path-outside"]
    assert len(document.tensors) == 0
    document.close()
