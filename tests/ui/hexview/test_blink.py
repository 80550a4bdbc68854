"""The caret blinks where the keyboard is, and a view at rest does no more than that."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtGui import QImage, QPaintEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from typing_extensions import override

from tests.ui.hexview.readers import Pattern
from tests.ui.hexview.stand import Stand
from viewer.core.span import Span
from viewer.ui.hexview.view import HexView
from viewer.ui.theme import load_theme


class Paints(QObject):
    """What a widget paints."""

    def __init__(self) -> None:
        super().__init__()
        self.areas: list[QRect] = []

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.areas.append(event.rect())
        return super().eventFilter(watched, event)


@pytest.fixture
def view(stand: Stand) -> HexView:
    """On a byte in view, all painted; it blinks when told to."""
    stand.view.set_reader(Pattern(2**20))
    settle(stand.view, 40)
    return stand.view


def settle(view: HexView, caret: int) -> None:
    view.go_to(caret)
    view._blink.timer.stop()
    QApplication.sendPostedEvents()


def on_screen(view: HexView) -> QImage:
    """What the window system was given, of the viewport."""
    port = view.viewport()
    place = port.mapTo(view.window(), port.rect().topLeft())
    window = view.screen().grabWindow(view.window().winId(), place.x(), place.y(), port.width(), port.height())
    return window.toImage().convertToFormat(QImage.Format.Format_RGB32)


def fresh(view: HexView) -> QImage:
    return view.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def test_the_caret_blinks_only_with_the_focus(stand: Stand, qtbot: QtBot) -> None:
    view = stand.view
    # it may have blinked already
    view.go_to(0)
    assert view._blink.timer.isActive()
    assert view._moment().caret_lit
    stand.other.setFocus()
    qtbot.waitUntil(lambda: not view.hasFocus())
    assert not view._blink.timer.isActive()
    assert not view._moment().caret_lit
    assert not view.surface.marks.focused


def test_a_blink_paints_the_caret_alone_and_at_once(view: HexView) -> None:
    """What is asked for wakes the program up a second time."""
    paints = Paints()
    view.viewport().installEventFilter(paints)
    view._blink.turn()
    (area,) = paints.areas
    assert area.width() <= 23
    assert area.height() <= 22
    QApplication.sendPostedEvents()
    assert len(paints.areas) == 1


def test_a_caret_that_blinks_composes_nothing(view: HexView, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once with it and once without; from then on what was drawn is drawn again."""
    composed: list[object] = []
    draw = HexView._paint
    monkeypatch.setattr(HexView, "_paint", lambda self, *given: (composed.append(given), draw(self, *given)))
    view._blink._draw = view._paint
    for _ in range(6):
        view._blink.turn()
    assert len(composed) == 2


def test_each_turn_shows_what_a_fresh_picture_shows(view: HexView) -> None:
    shown = []
    for caret in (40, 41, 300):
        settle(view, caret)
        for _ in range(4):
            view._blink.turn()
            shown.append(on_screen(view))
            assert shown[-1] == fresh(view)
    assert shown[0] != shown[1]


def test_what_changes_under_the_caret_is_seen_while_it_blinks(view: HexView) -> None:
    for _ in range(2):
        view._blink.turn()
    acts = (
        lambda: view.set_hits(lambda start, stop: [(30, 50)]),
        lambda: view.set_linked([Span(38, 44)]),
        lambda: view.set_changed(lambda start, stop: [(40, 41)]),
        lambda: view.scroll_rows(1),
        lambda: view.set_theme(load_theme("dark")),
        lambda: view.set_zoom(1.5),
    )
    for act in acts:
        act()
        for _ in range(3):
            view._blink.turn()
            QApplication.sendPostedEvents()
            assert on_screen(view) == fresh(view)


def test_a_caret_out_of_view_paints_nothing(view: HexView) -> None:
    view.scroll_rows(1000)
    QApplication.sendPostedEvents()
    paints = Paints()
    view.viewport().installEventFilter(paints)
    view._blink.turn()
    QApplication.sendPostedEvents()
    assert not paints.areas
