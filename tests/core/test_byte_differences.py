"""Differences of two sources against a walk over every byte."""

import random

import pytest

from viewer.core.byte_differences import differences_in, first_difference, next_difference, previous_difference
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.source import BLOCK, MemorySource


def runs(one, other):
    """Starts of the runs of unequal bytes, and the runs."""
    longest = max(len(one), len(other))
    unequal = [one[at : at + 1] != other[at : at + 1] for at in range(longest)]
    starts = [at for at in range(longest) if unequal[at] and (not at or not unequal[at - 1])]
    return starts, [(start, next((at for at in range(start, longest) if not unequal[at]), longest)) for start in starts]


@pytest.mark.parametrize("seed", range(4))
def test_steps_go_over_every_run(seed):
    chance = random.Random(seed)
    one = bytes(chance.choices(b"aaab", k=200))
    other = bytes(chance.choices(b"aaab", k=200 + 20 * (seed - 1)))
    starts, whole = runs(one, other)
    mine, theirs = MemorySource(one), MemorySource(other)
    found, at = [], first_difference(mine, theirs, Progress())
    while at is not None:
        found.append(at)
        at = next_difference(mine, theirs, at, Progress())
    assert found == starts
    back, at = [], max(len(one), len(other))
    while (at := previous_difference(mine, theirs, at, Progress())) is not None:
        back.append(at)
    assert back == starts[::-1]
    assert differences_in(mine, theirs, 0, 1000) == whole


def test_far_differences_and_equal_files():
    one, other = bytearray(3 * BLOCK), bytearray(3 * BLOCK + 2)
    other[2 * BLOCK] = 1
    mine, theirs = MemorySource(bytes(one)), MemorySource(bytes(other))
    assert first_difference(mine, theirs, Progress()) == 2 * BLOCK
    assert next_difference(mine, theirs, 2 * BLOCK, Progress()) == 3 * BLOCK
    assert next_difference(mine, theirs, 3 * BLOCK, Progress()) is None
    assert previous_difference(mine, theirs, 3 * BLOCK, Progress()) == 2 * BLOCK
    assert previous_difference(mine, theirs, 2 * BLOCK, Progress()) is None
    assert first_difference(mine, mine, Progress()) is None
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(CancelledError):
        first_difference(mine, theirs, stopped)
