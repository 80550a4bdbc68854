"""What is done to a file: it is cut, or one of its bytes is flipped. The same seed gives the same changes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.shared import ROOT, SHARED

EVERY_BYTE: Final = 300
PLACES: Final = 100
FLIPS: Final = 200
DESCRIPTIONS: Final = frozenset({"README.md", "expected.json", "log.jsonl", "origins.md"})


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a file. `mask` 0: the file ends at `at`; else the byte at `at` is turned by the mask."""

    path: Path
    at: int
    mask: int = 0

    def __str__(self) -> str:
        what = f"byte {self.at} turned by {self.mask:#04x}" if self.mask else f"cut at {self.at}"
        return f"{self.path.name}, {what}"

    def apply(self, data: bytes) -> bytes:
        """The file with this fault."""
        if not self.mask:
            return data[: self.at]
        return data[: self.at] + bytes([data[self.at] ^ self.mask]) + data[self.at + 1 :]


def sample_files() -> list[Path]:
    """The files that are shipped, and those of ../shared where it is there."""
    folders = [ROOT / "resources" / "samples", SHARED / "samples"]
    found = [path for folder in folders if folder.is_dir() for path in sorted(folder.rglob("*"))]
    return [path for path in found if path.is_file() and path.name not in DESCRIPTIONS]


def changes_of(path: Path, seed: int) -> Iterator[Change]:
    """All changes of a file: cut at each of its first 300 bytes and at 100 places behind, and 200 flipped bytes."""
    size = path.stat().st_size
    chance = random.Random(f"{seed} {path.name}")
    for at in range(min(EVERY_BYTE, size)):
        yield Change(path, at)
    rest = size - EVERY_BYTE
    places = {EVERY_BYTE + rest * number // PLACES for number in range(PLACES)} if rest > 0 else set()
    for at in sorted(places):
        yield Change(path, at)
    for at in sorted(chance.sample(range(size), min(FLIPS, size))):
        yield Change(path, at, chance.randrange(1, 256))


def some_changes(paths: Sequence[Path], count: int, seed: int) -> list[Change]:
    """A part of all changes of these files, spread over all of them, in the order of the files."""
    every = [change for path in paths for change in changes_of(path, seed)]
    chosen = sorted(random.Random(seed).sample(range(len(every)), min(count, len(every))))
    return [every[number] for number in chosen]
