"""The words that the program is started with, known before anything large is loaded."""

from __future__ import annotations

from typing import Final

COMMANDS: Final = ("inspect", "export", "compare", "rescue", "render")
"""What the first argument names; each is a file of viewer/cli."""
NEW_WINDOW: Final = "--new-window"
INSTALL: Final = "--install-desktop"
UNINSTALL: Final = "--uninstall-desktop"
RENDER: Final = "--render-process"
"""What the frozen program is started with to be the drawing process."""


def is_command(word: str) -> bool:
    """True when the first argument names a command; a file of the same name is opened as `./inspect`."""
    return word in COMMANDS
