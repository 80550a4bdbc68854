"""Rows of the tensors of a large set: the same whether they come from columns or from each tensor, and stoppable."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.sets import shard, sparse_set, write_set
from viewer.core import progress as progress_module
from viewer.core.document import Document
from viewer.core.errors import CancelledError
from viewer.core.opening import open_document
from viewer.core.progress import Progress, Step
from viewer.core.summary.rows import tensors
from viewer.core.summary.rows.inspection import Wanted, facts
from viewer.core.summary.rows.json_texts import json_texts
from viewer.core.summary.rows.tensors import tensor_rows
from viewer.core.summary.rows.versions import version_rows
from viewer.core.tensors.indexed import IndexedTensors


@pytest.fixture
def mixed(tmp_path: Path) -> Iterator[Document]:
    """Names that need escapes, one that reads as an attribute, one beside the index and one that no file has."""
    files = {
        "a.safetensors": shard({"w": ([2], [1.0, 2.0]), "@odd": ([1], [3.0]), 'q"ü': ([2], [4.0, 5.0])}),
        "b.safetensors": shard({"v": ([2, 1], [1.0, 2.0]), "extra": ([1], [3.0]), "empty": ([0], [])}),
    }
    names = {"w": "a.safetensors", "@odd": "a.safetensors", 'q"ü': "a.safetensors", "v": "b.safetensors"}
    path = write_set(tmp_path, files, {**names, "empty": "b.safetensors", "gone": "b.safetensors"})
    document = open_document(path)
    yield document
    document.source.close()


@pytest.mark.parametrize("block", [1, 2, 4096])
def test_rows_from_columns_are_those_of_the_tensors(
    mixed: Document, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    assert isinstance(mixed.tensors, IndexedTensors)
    made: list[int] = []
    make = IndexedTensors.make
    with monkeypatch.context() as patch:
        patch.setattr(tensors, "BLOCK", block)
        patch.setattr(IndexedTensors, "make", lambda self, number: made.append(number) or make(self, number))
        found = list(tensor_rows(mixed, hashes=False))
    monkeypatch.setattr(IndexedTensors, "stored", lambda self: None)
    expected = list(tensor_rows(mixed, hashes=False))
    assert found == expected
    assert [list(row) for row in found] == [list(row) for row in expected]
    assert {row["name"] for row in found} >= {"w", "@odd", 'q"ü', "v", "extra", "empty"}


def test_few_tensors_are_made_for_the_rows_of_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = open_document(sparse_set(tmp_path, 3, 50, (2, 2)))
    made: list[int] = []
    make = IndexedTensors.make
    monkeypatch.setattr(IndexedTensors, "make", lambda self, number: made.append(number) or make(self, number))
    assert len(list(tensor_rows(document, hashes=False))) == 150
    assert len(made) <= 3
    document.source.close()


def test_rows_and_versions_tell_how_far_they_are_and_stop(mixed: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "INTERVAL", 0.0)
    steps: list[Step] = []
    progress = Progress(steps.append)
    assert "".join(json_texts(facts(mixed, Wanted(), progress)))
    told = {(step.what, step.total) for step in steps}
    assert {("rows", len(mixed.tensors)), ("versions", len(list(mixed.walk())))} <= told
    progress.cancel()
    for rows in (tensor_rows(mixed, hashes=False, progress=progress), version_rows(mixed, "", progress)):
        with pytest.raises(CancelledError):
            next(rows)
