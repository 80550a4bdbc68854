"""Tensors read by columns are those that are read value by value, in every stream at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shared import ROOT, shared_files
from viewer.core.opening import open_document
from viewer.core.pickles.values import Values
from viewer.core.tensors.identifiers import Identifiers
from viewer.core.tensors.rebuild import Rebuilder
from viewer.core.tensors.table import StorageTable

SAMPLES = sorted((ROOT / "resources" / "samples").glob("*.pth"))


def both_ways(values: Values) -> int:
    """Compare the two; gives the number of tensors read by columns."""
    table = StorageTable(values, "utf-8", lambda key, nbytes: None)
    reader = Rebuilder(values, 0, table)
    compared = 0
    for value in values.calls():
        fast = reader._plain_tensor(value)
        if fast is not None:
            assert fast.storage is not None
            slow = reader._tensor(value)
            assert slow is not None
            assert slow.storage is fast.storage
            assert str(slow) == str(fast)
            compared += 1
    identifiers = Identifiers(values, table.rows)
    for value in values.persistents():
        assert identifiers.of.get(value) == identifiers.read(value)
    return compared


def compare(path: Path) -> int:
    document = open_document(path)
    found = sum(both_ways(pickle.values) for part in document.walk() for pickle in part.pickles)
    document.source.close()
    return found


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_samples_of_the_project(path: Path) -> None:
    assert compare(path) > 3


@pytest.mark.parametrize("path", shared_files("samples", "[BCDHJM]_*"))
def test_samples(path: Path) -> None:
    compare(path)


@pytest.mark.parametrize("path", shared_files("tricks", "*.p*"))
def test_streams_built_to_mislead(path: Path) -> None:
    compare(path)
