"""Lines of widgets that go on in the next one: what stretches takes what is left over, nothing is cut or overlaps."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QSizePolicy, QWidget
from pytestqt.qtbot import QtBot
from typing_extensions import override

from viewer.ui.theme import load_theme
from viewer.ui.widgets.find_bar import FindBar
from viewer.ui.widgets.flow import FlowLayout
from viewer.ui.widgets.wrapped import OneLine


class Part(QWidget):
    """One of a fixed wish."""

    def __init__(self, wide: int, tall: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._wish = QSize(wide, tall)

    @override
    def sizeHint(self) -> QSize:
        return self._wish


@pytest.fixture
def row(qtbot: QtBot) -> tuple[QWidget, list[Part]]:
    """Three parts of 100, 40 at least and 50 pixels; the middle one stretches."""
    whole = QWidget()
    qtbot.addWidget(whole)
    flow = FlowLayout(whole)
    flow.setSpacing(10)
    parts = [Part(100, 20, whole), Part(400, 30, whole), Part(50, 20, whole)]
    parts[1].setMinimumWidth(40)
    parts[1].setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    policy = parts[1].sizePolicy()
    policy.setHorizontalStretch(1)
    parts[1].setSizePolicy(policy)
    for part in parts:
        flow.addWidget(part)
        part.show()
    return whole, parts


def placed(whole: QWidget, parts: list[Part], width: int) -> list[tuple[int, int, int, int]]:
    flow = whole.layout()
    assert flow is not None
    whole.resize(width, flow.heightForWidth(width))
    flow.setGeometry(whole.rect())
    return [part.geometry().getRect() for part in parts]


def test_what_stretches_takes_what_is_left_over(row: tuple[QWidget, list[Part]]) -> None:
    whole, parts = row
    assert placed(whole, parts, 300) == [(0, 5, 100, 20), (110, 0, 130, 30), (250, 5, 50, 20)]
    assert whole.height() == 30


def test_it_is_asked_for_its_least_before_a_line_ends(row: tuple[QWidget, list[Part]]) -> None:
    whole, parts = row
    assert placed(whole, parts, 210) == [(0, 5, 100, 20), (110, 0, 40, 30), (160, 5, 50, 20)]
    assert placed(whole, parts, 209) == [(0, 5, 100, 20), (110, 0, 99, 30), (0, 40, 50, 20)]
    assert whole.height() == 60


@pytest.mark.parametrize("percent", [100, 200])
@pytest.mark.parametrize("kind", ["utf-8", "number", "strings"])
def test_the_find_bar_takes_the_lines_that_it_needs(qtbot: QtBot, kind: str, percent: int) -> None:
    bar = FindBar(load_theme("light", text_scale=percent / 100))
    qtbot.addWidget(bar)
    bar.entry.form.setCurrentIndex(bar.entry.form.findData(kind))
    for width in (360, 520, 900):
        width = width * percent // 100
        bar.resize(width, bar.heightForWidth(width))
        with qtbot.waitExposed(bar):
            bar.show()
        shown = [one for one in bar.findChildren(QWidget) if one.parentWidget() is bar and one.isVisible()]
        for at, one in enumerate(shown):
            assert bar.rect().contains(one.geometry()), (width, one)
            assert one.width() >= one.minimumSizeHint().width(), (width, one)
            assert not any(one.geometry().intersects(other.geometry()) for other in shown[:at]), (width, one)


def test_words_wider_than_all_of_the_room_get_the_height_of_their_lines(qtbot: QtBot) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    flow = FlowLayout(whole)
    words = OneLine("[1, 2, 3, 4] = 0.13500000536441803", whole)
    flow.addWidget(words)
    words.show()
    wish = words.sizeHint()
    flow.setGeometry(QRect(0, 0, 2 * wish.width(), 100))
    assert words.size() == wish
    narrow = wish.width() * 3 // 4
    flow.setGeometry(QRect(0, 0, narrow, 100))
    assert words.width() == narrow
    assert words.height() == flow.heightForWidth(narrow) > wish.height()
