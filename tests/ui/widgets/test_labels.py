"""Words that are cut where there is no room."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyle, QStyleOptionComboBox

from viewer.ui.widgets.labels import Box, ElidedBox, ElidedLabel

NAME = "/home/someone/projects/of_2019/a_file_with_a_long_name.py"


@pytest.mark.parametrize(
    ("mode", "start", "end"),
    [(Qt.TextElideMode.ElideMiddle, "/home", "name.py"), (Qt.TextElideMode.ElideLeft, "\u2026", "name.py")],
)
def test_a_choice_is_cut_and_its_tooltip_has_all_of_it(qtbot, mode, start, end):
    box = ElidedBox(mode)
    qtbot.addWidget(box)
    box.addItem(NAME)
    box.resize(200, 28)
    box.grab()
    assert box.shown() != NAME
    assert box.shown().startswith(start)
    assert box.shown().endswith(end)
    assert box.currentText() == NAME
    assert NAME in box.toolTip()
    box.resize(900, 28)
    box.grab()
    assert box.shown() == NAME
    assert box.toolTip() == ""


def test_words_keep_to_the_margins_of_their_label(qtbot):
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.setStyleSheet("background: white; color: black")
    label.setContentsMargins(40, 0, 0, 0)
    label.setText(NAME)
    label.resize(300, 28)
    picture = label.grab().toImage()
    inked = [x for x in range(300) if any(picture.pixelColor(x, y).lightness() < 128 for y in range(28))]
    assert inked[0] >= 40
    assert len(inked) > 100


@pytest.mark.parametrize("words", ["正常に終了しなかったとき", "リトルエンディアン", "Little-endian", "Left as it was"])
def test_a_choice_has_room_for_all_of_its_words(qtbot, words):
    box = Box()
    qtbot.addWidget(box)
    font = box.font()
    font.setPixelSize(26)
    box.setFont(font)
    box.addItems(["On", words])
    box.setCurrentIndex(1)
    box.resize(box.sizeHint())
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    part = QStyle.SubControl.SC_ComboBoxEditField
    room = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box).width()
    # Qt draws them a pixel from both sides.
    assert box.fontMetrics().horizontalAdvance(words) <= room - 2
