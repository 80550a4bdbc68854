"""Differences of elements of every type, and the words of `load_state_dict`, against torch's own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.shared import ROOT
from tests.with_torch.comparing_child import CROSSED
from viewer.core.comparing.comparison import Comparison, compare
from viewer.core.comparing.sides import sides_of
from viewer.core.opening import open_document

pytestmark = pytest.mark.torch
TYPES = 16
MORE = 6


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("comparing")


@pytest.fixture(scope="module")
def told(folder: Path) -> dict[str, Any]:
    command = [sys.executable, "-W", "ignore", "-m", "tests.with_torch.comparing_child", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def between(folder: Path, name: str) -> Comparison:
    documents = [open_document(folder / f"{name}-{side}.pt") for side in "ab"]
    try:
        return compare(*sides_of(documents[0], documents[1]))
    finally:
        for document in documents:
            document.close()


def test_elements(folder: Path, told: dict[str, Any]) -> None:
    found = between(folder, "elements")
    assert len(found.rows) == len(told["elements"]) == TYPES + MORE + len(CROSSED)
    for row in found.rows:
        facts, mine = told["elements"][row.pair.name], row.differences
        assert mine is not None, row
        assert mine.differing == facts["differing"], row.pair.name
        # torch dequantises in float32.
        near = 1e-6 if mine.note == "dequantised" else 1e-12
        assert mine.largest == pytest.approx(facts["largest"], rel=near), row.pair.name
        for name in ("mean", "relative", "cosine"):
            assert getattr(mine, name) == pytest.approx(facts[name], rel=near, abs=near), (row.pair.name, name)


def test_words_of_load_state_dict(folder: Path, told: dict[str, Any]) -> None:
    assert sum(map(bool, told["words"].values())) == 5
    for name, words in told["words"].items():
        assert between(folder, name).load_words() == words, name
