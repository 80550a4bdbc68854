"""How time, memory and held-up threads are measured, alike for us and for the peers."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
BEAT: Final = 0.001
# As the window sets it for its threads (viewer/session/jobs.py).
SWITCH_INTERVAL: Final = 0.0002


@dataclass(frozen=True, slots=True)
class Held:
    """How long a thread that only wanted to run for a moment could not, in milliseconds."""

    p99: float
    longest: float


def seconds(work: Callable[[], object], rounds: int = 3) -> float:
    """Processor time of the fastest of some rounds, so that what else runs on the machine counts little."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def beside(ours: Callable[[], object], peer: Callable[[], object], rounds: int = 3) -> tuple[float, float]:
    """Processor time of both, by turns, so that a slower or faster spell of the machine meets both."""
    pairs = [(seconds(ours, 1), seconds(peer, 1)) for _ in range(rounds)]
    return min(first for first, _ in pairs), min(second for _, second in pairs)


def waited(work: Callable[[], object], rounds: int = 3) -> float:
    """Seconds on the clock of the fastest of some rounds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def waited_beside(ours: Callable[[], object], peer: Callable[[], object], rounds: int = 5) -> tuple[float, float]:
    """Seconds on the clock of the fastest rounds of both, by turns; for peers that are programs of their own."""
    pairs = [(waited(ours, 1), waited(peer, 1)) for _ in range(rounds)]
    return min(first for first, _ in pairs), min(second for _, second in pairs)


def held(work: Callable[[], object]) -> Held:
    """Run `work` in a thread and see how late a beat of one millisecond in this one is.

    A beat counts by no more than the processor time that the worker used since the last one, so that waiting
    for the machine is not taken for waiting for the interpreter.
    """
    late = [0.0]
    clock = 0
    done = threading.Event()

    def run() -> None:
        nonlocal clock
        clock = time.pthread_getcpuclockid(threading.get_ident())
        begun.set()
        try:
            work()
        finally:
            done.set()
            ended.wait()

    begun, ended = threading.Event(), threading.Event()
    worker = threading.Thread(target=run)
    switch = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    worker.start()
    begun.wait()
    try:
        while not done.is_set():
            start, used = time.perf_counter(), time.clock_gettime(clock)
            done.wait(BEAT)
            late.append(min(time.perf_counter() - start, time.clock_gettime(clock) - used))
    finally:
        ended.set()
        worker.join()
        sys.setswitchinterval(switch)
    late.sort()
    return Held(late[int(len(late) * 0.99)] * 1000, late[-1] * 1000)


def in_child(program: str) -> list[float]:
    """The numbers that a Python program prints in a process of its own, started at the root of the repository."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, cwd=ROOT, text=True)
    return [float(word) for word in done.stdout.split()]


def peak() -> float:
    """MB of this process at its largest; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.is_file() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)
