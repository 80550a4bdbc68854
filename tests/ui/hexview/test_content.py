from __future__ import annotations

import math
import struct

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tests.ui.hexview.readers import Broken, Cut, Pattern, regions
from tests.ui.hexview.test_layout import METRICS
from viewer.core.source import MemorySource
from viewer.core.span import Span
from viewer.ui.hexview import marks
from viewer.ui.hexview.atlas import BLANK
from viewer.ui.hexview.content import Content, Nothing, Reader
from viewer.ui.hexview.layout import Form, Layout
from viewer.ui.hexview.marks import RegionRun, RegionRuns
from viewer.ui.hexview.numbers import Cells


def kinds(content: Content) -> list[int]:
    return [marks.parts(int(code) >> marks.FLAG_BITS)[0] for code in content.codes]


def loaded(reader: Reader, top_row: int = 0, rows: int = 2, width: int = 8) -> Content:
    content = Content(reader)
    content.load(Layout(METRICS, reader.size, width), top_row, rows)
    return content


def test_the_window_holds_the_bytes_of_its_rows() -> None:
    content = loaded(Pattern(100), top_row=3)
    assert content.values.tolist() == list(range(24, 40))
    assert content.span() == Span(24, 40)


def test_cells_behind_the_end_are_absent() -> None:
    content = loaded(MemorySource(b"abc"))
    assert content.values.tolist() == [97, 98, 99] + [BLANK] * 13
    assert kinds(content) == [marks.PLAIN] * 3 + [marks.ABSENT] * 13


def test_bytes_that_were_cut_off_are_missing() -> None:
    content = loaded(Cut(12, 5))
    assert content.values.tolist() == [0, 1, 2, 3, 4] + [BLANK] * 11
    assert kinds(content) == [marks.PLAIN] * 5 + [marks.MISSING] * 7 + [marks.ABSENT] * 4


def test_a_device_that_fails_shows_everything_missing() -> None:
    assert kinds(loaded(Broken(16))) == [marks.MISSING] * 16


def test_no_file_is_an_empty_window() -> None:
    content = loaded(Nothing())
    assert set(kinds(content)) == {marks.ABSENT}
    assert content.runs.names() == ()


def test_a_window_is_read_once() -> None:
    reader = Pattern(1000)
    content, layout = Content(reader), Layout(METRICS, 1000, 8)
    content.load(layout, 5, 2)
    content.load(layout, 5, 2)
    assert reader.reads == [(40, 16)]
    content.forget()
    content.load(layout, 5, 2)
    content.load(layout, 6, 2)
    assert reader.reads == [(40, 16), (40, 16), (48, 16)]


def test_regions_are_asked_for_the_window_only() -> None:
    asked: list[tuple[int, int]] = []

    def provide(start: int, stop: int) -> list[RegionRun]:
        asked.append((start, stop))
        return [RegionRun(0, 2**50, "float32")]

    content = Content(Pattern(2**50), provide)
    content.load(Layout(METRICS, 2**50, 16), 2**40, 3)
    assert asked == [(2**44, 2**44 + 48)]
    assert content.runs.names() == ("float32",)


def test_arrays_and_lists_of_runs_are_both_welcome() -> None:
    rows = [RegionRun(0, 4, "memo"), RegionRun(4, 16, "text", "argument")]
    listed, arrays = (
        Content(Pattern(16), regions(rows)),
        Content(Pattern(16), lambda _start, _stop: RegionRuns.of(rows)),
    )
    for content in (listed, arrays):
        content.load(Layout(METRICS, 16, 8), 0, 2)
    assert np.array_equal(listed.codes, arrays.codes)


@pytest.mark.parametrize("length", [0, -1])
def test_nothing_is_read_for_no_bytes(length: int) -> None:
    assert Content(Broken(5)).read(0, length) == b""


def test_a_reader_that_gives_too_much_is_cut() -> None:
    class Generous(Pattern):
        def read(self, offset: int, length: int) -> bytes:
            return super().read(offset, length + 50)

    assert Content(Generous(100)).read(0, 3) == b"\0\1\2"


def test_cells_before_the_first_byte_are_absent() -> None:
    content = Content(Pattern(100))
    content.load(Layout(METRICS, 100, 8, Form(phase=3)), 0, 2)
    assert content.values.tolist() == [BLANK] * 5 + list(range(11))
    assert kinds(content) == [marks.ABSENT] * 5 + [marks.PLAIN] * 11
    assert (content.first, content.span()) == (-5, Span(0, 11))


@given(st.integers(0, 60), st.integers(1, 20), st.integers(0, 30), st.integers(0, 9))
def test_each_byte_stands_where_the_layout_has_it(size: int, width: int, phase: int, there: int) -> None:
    content = Content(Cut(size, there * 7))
    layout = Layout(METRICS, size, width, Form(phase=phase))
    content.load(layout, 0, layout.rows + 2)
    expected = [BLANK] * len(content.values)
    for offset in range(min(size, there * 7)):
        expected[layout.row_of(offset) * width + layout.column_of(offset)] = offset
    assert content.values.tolist() == expected
    missing = {at for at, kind in enumerate(kinds(content)) if kind == marks.MISSING}
    assert missing == {offset + layout.grid.lead for offset in range(min(size, there * 7), size)}


def test_elements_are_those_of_the_whole_cells() -> None:
    content = Content(MemorySource(b"\xff" + struct.pack("<3f", 1.5, -2, math.nan) + b"\x01"))
    content.load(Layout(METRICS, 14, 8, Form(phase=1, cells=Cells("float32"))), 0, 3)
    assert content.numbers is not None
    assert content.numbers.whole.tolist() == [False, False, True, True, True, False]
    assert content.numbers.some.tolist() == [False, True, False, False, False, True]
    assert content.numbers.odd.tolist() == [False, False, False, False, True, False]


def test_letters_that_begin_before_the_window_take_their_bytes_in_it() -> None:
    content = Content(MemorySource(b"abcdef" + "漢".encode() + "é".encode() + b"12345"))
    content.encoding = "utf-8"
    content.load(Layout(METRICS, 16, 8), 1, 1)
    assert content.bytes_in_text.tolist() == [BLANK] * 3 + list(b"12345")
    assert (content.letters.at.tolist(), content.letters.points.tolist()) == ([1], [0xE9])
    content.load(Layout(METRICS, 16, 8), 0, 1)
    assert content.bytes_in_text.tolist() == [*b"abcdef", BLANK, BLANK]
    assert content.letters.points.tolist() == [0x6F22]


def test_other_cells_and_letters_are_worked_out_anew() -> None:
    reader = Pattern(64)
    content = Content(reader)
    for form in (Form(), Form(cells=Cells("int16")), Form(phase=1)):
        content.load(Layout(METRICS, 64, 8, form), 0, 2)
    content.encoding = "utf-8"
    content.load(Layout(METRICS, 64, 8, form), 0, 2)
    assert len(reader.reads) == 4
