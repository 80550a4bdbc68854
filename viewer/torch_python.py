"""Which Python has torch, and how a child of it is started: this one, the frozen program, or one that was named."""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import viewer

OTHER: Final = "PICKLESCOPE_PYTHON"
FOR_OTHERS: Final = "torch_child"
"""The folder of the frozen program with what packaging/picklescope.spec puts there."""
ASKING: Final = 30.0
# The first step takes the current folder away: it may be one of downloads, and hold modules.
HAS_TORCH: Final = (
    "import sys; sys.path[:] = [*filter(None, sys.path)]; import importlib.util as u; "
    "sys.stdout.write('yes' if u.find_spec('torch') else 'no')"
)
# Beside an installed package lie others, for this Python alone.
START: Final = (
    "import sys; sys.path[:] = [sys.argv.pop(1), *filter(None, sys.path)]; import viewer; del sys.path[0]; "
    "import runpy; runpy.run_module('viewer.torch_process', run_name='__main__', alter_sys=True)"
)


def torch_is_there() -> bool:
    """True when torch is installed, here or for the other Python that was named; it is not imported."""
    return _torch_is_here() or (bool(other_python()) and _has_torch(other_python()))


def use_python(path: str) -> None:
    """Ask the torch of this Python where there is none here; "" for none. `PICKLESCOPE_PYTHON` names one as well."""
    _other.path = path


def other_python() -> str:
    """The Python that was named, "" where none was."""
    return _other.path or os.environ.get(OTHER, "")


class _Other:
    path: str = ""


_other: Final = _Other()


def _torch_is_here() -> bool:
    try:
        return importlib.util.find_spec("torch") is not None
    except (ImportError, ValueError):
        return False


@functools.lru_cache(maxsize=8)
def _has_torch(python: str) -> bool:
    """Asked once of each Python, in a process of its own."""
    import subprocess  # the window is up without it

    try:
        done = subprocess.run(
            [python, "-c", HAS_TORCH],
            env=_clean(os.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=ASKING,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return False
    return done.stdout.strip() == b"yes"


def child_command() -> list[str]:
    """How the child is started: by this interpreter where it has torch, without the current folder among its modules.

    Else by the Python that was named, which finds nothing of this program but the child's own files.
    """
    from viewer.torch_process.protocol import ARGUMENT

    if other_python() and not _torch_is_here():
        return [other_python(), "-c", START, str(_folder_for_others())]
    if getattr(sys, "frozen", False):
        return [sys.executable, ARGUMENT]
    return [sys.executable, "-P", "-m", "viewer.torch_process"]


def _folder_for_others() -> Path:
    """The folder with the child's files: in the frozen program those that lie beside what is compiled."""
    above = Path(viewer.__file__).resolve().parents[1]
    return above / FOR_OTHERS if getattr(sys, "frozen", False) else above


def child_environment() -> dict[str, str]:
    """The environment in which the child finds this very package, installed or not."""
    environment = _clean(os.environ)
    folder = Path(viewer.__file__).resolve().parents[1]
    if folder.name not in {"site-packages", "dist-packages"} and not getattr(sys, "frozen", False):
        known = environment.get("PYTHONPATH", "")
        environment["PYTHONPATH"] = os.pathsep.join(part for part in (known, str(folder)) if part)
    return environment


def _clean(environment: Mapping[str, str]) -> dict[str, str]:
    """Without the frozen program's own libraries, which another Python must not load."""
    cleaned = dict(environment)
    if getattr(sys, "frozen", False):
        before = cleaned.pop("LD_LIBRARY_PATH_ORIG", "")
        cleaned.pop("LD_LIBRARY_PATH", None)
        if before:
            cleaned["LD_LIBRARY_PATH"] = before
    return cleaned
