"""What is left out of very large distributed checkpoints is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.distributed import FILE, Chunk, Saved, Value, save, tensor_item, whole
from tests.builders.torch_zip import torch_zip
from viewer.core.opening import open_document
from viewer.core.problem import Problem

ABOUT = "viewer.core.formats.distributed"


def said(path: Path, code: str) -> Problem:
    """The only Problem of a code."""
    document = open_document(path)
    (problem,) = [problem for problem in document.problems if problem.code == code]
    document.close()
    return problem


def test_tensors_of_a_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = save(tmp_path, [whole(f"t{row}", "float32", (2,), [row, 1]) for row in range(5)])
    monkeypatch.setattr(f"{ABOUT}.lone.MOST_TENSORS", 3)
    problem = said(tmp_path / FILE, "set-items-more")
    assert problem.params == {"count": 2, "limit": 3}
    assert problem.span is not None
    assert problem.span.start == places["t3"][1]


def test_values_of_a_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path, [], [Value(f"v{row}", torch_zip(row)) for row in range(5)])
    monkeypatch.setattr(f"{ABOUT}.lone.MOST_CHILDREN", 3)
    assert said(tmp_path / FILE, "set-values-more").params == {"count": 2, "limit": 3}


def test_files_that_the_metadata_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (
        Chunk((row,), (1,), name, tensor_item("float32", (1,), [row]))
        for row, name in enumerate((FILE, "__1_0.distcp"))
    )
    save(tmp_path, [Saved("t", "float32", (2,), [first, second])])
    monkeypatch.setattr(f"{ABOUT}.members.MOST_FILES", 1)
    assert said(tmp_path, "set-too-many-files").params == {"count": 2, "limit": 1}


def test_pieces_that_are_held_against_one_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = [
        Saved(
            f"t{number}",
            "int8",
            (2, 2),
            [
                Chunk((row, column), (1, 1), FILE, tensor_item("int8", (1, 1), [2 * row + column]))
                for row in range(2)
                for column in range(2)
            ],
        )
        for number in range(3)
    ]
    save(tmp_path, saved)
    monkeypatch.setattr(f"{ABOUT}.checks.MOST_COMPARED", 2)
    assert said(tmp_path, "set-pieces-unchecked").params == {"count": 2, "total": 3}


def test_files_without_metadata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        (tmp_path / f"__{number}_0.distcp").write_bytes(tensor_item("float32", (1,), [number]))
    monkeypatch.setattr("viewer.core.opening.MOST_MEMBERS", 2)
    assert said(tmp_path, "set-file-unreadable").params["file"] == "__2_0.distcp"
