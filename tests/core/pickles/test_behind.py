"""Whole pickles behind a break, and what it costs to find that there are none."""

from __future__ import annotations

import pickle
import random

import pytest

from tests.core.counted import Counted
from viewer.core.pickles.behind import MOST_DECODED, MOST_TRIED, pickles_behind
from viewer.core.source import ByteSource, MemorySource

ONE, TWO = pickle.dumps({"a": [1, 2, 3]}, 2), pickle.dumps(["text", 2.5], 4)


def found(data: bytes | ByteSource, start: int = 0) -> list[tuple[int, int, int]]:
    source = MemorySource(data) if isinstance(data, bytes) else data
    return [(start, code.stop, code.protocol) for start, code in pickles_behind(source, start)]


def test_pickles_among_other_bytes() -> None:
    data = b"\xff junk \x80" + ONE + b"\x80\x02\xff" + TWO + ONE + b"rest"
    first, second = 8, 8 + len(ONE) + 3
    third = second + len(TWO)
    expected = [(first, len(ONE), 2), (second, len(TWO), 4), (third, len(ONE), 2)]
    assert found(data) == expected
    assert found(data, 9) == expected[1:]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x80",
        b"\x80\x02",
        b"\x80\x02N.rest",
        b"\x80\x01]q\x00(K\x01K\x02e.",
        b"\x80\x06]q\x00(K\x01K\x02e.",
        ONE[:-1],
        b"\x80\x02K\x01K\x02K\x03K\x04.",
        b"\x80\x02X\x02\x00\x00\x00\xff\xffq\x00.",
        b"\x80\x02C\x04abcdq\x00.",
    ],
)
def test_what_is_no_whole_pickle_or_an_accident(data: bytes) -> None:
    assert found(data) == []


def test_a_short_pickle_at_the_end_of_the_file() -> None:
    assert found(b"junk\x80\x02N.") == [(4, 4, 2)]


@pytest.mark.parametrize(
    "tail", [b"\x80\x02N" * 300_000, b"\x80\x02" * 300_000, b"\x80\x03\xff" * 300_000, b"\x80\x02]q\x00h\x07" * 100_000]
)
def test_many_beginnings_cost_no_more_than_the_bounds(tail: bytes) -> None:
    source = Counted(tail)
    assert found(source) == []
    assert source.count < 30 * len(tail) + MOST_DECODED + MOST_TRIED * 256 * 1024


def test_random_bytes_hold_none() -> None:
    assert found(random.Random(5).randbytes(4_000_000)) == []
