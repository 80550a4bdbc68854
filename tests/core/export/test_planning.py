"""Planning and writing of very many tensors: made for no list of them before, and stopped at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.sets import sparse_set
from viewer.core.document import Document
from viewer.core.errors import CancelledError
from viewer.core.export import EXPORTERS
from viewer.core.export.base import Exporter
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress

FORMS = [
    exporter for exporter in EXPORTERS if exporter.form in ("npz", "safetensors", "safetensors_shards", "state_dict")
]


@pytest.fixture
def document(tmp_path: Path) -> Document:
    return open_document(sparse_set(tmp_path, 2, 3, (2, 2)))


@pytest.mark.parametrize("exporter", FORMS, ids=lambda exporter: exporter.form)
@pytest.mark.parametrize("is_all", [False, True])
def test_planning_is_stopped(exporter: Exporter, is_all: bool, document: Document) -> None:
    tensors = document.tensors if is_all else None
    assert len(exporter.plan(document, Wanted(tensors=tensors)).items) == 6
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        exporter.plan(document, Wanted(tensors=tensors, progress=progress))


@pytest.mark.parametrize("exporter", FORMS, ids=lambda exporter: exporter.form)
def test_writing_is_stopped_before_anything_stands(exporter: Exporter, document: Document, tmp_path: Path) -> None:
    plan = exporter.plan(document, Wanted())
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        exporter.write(plan, tmp_path / "out" / "x", progress)
    assert not (tmp_path / "out").exists()
