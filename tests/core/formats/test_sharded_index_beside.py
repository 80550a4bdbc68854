"""What else stands in the folder of an index: files of other divisions, other indexes."""

from __future__ import annotations

from pathlib import Path

from tests.builders.sets import BIN_INDEX, INDEX, bin_shard, index, numbered, shard, write_set
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.problem import Problem

FIRST, SECOND = numbered(1, 2), numbered(2, 2)
A = {"a": ([2], [1.0, 2.0]), "b": ([1], [3.0])}
B = {"c": ([3], [4.0, 5.0, 6.0])}
MAP = {"a": FIRST, "b": FIRST, "c": SECOND}
FILES = {FIRST: shard(A), SECOND: shard(B)}


def found(document: Document) -> list[Problem]:
    document.close()
    return document.problems


def test_files_that_are_left_from_another_division(tmp_path: Path) -> None:
    left = {numbered(1, 3): shard(A), numbered(3, 3): shard(B)}
    write_set(tmp_path, {**FILES, **left}, MAP, 24)
    (problem,) = found(open_document(tmp_path))
    assert problem.code == "set-files-stale"
    files = f"{numbered(1, 3)}, {numbered(3, 3)}"
    assert dict(problem.params) == {"count": 2, "of": 3, "expected": 2, "files": files}


def test_a_file_of_the_set_that_the_index_does_not_name(tmp_path: Path) -> None:
    two = {numbered(1, 3): shard(A), numbered(2, 3): shard(B)}
    write_set(
        tmp_path, {**two, numbered(3, 3): shard({})}, {"a": numbered(1, 3), "b": numbered(1, 3), "c": numbered(2, 3)}
    )
    problems = found(open_document(tmp_path))
    assert [problem.code for problem in problems] == ["set-numbers", "set-files-extra"]
    assert dict(problems[0].params) == {"of": 3, "found": 2, "listed": "3"}
    assert dict(problems[1].params) == {"count": 1, "files": numbered(3, 3)}


def test_the_whole_model_in_one_file_beside_its_parts(tmp_path: Path) -> None:
    write_set(tmp_path, {**FILES, "model.safetensors": shard({**A, **B})}, MAP, 24)
    (problem,) = found(open_document(tmp_path))
    assert (problem.code, dict(problem.params)) == ("set-file-single", {"name": "model.safetensors"})


def test_two_indexes(tmp_path: Path) -> None:
    write_set(tmp_path, FILES, MAP, 24)
    (tmp_path / "pytorch_model.bin").write_bytes(bin_shard(A))
    (tmp_path / BIN_INDEX).write_bytes(index({"a": "pytorch_model.bin"}))
    document = open_document(tmp_path)
    assert document.path == tmp_path / INDEX
    (problem,) = found(document)
    assert (problem.code, dict(problem.params)) == ("set-index-other", {"name": INDEX, "files": BIN_INDEX})


def test_a_snapshot_in_the_cache_of_the_hub(tmp_path: Path) -> None:
    blobs, snapshot = tmp_path / "blobs", tmp_path / "snapshots" / "0123abcd"
    blobs.mkdir()
    snapshot.mkdir(parents=True)
    for number, (name, data) in enumerate({**FILES, INDEX: index(MAP, 24)}.items()):
        (blobs / f"{number:064x}").write_bytes(data)
        (snapshot / name).symlink_to(Path("..", "..", "blobs", f"{number:064x}"))
    document = open_document(snapshot)
    assert [tensor.name for tensor in document.tensors] == ["a", "b", "c"]
    assert found(document) == []
