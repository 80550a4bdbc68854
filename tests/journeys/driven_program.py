"""The program as tests/journeys/driven.py runs it: it tells what happens in it, and where its parts stand."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.desktop import PATIENCE, wait_until
from tests.journeys.program import PRESS
from tests.shared import ROOT

SAMPLE = ROOT / "resources" / "samples" / "whole_model_legacy.pth"


class Driven:
    """The running program: what it says, and what is asked of it."""

    def __init__(self, desktop: Any, *files: Path) -> None:
        command = [sys.executable, "-m", "tests.journeys.driven", *(str(file) for file in files)]
        self.desktop = desktop
        self.process = desktop.start(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._lines: queue.Queue[dict[str, Any]] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self._lines.put(json.loads(line))

    def wait(self, event: str, **facts: Any) -> dict[str, Any]:
        """The next line of that event with those facts."""
        while True:
            try:
                line = self._lines.get(timeout=PATIENCE)
            except queue.Empty:
                ended = self.process.poll()
                pytest.fail(f"the program never said {event} {facts}; it ended with {ended}", pytrace=False)
            if line["event"] == event and all(line.get(key) == value for key, value in facts.items()):
                return line

    def where(self, what: str) -> list[str]:
        """The place on the screen of a byte in view, of a field of the dialog on top or of another part."""
        found: list[int] = []

        def seen() -> bool:
            found[:] = self.look(what) or ()
            return bool(found)

        wait_until(seen, f"{what} was never seen")
        return [str(number) for number in found]

    def look(self, what: str) -> list[int] | None:
        """The same; None where it cannot be seen now."""
        self.process.stdin.write(f"where {what}\n".encode())
        self.process.stdin.flush()
        return self.wait("where")["at"]

    def tell(self) -> dict[str, Any]:
        """What the panes of the file that is looked at keep."""
        self.process.stdin.write(b"tell\n")
        self.process.stdin.flush()
        return self.wait("told")

    def sizes(self, pane: str) -> dict[str, Any]:
        """The widths of the columns and the parts of the splitters of a pane."""
        self.process.stdin.write(f"sizes {pane}\n".encode())
        self.process.stdin.flush()
        return self.wait("sizes")

    def run(self, words: str) -> None:
        """Choose a command from the list of all, by its whole words."""
        self.keys("ctrl+shift+p")
        self.where("keyboard Command")
        self.desktop.xdotool("type", words)
        self.keys("Return")

    def drag(self, what: str, right: int, down: int) -> None:
        """Take hold of a border and pull it, as a hand does: in steps."""
        self.desktop.xdotool("mousemove", "--sync", *self.where(what))
        self.desktop.xdotool("mousedown", "1")
        for _ in range(4):
            self.desktop.xdotool("mousemove_relative", "--sync", "--", str(right // 4), str(down // 4))
        self.desktop.xdotool("mouseup", "1")

    def click(self, what: str, *buttons: str) -> None:
        """Click there, as a hand would."""
        self.desktop.xdotool("mousemove", *self.where(what), "click", *(buttons or ("1",)))

    def scroll_to(self, name: str) -> None:
        """Turn the wheel until a field of the dialog on top can be seen."""

        def seen() -> bool:
            if self.look(f"dialog {name}") is None:
                self.click(f"beside {name}", "5")
            return self.look(f"dialog {name}") is not None

        wait_until(seen, f"{name} never came into view")

    def choose(self, offset: int) -> dict[str, Any]:
        """Click a byte; once more where the window moved under the mouse between looking and clicking, as people do."""
        for _ in range(5):
            self.click(f"byte {offset:#x}")
            seen = self.wait("selection")
            if seen["start"] == offset:
                return seen
        pytest.fail(f"no click came to byte {offset:#x}", pytrace=False)

    def keys(self, *keys: str) -> None:
        """Press keys."""
        self.desktop.xdotool("key", *keys)

    def close(self) -> None:
        """Close the window by its keys and wait for the end of the program."""
        wait_until(self._left, "the program did not leave")
        assert self.process.returncode == 0
        self._reader.join(PATIENCE)
        self.process.stdin.close()
        self.process.stdout.close()

    def _left(self) -> bool:
        """Press the keys; a window that something else was in front of hears none, and hears them the next time."""
        self.keys("ctrl+q")
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(PRESS)
        return self.process.poll() is not None
