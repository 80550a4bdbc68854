from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.ui.hexview.test_layout import METRICS
from viewer.core.span import Span
from viewer.ui.hexview.caret import Caret, Move, extended, moved
from viewer.ui.hexview.layout import Form, Grain, Layout, Side
from viewer.ui.hexview.numbers import BYTES, Cells

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
    cells = data.draw(st.sampled_from((BYTES, Cells("float16"), Cells("float64"))))
    form = Form(phase=data.draw(st.integers(0, 100)), cells=cells)
    layout = Layout(METRICS, size, form.snapped(width), form)
    offset, side = data.draw(st.integers(0, size - 1)), data.draw(st.sampled_from(Side))
    target = moved(move, offset, layout, data.draw(st.integers(1, 200)), side)
    assert 0 <= target < size
    assert layout.grain(side).start(target) == target


FLOATS = Layout(METRICS, 100, 16, Form(group=8, phase=3, cells=Cells("float32")))


@pytest.mark.parametrize(
    ("move", "offset", "target"),
    [
        (Move.RIGHT, 3, 7),
        (Move.RIGHT, 0, 3),
        (Move.RIGHT, 5, 7),
        (Move.LEFT, 7, 3),
        (Move.LEFT, 3, 0),
        (Move.RIGHT, 99, 99),
        (Move.DOWN, 8, 23),
        (Move.UP, 23, 7),
        (Move.UP, 7, 0),
        (Move.ROW_START, 14, 3),
        (Move.ROW_END, 3, 15),
        (Move.GROUP_RIGHT, 3, 11),
        (Move.GROUP_LEFT, 19, 11),
        (Move.FILE_END, 3, 99),
    ],
)
def test_keys_move_by_cells(move: Move, offset: int, target: int) -> None:
    assert moved(move, offset, FLOATS, PAGE, Side.HEX) == target


def test_cells_are_selected_whole() -> None:
    grain = FLOATS.grain(Side.HEX)
    caret = Caret().at(7, grain=grain)
    assert caret.span(100) == Span(7, 11)
    assert caret.at(15, extend=True, grain=grain).span(100) == Span(7, 19)
    assert caret.at(3, extend=True, grain=grain).span(100) == Span(3, 11)
    assert extended(caret, 19, grain).span(100) == Span(7, 23)
    assert Caret().at(0, grain=grain).span(100) == Span(0, 3)
    assert Caret().at(99, grain=grain).span(100) == Span(99, 100)
    assert caret.selecting(Span(8, 9)).span(100) == Span(8, 9), "what a program selects is exact"
    for far, ends in ((15, (18, 7)), (3, (3, 10))):
        exact = caret.at(far, extend=True, grain=grain).exact(100)
        assert (exact.offset, exact.anchor, exact.grain.unit) == (*ends, 1)
        assert exact.span(100) == caret.at(far, extend=True, grain=grain).span(100)
    assert FLOATS.grain(Side.TEXT) == Grain(1, 3)


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
