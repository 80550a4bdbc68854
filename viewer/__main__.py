"""The start of the program: the window, a command without one, or (in the frozen program) one of the child processes.

Nothing is imported before it is wanted: commands load no Qt, and a start that only hands its files to the program that
runs is over before any of it would be loaded.
"""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Sequence
from typing import Final

from viewer.handing_over import hand_over, server_name
from viewer.starting import INSTALL, NEW_WINDOW, RENDER, UNINSTALL, is_command
from viewer.torch_process.protocol import ARGUMENT as TORCH

CHILDREN: Final = {TORCH: "viewer.torch_process", RENDER: "viewer.ui.rendering"}
ASKS: Final = frozenset({"-h", "--help", "--version"})


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the arguments ask for; gives the exit code. `argv`: without the program's name."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words and words[0] in CHILDREN:
        sys.argv[1:] = words[1:]
        runpy.run_module(CHILDREN[words[0]], run_name="__main__", alter_sys=True)
        return 0
    if words and words[0] in (INSTALL, UNINSTALL):
        from viewer.cli import desktop

        return desktop.run(words[0])
    if words and (is_command(words[0]) or words[0] in ASKS):
        from viewer import cli

        return cli.main(words)
    if not _has_screen():
        from viewer.cli.output import say

        say("picklescope: there is no screen for a window. Use inspect, export or render, or set DISPLAY.")
        return 2
    targets = [word for word in words if word != NEW_WINDOW]
    if NEW_WINDOW not in words and hand_over(server_name(), targets):
        return 0
    _leave_folder_that_is_gone()
    from viewer.ui.application import run

    return run(targets)


def _leave_folder_that_is_gone() -> None:
    """Nothing can be told of paths where the folder of this start was removed: names in it are then of no file."""
    try:
        os.getcwd()  # noqa: PTH109  # asked without loading pathlib
    except OSError:
        os.chdir(os.sep)


def _has_screen() -> bool:
    """False where Qt would end the process: on Linux and its kin, without X11, Wayland or another platform."""
    if sys.platform in ("win32", "darwin"):
        return True
    if os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0] not in ("", "xcb", "wayland"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


if __name__ == "__main__":
    sys.exit(main())
