"""Opening changed files, in several processes, and what has to hold for each of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from types import FrameType
from typing import Final

from tests.opened import Traced, regions_tile
from tests.sweep.changes import Change
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.problem import Severity
from viewer.core.tensors.window import missing_bytes

LONGEST: Final = 60
SLOW: Final = 2.0
AT_ONCE: Final = 50


class HangError(Exception):
    """A file was not open after a minute."""


@dataclass(slots=True)
class Figures:
    """What a sweep found. `failed`: the change and the reason; `slowest`: seconds and the change.

    Seconds are those of the processor: the machine may have other work.
    """

    tried: int = 0
    with_errors: int = 0
    slow: int = 0
    slowest: tuple[float, str] = (0.0, "")
    formats: Counter[str] = field(default_factory=Counter)
    failed: list[tuple[str, str]] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        """Count what another process found too."""
        self.tried += other.tried
        self.with_errors += other.with_errors
        self.slow += other.slow
        self.slowest = max(self.slowest, other.slowest)
        self.formats += other.formats
        self.failed += other.failed


def check(document: Document) -> bool:
    """Assert what holds for every document; True when one of them has an error to tell."""
    told = False
    for part in document.walk():
        regions_tile(part)
        for problem in part.problems:
            assert "{" not in problem.title or "{" in str(problem.params), problem.title
            told = told or problem.severity is Severity.ERROR
            assert problem.text
        for tensor in part.tensors:
            missing, nbytes = missing_bytes(tensor)
            assert 0 <= missing <= nbytes, tensor.path
    return told


def ring(number: int, frame: FrameType | None) -> None:
    """The time is over."""
    del number, frame
    raise HangError


def try_one(change: Change, data: bytes, figures: Figures) -> None:
    """Open one changed file and count how it went."""
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    began = time.process_time()
    try:
        document = open_document(Traced(change.apply(data)))
        figures.with_errors += check(document)
        figures.formats[document.format] += 1
    except Exception as failure:  # noqa: BLE001  whatever it is, it is what the sweep looks for
        place = traceback.extract_tb(failure.__traceback__)[-1]
        figures.failed.append((str(change), f"{failure!r:.200} in {Path(place.filename).name}:{place.lineno}"))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    seconds = time.process_time() - began
    figures.tried += 1
    figures.slow += seconds > SLOW
    figures.slowest = max(figures.slowest, (seconds, str(change)))


def try_all(changes: Sequence[Change]) -> Figures:
    """Open changed files in this process."""
    before = signal.signal(signal.SIGALRM, ring)
    figures = Figures()
    try:
        for path, group in groupby(changes, lambda change: change.path):
            data = path.read_bytes()
            for change in group:
                try_one(change, data, figures)
    finally:
        signal.signal(signal.SIGALRM, before)
    return figures


def bunches(changes: Sequence[Change]) -> Iterator[Sequence[Change]]:
    """Changes for one task of a process."""
    for start in range(0, len(changes), AT_ONCE):
        yield changes[start : start + AT_ONCE]


def sweep(changes: Sequence[Change], processes: int = 0) -> Figures:
    """Open all changed files, in several processes; a process that dies counts as a failure of what it had."""
    figures = Figures()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes or os.cpu_count() or 1, context) as pool:
        tasks = {pool.submit(try_all, bunch): bunch for bunch in bunches(changes)}
        for task in as_completed(tasks):
            try:
                figures.add(task.result())
            except BrokenProcessPool:
                bunch = tasks[task]
                figures.failed.append((f"{bunch[0]} to {bunch[-1]}", "a process died"))
    return figures
