"""The lanes against plain stepping, opcode by opcode."""

from __future__ import annotations

import pickle
import random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viewer.core.pickles import positions
from viewer.core.pickles.lanes import COUNT1, COUNT4, LANE, LONGEST, OTHER, Lanes
from viewer.core.pickles.positions import PADDING, windows
from viewer.core.source import MemorySource

SIZES: Final = [OTHER, 1, 2, 3, 5, COUNT1, COUNT4] + [1] * 249
TABLE: Final = bytes(size & 0xFF for size in SIZES)


def stepped(data: bytes, start: int) -> tuple[list[int], int]:
    """The starts of opcodes of SIZES, one after the other, and where that ends."""
    found, at = [], start
    while at < len(data):
        size = SIZES[data[at]]
        if size == COUNT1:
            size = 2 + data[at + 1] if at + 1 < len(data) else 2
        elif size == COUNT4:
            size = 5 + int.from_bytes((data + PADDING)[at + 1 : at + 5], "little")
        if size == OTHER or size > LONGEST + 5 or at + size > len(data):
            break
        found.append(at)
        at += size
    return found, at


@settings(deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 9 * LANE), st.integers(0, 40), st.sampled_from([7, 40, 256]))
def test_like_stepping(chance: random.Random, length: int, start: int, most: int) -> None:
    data = bytes(chance.randrange(1, most) for _ in range(start + length))
    lanes = Lanes(data + PADDING, start, len(data), TABLE)
    found, end = stepped(data, start)
    assert lanes.follow(start) == end
    assert lanes.starts().tolist() == found


def test_goes_on_behind_what_was_looked_at_closely() -> None:
    data = b"\x01" * 300 + b"\0" + b"\x02\x02" * 400 + b"\0\0" + b"\x05\x03abc" * 90
    lanes = Lanes(data + PADDING, 0, len(data), TABLE)
    assert lanes.follow(0) == 300
    assert lanes.follow(301) == 1101
    assert lanes.follow(1103) == len(data)
    assert lanes.starts().tolist() == [*range(300), *range(301, 1101, 2), *range(1103, len(data), 5)]


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_windows_are_the_same_without(protocol: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"id": row, "name": f"TXBUC {row}", "kind": (pickle.PickleError, KeyError)[row % 2], "many": [row % 200] * 9}
        for row in range(9000)
    ]
    made: list[Lanes] = []

    class Counted(Lanes):
        def __init__(self, data: bytes, start: int, end: int, sizes: bytes) -> None:
            super().__init__(data, start, end, sizes)
            made.append(self)

    monkeypatch.setattr(positions, "Lanes", Counted)
    data = pickle.dumps(rows, protocol)
    with_lanes = [window.offsets.tolist() for window in windows(MemorySource(data), 0)]
    assert bool(made) is (protocol > 0)
    monkeypatch.setattr(positions, "_are_close", lambda data, found: False)
    assert with_lanes == [window.offsets.tolist() for window in windows(MemorySource(data), 0)]
