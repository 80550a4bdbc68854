"""A desktop of one's own for tests that drive a real window: Xvfb, openbox, xdotool.

def test_it(desktop):                       # the fixture of tests/conftest.py; mark the test xvfb
    program = desktop.start([sys.executable, "-m", "viewer", path])
    window = desktop.window("picklescope")
    desktop.xdotool("mousemove", "--window", window, "400", "300", "click", "1")
    desktop.picture(tmp_path / "seen.png")
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

NEEDED: Final = ("Xvfb", "openbox", "xdotool", "xprop", "import")
PATIENCE: Final = 120.0
LOOK: Final = 0.05


def wait_until(seen: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
    """Ask again until it is so; fails the test with `what` when it never is."""
    if not comes(seen, patience):
        pytest.fail(f"waited {patience:.0f} s in vain: {what}", pytrace=False)


def comes(seen: Callable[[], bool], patience: float) -> bool:
    """True once it is so; False when it is not after a while, so that a hand may try again."""
    never = threading.Event()
    end = time.monotonic() + patience
    while not seen():
        if time.monotonic() > end:
            return False
        never.wait(LOOK)
    return True


class Desktop:
    """One X server with a window manager. Everything that `start` started ends with `close`."""

    def __init__(self, environment: dict[str, str], size: str = "1440x900") -> None:
        missing = [name for name in NEEDED if shutil.which(name) is None]
        if missing:
            pytest.skip(f"{', '.join(missing)}: not installed, so no real window could be driven")
        self._processes: list[subprocess.Popen[bytes]] = []
        self.environment = environment | {"QT_QPA_PLATFORM": "xcb", "DISPLAY": self._serve(size)}
        self.environment.pop("WAYLAND_DISPLAY", None)
        try:
            self.start(["openbox", "--sm-disable"])
            wait_until(self._managed, "openbox does not manage the screen")
        except BaseException:
            self.close()
            raise

    def start(self, command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
        """A program on this desktop. `options` are those of Popen."""
        settings: dict[str, Any] = {"env": self.environment, "stdin": subprocess.DEVNULL} | options
        process = subprocess.Popen(list(command), **settings)
        self._processes.append(process)
        return process

    def tell(self, *command: str) -> str:
        """What a short program on this desktop prints."""
        done = subprocess.run(
            list(command), env=self.environment, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        return done.stdout.strip()

    def xdotool(self, *arguments: str) -> str:
        """Move, click, type, look for windows."""
        return self.tell("xdotool", *arguments)

    def windows(self, cls: str) -> list[str]:
        """Ids of the visible windows of that class, oldest first."""
        return self.xdotool("search", "--onlyvisible", "--class", cls).split()

    def window(self, cls: str) -> str:
        """Id of the first visible window of that class, when it has come."""
        wait_until(lambda: bool(self.windows(cls)), f"no window of class {cls} came up")
        return self.windows(cls)[0]

    def end_screen(self) -> None:
        """Kill the X server, as at the end of a session that does not wait."""
        self._processes[0].kill()
        self._processes[0].wait(PATIENCE)

    def picture(self, path: Path) -> Path:
        """The whole screen as a PNG."""
        self.tell("import", "-window", "root", str(path))
        return path

    def close(self) -> None:
        """End everything, the server last."""
        for process in reversed(self._processes):
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _serve(self, size: str) -> str:
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset"]
        server = subprocess.Popen(
            command, pass_fds=[writing], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._processes.append(server)
        os.close(writing)
        with os.fdopen(reading, "rb") as told:
            # select() takes no descriptor beyond 1,023.
            waiting = select.poll()
            waiting.register(told, select.POLLIN)
            number = told.readline().strip() if waiting.poll(1000 * PATIENCE) else b""
        if not number:
            self.close()
            pytest.fail("Xvfb did not start", pytrace=False)
        return f":{number.decode()}"

    def _managed(self) -> bool:
        return "window id" in self.tell("xprop", "-root", "_NET_SUPPORTING_WM_CHECK")
