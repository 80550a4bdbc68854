"""What stands on the screen after a part of it was moved or painted alone is what a fresh picture shows."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.hexview.readers import Cut, Pattern, hits_of, regions
from viewer.core.span import Span
from viewer.ui.hexview.content import Finder
from viewer.ui.hexview.layout import Form, Side
from viewer.ui.hexview.marks import RegionRun
from viewer.ui.hexview.numbers import Cells
from viewer.ui.hexview.surface import Moment, Surface
from viewer.ui.hexview.view import HexView
from viewer.ui.theme import load_theme

SIZE = 200_000
RUNS = [RegionRun(at, at + 37, ("text", "float16", "zip_header", "gap")[at // 37 % 4]) for at in range(0, SIZE, 37)]


@pytest.fixture
def view(qtbot: QtBot) -> HexView:
    made = HexView(load_theme("light"))
    qtbot.addWidget(made)
    made.set_reader(Cut(SIZE, SIZE - 500))
    made.set_regions(regions(RUNS))
    made.resize(640, 420)
    with qtbot.waitExposed(made):
        made.show()
    return made


def settled() -> None:
    """What was asked to be painted is."""
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    QApplication.sendPostedEvents()


def on_screen(view: HexView) -> QImage:
    """What the window system was given, of the viewport."""
    settled()
    port = view.viewport()
    place = port.mapTo(view, port.rect().topLeft())
    window = view.screen().grabWindow(view.winId(), place.x(), place.y(), port.width(), port.height())
    return window.toImage().convertToFormat(QImage.Format.Format_RGB32)


def fresh(view: HexView) -> QImage:
    return view.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[QRect]:
    """The parts that a surface paints."""
    areas: list[QRect] = []
    paint = Surface.paint

    def spy(self: Surface, painter: QPainter, area: QRect, shift: int, moment: Moment) -> None:
        areas.append(area)
        paint(self, painter, area, shift, moment)

    monkeypatch.setattr(Surface, "paint", spy)
    return areas


@pytest.mark.parametrize("rows", [1, 3, -3, 12])
def test_scrolling_paints_only_the_rows_that_come_in(view: HexView, painted: list[QRect], rows: int) -> None:
    view.set_top_row(100)
    before = on_screen(view)
    painted.clear()
    view.scroll_rows(rows)
    after = on_screen(view)
    row = view.surface.face.metrics.row
    assert sum(area.height() for area in painted) == abs(rows) * row
    assert after != before
    assert after == fresh(view)


def test_scrolling_with_the_bar_paints_only_the_rows_that_come_in(view: HexView, painted: list[QRect]) -> None:
    on_screen(view)
    painted.clear()
    view.verticalScrollBar().setValue(5)
    assert on_screen(view) == fresh(view)
    assert painted[0].height() == 5 * view.surface.face.metrics.row


def test_scrolling_sideways_paints_only_what_comes_in(view: HexView, painted: list[QRect]) -> None:
    view.set_row_bytes(5000)
    on_screen(view)
    painted.clear()
    view.horizontalScrollBar().setValue(50)
    after = on_screen(view)
    assert [area.width() for area in painted] == [50]
    assert after == fresh(view)


def test_marks_in_rows_far_apart_paint_these_alone(view: HexView, painted: list[QRect]) -> None:
    layout = view.surface.layout
    view.select(Span(0, 1))
    on_screen(view)
    painted.clear()
    view.select(layout.row_span(14))
    assert on_screen(view) == fresh(view)
    area = sum(area.height() for area in painted if area.top() >= view.surface.face.metrics.header)
    assert area <= 6 * view.surface.face.metrics.row


def spans_of(*spans: tuple[int, int]) -> Finder:
    """A finder of these."""
    return hits_of(np.array(spans, np.int64).reshape(-1, 2))


def painted_rows(view: HexView, painted: list[QRect]) -> set[int]:
    """The rows of the bytes that were painted since `painted` was cleared, counted from the top row."""
    metrics = view.surface.face.metrics
    tops = {(top - metrics.header) // metrics.row for area in painted for top in range(area.top(), area.bottom() + 1)}
    painted.clear()
    return tops


@pytest.mark.parametrize("setter", ["set_hits", "set_changed", "set_differences"])
def test_marks_that_come_and_go_paint_their_rows_alone(view: HexView, painted: list[QRect], setter: str) -> None:
    width, mark = view.row_bytes, getattr(view, setter)
    on_screen(view)
    painted.clear()
    mark(spans_of((3 * width + 2, 3 * width + 4)))
    first = on_screen(view)
    assert first == fresh(view)
    painted.clear()
    mark(spans_of((3 * width + 2, 3 * width + 4), (9 * width + 1, 9 * width + 5)))
    assert on_screen(view) != first
    # The rows beside it too, where a line runs on their edges.
    assert {9} <= painted_rows(view, painted) <= {8, 9, 10}
    mark(spans_of((3 * width + 2, 3 * width + 4), (9 * width + 1, 9 * width + 5), (SIZE - 9, SIZE - 8)))
    settled()
    assert not painted
    mark(None)
    assert painted_rows(view, painted) == set()
    settled()
    assert painted_rows(view, painted) <= {2, 3, 4, 8, 9, 10}
    assert on_screen(view) == fresh(view)


def test_regions_that_become_known_paint_their_rows_alone(view: HexView, painted: list[QRect]) -> None:
    width = view.row_bytes
    on_screen(view)
    painted.clear()
    at = next(number for number, run in enumerate(RUNS) if run.start > 6 * width)
    view.set_regions(regions([*RUNS[:at], RUNS[at]._replace(kind="padding"), *RUNS[at + 1 :]]))
    before, rows = on_screen(view), painted_rows(view, painted)
    first, last = (view.surface.layout.row_of(offset) for offset in (RUNS[at].start, RUNS[at].stop - 1))
    assert rows >= set(range(first, last + 1))
    assert len(rows) <= last - first + 3
    assert before == fresh(view)
    painted.clear()
    view.set_regions(regions(RUNS))
    assert on_screen(view) != before


def test_lines_go_where_others_stay_at_the_same_bytes(view: HexView) -> None:
    """Hits have a line round them, what differs one under it; nothing else tells where they are both."""
    found = spans_of((3 * view.row_bytes + 2, 3 * view.row_bytes + 4))
    for setter in (view.set_changed, view.set_hits, view.set_differences):
        setter(found)
    shown = on_screen(view)
    for setter in (view.set_hits, view.set_differences, view.set_changed):
        setter(None)
        before, shown = shown, on_screen(view)
        assert shown != before
        assert shown == fresh(view)


def test_a_flash_paints_its_row_alone(view: HexView, painted: list[QRect], qtbot: QtBot) -> None:
    # Over when it is told to be, however long the machine takes.
    view._flash.setInterval(3_600_000)
    on_screen(view)
    painted.clear()
    view.flash(4 * view.row_bytes)
    lit = on_screen(view)
    assert painted_rows(view, painted) == {4}
    assert lit == fresh(view)
    view.flash(7 * view.row_bytes)
    assert on_screen(view) == fresh(view)
    painted.clear()
    with qtbot.waitSignal(view._flash.timeout):
        view._flash.start(0)
    settled()
    assert painted_rows(view, painted) == {7}
    assert on_screen(view) == fresh(view)


@pytest.mark.parametrize("seed", range(8))
def test_the_screen_shows_what_a_fresh_picture_shows(view: HexView, seed: int) -> None:
    chance = random.Random(seed)

    def span() -> Span:
        start = view.visible_span().start + chance.randrange(-50, 500)
        return Span(max(0, start), max(0, start) + chance.randrange(1, 300))

    def some() -> Finder:
        one = span()
        return spans_of((one.start, one.stop))

    hits = hits_of(np.array([[at, at + 3] for at in range(0, SIZE, 41)]))
    few = hits_of(np.array([[at, at + 30] for at in range(0, SIZE, 900)]))
    forms = (Form(), Form(lines=True, group=8), Form(cells=Cells("int16"), phase=3), Form(group=1, shading=True))
    acts: list[Callable[[], object]] = [
        *[lambda: view.scroll_rows(chance.randrange(-8, 9))] * 6,
        lambda: view.set_top_row(chance.randrange(SIZE // 16)),
        lambda: view.horizontalScrollBar().setValue(chance.randrange(3000)),
        lambda: view.select(span(), reveal=chance.random() < 0.5),
        lambda: view.go_to(span().start, flash=chance.random() < 0.3),
        lambda: view.set_linked([span()]),
        lambda: view.set_hover(chance.choice((None, span()))),
        lambda: view.set_bookmarks([span().start], [(span(), "accent")]),
        lambda: view.set_hits(chance.choice((None, hits, few))),
        lambda: view.set_differences(chance.choice((None, few))),
        lambda: view.set_changed(chance.choice((None, few, some()))),
        lambda: view.set_regions(regions(chance.choice((RUNS, RUNS[::2], RUNS[:40])))),
        lambda: view.set_row_bytes(chance.choice((None, None, 64, 1500, 40_000))),
        lambda: view.set_form(chance.choice(forms), "Offset"),
        lambda: QTest.keyClick(view, chance.choice((Qt.Key.Key_Tab, Qt.Key.Key_Backtab))),
        lambda: view.resize(chance.randrange(300, 800), chance.randrange(200, 500)),
    ]
    for _ in range(60):
        for _ in range(chance.randrange(1, 4)):
            chance.choice(acts)()
        assert on_screen(view) == fresh(view)


def test_at_a_scale_with_parts_of_pixels_all_is_painted(
    view: HexView, painted: list[QRect], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HexView, "devicePixelRatioF", lambda self: 1.5)
    view.set_zoom(1.0)
    on_screen(view)
    painted.clear()
    view.scroll_rows(2)
    view.horizontalScrollBar().setValue(7)
    settled()
    assert max(area.height() for area in painted) >= view.viewport().height() * 1.5


def test_wide_rows_are_reached_to_their_ends(view: HexView) -> None:
    """1 MiB a row: by keys and by the bar, the last byte can be seen."""
    view.set_reader(Pattern(2**22 - 5))
    view.set_row_bytes(2**20)
    last = 2**20 - 1
    view.go_to(last)
    layout, bar = view.surface.layout, view.horizontalScrollBar()
    left = layout.cell_x(last, Side.HEX) - bar.value()
    assert 0 <= left <= view.viewport().width() - layout.cell
    assert on_screen(view) == fresh(view)
    place = view.nearest_place(QRect(left + 3, 40, 1, 1).topLeft(), Side.HEX)
    assert place is not None
    assert place.offset == last
    bar.setValue(bar.maximum())
    assert bar.maximum() == layout.width - view.viewport().width()
    assert on_screen(view) == fresh(view)
