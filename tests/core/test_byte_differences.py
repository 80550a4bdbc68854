"""Differences of two sources against a walk over every byte."""

import itertools
import random

import pytest

from viewer.core import byte_differences
from viewer.core.byte_differences import (
    all_differences,
    differences_in,
    first_difference,
    next_difference,
    previous_difference,
)
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
    with pytest.raises(CancelledError):
        previous_difference(mine, theirs, 2 * BLOCK, stopped)


@pytest.mark.parametrize(("start", "stop"), [(0, 7), (50, 90), (190, 260), (240, 260), (90, 50)])
def test_a_window_has_its_part_of_the_runs(start, stop):
    chance = random.Random(1)
    one, other = bytes(chance.choices(b"aaab", k=200)), bytes(chance.choices(b"aaab", k=230))
    whole = ((max(start, first), min(stop, last)) for first, last in runs(one, other)[1])
    found = differences_in(MemorySource(one), MemorySource(other), start, stop)
    assert found == [(first, last) for first, last in whole if first < last]


def listed(one, other):
    """All differences as (start, stop), checked to be told in order and no later than said."""
    found, told = [], 0
    for piece in all_differences(one, other, Progress()):
        starts = piece.hits.starts.tolist()
        pairs = list(zip(starts, (piece.hits.starts + piece.hits.lengths).tolist(), strict=True))
        assert all(told <= start < stop for start, stop in pairs)
        assert piece.searched >= told
        told, found = piece.searched, found + pairs
    assert told == max(one.size, other.size)
    return found


@pytest.mark.parametrize("seed", range(8))
def test_all_runs_are_listed_over_the_edges_of_blocks(seed, monkeypatch):
    monkeypatch.setattr(byte_differences, "BLOCK", 16)
    chance = random.Random(seed)
    letters = b"aaab" if seed % 2 else b"abbb"
    one = bytes(chance.choices(b"aaab", k=200))
    other = bytes(chance.choices(letters, k=200 + 20 * (seed - 3)))
    assert listed(MemorySource(one), MemorySource(other)) == runs(one, other)[1]
    assert listed(MemorySource(one), MemorySource(one)) == []


def test_what_one_of_them_lacks_is_one_run_and_not_read(monkeypatch):
    class Unread(MemorySource):
        """Says that it holds 2^40 bytes, and has only the first of them."""

        def read(self, offset, length):
            assert offset + length <= 4
            return super().read(offset, length)

    far = Unread(b"abcd")
    far.size = 2**40
    near = MemorySource(b"abcX")
    parts = listed(near, far)
    assert parts[0][0] == 3
    assert parts[-1][1] == 2**40
    assert all(before[1] == after[0] for before, after in itertools.pairwise(parts))
    assert first_difference(near, far, Progress()) == 3
    assert next_difference(near, far, 3, Progress()) is None
    assert previous_difference(near, far, 2**40, Progress()) == 3
    assert first_difference(MemorySource(b"abcd"), far, Progress()) == 4
    assert previous_difference(MemorySource(b"abcd"), far, 2**40, Progress()) == 4
