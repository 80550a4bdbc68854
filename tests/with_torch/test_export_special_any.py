"""Random tensors that are more than plain elements: torch loads the state_dicts, and means the numbers of the npz."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tests.builders.torch_zip import torch_zip
from tests.core.export.reading import document_of, exported, exported_or_none, read_npz
from tests.core.export.special_trees import Special, facts_of, special_trees
from tests.shared import ROOT
from viewer import torch_client
from viewer.core.export.plan import Report
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource

pytestmark = pytest.mark.torch
EXAMPLES: Final = 120
FORMS: Final = ("state_dict", "legacy_state_dict", "npz")
Meant = dict[str, dict[str, Special]]


def test_torch_reads_what_they_are(tmp_path: Path) -> None:
    """All files are written first, so that torch starts once."""
    trees: Meant = {}
    reports: dict[str, Report] = {}

    @given(special_trees())
    @settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.nested_given], derandomize=True)
    def write(tree: dict[str, Special]) -> None:
        data = torch_zip({name: special.value for name, special in tree.items()})
        for form in FORMS:
            stem = f"{len(trees)}-{form}"
            suffix = "npz" if form == "npz" else "pt"
            report = exported_or_none(open_document(MemorySource(data)), tmp_path / f"{stem}.{suffix}", form)
            if report is not None:
                reports[stem] = report
        trees[str(len(trees))] = tree

    write()
    found = loaded(tmp_path)
    assert len(found) > EXAMPLES
    for stem, tensors in found.items():
        number, _, form = stem.partition("-")
        names = {item.entry or item.name for item in reports[stem].plan.items}
        tree = {name: special for name, special in trees[number].items() if name in names}
        means = {name: told.pop("meant", None) for name, told in tensors.items()}
        assert tensors == {name: as_torch_has(facts) for name, facts in facts_of(tree, form)}, stem
        assert_numbers(means, tree, reports.get(f"{number}-npz") if form == "state_dict" else None)


def as_torch_has(facts: dict[str, Any] | None) -> dict[str, Any] | None:
    """Where nothing is stated, torch takes fewer than two elements for coalesced."""
    if facts is None or "coalesced" not in facts or facts["coalesced"] is not None:
        return facts
    is_coo = facts["layout"] == "sparse_coo"
    return {**facts, "coalesced": is_coo and facts["parts"]["values"][1][0] < 2}


def loaded(folder: Path) -> Any:
    """What torch tells of all state_dicts of a folder."""
    command = [sys.executable, "-m", "tests.with_torch.special_trees_child", "load", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def assert_numbers(means: dict[str, list[float] | None], tree: dict[str, Special], npz: Report | None) -> None:
    """The numbers of quantised tensors: torch's, and those of the npz. torch may multiply before it takes off zero."""
    arrays = read_npz(npz.path) if npz is not None else {}
    for name, meant in means.items():
        if meant is None or name not in arrays:
            continue
        special = tree[name].facts
        assert special is not None
        largest = np.abs(arrays[name]).max(initial=0)
        np.testing.assert_allclose(arrays[name].reshape(-1), meant, rtol=1e-6, atol=1e-4 + largest * 2e-6)


def test_verification_says_the_same(tmp_path: Path) -> None:
    """The child that judges an export takes every one of them: all in one file, so that it starts once."""
    every: dict[str, object] = {}

    @given(special_trees())
    @settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.nested_given], derandomize=True)
    def collect(tree: dict[str, Special]) -> None:
        kept = (special.value for special in tree.values() if special.facts is not None)
        for value in kept:
            every[f"t{len(every)}"] = value

    collect()
    for form in FORMS[:2]:
        report = exported(document_of(every), tmp_path / f"{form}.pt", form)
        verdict = torch_client.verify(report, Progress())
        assert verdict.code == "torch-verified", verdict.text
        assert len(report.plan.items) > EXAMPLES
