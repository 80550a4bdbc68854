"""The only reader of `resources/`: the same names in a checkout, an installed wheel and a frozen program.

Names are relative to that folder and use slashes: `themes/light.json`. The ring's rule: no imports of ours.
"""

from __future__ import annotations

import importlib.resources
from functools import cache
from pathlib import Path
from typing import Final

PACKAGED: Final = "resources_data"
"""Where the wheel and the frozen program keep the folder, inside the package."""


@cache
def _root() -> Path:
    package = Path(str(importlib.resources.files("viewer")))
    packaged = package / PACKAGED
    return packaged if packaged.is_dir() else package.parent / "resources"


def folder(name: str = "") -> Path:
    """The folder itself, for what must be opened by path. Raises FileNotFoundError."""
    path = _root() / name
    if not path.is_dir():
        raise FileNotFoundError(f"no folder {name!r} among the resources")
    return path


def names(name: str) -> list[str]:
    """Names of the files in a folder, sorted, without the folder. Raises FileNotFoundError."""
    return sorted(entry.name for entry in folder(name).iterdir() if entry.is_file())


def read_bytes(name: str) -> bytes:
    """The content of one resource. Raises FileNotFoundError."""
    return (_root() / name).read_bytes()


def read_text(name: str) -> str:
    """The content of one resource as UTF-8 text. Raises FileNotFoundError."""
    return read_bytes(name).decode("utf-8")
