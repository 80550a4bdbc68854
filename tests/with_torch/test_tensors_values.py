"""Tensors that torch saved, of every type and many layouts: facts, bytes and statistics as torch has them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.shared import ROOT
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.problem import Severity
from viewer.core.tensors.hashing import sha256
from viewer.core.tensors.numpy_line import numpy_line
from viewer.core.tensors.statistics import statistics
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import read

pytestmark = pytest.mark.torch
FORMS = ("zip", "legacy")
TYPES = 24
LAYOUTS = 19
SHARES = (0, 0.01, 0.25, 0.5, 0.75, 0.99, 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tensors")


@pytest.fixture(scope="module")
def told(folder: Path) -> dict[str, Any]:
    """What torch says of each tensor that it saved."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.with_torch.tensors_child", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture(scope="module", params=FORMS)
def document(request: pytest.FixtureRequest, folder: Path, told: dict[str, Any]) -> Iterator[Document]:
    del told
    opened = open_document(folder / f"{request.param}.pt")
    yield opened
    opened.source.close()


def by_name(document: Document) -> dict[str | None, Tensor]:
    return {tensor.name: tensor for tensor in document.tensors}


def test_all_are_found(document: Document, told: dict[str, Any]) -> None:
    assert list(by_name(document)) == list(told)
    assert len(told) == TYPES + LAYOUTS
    # Expanded, overlapping and sliced views are among them.
    found = [(problem.code, problem.severity) for problem in document.problems]
    assert found == [(code, Severity.NOTE) for code in ("tensor-expanded", "tensor-overlap", "storage-part-used")]


def test_facts(document: Document, told: dict[str, Any]) -> None:
    for name, tensor in by_name(document).items():
        facts = told[name]
        assert (tensor.dtype, list(tensor.shape), list(tensor.stride)) == (
            facts["dtype"],
            facts["shape"],
            facts["stride"],
        ), name
        assert (tensor.storage_offset, tensor.requires_grad) == (facts["offset"], facts["grad"]), name


def test_elements(document: Document, told: dict[str, Any]) -> None:
    for name, tensor in by_name(document).items():
        assert sha256(tensor) == told[name]["sha256"], name
        if told[name]["bytes"]:
            assert read(tensor).tobytes().hex() == told[name]["bytes"], name


def test_statistics(document: Document, told: dict[str, Any]) -> None:
    compared = 0
    for name, tensor in by_name(document).items():
        facts = told[name]
        if "mean" not in facts:
            continue
        found = statistics(tensor)
        assert found is not None
        assert (found.minimum, found.maximum) == (facts["minimum"], facts["maximum"]), name
        assert found.mean == pytest.approx(facts["mean"], rel=1e-12), name
        assert found.std == pytest.approx(facts["std"], rel=1e-12), name
        infinite = found.positive_infinities.count + found.negative_infinities.count
        assert (found.zeros.count, found.nans.count, infinite) == (facts["zeros"], facts["nans"], facts["infinite"]), (
            name
        )
        norms = found.norms.l1, found.norms.l2, found.norms.maximum
        assert norms == pytest.approx(facts["norms"], rel=1e-12), name
        assert found.distribution is not None, name
        quantiles = [found.distribution.quantile(share) for share in SHARES]
        assert quantiles == pytest.approx(facts["quantiles"], rel=1e-12), name
        assert found.distinct in (None, facts["distinct"]), name
        seen = (found.zeros, found.nans, found.positive_infinities, found.negative_infinities)
        assert [list(one.first) if one.first is not None else None for one in seen] == facts["first"], name
        compared += 1
    assert compared == 31


def test_the_line_of_numpy_reads_the_same(document: Document, told: dict[str, Any]) -> None:
    for name, tensor in by_name(document).items():
        line = numpy_line(tensor, str(document.path))
        assert line is not None, name
        values = np.array(eval(line, {"np": np, "ml_dtypes": ml_dtypes}), order="C")
        assert values.shape == tensor.shape, name
        if told[name]["bytes"]:
            assert values.tobytes().hex() == told[name]["bytes"], name
