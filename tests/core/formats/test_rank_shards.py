"""ShardedTensor in the files of ranks: each shard is put where its metadata says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.builders.sharded import Place, sharded, sharded_early, sharded_object
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.opened import codes
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.tensors import window
from viewer.core.tensors.path import Attribute

Build = Callable[..., Any]


def write(folder: Path, rank: int, **values: object) -> Path:
    path = folder / f"model_world_size_2_rank_{rank}.pt"
    path.write_bytes(torch_zip(values))
    return path


def piece(offsets: Sequence[int], sizes: tuple[int, ...], numbers: Sequence[float]) -> tuple[Place, object]:
    return (offsets, sizes), full("float32", sizes, list(numbers))


def problem_of(document: Document, code: str) -> dict[str, object]:
    return next(dict(problem.params) for problem in document.problems if problem.code == code)


@pytest.mark.parametrize("build", [sharded, sharded_object, sharded_early])
def test_shards_of_two_ranks_make_one_tensor(tmp_path: Path, build: Build) -> None:
    write(tmp_path, 0, w=build("float32", (3, 2), [piece([0, 0], (2, 2), [0, 1, 2, 3])]))
    write(tmp_path, 1, w=build("float32", (3, 2), [piece([2, 0], (1, 2), [4, 5])]))
    document = open_document(tmp_path)
    (tensor,) = document.tensors
    assert (tensor.name, tensor.dtype, tensor.shape, tensor.note) == ("w", "float32", (3, 2), "")
    assert window.read(tensor).tolist() == [[0, 1], [2, 3], [4, 5]]
    assert [(role, part.member[-9:], part.offsets) for role, part in tensor.parts] == [
        ("piece", "rank_0.pt", (0, 0)),
        ("piece", "rank_1.pt", (2, 0)),
    ]
    assert codes(document) == ["ranks-kind", "ranks-pieces"]
    document.close()


@pytest.mark.parametrize("build", [sharded, sharded_object, sharded_early])
def test_the_file_of_one_rank(tmp_path: Path, build: Build) -> None:
    path = write(tmp_path, 0, w=build("float32", (3, 2), [piece([1, 0], (1, 2), [2, 3])]))
    document = open_document(path)
    (tensor,) = document.tensors
    assert (tensor.path, tensor.dtype, tensor.shape, tensor.note) == (("w",), "float32", (3, 2), "ShardedTensor")
    ((role, part),) = tensor.parts
    assert (role, part.path, part.offsets) == ("shard 0", ("w", Attribute("shard 0")), (1, 0))
    assert window.read(part).tolist() == [[2, 3]]
    document.close()


def test_shards_in_two_axes_and_several_a_rank(tmp_path: Path) -> None:
    first = [piece([0, 0], (1, 1), [0]), piece([1, 1], (1, 1), [3])]
    second = [piece([1, 0], (1, 1), [2]), piece([0, 1], (1, 1), [1])]
    write(tmp_path, 0, w=sharded("float32", (2, 2), first))
    write(tmp_path, 1, w=sharded("float32", (2, 2), second))
    document = open_document(tmp_path)
    assert window.read(document.tensors[0]).tolist() == [[0, 1], [2, 3]]
    document.close()


def test_a_rank_may_hold_no_shard(tmp_path: Path) -> None:
    write(tmp_path, 0, w=sharded("float32", (2,), []), few=full("float32", (1,), [7]))
    write(tmp_path, 1, w=sharded("float32", (2,), [piece([0], (2,), [4, 5])]), few=full("float32", (1,), [7]))
    document = open_document(tmp_path)
    found = {tensor.name: window.read(tensor).tolist() for tensor in document.tensors}
    assert found == {"w": [4, 5], "few": [7]}
    assert codes(document) == ["ranks-kind"]
    document.close()


def test_shards_that_leave_elements_out(tmp_path: Path) -> None:
    write(tmp_path, 0, w=sharded("float32", (4,), [piece([0], (1,), [4])]))
    write(tmp_path, 1, w=sharded("float32", (4,), [piece([2], (2,), [6, 7])]))
    document = open_document(tmp_path)
    assert problem_of(document, "ranks-holes") == {"count": 1, "names": "w"}
    assert window.available(document.tensors[0]) == 12
    document.close()


def test_a_missing_rank_is_said_once(tmp_path: Path) -> None:
    write(tmp_path, 1, w=sharded("float32", (4,), [piece([2], (2,), [6, 7])]))
    (tmp_path / "model_world_size_3_rank_2.pt").write_bytes(torch_zip({}))
    (tmp_path / "model_world_size_2_rank_1.pt").rename(tmp_path / "model_world_size_3_rank_1.pt")
    document = open_document(tmp_path)
    assert codes(document) == ["ranks-kind", "ranks-missing"]
    assert window.available(document.tensors[0]) == 8
    document.close()


@pytest.mark.parametrize(
    ("shape", "at", "sizes"),
    [
        ((4,), [3], (2,)),
        ((4,), [-1], (2,)),
        ((4,), [2**70], (2,)),
        ((4,), [0, 0], (2,)),
        ((4,), [0], (1,)),
        ((2**40, 2**40), [0], (2,)),
    ],
)
def test_places_that_cannot_be_leave_the_shards_apart(
    tmp_path: Path, shape: tuple[int, ...], at: list[int], sizes: tuple[int, ...]
) -> None:
    for rank in range(2):
        held = full("float32", (2,), [rank, 1])
        write(tmp_path, rank, w=sharded("float32", shape, [((at, sizes), held)]))
    document = open_document(tmp_path)
    assert [tensor.path for tensor in document.tensors] == [("w", "part 0"), ("w", "part 1")]
    assert "ranks-open" in codes(document)
    for tensor in document.tensors:
        assert window.read(tensor.parts[0][1]).tolist()[1] == 1
    document.close()


@pytest.mark.parametrize("shape", [(-1,), (2**70,)])
def test_a_size_that_cannot_be_leaves_the_shard_by_itself(tmp_path: Path, shape: tuple[int, ...]) -> None:
    path = write(tmp_path, 0, w=sharded_object("float32", shape, [piece([0], (1,), [1])]))
    document = open_document(path)
    assert "tensor-arguments" in codes(document)
    (tensor,) = document.tensors
    assert (tensor.shape, window.read(tensor).tolist()) == ((1,), [1])
    document.close()
