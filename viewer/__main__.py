"""The start of the program: the window, a command without one, or (in the frozen program) one of the child processes.

Commands load no Qt: the window is imported only when it is wanted.
"""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Sequence
from typing import Final

from viewer import cli
from viewer.cli import NEW_WINDOW, desktop
from viewer.cli.output import say
from viewer.cli.render import ARGUMENT as RENDER
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
    if words and words[0] in (desktop.INSTALL, desktop.UNINSTALL):
        return desktop.run(words[0])
    if words and (cli.is_command(words[0]) or words[0] in ASKS):
        return cli.main(words)
    if not _has_screen():
        say("picklescope: there is no screen for a window. Use inspect, export or render, or set DISPLAY.")
        return 2
    from viewer.ui.application import run

    new_window = NEW_WINDOW in words
    return run([word for word in words if word != NEW_WINDOW], new_window=new_window)


def _has_screen() -> bool:
    """False where Qt would end the process: on Linux and its kin, without X11, Wayland or another platform."""
    if sys.platform in ("win32", "darwin"):
        return True
    if os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0] not in ("", "xcb", "wayland"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


if __name__ == "__main__":
    sys.exit(main())
