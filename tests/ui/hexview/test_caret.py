from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.ui.hexview.test_layout import METRICS
from viewer.core.span import Span
from viewer.ui.hexview.caret import Caret, Move, extended, moved
from viewer.ui.hexview.layout import Layout, Side

LAYOUT = Layout(METRICS, 100, 16)
PAGE = 3


@pytest.mark.parametrize(
    ("move", "offset", "target"),
    [
        (Move.LEFT, 17, 16),
        (Move.LEFT, 0, 0),
        (Move.RIGHT, 15, 16),
        (Move.RIGHT, 99, 99),
        (Move.UP, 20, 4),
        (Move.UP, 4, 4),
        (Move.DOWN, 20, 36),
        (Move.DOWN, 85, 99),
        (Move.DOWN, 97, 97),
        (Move.GROUP_LEFT, 22, 20),
        (Move.GROUP_LEFT, 20, 16),
        (Move.GROUP_LEFT, 16, 12),
        (Move.GROUP_LEFT, 0, 0),
        (Move.GROUP_RIGHT, 20, 24),
        (Move.GROUP_RIGHT, 29, 32),
        (Move.GROUP_RIGHT, 99, 99),
        (Move.ROW_START, 22, 16),
        (Move.ROW_END, 22, 31),
        (Move.ROW_END, 97, 99),
        (Move.FILE_START, 50, 0),
        (Move.FILE_END, 50, 99),
        (Move.PAGE_UP, 70, 22),
        (Move.PAGE_UP, 20, 4),
        (Move.PAGE_DOWN, 20, 68),
        (Move.PAGE_DOWN, 95, 99),
    ],
)
def test_keys_move_like_in_a_text(move: Move, offset: int, target: int) -> None:
    assert moved(move, offset, LAYOUT, PAGE) == target


def test_groups_end_with_a_row_that_is_no_multiple_of_four() -> None:
    layout = Layout(METRICS, 100, 10)
    assert moved(Move.GROUP_RIGHT, 8, layout, PAGE) == 10
    assert moved(Move.GROUP_LEFT, 10, layout, PAGE) == 8


@given(st.sampled_from(Move), st.integers(1, 2**50), st.integers(1, 64), st.data())
def test_no_move_leaves_the_file(move: Move, size: int, width: int, data: st.DataObject) -> None:
    layout = Layout(METRICS, size, width)
    offset = data.draw(st.integers(0, size - 1))
    assert 0 <= moved(move, offset, layout, data.draw(st.integers(1, 200))) < size


@pytest.mark.parametrize("move", Move)
def test_an_empty_file_keeps_the_caret_at_the_start(move: Move) -> None:
    assert moved(move, 0, Layout(METRICS, 0, 16), PAGE) == 0


def test_a_caret_selects_its_byte() -> None:
    assert Caret(8415, 8415).span(57_437) == Span(8415, 8416)
    assert Caret().span(0) == Span(0, 0)


def test_the_selection_reaches_from_anchor_to_caret_both_ways() -> None:
    assert Caret(10).at(10).at(14, extend=True).span(100) == Span(10, 15)
    assert Caret(10).at(10).at(4, extend=True).span(100) == Span(4, 11)


def test_a_span_puts_the_caret_on_its_first_byte() -> None:
    caret = Caret(side=Side.TEXT).selecting(Span(20, 30))
    assert (caret.offset, caret.span(100), caret.side) == (20, Span(20, 30), Side.TEXT)


def test_an_empty_span_selects_nothing_until_the_caret_moves() -> None:
    caret = Caret().selecting(Span(20, 20))
    assert caret.span(100) == Span(20, 20)
    assert caret.at(21).span(100) == Span(21, 22)


@pytest.mark.parametrize(("offset", "span"), [(12, Span(12, 20)), (18, Span(10, 19)), (30, Span(10, 31))])
def test_shift_and_click_move_the_nearer_end(offset: int, span: Span) -> None:
    assert extended(Caret(10, 19), offset).span(100) == span


def test_a_selection_never_reaches_beyond_the_file() -> None:
    assert Caret(5, 200).span(100) == Span(5, 100)
