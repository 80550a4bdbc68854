"""Several ranges: the arithmetic, and Control with the mouse."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.ui.hexview.readers import Pattern
from tests.ui.hexview.test_view import Heard, Stand, click, mouse, point_of, press
from viewer.core.span import Span
from viewer.ui.hexview.ranges import toggled
from viewer.ui.hexview.view import HexView

CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
PRESS, MOVE, RELEASE = QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.MouseButtonRelease
spans = st.tuples(st.integers(0, 30), st.integers(0, 10)).map(lambda pair: Span(pair[0], pair[0] + pair[1]))


@given(st.lists(spans, max_size=6))
def test_a_byte_is_selected_when_it_was_touched_an_odd_number_of_times(added: list[Span]) -> None:
    kept: tuple[Span, ...] = ()
    for span in added:
        kept = toggled(kept, span)
    wanted = {at for at in range(50) if sum(at in span for span in added) % 2}
    assert {at for span in kept for at in range(span.start, span.stop)} == wanted
    assert all(first.stop < second.start for first, second in pairwise(kept))


@pytest.fixture
def view(qtbot: QtBot) -> HexView:
    stand = Stand()
    qtbot.addWidget(stand)
    stand.resize(700, 500)
    with qtbot.waitExposed(stand):
        stand.show()
    stand.view.set_reader(Pattern(4096))
    qtbot.stand = stand
    return stand.view


def drag(view: HexView, start: int, last: int) -> None:
    mouse(view, PRESS, point_of(view, start), modifiers=CONTROL)
    mouse(view, MOVE, point_of(view, last), modifiers=CONTROL)
    mouse(view, RELEASE, point_of(view, last), modifiers=CONTROL)


def test_control_adds_and_takes_away(view: HexView) -> None:
    heard = Heard(view)
    click(view, 5)
    drag(view, 20, 40)
    assert view.selected_spans() == (Span(5, 6), Span(20, 41))
    drag(view, 25, 29)
    assert view.selected_spans() == (Span(5, 6), Span(20, 25), Span(30, 41))
    assert view.surface.marks.chosen == view.selected_spans()
    assert heard.spans
    click(view, 7)
    assert view.selected_spans() == (Span(7, 8),)
    assert view.surface.marks.several == ()


def test_ranges_are_copied_one_behind_the_other(view: HexView) -> None:
    view.select_spans([Span(0, 2), Span(16, 18), Span(9000, 9001)])
    assert view.selected_spans() == (Span(0, 2), Span(16, 18))
    assert view.copy_hex().count == 4
    assert QGuiApplication.clipboard().text() == "00 01 10 11"


def test_a_key_leaves_one_range(view: HexView) -> None:
    view.select_spans([Span(0, 2), Span(16, 18)])
    press(view, Qt.Key.Key_Right)
    assert view.selected_spans() == (Span(1, 2),)


def test_alt_and_two_clicks_ask_for_the_parent(view: HexView) -> None:
    asked: list[object] = []
    view.parent_requested.connect(asked.append)
    mouse(view, QEvent.Type.MouseButtonDblClick, point_of(view, 50), modifiers=ALT)
    assert asked == [50]
