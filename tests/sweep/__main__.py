"""`python -m tests.sweep [FILE...]`: every sample cut at 400 places and with 200 bytes flipped; prints the figures.

`--count N` takes a seeded part of it, `--seed S` another one, `--processes N` as many processes.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.sweep.changes import changes_of, sample_files, some_changes
from tests.sweep.trying import Figures, sweep


def lines(figures: Figures, files: int, seconds: float) -> list[str]:
    """The figures for people."""
    seconds_of, slowest = figures.slowest
    formats = ", ".join(f"{name} {count:,}" for name, count in figures.formats.most_common())
    return [
        f"{figures.tried:,} changed files of {files:,} samples in {seconds:,.0f} s",
        f"{figures.tried - len(figures.failed):,} opened and tiled, {figures.with_errors:,} of them with an error told",
        f"read as: {formats}",
        f"over 2 s: {figures.slow}; slowest {seconds_of:.2f} s ({slowest})",
        *(f"FAILED {change}: {reason}" for change, reason in figures.failed[:100]),
        f"{len(figures.failed):,} failed",
    ]


def main() -> int:
    """1 when a file did not open or was not tiled."""
    parser = argparse.ArgumentParser("python -m tests.sweep", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=0)
    asked = parser.parse_args()
    files = asked.files or sample_files()
    if asked.count:
        changes = some_changes(files, asked.count, asked.seed)
    else:
        changes = [change for path in files for change in changes_of(path, asked.seed)]
    began = time.monotonic()
    figures = sweep(changes, asked.processes)
    for line in lines(figures, len(files), time.monotonic() - began):
        print(line)
    return 1 if figures.failed else 0


if __name__ == "__main__":
    sys.exit(main())
