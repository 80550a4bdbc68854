"""What is said of old state_dicts against what torch's loader does with them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from viewer.core.code.versions import module_versions
from viewer.core.objects.state_dict import state_dicts
from viewer.core.opening import open_document

pytestmark = pytest.mark.torch
CHILD: Final = Path(__file__).with_name("versions_child.py")
# What is said, and the beginning of what the loader says: nothing, when it converts.
EXPECTED: Final = {
    "norm of today": ([], ""),
    "norm of version 1": (["counter-added"], ""),
    "norm without its counter": (["counter-missing"], 'Missing key(s) in state_dict: "num_batches_tracked".'),
    "norm without versions": (["no-versions", "statistics-unversioned"], ""),
    "instance norm of 0.3": (["no-versions", "statistics-unversioned"], "Unexpected running stats buffer(s)"),
    "spectral norm of today": ([], ""),
    "spectral norm before version 1": (["spectral-vector-solved"], ""),
    "spectral norm without version": (["spectral-taken-for-newest"], ""),
    "spectral norm in part": (["spectral-incomplete"], 'Missing key(s) in state_dict: "weight", "weight_v".'),
    "weight norm": (["weight-norm-renamed"], ""),
    "observer of version 1": (["observer-eps-added"], ""),
    "observer by channel of version 2": (["observer-names-moved"], ""),
    "fused norm of version 1": (["fused-names-moved"], ""),
}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, list[str]]]:
    """The files, and the faults that the loader found, by the name of the case in their order."""
    folder = tmp_path_factory.mktemp("versions")
    command = [sys.executable, "-I", "-W", "ignore", str(CHILD), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout)


@pytest.mark.parametrize("name", EXPECTED)
def test_what_the_loader_does(name: str, loaded: tuple[Path, dict[str, list[str]]]) -> None:
    folder, faults = loaded
    document = open_document(folder / f"{list(faults).index(name)}.pt")
    pickle = document.main_pickle
    assert pickle is not None
    (branch,) = state_dicts(pickle.values, document.tensors, pickle.index)
    codes, fault = EXPECTED[name]
    assert [row.code for row in module_versions(pickle.values, branch) if row.code] == codes
    assert faults[name][:1] == [] if not fault else faults[name][0].startswith(fault)
