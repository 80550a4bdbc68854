"""Spans, and regions that tile."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.core.span import Region, Span, tile


def region(start: int, stop: int, kind: str = "a") -> Region:
    return Region(Span(start, stop), kind, "")


def shown(regions: list[Region]) -> list[tuple[int, int, str]]:
    return [(part.span.start, part.span.stop, part.kind) for part in regions]


def test_gaps_are_named() -> None:
    flat, cut = tile([region(10, 20), region(2, 4)], 25)
    assert shown(flat) == [(0, 2, "gap"), (2, 4, "a"), (4, 10, "gap"), (10, 20, "a"), (20, 25, "gap")]
    assert cut == []


def test_nothing_is_one_gap_and_no_bytes_are_nothing() -> None:
    assert shown(tile([], 7)[0]) == [(0, 7, "gap")]
    assert tile([], 0) == ([], [])


def test_the_lower_start_keeps_shared_bytes() -> None:
    inner, later = region(5, 8, "inner"), region(9, 15, "later")
    flat, cut = tile([later, inner, region(0, 10, "first")], 15)
    assert shown(flat) == [(0, 10, "first"), (10, 15, "later")]
    assert cut == [inner, later]


def test_of_two_that_start_together_the_first_given_keeps_the_bytes() -> None:
    flat, cut = tile([region(0, 4, "given first"), region(0, 6, "second")], 6)
    assert shown(flat) == [(0, 4, "given first"), (4, 6, "second")]
    assert shown(cut) == [(0, 6, "second")]


def test_empty_regions_and_those_beyond_the_end_own_nothing() -> None:
    flat, cut = tile([region(3, 3), region(2, 9), region(8, 12), region(5, 5)], 6)
    assert shown(flat) == [(0, 2, "gap"), (2, 6, "a")]
    assert cut == []


def test_offsets_beyond_32_bits() -> None:
    flat, _ = tile([region(2**40, 2**40 + 5)], 2**41)
    assert shown(flat) == [(0, 2**40, "gap"), (2**40, 2**40 + 5, "a"), (2**40 + 5, 2**41, "gap")]


SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 30)), max_size=12)


@given(SPANS, st.integers(0, 64))
def test_any_regions_tile(pairs: list[tuple[int, int]], size: int) -> None:
    regions = [Region(Span(start, start + length), str(row), "") for row, (start, length) in enumerate(pairs)]
    flat, cut = tile(regions, size)
    assert [part.span.start for part in flat] == [0, *(part.span.stop for part in flat[:-1])][: len(flat)]
    assert (flat[-1].span.stop if flat else 0) == size
    assert all(part.span.length > 0 for part in flat)
    owners = {at: part.kind for part in flat for at in range(part.span.start, part.span.stop)}
    for at in range(size):
        claims = [part for part in regions if at in part.span]
        assert owners[at] == (min(claims, key=lambda part: part.span.start).kind if claims else "gap")
    overlapped = {part.kind for part in cut}
    for row, part in enumerate(regions):
        lost = any(owners[at] != str(row) for at in range(part.span.start, min(part.span.stop, size)))
        assert not lost or part.kind in overlapped


def test_a_span_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(ValueError, match=r"not a span: 3\.\.2"):
        Span(3, 2)
