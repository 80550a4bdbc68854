"""The view as a person uses it: keys, mouse, wheel, scroll bar, focus, clipboard."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import (
    QAccessible,
    QContextMenuEvent,
    QEnterEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSlider, QApplication, QToolTip
from pytestqt.qtbot import QtBot
from typing_extensions import override

from tests.ui.hexview.readers import Broken, Cut, Pattern, hits_of, regions
from tests.ui.hexview.stand import Stand
from viewer.core.source import MemorySource
from viewer.core.span import Span
from viewer.ui.hexview import copying
from viewer.ui.hexview.layout import Form, Side
from viewer.ui.hexview.marks import RegionRun
from viewer.ui.hexview.numbers import LETTERS, Cells
from viewer.ui.hexview.surface import Surface
from viewer.ui.hexview.texts import ENCODINGS
from viewer.ui.hexview.view import HexView
from viewer.ui.theme import load_theme

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
LEFT = Qt.MouseButton.LeftButton
SIZES = [2**20, 2**40, 2**50]


@pytest.fixture
def view(stand: Stand) -> HexView:
    stand.view.set_reader(Pattern(2**20))
    return stand.view


def press(view: HexView, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(view, key, modifiers)


def point_of(view: HexView, offset: int, side: Side = Side.HEX) -> QPoint:
    """The middle of a byte's cell."""
    layout, metrics = view.surface.layout, view.surface.face.metrics
    x = layout.cell_x(layout.column_of(offset), side) + layout.cell_width(side) // 2
    y = metrics.header + (layout.row_of(offset) - view.top_row) * metrics.row + metrics.row // 2
    return QPoint(x, y)


def mouse(
    view: HexView,
    kind: QEvent.Type,
    point: QPoint,
    button: Qt.MouseButton = LEFT,
    modifiers: Qt.KeyboardModifier = NONE,
    at: int | None = None,
) -> None:
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
    port = view.viewport()
    event = QMouseEvent(kind, QPointF(point), QPointF(port.mapToGlobal(point)), button, held, modifiers)
    event.setTimestamp(time.monotonic_ns() // 1_000_000 if at is None else at)
    QApplication.sendEvent(port, event)


def click(view: HexView, offset: int, side: Side = Side.HEX, modifiers: Qt.KeyboardModifier = NONE) -> None:
    mouse(view, QEvent.Type.MouseButtonPress, point_of(view, offset, side), modifiers=modifiers)
    mouse(view, QEvent.Type.MouseButtonRelease, point_of(view, offset, side))


def wheel(view: HexView, turned: int, modifiers: Qt.KeyboardModifier = NONE, pixels: int = 0) -> None:
    place = QPointF(100, 100)
    event = QWheelEvent(
        place,
        QPointF(view.mapToGlobal(place.toPoint())),
        QPoint(0, pixels),
        QPoint(0, turned),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


class Heard:
    """What the view's signals said."""

    def __init__(self, view: HexView) -> None:
        self.carets: list[object] = []
        self.spans: list[object] = []
        self.hovers: list[object] = []
        self.owners: list[object] = []
        self.scrolls: list[object] = []
        view.caret_moved.connect(self.carets.append)
        view.selection_changed.connect(self.spans.append)
        view.hovered.connect(self.hovers.append)
        view.owner_requested.connect(self.owners.append)
        view.scrolled.connect(self.scrolls.append)


# Keys


@pytest.mark.parametrize("size", SIZES)
def test_the_end_of_a_file_of_any_size_is_one_key_away(stand: Stand, size: int) -> None:
    view = stand.view
    view.set_reader(Pattern(size))
    heard = Heard(view)
    press(view, Qt.Key.Key_End, CONTROL)
    assert heard.carets == [size - 1]
    assert view.visible_span().stop == size
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()
    press(view, Qt.Key.Key_Home, CONTROL)
    assert view.caret == 0
    assert view.top_row == 0
    assert view.verticalScrollBar().value() == 0


@pytest.mark.parametrize("size", SIZES)
def test_every_row_can_be_reached(stand: Stand, size: int) -> None:
    view = stand.view
    view.set_reader(Pattern(size))
    for row in (1, size // 48, size // 16 - 60, 7 * size // 160):
        view.set_top_row(row)
        assert view.top_row == row
        view.scroll_rows(1)
        view.scroll_rows(-1)
        assert view.top_row == row


def test_arrows_move_and_shift_selects(view: HexView) -> None:
    heard = Heard(view)
    view.go_to(100)
    press(view, Qt.Key.Key_Right)
    press(view, Qt.Key.Key_Down, SHIFT)
    press(view, Qt.Key.Key_Left, SHIFT)
    assert heard.carets == [101, 117, 116]
    assert heard.spans == [Span(101, 102), Span(101, 118), Span(101, 117)]
    press(view, Qt.Key.Key_Up)
    assert view.selected_span() == Span(100, 101)


def test_a_range_that_is_added_twice_stays_selected_where_it_is_alone(view: HexView) -> None:
    click(view, 5)
    click(view, 5, modifiers=CONTROL)
    assert view.selected_spans() == (Span(5, 6),)
    click(view, 9, modifiers=CONTROL)
    assert view.selected_spans() == (Span(5, 6), Span(9, 10))
    click(view, 9, modifiers=CONTROL)
    assert view.selected_spans() == (Span(5, 6),)


@pytest.mark.parametrize("modifier", [CONTROL, ALT])
def test_control_and_alt_go_to_the_group_s_edge(view: HexView, modifier: Qt.KeyboardModifier) -> None:
    view.go_to(101)
    press(view, Qt.Key.Key_Right, modifier)
    assert view.caret == 104
    press(view, Qt.Key.Key_Left, modifier)
    assert view.caret == 100


def test_home_and_end_go_to_the_row_s_ends(view: HexView) -> None:
    view.go_to(101)
    press(view, Qt.Key.Key_End)
    assert view.caret == 111
    press(view, Qt.Key.Key_Home, SHIFT)
    assert view.selected_span() == Span(96, 112)


def test_paging_moves_caret_and_view_together(view: HexView) -> None:
    page = view.surface.whole - 1
    view.go_to(5)
    press(view, Qt.Key.Key_PageDown)
    assert (view.caret, view.top_row) == (5 + page * 16, page)
    press(view, Qt.Key.Key_PageUp)
    assert (view.caret, view.top_row) == (5, 0)


def test_the_caret_never_leaves_the_window(view: HexView) -> None:
    for key in [Qt.Key.Key_Down] * 60 + [Qt.Key.Key_Up] * 45 + [Qt.Key.Key_PageDown] * 5 + [Qt.Key.Key_Right] * 20:
        press(view, key)
        row = view.caret // 16
        assert view.top_row <= row < view.top_row + view.surface.whole


def test_control_and_down_scroll_without_the_caret(view: HexView) -> None:
    press(view, Qt.Key.Key_Down, CONTROL)
    press(view, Qt.Key.Key_Down, CONTROL)
    press(view, Qt.Key.Key_Up, CONTROL)
    assert (view.top_row, view.caret) == (1, 0)


def test_everything_can_be_selected(stand: Stand) -> None:
    stand.view.set_reader(Pattern(2**50))
    heard = Heard(stand.view)
    press(stand.view, Qt.Key.Key_A, CONTROL)
    assert heard.spans == [Span(0, 2**50)]
    assert not stand.view.grab().isNull()


def test_tab_changes_the_column(view: HexView) -> None:
    sides: list[object] = []
    view.side_changed.connect(sides.append)
    press(view, Qt.Key.Key_Tab)
    press(view, Qt.Key.Key_Backtab, SHIFT)
    press(view, Qt.Key.Key_Tab)
    assert sides == [Side.TEXT, Side.HEX, Side.TEXT]
    assert view.hasFocus()


def test_other_keys_go_on_to_the_window(stand: Stand) -> None:
    seen: list[int] = []

    class Window(Stand):
        @override
        def keyPressEvent(self, event: QKeyEvent) -> None:
            seen.append(event.key())

    window = Window()
    press(window.view, Qt.Key.Key_F3)
    press(window.view, Qt.Key.Key_Left)
    assert seen == [Qt.Key.Key_F3]


def test_an_empty_file_takes_every_key(stand: Stand) -> None:
    view = stand.view
    view.set_reader(MemorySource(b""))
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_PageDown, Qt.Key.Key_Tab):
        press(view, key)
    press(view, Qt.Key.Key_A, CONTROL)
    press(view, Qt.Key.Key_C, CONTROL)
    click(view, 0)
    assert (view.caret, view.selected_span(), view.visible_span()) == (0, Span(0, 0), Span(0, 0))


# Mouse


@pytest.mark.parametrize("side", Side)
def test_a_click_selects_a_byte_in_its_column(view: HexView, side: Side) -> None:
    heard = Heard(view)
    click(view, 0x53, side)
    assert (heard.carets, heard.spans, view.side) == ([0x53], [Span(0x53, 0x54)], side)


def test_dragging_selects(view: HexView) -> None:
    mouse(view, QEvent.Type.MouseButtonPress, point_of(view, 40))
    mouse(view, QEvent.Type.MouseMove, point_of(view, 75))
    assert view.selected_span() == Span(40, 76)
    mouse(view, QEvent.Type.MouseMove, point_of(view, 20))
    mouse(view, QEvent.Type.MouseButtonRelease, point_of(view, 20))
    assert view.selected_span() == Span(20, 41)


def test_a_drag_stays_in_the_column_where_it_began(view: HexView) -> None:
    mouse(view, QEvent.Type.MouseButtonPress, point_of(view, 40))
    mouse(view, QEvent.Type.MouseMove, point_of(view, 66, Side.TEXT))
    mouse(view, QEvent.Type.MouseButtonRelease, point_of(view, 66, Side.TEXT))
    assert view.selected_span() == Span(40, 80)
    assert view.side is Side.HEX


def test_dragging_below_the_window_scrolls(view: HexView, qtbot: QtBot) -> None:
    mouse(view, QEvent.Type.MouseButtonPress, point_of(view, 40))
    below = QPoint(200, view.viewport().height() + 90)
    mouse(view, QEvent.Type.MouseMove, below)
    qtbot.waitUntil(lambda: view.top_row > 20)
    mouse(view, QEvent.Type.MouseButtonRelease, below)
    assert view.selected_span().start == 40
    assert view.selected_span().stop > 20 * 16
    assert not view._pointer._timer.isActive()


def test_shift_and_click_extend_from_the_farther_end(view: HexView) -> None:
    view.select(Span(40, 60))
    click(view, 100, modifiers=SHIFT)
    assert view.selected_span() == Span(40, 101)
    click(view, 30, modifiers=SHIFT)
    assert view.selected_span() == Span(30, 101)


def test_two_clicks_ask_for_the_owner(view: HexView) -> None:
    heard = Heard(view)
    click(view, 50)
    mouse(view, QEvent.Type.MouseButtonDblClick, point_of(view, 50))
    assert heard.owners == [50]


def test_three_clicks_select_the_row(view: HexView) -> None:
    click(view, 50)
    mouse(view, QEvent.Type.MouseButtonDblClick, point_of(view, 50), at=1000)
    mouse(view, QEvent.Type.MouseButtonPress, point_of(view, 50), at=1100)
    mouse(view, QEvent.Type.MouseButtonRelease, point_of(view, 50))
    assert view.selected_span() == Span(48, 64)


def test_a_late_third_click_is_a_click(view: HexView) -> None:
    mouse(view, QEvent.Type.MouseButtonDblClick, point_of(view, 50), at=1000)
    mouse(view, QEvent.Type.MouseButtonPress, point_of(view, 50), at=9000)
    assert view.selected_span() == Span(50, 51)


def test_hover_tells_the_byte_once_and_then_none(view: HexView) -> None:
    heard = Heard(view)
    nothing = Qt.MouseButton.NoButton
    for point in (point_of(view, 50), point_of(view, 50) + QPoint(2, 2), point_of(view, 51), QPoint(5, 60)):
        mouse(view, QEvent.Type.MouseMove, point, nothing)
    mouse(view, QEvent.Type.MouseMove, point_of(view, 52), nothing)
    QApplication.sendEvent(view.viewport(), QEvent(QEvent.Type.Leave))
    assert heard.hovers == [50, 51, None, 52, None]
    assert heard.carets == []


@pytest.mark.parametrize(("offset", "span"), [(50, Span(40, 60)), (70, Span(70, 71))])
def test_the_context_menu_keeps_a_selection_that_it_is_on(view: HexView, offset: int, span: Span) -> None:
    asked: list[tuple[object, object]] = []
    view.context_requested.connect(lambda *values: asked.append(values))
    view.select(Span(40, 60))
    point = point_of(view, offset)
    where = view.viewport().mapToGlobal(point)
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, where))
    assert asked == [(offset, where)]
    assert view.selected_span() == span


def test_the_menu_key_asks_at_the_caret(view: HexView) -> None:
    asked: list[tuple[object, object]] = []
    view.context_requested.connect(lambda *values: asked.append(values))
    view.go_to(50)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), QPoint(1, 1))
    QApplication.sendEvent(view.viewport(), event)
    offset, where = asked[0]
    assert offset == 50
    near = view.viewport().mapFromGlobal(where) - point_of(view, 50)
    assert near.manhattanLength() < 40
    QTest.keyClick(view, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyRelease(view, Qt.Key.Key_Shift)  # else the whole program takes it to be held
    assert asked == [(50, where), (50, where)]


def test_a_tooltip_says_what_the_byte_is(view: HexView) -> None:
    view.set_describe(lambda offset, full: f"byte {offset} {full}")
    point = point_of(view, 50)
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, point, view.mapToGlobal(point)))
    assert QToolTip.text() == "byte 50 False"
    QToolTip.hideText()


# Wheel, bar, width


def test_the_wheel_scrolls_three_rows(view: HexView) -> None:
    wheel(view, -120)
    assert view.top_row == QApplication.wheelScrollLines()
    wheel(view, 120)
    assert view.top_row == 0


def test_small_turns_of_a_fine_wheel_add_up(view: HexView) -> None:
    for _ in range(6):
        wheel(view, -10, pixels=-5)
    assert view.top_row == 1


def test_control_and_wheel_change_the_size_of_the_bytes(view: HexView) -> None:
    zooms: list[object] = []
    view.zoomed.connect(zooms.append)
    before = view.surface.face.metrics.row
    wheel(view, 120, CONTROL)
    assert view.surface.face.metrics.row > before
    assert zooms == [view.zoom]
    for _ in range(60):
        wheel(view, 120, CONTROL)
    assert view.surface.face.regular.pixelSize() == 32
    view.set_zoom(0.01)
    assert view.surface.face.regular.pixelSize() == 8


def test_a_wheel_over_the_scroll_bar_turns_rows_too(stand: Stand) -> None:
    view = stand.view
    view.set_reader(Pattern(2**50))
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    event = QWheelEvent(
        QPointF(3, 50),
        QPointF(3, 50),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        NONE,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.verticalScrollBar(), event)
    assert view.top_row == QApplication.wheelScrollLines()


def test_the_scroll_bar_reaches_both_ends_exactly(stand: Stand) -> None:
    view = stand.view
    view.set_reader(Pattern(2**50))
    bar = view.verticalScrollBar()
    assert bar.maximum() == 2**30
    bar.setValue(bar.maximum())
    assert view.visible_span().stop == 2**50
    bar.setValue(bar.maximum() // 2)
    assert abs(view.top_row / (2**46) - 0.5) < 1e-6
    bar.setValue(0)
    assert view.top_row == 0


def test_steps_of_the_scroll_bar_are_rows_in_a_file_of_any_size(stand: Stand) -> None:
    view = stand.view
    view.set_reader(Pattern(2**50))
    bar = view.verticalScrollBar()
    view.set_top_row(2**45)
    bar.triggerAction(QAbstractSlider.SliderAction.SliderSingleStepAdd)
    assert view.top_row == 2**45 + 1
    bar.triggerAction(QAbstractSlider.SliderAction.SliderPageStepSub)
    assert view.top_row == 2**45 + 1 - (view.surface.whole - 1)


def test_scrolling_says_what_is_in_view(view: HexView) -> None:
    heard = Heard(view)
    view.set_top_row(10)
    view.set_top_row(10)
    assert heard.scrolls == [Span(160, 160 + view.surface.shown * 16)]


def test_the_width_of_the_window_decides_the_row(stand: Stand, view: HexView) -> None:
    view.go_to(50_000)
    for width, row_bytes in ((700, 16), (520, 12), (440, 8), (330, 4), (700, 16)):
        stand.resize(width, 500)
        assert view.row_bytes == row_bytes
        row = 50_000 // row_bytes
        assert view.top_row <= row < view.top_row + view.surface.whole


def test_a_fixed_width_scrolls_sideways(view: HexView) -> None:
    view.set_row_bytes(64)
    bar = view.horizontalScrollBar()
    assert view.row_bytes == 64
    assert bar.maximum() > 0
    view.go_to(63)
    right = view.surface.layout.cell_x(63, Side.HEX) + view.surface.layout.cell_width(Side.HEX)
    assert bar.value() <= right <= bar.value() + view.viewport().width()
    view.go_to(0)
    assert bar.value() <= view.surface.layout.hex_x
    point = QPoint(view.surface.layout.cell_x(5, Side.HEX) + 5 - bar.value(), point_of(view, 5).y())
    place = view.place_at(point)
    assert place is not None
    assert place.offset == 5
    view.set_row_bytes(None)
    assert (view.row_bytes, bar.maximum()) == (16, 0)


@pytest.mark.parametrize(("asked", "given"), [(0, 1), (7, 7), (5000, 5000), (2**30, 2**20)])
def test_a_fixed_width_has_limits(view: HexView, asked: int, given: int) -> None:
    view.set_row_bytes(asked)
    assert view.row_bytes == given
    assert not view.grab().isNull()


# Setters


@pytest.mark.parametrize("size", SIZES)
def test_going_to_an_offset_shows_and_selects_it(stand: Stand, size: int) -> None:
    view = stand.view
    view.set_reader(Pattern(size))
    heard = Heard(view)
    for offset in (size // 3, size // 3 + 5, size - 1, 0):
        view.go_to(offset)
        assert view.selected_span() == Span(offset, offset + 1)
        assert offset in view.visible_span()
    assert (heard.carets, heard.spans) == ([], []), "setters are silent"


def test_going_beyond_the_end_goes_to_the_last_byte(view: HexView) -> None:
    view.go_to(2**60)
    assert view.caret == 2**20 - 1
    view.go_to(-5)
    assert view.caret == 0


def test_a_flash_lasts_for_a_moment(view: HexView, qtbot: QtBot) -> None:
    view.go_to(5000, flash=True)
    assert view._moment().flash_row == 5000 // 16
    qtbot.waitUntil(lambda: view._moment().flash_row is None)


def test_selecting_shows_the_start_of_the_span(view: HexView) -> None:
    view.select(Span(500_000, 900_000))
    assert view.selected_span() == Span(500_000, 900_000)
    assert (view.caret, 500_000 in view.visible_span()) == (500_000, True)
    view.select(Span(10, 20), reveal=False)
    assert 500_000 in view.visible_span()


def test_a_span_beyond_the_file_is_cut(view: HexView) -> None:
    view.select(Span(2**20 - 4, 2**21))
    assert view.selected_span() == Span(2**20 - 4, 2**20)
    view.select(Span(2**21, 2**22))
    assert view.selected_span() == Span(2**20, 2**20)
    assert not view.grab().isNull()


def test_an_empty_tensor_is_a_place_without_bytes(view: HexView) -> None:
    view.select(Span(400, 400))
    assert view.selected_span() == Span(400, 400)
    assert view.caret == 400


def test_revealing_a_byte_keeps_the_selection(view: HexView) -> None:
    view.go_to(5)
    view.reveal(700_000)
    assert 700_000 in view.visible_span()
    assert view.caret == 5


def test_another_file_starts_at_its_start(view: HexView) -> None:
    view.select(Span(900_000, 900_010))
    view.set_linked([Span(1, 5)])
    view.set_reader(Pattern(5000))
    assert (view.top_row, view.caret, view.surface.marks.linked) == (0, 0, ())


def test_a_reload_keeps_the_place(view: HexView) -> None:
    view.select(Span(900_000, 900_010))
    top = view.top_row
    view.set_reader(Pattern(2**20 + 77), keep_place=True)
    assert (view.top_row, view.selected_span()) == (top, Span(900_000, 900_010))
    view.set_reader(Pattern(100), keep_place=True)
    assert (view.top_row, view.caret) == (0, 99)
    view.set_reader(None)
    assert view.selected_span() == Span(0, 0)


def test_regions_that_come_later_are_shown(view: HexView) -> None:
    assert view.visible_kinds() == ()
    view.set_regions(regions([RegionRun(0, 90, "memo"), RegionRun(90, 2**20, "float32")]))
    assert view.visible_kinds() == ("memo", "float32")
    view.go_to(500_000)
    assert view.visible_kinds() == ("float32",)


def test_marks_from_elsewhere_are_told_to_the_map(view: HexView, qtbot: QtBot) -> None:
    for change in (
        lambda: view.set_linked([Span(5, 9)]),
        lambda: view.set_hover(Span(5, 9)),
        lambda: view.set_bookmarks([64]),
        lambda: view.go_to(77),
    ):
        with qtbot.waitSignal(view.marks_changed):
            change()
    with qtbot.assertNotEmitted(view.marks_changed):
        view.set_linked([Span(5, 9)])
    view.set_hits(hits_of(np.array([[3, 9]])))
    assert not view.grab().isNull()
    assert view.surface.marks.hits == (Span(3, 9),)


@pytest.mark.parametrize("reader", [Cut(2**20, 100), Broken(2**20)])
def test_a_file_that_was_cut_or_fails_is_shown_and_walked(stand: Stand, reader: Pattern) -> None:
    view = stand.view
    view.set_reader(reader)
    press(view, Qt.Key.Key_End, CONTROL)
    press(view, Qt.Key.Key_PageUp)
    wheel(view, 120)
    assert view.copy_hex().whole is False
    assert not view.grab().isNull()


# Clipboard


def test_copying_follows_the_column(stand: Stand) -> None:
    view = stand.view
    view.set_reader(MemorySource(b"\x80\x02ctorch._utils\n"))
    view.select(Span(2, 8))
    press(view, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "63 74 6F 72 63 68"
    press(view, Qt.Key.Key_Tab)
    press(view, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "ctorch"


def test_a_copy_is_capped_and_says_so(view: HexView, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "MOST", 1000)
    view.select(Span(0, 1500))
    copied = view.copy_hex()
    assert (copied.count, copied.asked, copied.whole) == (1000, 1500, False)
    assert len(QGuiApplication.clipboard().text().split()) == 1000
    view.select(Span(0, 1000))
    assert view.copy_text().whole


def test_copying_nothing_leaves_the_clipboard_alone(view: HexView) -> None:
    QGuiApplication.clipboard().setText("mine")
    view.select(Span(5, 5))
    assert view.copy_hex().count == 0
    assert QGuiApplication.clipboard().text() == "mine"


# Focus, idleness, paint


def test_no_timer_runs_in_a_view_without_focus(stand: Stand, view: HexView, qtbot: QtBot) -> None:
    stand.other.setFocus()
    qtbot.waitUntil(lambda: not view.hasFocus())
    assert not [timer for timer in view.findChildren(QTimer) if timer.isActive()]


def test_another_theme_changes_the_colours(view: HexView) -> None:
    view.set_theme(load_theme("dark"))
    image = view.grab().toImage()
    assert image.pixelColor(2, 200) == load_theme("dark").color("pane")


def test_a_screen_reader_hears_where_the_caret_is(stand: Stand) -> None:
    view = stand.view
    view.set_reader(MemorySource(b"\x80\x02R"))
    view.set_describe(lambda offset, full: {1: "PROTO", 2: "REDUCE"}.get(offset, ""))
    interface = QAccessible.queryAccessibleInterface(view)
    press(view, Qt.Key.Key_Right)
    assert interface.text(QAccessible.Text.Description) == "0x1: 02. PROTO"
    view.go_to(2)
    assert interface.text(QAccessible.Text.Description) == "0x2: 52, R. REDUCE"
    view.go_to(0)
    assert interface.text(QAccessible.Text.Description) == "0x0: 80"
    assert interface.text(QAccessible.Text.Name) == "Bytes"


def test_views_come_and_go(qtbot: QtBot) -> None:
    for _ in range(20):
        view = HexView(load_theme("light"))
        view.set_reader(Pattern(2**40))
        view.resize(600, 300)
        view.show()
        assert not view.grab().isNull()
        view.close()
        view.deleteLater()
        with qtbot.waitSignal(view.destroyed):
            pass


def test_painting_keeps_its_painters_closed(view: HexView, no_stall: Callable[..., object]) -> None:
    view.set_regions(regions([RegionRun(0, 2**20, "text", "argument")]))
    for row in range(0, 3000, 100):
        view.set_top_row(row)
        assert not view.grab().isNull()
    del no_stall


def test_entering_with_the_mouse_changes_nothing(view: HexView) -> None:
    point = QPointF(50, 50)
    QApplication.sendEvent(view.viewport(), QEnterEvent(point, point, point))
    assert view.caret == 0


def any_form(chance: random.Random, size: int) -> Form:
    """Rows and cells of whatever kind."""
    cells = Cells(chance.choice(("", *LETTERS)), chance.random() < 0.5)
    return Form(
        group=chance.choice((1, 3, 4, 16, 1024)),
        most=chance.choice((16, 64)),
        radix=chance.choice((16, 10)),
        base=chance.randrange(size + 1),
        lines=chance.random() < 0.5,
        phase=chance.randrange(size + 5),
        cells=cells,
        shading=chance.random() < 0.2,
    )


@pytest.mark.parametrize("seed", range(10))
def test_a_person_at_random_breaks_nothing(stand: Stand, seed: int) -> None:
    view, chance = stand.view, random.Random(seed)
    size = chance.choice((0, 1, 15, 16, 17, 1000, 2**40, 2**50))
    view.set_reader(chance.choice((Pattern(size), Cut(size, size // 2), Broken(size))))
    view.set_regions(lambda start, stop: [RegionRun(max(0, start - 5), stop + 5, "float16")])
    keys = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)
    acts: list[Callable[[], object]] = [
        lambda: press(view, chance.choice(keys), chance.choice((NONE, SHIFT, CONTROL))),
        lambda: press(view, chance.choice((Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Tab))),
        lambda: wheel(view, chance.randrange(-600, 600), chance.choice((NONE, SHIFT, CONTROL))),
        lambda: view.verticalScrollBar().setValue(chance.randrange(2**30)),
        lambda: view.go_to(chance.randrange(size + 5), flash=True),
        lambda: view.select(Span(*sorted((chance.randrange(size + 5), chance.randrange(size + 5))))),
        lambda: view.set_linked([Span(*sorted((chance.randrange(size + 5), chance.randrange(size + 5))))]),
        lambda: view.set_hover(Span(*sorted((chance.randrange(size + 5), chance.randrange(size + 5))))),
        lambda: view.set_row_bytes(chance.choice((None, 1, 3, 16, 100, 1024))),
        lambda: view.set_form(any_form(chance, size), "Offset"),
        lambda: view.set_encoding(chance.choice(ENCODINGS)),
        lambda: view.horizontalScrollBar().setValue(chance.randrange(20_000)),
        lambda: stand.resize(chance.randrange(150, 1200), chance.randrange(80, 700)),
        lambda: mouse(view, QEvent.Type.MouseButtonPress, QPoint(chance.randrange(800), chance.randrange(600))),
        lambda: mouse(view, QEvent.Type.MouseMove, QPoint(chance.randrange(-99, 800), chance.randrange(-99, 900))),
        lambda: mouse(view, QEvent.Type.MouseButtonRelease, QPoint(5, 5)),
        view.grab,
    ]
    for _ in range(150):
        chance.choice(acts)()
        assert 0 <= view.caret <= max(0, size - 1) or view.selected_span().length == 0
        assert 0 <= view.top_row <= view.surface.last_top
    mouse(view, QEvent.Type.MouseButtonRelease, QPoint(5, 5))


def test_looks_that_a_view_wears_are_not_made_again(view: HexView, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells of a look take longer to draw than many pages of bytes, and views that are compared ask for it often."""
    made: list[object] = []
    monkeypatch.setattr(Surface, "dress", lambda self, *given: made.append(given))
    view.set_form(view.form, view.surface.labels[0])
    view.set_encoding(view.surface.content.encoding)
    assert not made
    view.set_form(Form(group=8), view.surface.labels[0])
    view.set_encoding("utf-8")
    assert len(made) == 2


# Without letters


def test_tab_leaves_a_view_without_letters(stand: Stand, view: HexView, qtbot: QtBot) -> None:
    press(view, Qt.Key.Key_Tab)
    assert view.side is Side.TEXT
    told: list[Side] = []
    view.side_changed.connect(told.append)
    view.set_text_shown(False)
    assert view.side is Side.HEX
    press(view, Qt.Key.Key_Tab)
    qtbot.waitUntil(stand.other.hasFocus)
    view.setFocus(Qt.FocusReason.BacktabFocusReason)
    assert view.side is Side.HEX
    view.set_text_shown(True)
    press(view, Qt.Key.Key_Tab)
    assert view.side is Side.TEXT


def test_a_view_without_letters_paints_none(view: HexView) -> None:
    view.set_form(Form(lines=True), "Offset")
    view.set_row_bytes(8)
    view.select(Span(3, 30))
    view.set_differences(lambda start, stop: [(3, 12)])
    view.set_hits(lambda start, stop: [(40, 50)])
    view.set_text_shown(False)
    layout = view.surface.layout
    image = view.viewport().grab().toImage()
    pane = load_theme("light").color("pane")
    beside = {image.pixel(x, y) for x in range(layout.width, image.width()) for y in range(26, image.height())}
    assert beside == {pane.rgb()}
    place = view.nearest_place(QPoint(image.width() - 1, 40), None)
    assert place is not None
    assert (place.offset, place.side) == (7, Side.HEX)
