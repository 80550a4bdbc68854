"""Quantised, sparse, nested, wrapped and meta tensors that torch saved: their numbers and parts as torch has them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.shared import ROOT
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.tensors.meaning import read_meant
from viewer.core.tensors.nested import held
from viewer.core.tensors.sparse import Sparse, added_up, index_at, numbered, sparse
from viewer.core.tensors.statistics import statistics
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import complete, read

pytestmark = pytest.mark.torch
QUANTISED = 10
OTHERS = 17
SPARSE = 10
NESTED = 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("parts")


@pytest.fixture(scope="module")
def told(folder: Path) -> dict[str, Any]:
    """What torch says of each tensor that it saved."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.with_torch.parts_child", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture(scope="module", params=["zip", "legacy"])
def document(request: pytest.FixtureRequest, folder: Path, told: dict[str, Any]) -> Iterator[Document]:
    del told
    opened = open_document(folder / f"{request.param}.pt")
    yield opened
    opened.source.close()


def by_name(document: Document) -> dict[str | None, Tensor]:
    return {tensor.name: tensor for tensor in document.tensors}


def test_facts(document: Document, told: dict[str, Any]) -> None:
    found = by_name(document)
    assert list(found) == list(told)
    assert len(found) == QUANTISED + OTHERS
    assert [problem.code for problem in document.problems] == []
    for name, tensor in found.items():
        facts = told[name]
        assert (tensor.dtype, tensor.layout) == (facts["dtype"], facts["layout"]), name
        assert facts["shape"] is None or list(tensor.shape) == facts["shape"], name
        assert complete(tensor)


def test_quantised(document: Document, told: dict[str, Any]) -> None:
    compared = 0
    for name, tensor in by_name(document).items():
        facts = told[name]
        if "meant" not in facts:
            continue
        assert tensor.quantizer is not None, name
        assert tensor.quantizer.scheme == facts["scheme"], name
        assert read(tensor).tolist() == facts["stored"], name
        meant = read_meant(tensor)
        assert meant.dtype == np.float32, name
        assert meant.tolist() == facts["meant"], name
        for at in range(tensor.shape[0]):
            assert read_meant(tensor, (at,)).tolist() == facts["meant"][at], name
            assert read_meant(tensor, (slice(at, at + 2), slice(1, 3))).tolist() == [
                row[1:3] for row in facts["meant"][at : at + 2]
            ], name
        found = statistics(tensor)
        assert found is not None
        assert (found.minimum, found.maximum) == (np.min(facts["stored"]), np.max(facts["stored"])), name
        compared += 1
    assert compared == QUANTISED


def test_parts(document: Document, told: dict[str, Any]) -> None:
    for name, tensor in by_name(document).items():
        if told[name]["parts"]:
            found = {role: read(part).tolist() for role, part in tensor.parts if role != "lengths"}
            assert found == told[name]["parts"], name


def test_entries_of_sparse_tensors_add_up_to_what_torch_makes_dense(document: Document, told: dict[str, Any]) -> None:
    compared = 0
    for name, tensor in by_name(document).items():
        if "dense" not in told[name]:
            assert sparse(tensor) is None, name
            continue
        found, dense = sparse(tensor), np.zeros(tensor.shape)
        assert found is not None, name
        for at in range(0, found.elements, 3):
            for element in found.some(at, min(at + 3, found.elements)):
                dense[element.index] += element.value
                assert all(document.source.read(span.start, span.length) for span in element.spans)
                raw = document.source.read(element.spans[0].start, element.spans[0].length)
                assert raw == element.value.tobytes()
        assert dense.tolist() == told[name]["dense"], name
        for number in range(found.elements):
            element = found.element(number)
            for span in element.spans[:2]:
                # The byte of an index belongs to the first element of its entry.
                first = element if span is element.spans[0] else found.element(number - number % found_size(found))
                assert index_at(tensor, span.stop - 1) == first.index, name
        assert index_at(tensor, element.spans[0].stop + 4096) is None
        places, sums = added_up(numbered(found), read(found.values).reshape(-1))
        again = np.zeros(tensor.elements)
        again[places] = sums
        assert again.reshape(tensor.shape).tolist() == told[name]["dense"], name
        assert len(np.unique(places)) == len(places)
        compared += 1
    assert compared == SPARSE


def found_size(found: Sparse) -> int:
    """Elements of an entry."""
    return found.elements // found.count


def test_nested_tensors_hold_what_torch_unbinds(document: Document, told: dict[str, Any]) -> None:
    compared = 0
    for name, tensor in by_name(document).items():
        if "held" not in told[name]:
            assert held(tensor) is None, name
            continue
        found = held(tensor)
        assert found is not None, name
        assert [read(inner).tolist() for inner in found] == told[name]["held"], name
        compared += 1
    assert compared == NESTED
