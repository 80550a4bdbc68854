"""A person's way in a real window: start by command, click a byte, see all panes follow, export, use the result."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.builders.torch_values import packed
from tests.desktop import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "resources" / "samples" / "whole_model_legacy.pth"

pytestmark = pytest.mark.xvfb


class Program:
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
                pytest.fail(f"the program never said {event} {facts}", pytrace=False)
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
        self.keys("ctrl+q")
        assert self.process.wait(PATIENCE) == 0
        self._reader.join(PATIENCE)
        self.process.stdin.close()
        self.process.stdout.close()


@pytest.fixture
def program(desktop):
    started = Program(desktop, SAMPLE)
    started.wait("decoded", file=SAMPLE.name, tensors=8)
    desktop.window("picklescope")
    yield started
    if started.process.poll() is None:
        started.close()


def test_click_a_byte_and_everything_follows(program, tmp_path):
    seen = program.choose(0xA5)
    assert seen["opcode"].startswith("GLOBAL")
    assert seen["contents"].startswith("TheModelClass")
    assert "0xA5" in seen["status"]
    seen = program.choose(0xD0)
    assert seen["line"] == seen["source_line"] == 1
    assert seen["opcode"].startswith("BINUNICODE")
    program.desktop.picture(tmp_path / "clicked.png")


def test_export_npz_and_read_it_with_numpy(program, tmp_path):
    target = tmp_path / "weights.npz"
    program.keys("ctrl+shift+e")
    program.click("dialog target")
    program.keys("ctrl+a")
    program.desktop.xdotool("type", str(target))
    program.click("dialog go")
    wait_until(target.is_file, "no npz was written")
    program.click("end Close")
    raw = SAMPLE.read_bytes()
    with np.load(target) as arrays:
        assert set(arrays.files) >= {"conv.conv.weight", "conv.conv.bias", "fc.weight", "fc.bias"}
        weight = arrays["conv.conv.weight"]
        assert weight.dtype == np.float32
        assert weight.shape == (8, 1, 5, 5)
        for name in arrays.files:
            stored = packed("float32", arrays[name].ravel().tolist()) if arrays[name].dtype == np.float32 else b""
            assert stored in raw, name
    assert [path.name for path in tmp_path.iterdir()] == ["weights.npz"]


def test_go_to_and_back(program):
    program.keys("ctrl+l")
    program.desktop.xdotool("type", "0x2A46")
    program.keys("Return")
    seen = program.wait("selection", start=0x2A46)
    assert seen["tensor"] == "conv.conv.weight"
    assert seen["element"] == [0, 0, 0, 0]
    program.keys("ctrl+Home")
    program.wait("selection", start=0)
    program.keys("alt+Left")
    program.wait("selection", start=0x2A46)
