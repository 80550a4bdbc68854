"""The files that may stand beside the repository, in `../shared`. Tests of absent files skip with a sentence.

Inside a test use the `shared` fixture (tests/conftest.py). For one test a file:

    @pytest.mark.parametrize("path", shared_files("samples", "C_*.pt"))

The summary at the end of a run says how many of these tests ran.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
SHARED: Final = ROOT.parent / "shared"
ABSENT: Final = "the folder ../shared is absent, so its files could not be tried"


def shared_folder() -> Path:
    """The folder, or a skip with a sentence."""
    if not (SHARED / "samples").is_dir():
        pytest.skip(ABSENT)
    return SHARED


def shared_files(folder: str, pattern: str = "*") -> list[object]:
    """Parameters for one test a file, sorted by name; one that skips where the folder is absent."""
    paths = sorted(path for path in (SHARED / folder).glob(pattern) if path.is_file())
    if not paths:
        return [pytest.param(SHARED / folder, marks=pytest.mark.skip(reason=ABSENT), id="absent")]
    return [
        pytest.param(path, marks=pytest.mark.shared, id=path.relative_to(SHARED / folder).as_posix()) for path in paths
    ]
