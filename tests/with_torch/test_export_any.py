"""Random trees of tensors, exported as state_dicts of both forms, are what torch loads with weights_only=True."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings

from tests.builders.torch_zip import torch_zip
from tests.core.export.reading import exported_or_none
from tests.core.export.trees import Tree, trees
from tests.shared import ROOT
from viewer.core.opening import open_document
from viewer.core.source import MemorySource

pytestmark = pytest.mark.torch
EXAMPLES: Final = 40
FORMS: Final = ("state_dict", "legacy_state_dict")


def test_torch_reads_what_the_trees_are(tmp_path: Path) -> None:
    """All files are written first, so that torch starts once."""
    meant: dict[str, Any] = {}

    @given(trees())
    @settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.nested_given], derandomize=True)
    def write(tree: Tree) -> None:
        data = torch_zip(tree.value, byteorder="big" if tree.big else "little", deflated=tree.deflated)
        for form in FORMS:
            stem = f"{len(meant)}-{form}"
            report = exported_or_none(open_document(MemorySource(data)), tmp_path / f"{stem}.pt", form)
            if report is None:
                assert form == "legacy_state_dict"
                continue
            assert form == "legacy_state_dict" or not report.plan.dropped
            names = list(tree.views)
            meant[stem] = {item.name: facts(tree, names[item.tensor.index]) for item in report.plan.items}

    write()
    command = [sys.executable, "-m", "tests.with_torch.export_child", "load", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.keys() == meant.keys()
    for stem, tensors in meant.items():
        assert {name: told[:-1] for name, told in found[stem]["tensors"].items()} == tensors, stem


def facts(tree: Tree, name: str) -> list[Any]:
    """What torch must tell of a tensor."""
    view, array = tree.views[name], tree.arrays[name]
    digest = hashlib.sha256(array.tobytes()).hexdigest()
    return [tree.types[view.storage], list(view.shape), list(view.stride), view.offset, "cpu", digest]
