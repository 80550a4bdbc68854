from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from viewer.core.span import Span
from viewer.ui.hexview import marks
from viewer.ui.hexview.grid import Grid
from viewer.ui.hexview.marks import ABOVE, BELOW, FLAG_BITS, KINDS, LEFT, RIGHT, RegionRun, RegionRuns
from viewer.ui.theme import load_theme

PIB = 2**50


def flags(codes: marks.Codes) -> list[int]:
    return [int(code) & (LEFT | RIGHT | ABOVE | BELOW) for code in codes]


def kinds(codes: marks.Codes) -> list[int]:
    return [marks.parts(int(code) >> FLAG_BITS)[0] for code in codes]


def roles(codes: marks.Codes) -> list[int]:
    return [marks.parts(int(code) >> FLAG_BITS)[1] for code in codes]


def test_the_kinds_are_those_of_the_themes(qapp: object) -> None:
    assert tuple(load_theme("light").regions) == KINDS


def test_bytes_without_a_region_are_plain() -> None:
    codes = marks.region_codes(RegionRuns.of([RegionRun(2, 4, "memo")]), 0, 6, 8)
    memo = KINDS.index("memo")
    assert kinds(codes) == [marks.PLAIN, marks.PLAIN, memo, memo, marks.PLAIN, marks.PLAIN]


def test_a_run_is_joined_inside_and_closed_at_its_ends() -> None:
    codes = marks.region_codes(RegionRuns.of([RegionRun(1, 4, "memo")]), 0, 8, 8)
    assert flags(codes)[1:4] == [RIGHT, LEFT | RIGHT, LEFT]


def test_a_run_over_rows_is_joined_up_and_down() -> None:
    codes = marks.region_codes(RegionRuns.of([RegionRun(2, 9, "float32")]), 0, 12, 4)
    assert [bool(flag & ABOVE) for flag in flags(codes)[2:9]] == [False] * 4 + [True] * 3
    assert [bool(flag & BELOW) for flag in flags(codes)[2:9]] == [True] * 3 + [False] * 4


def test_an_opcode_and_its_argument_hang_together() -> None:
    runs = RegionRuns.of([RegionRun(0, 1, "text", "opcode"), RegionRun(1, 3, "text", "argument")])
    codes = marks.region_codes(runs, 0, 3, 16)
    assert flags(codes) == [RIGHT, LEFT | RIGHT, LEFT]
    assert roles(codes) == [marks.OPCODE, marks.ARGUMENT, marks.ARGUMENT]


@pytest.mark.parametrize(
    "second",
    [RegionRun(1, 2, "text", "opcode"), RegionRun(1, 2, "memo", "argument"), RegionRun(2, 3, "text", "argument")],
)
def test_other_neighbours_stay_apart(second: RegionRun) -> None:
    codes = marks.region_codes(RegionRuns.of([RegionRun(0, 1, "text", "opcode"), second]), 0, 3, 16)
    assert flags(codes)[0] == 0


def test_a_window_in_the_middle_of_a_run_knows_that_it_goes_on() -> None:
    runs = RegionRuns.of([RegionRun(0, PIB, "float16")])
    codes = marks.region_codes(runs, 2**45, 32, 16)
    assert flags(codes) == [LEFT | RIGHT | ABOVE | BELOW] * 32


@given(st.lists(st.tuples(st.integers(1, 9), st.sampled_from(KINDS), st.sampled_from(marks.ROLES)), max_size=20))
def test_codes_say_what_the_runs_say(parts: list[tuple[int, str, str]]) -> None:
    at, rows, expected = 1000, [], []
    for length, kind, role in parts:
        rows.append(RegionRun(at, at + length, kind, role))
        expected += [(KINDS.index(kind), marks.ROLES.index(role))] * length
        at += length
    codes = marks.region_codes(RegionRuns.of(rows), 1000, at - 1000, 16)
    assert list(zip(kinds(codes), roles(codes), strict=True)) == expected


def test_a_kind_without_a_colour_is_unknown_and_a_wrong_role_raises() -> None:
    assert RegionRuns.of([RegionRun(0, 1, "new thing")]).names() == ("unknown",)
    with pytest.raises(KeyError):
        RegionRuns.of([RegionRun(0, 1, "memo", "new role")])


def test_names_come_in_the_order_of_the_legend() -> None:
    runs = RegionRuns.of([RegionRun(0, 1, "float8"), RegionRun(1, 2, "memo"), RegionRun(2, 3, "float8")])
    assert runs.names() == ("memo", "float8")


def test_a_mark_keeps_the_role_and_closes_at_its_ends() -> None:
    codes = marks.region_codes(RegionRuns.of([RegionRun(0, 1, "text", "opcode"), RegionRun(1, 8, "text")]), 0, 8, 16)
    marks.mark(codes, Span(0, 3), 0, marks.HIT)
    assert kinds(codes)[:4] == [marks.HIT] * 3 + [KINDS.index("text")]
    assert roles(codes)[:3] == [marks.OPCODE, marks.DATA, marks.DATA]
    assert flags(codes)[:3] == [RIGHT, LEFT | RIGHT, LEFT]


def test_a_mark_that_goes_on_beyond_the_window_is_open_there() -> None:
    codes = np.zeros(4, np.int32)
    marks.mark(codes, Span(0, PIB), 2**40, marks.SELECTED)
    assert flags(codes) == [LEFT | RIGHT] * 4
    marks.mark(codes, Span(0, 2**40 + 4), 2**40, marks.SELECTED)
    assert flags(codes)[-1] == LEFT


def test_a_mark_elsewhere_changes_nothing() -> None:
    codes = np.zeros(4, np.int32)
    for span in (Span(0, 10), Span(14, 20), Span(11, 11)):
        marks.mark(codes, span, 10, marks.SELECTED)
    assert not codes.any()


@pytest.mark.parametrize(
    ("before", "after", "rows"),
    [
        (Span(0, 4), Span(0, 4), []),
        (Span(3, 4), Span(70, 71), [(0, 0), (4, 4)]),
        (Span(3, 3), Span(70, 71), [(4, 4)]),
        (Span(10, 20), Span(10, 40), [(1, 2)]),
    ],
)
def test_only_rows_that_change_are_named(before: Span, after: Span, rows: list[tuple[int, int]]) -> None:
    assert marks.changed_rows(before, after, Grid(1000, 16)) == rows


@given(*[st.tuples(st.integers(0, 200), st.integers(0, 60))] * 2, st.integers(1, 20))
def test_every_byte_that_changes_lies_in_a_named_row(one: tuple[int, int], other: tuple[int, int], width: int) -> None:
    before, after = Span(one[0], sum(one)), Span(other[0], sum(other))
    named = {
        row for first, last in marks.changed_rows(before, after, Grid(1000, width)) for row in range(first, last + 1)
    }
    changed = {offset // width for offset in range(300) if (offset in before) != (offset in after)}
    assert changed <= named


def test_a_cell_has_the_code_of_its_first_byte() -> None:
    runs = RegionRuns.of([(0, 6, "float32", "data"), (6, 16, "memo", "data")])
    codes = marks.region_codes(runs, 0, 16, 8)
    cells = marks.cell_codes(codes, 4)
    assert kinds(cells) == [KINDS.index(name) for name in ("float32", "float32", "memo", "memo")]
    assert [flag & (LEFT | RIGHT) for flag in flags(cells)] == [RIGHT, LEFT | RIGHT, LEFT | RIGHT, LEFT]


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        ([marks.PLAIN, marks.HIT, marks.PLAIN], marks.HIT),
        ([marks.HIT, marks.PASSIVE, marks.SELECTED], marks.SELECTED),
        ([marks.SELECTED, marks.MISSING, marks.HIT], marks.MISSING),
        ([marks.ABSENT, marks.ABSENT, 3], 3),
        ([marks.ABSENT, marks.ABSENT, marks.ABSENT], marks.ABSENT),
    ],
)
def test_what_is_marked_in_a_cell_marks_it(inside: list[int], shown: int) -> None:
    codes = np.array([marks.pack(kind) for kind in inside], np.int32)
    assert kinds(marks.cell_codes(codes, 3)) == [shown]


def test_no_finite_number_stands_out_unless_it_is_marked() -> None:
    codes = np.array([marks.pack(kind, flags=LEFT) for kind in (0, marks.PLAIN, marks.SELECTED, 1)], np.int32)
    found = marks.odd_codes(codes, np.array([True, True, True, False]))
    assert kinds(found) == [marks.ODD, marks.ODD, marks.SELECTED, 1]
    assert flags(found) == [LEFT] * 4


def test_the_letters_of_a_cell_are_joined() -> None:
    codes = np.array([marks.pack(3), marks.pack(4, flags=LEFT | RIGHT)], np.int32)
    found = marks.letter_codes(codes, 3)
    assert kinds(found) == [3] * 3 + [4] * 3
    assert flags(found) == [RIGHT, LEFT | RIGHT, LEFT, *[LEFT | RIGHT] * 3]
