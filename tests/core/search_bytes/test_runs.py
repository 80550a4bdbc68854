"""Runs of one value, across blocks and to the ends."""

import random

import pytest

from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.search_bytes.runs import run_end, run_start
from viewer.core.source import BLOCK, MemorySource


def test_runs_end_where_the_value_changes():
    data = bytes(random.Random(3).choices(b"\0\0\0\1", k=200))
    source = MemorySource(data)
    for at in range(len(data)):
        following = next((place for place in range(at, len(data)) if data[place] != data[at]), None)
        assert run_end(source, at, Progress()) == following
        if at:
            before = at - 1
            while before and data[before - 1] == data[at - 1]:
                before -= 1
            assert run_start(source, at, Progress()) == before


def test_long_runs_and_the_ends():
    source = MemorySource(b"a" + bytes(3 * BLOCK) + b"b")
    assert run_end(source, 1, Progress()) == 3 * BLOCK + 1
    assert run_start(source, 3 * BLOCK + 1, Progress()) == 1
    assert run_end(source, 3 * BLOCK + 1, Progress()) is None
    assert run_start(source, 0, Progress()) is None
    assert run_end(MemorySource(b""), 0, Progress()) is None


@pytest.mark.parametrize("look", [run_end, run_start])
def test_it_is_stopped(look):
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(CancelledError):
        look(MemorySource(bytes(9)), 5, stopped)
