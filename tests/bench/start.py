"""The start of the program: until the window is up, without a file and with a small one, beside a bare PySide6 window.

Under Xvfb, each kind of start by turns, so that a busy spell of the machine meets all. Compiled first, as pip does it.
"""

from __future__ import annotations

import compileall
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.bench import Figure
from tests.bench.measure import ROOT
from tests.loading import BARE, START

SAMPLE: Final = ROOT / "resources" / "samples" / "whole_model_legacy.pth"
ROUNDS: Final = 5
PATIENCE: Final = 60.0
PROGRAM: Final = (sys.executable, "-m", "viewer", "--new-window")
STARTS: Final[dict[str, tuple[Sequence[str], str]]] = {
    "bare": ((sys.executable, "-c", BARE), "a bare window"),
    "empty": (PROGRAM, "Picklescope"),
    "sample": ((*PROGRAM, str(SAMPLE)), SAMPLE.name),
}
"""What is started, and a part of the title of the window that has to come."""


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds on the clock and of the processor until the window could be seen."""

    clock: float
    processor: float


def run() -> list[Figure]:
    """The figures; none without Xvfb and xdotool."""
    if any(shutil.which(tool) is None for tool in ("Xvfb", "xdotool")):
        print("start: not measured, Xvfb or xdotool is missing", file=sys.stderr)
        return []
    compileall.compile_dir(ROOT / "viewer", quiet=2)
    with screen() as name:
        rounds = [{key: started(*how, name) for key, how in STARTS.items()} for _ in range(ROUNDS)]
    best = {
        key: Start(min(one[key].clock for one in rounds), min(one[key].processor for one in rounds)) for key in STARTS
    }
    bare, empty, sample = best["bare"], best["empty"], best["sample"]
    return [
        Figure("window up, no file (peer: bare PySide6 window)", empty.clock, bare.clock, goal="0.5 s idle, ratio 3.8"),
        Figure("the same, processor time", empty.processor, bare.processor),
        Figure("window up with the bytes of a small file", sample.clock, bare.clock, goal="0.8 s idle, ratio 6"),
        Figure("the same, processor time", sample.processor, bare.processor),
        *modules(),
    ]


def modules() -> Iterator[Figure]:
    """How many modules are loaded until the window is shown, beside all of this program."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    whole = sum(1 for _ in (ROOT / "viewer").rglob("*.py"))
    for words, files in (("no file", []), ("a small file", [str(SAMPLE)])):
        with tempfile.TemporaryDirectory() as home:
            command = [sys.executable, "-c", START, *files]
            done = subprocess.run(
                command,
                cwd=ROOT,
                env=environment | {"HOME": home, "XDG_CONFIG_HOME": home},
                capture_output=True,
                check=True,
            )
        loaded = json.loads(done.stdout)
        ours = sum(name.partition(".")[0] == "viewer" for name in loaded)
        yield Figure(f"our modules loaded until then, {words} (peer: all)", ours, whole, "")
        yield Figure(f"modules loaded until then, {words}", len(loaded), None, "")


@contextmanager
def screen() -> Iterator[str]:
    """The name of a screen of one's own."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-noreset", "-displayfd", str(writing), "-screen", "0", "1440x900x24"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as told:
            yield f":{told.readline().strip().decode()}"
    finally:
        server.terminate()
        server.wait()


def started(command: Sequence[str], title: str, display: str) -> Start:
    """Start it as a new person would, and look for its window."""
    with tempfile.TemporaryDirectory() as home:
        environment = {"HOME": home, "PATH": os.environ["PATH"], "DISPLAY": display, "LC_ALL": "C.UTF-8"}
        environment["PYTHONPATH"] = str(ROOT)
        begin = time.perf_counter()
        running = subprocess.Popen(command, env=environment, cwd=home)
        find = ["xdotool", "search", "--onlyvisible", "--name", title]
        try:
            while subprocess.run(find, env=environment, check=False, capture_output=True).returncode:
                if running.poll() is not None or time.perf_counter() - begin > PATIENCE:
                    raise RuntimeError(f"no window of the name {title}")
            return Start(time.perf_counter() - begin, used(running.pid))
        finally:
            running.kill()
            running.wait()


def used(process: int) -> float:
    """Seconds of the processor that a running process used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
