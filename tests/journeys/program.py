"""The program on a desktop of its own, driven by keys and mouse as a person would.

program = Program(desktop, str(path), log=tmp_path / "log.txt")
program.keys("ctrl+g"); program.type("0x100"); program.keys("Return")
program.wait_for_title("model.pt")
assert program.quit() == ""
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.desktop import Desktop, wait_until
from tests.shared import ROOT

CLASS: Final = "picklescope"
PRESS: Final = 5.0
"""Seconds from one press of the keys that end the program to the next."""


class Program:
    """One start of `python -m viewer`; what it writes to the terminal goes to `log`."""

    def __init__(self, desktop: Desktop, *words: str, log: Path) -> None:
        self.desktop = desktop
        self._log = log
        with log.open("wb") as out:
            self.process: subprocess.Popen[bytes] = desktop.start(
                [sys.executable, "-m", "viewer", *words], cwd=ROOT, stdout=out, stderr=subprocess.STDOUT
            )
        self.window = desktop.window(CLASS)
        desktop.xdotool("windowactivate", "--sync", self.window)

    @property
    def title(self) -> str:
        """What stands in the title bar."""
        return self.desktop.xdotool("getwindowname", self.window)

    def wait_for_title(self, part: str) -> None:
        """Until the title holds these words."""
        wait_until(lambda: part in self.title, f"the title never held {part!r}")

    def keys(self, *names: str) -> None:
        """Press keys: ctrl+g, Return."""
        self.desktop.xdotool("key", "--window", self.window, *names)

    def type(self, text: str) -> None:
        """Type letters."""
        self.desktop.xdotool("type", "--window", self.window, text)

    def click(self, x: int, y: int) -> None:
        """Click in the window."""
        self.desktop.xdotool("mousemove", "--window", self.window, str(x), str(y), "click", "1")

    def quit(self) -> str:
        """Leave by Ctrl+Q; gives what the program wrote to the terminal. Fails when it does not end well."""
        wait_until(self._left, "the program did not leave")
        assert self.process.returncode == 0
        return self._log.read_text(encoding="utf-8", errors="replace")

    def _left(self) -> bool:
        """Press the keys; a window that something else was in front of hears none, and hears them the next time."""
        self.desktop.xdotool("windowactivate", self.window)
        self.keys("ctrl+q")
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(PRESS)
        return self.process.poll() is not None
