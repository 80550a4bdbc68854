"""Panes that are lower than what stands in them scroll: nothing lies over anything else or is pressed together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from viewer.core.span import Span
from viewer.session.session import Session
from viewer.ui.pane import LowPane, Pane
from viewer.ui.panes.compare import ComparePane
from viewer.ui.panes.hex import HexPane
from viewer.ui.theme import load_theme

SAMPLE = Path(__file__).parents[3] / "resources" / "samples" / "whole_model_legacy.pth"


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session(SAMPLE)
    with qtbot.waitSignal(made.jobs.idle):
        made.open()
    yield made
    made.close()


def low(pane: Pane, qtbot: QtBot) -> LowPane:
    """Show a pane with little room."""
    qtbot.addWidget(pane)
    pane.resize(860, 180)
    with qtbot.waitExposed(pane):
        pane.show()
    return pane.findChild(LowPane)


def parts(area: LowPane) -> list[QWidget]:
    widgets = [area.column.itemAt(at).widget() for at in range(area.column.count())]
    return [widget for widget in widgets if widget is not None and widget.isVisible()]


def needs(part: QWidget) -> int:
    return part.heightForWidth(part.width()) if part.hasHeightForWidth() else part.minimumSizeHint().height()


def is_whole(area: LowPane) -> bool:
    shown = parts(area)
    follow = all(one.geometry().bottom() < two.y() for one, two in pairwise(shown))
    return follow and all(part.height() >= needs(part) for part in shown)


def test_bytes_with_all_that_can_be_open(session: Session, qtbot: QtBot) -> None:
    pane = HexPane(session, load_theme("light", text_scale=2.0))
    area = low(pane, qtbot)
    assert area.verticalScrollBar().maximum() == 0
    pane.finding.list_strings()
    pane.view.select(Span(0, 0x1000))
    pane.facts.ask()
    qtbot.waitUntil(lambda: pane.facts.isVisible() and area.verticalScrollBar().maximum() > 0)
    qtbot.waitUntil(lambda: is_whole(area))
    assert pane.find_bar in parts(area)
    assert pane.facts in parts(area)


def test_the_rules_of_names_over_a_comparison(session: Session, qtbot: QtBot) -> None:
    pane = ComparePane(session, load_theme("light", text_scale=2.0))
    area = low(pane, qtbot)
    pane.names.setChecked(True)
    qtbot.waitUntil(lambda: pane.rules.isVisible() and is_whole(area))


def is_in_view(part: QWidget, area: LowPane) -> bool:
    """All of it; of what is higher than the room there is, as much as that."""
    top, room = part.mapTo(area.viewport(), QPoint()).y(), area.viewport().height()
    return part.isVisible() and top >= 0 and (top == 0 or top + part.height() <= room)


def test_checksums_that_are_asked_for_are_scrolled_into_view(session: Session, qtbot: QtBot) -> None:
    pane = HexPane(session, load_theme("light", text_scale=2.0))
    area = low(pane, qtbot)
    bar = area.verticalScrollBar()
    pane.view.select(Span(0, 0x1000))
    pane.facts.ask()
    qtbot.waitUntil(lambda: pane.facts.histogram.isVisible() and is_whole(area))
    qtbot.waitUntil(lambda: is_in_view(pane.facts, area))
    assert bar.value() > 0
    bar.setValue(0)
    assert not is_in_view(pane.facts, area)
    pane.facts.ask()
    qtbot.waitUntil(lambda: is_in_view(pane.facts, area))


def test_rules_that_are_asked_for_are_scrolled_into_view(session: Session, qtbot: QtBot) -> None:
    pane = ComparePane(session, load_theme("light", text_scale=2.0))
    area = low(pane, qtbot)
    bar = area.verticalScrollBar()
    pane.names.setChecked(True)
    qtbot.waitUntil(lambda: is_whole(area) and bar.maximum() > 0)
    pane.names.setChecked(False)
    bar.setValue(bar.maximum())
    pane.names.setChecked(True)
    qtbot.waitUntil(lambda: is_in_view(pane.rules, area))


def test_what_takes_the_keyboard_is_scrolled_into_view(session: Session, qtbot: QtBot) -> None:
    pane = HexPane(session, load_theme("light", text_scale=2.0))
    area = low(pane, qtbot)
    pane.finding.list_strings()
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0 and is_whole(area))
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    qtbot.waitUntil(lambda: pane.find_bar.field.visibleRegion().isEmpty())
    area._show_focus(None, pane.find_bar.field)
    qtbot.waitUntil(lambda: not pane.find_bar.field.visibleRegion().isEmpty())


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_bytes_in_a_narrow_pane_are_whole(session: Session, qtbot: QtBot, scale: float) -> None:
    theme = load_theme("light", text_scale=scale)
    pane = HexPane(session, theme)
    qtbot.addWidget(pane)
    for width, row_bytes, has_map in ((460, 8, True), (320, 4, True), (260, 4, False)):
        pane.resize(theme.px(width), theme.px(400))
        pane.show()
        qtbot.waitUntil(lambda has_map=has_map: pane.map.isVisible() is has_map)
        qtbot.waitUntil(lambda row_bytes=row_bytes: pane.view.row_bytes == row_bytes)
        assert pane.view.surface.layout.has_text
        qtbot.waitUntil(lambda: not pane.view.horizontalScrollBar().maximum())
