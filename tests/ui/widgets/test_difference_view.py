"""The rows of two texts on the screen: side by side, one below the other, keys, mouse, long texts and lines."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

from viewer.core.code.differences import Differences, differences
from viewer.ui.theme import load_theme
from viewer.ui.widgets.difference_rows import Line, Lines
from viewer.ui.widgets.difference_view import DifferenceView

LEFT = "a\nb = 1\nc = 2\nd\n"
RIGHT = "a\nb = 3\nc = 4\nd\ne\n"


@pytest.fixture
def view(qtbot):
    """A view of 800 x 300."""
    made = DifferenceView(load_theme("light"))
    qtbot.addWidget(made)
    made.resize(800, 300)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_side_by_side_each_row_is_a_line():
    lines = Lines(differences(LEFT, RIGHT), wide=True)
    assert [lines[number] for number in range(len(lines))] == [
        Line(0, left=True, right=True),
        Line(1, left=True, right=True),
        Line(2, left=True, right=True),
        Line(3, left=True, right=True),
        Line(4, left=False, right=True),
    ]


def test_one_below_the_other_left_lines_of_a_run_come_first():
    lines = Lines(differences(LEFT, RIGHT), wide=False)
    shown = [lines[number] for number in range(len(lines))]
    assert [(line.row, line.left, line.right) for line in shown] == [
        (0, True, True),
        (1, True, False),
        (2, True, False),
        (1, False, True),
        (2, False, True),
        (3, True, True),
        (4, False, True),
    ]
    assert [lines.first_of(row) for row in range(5)] == [0, 1, 2, 5, 6]
    assert list(lines.between(-3, 2)) == [(0, shown[0]), (1, shown[1])]
    assert len(list(lines.between(5, 99))) == 2


def test_no_rows():
    lines = Lines(Differences((), (), ()), wide=True)
    assert len(lines) == 0
    assert list(lines.between(0, 10)) == []


def test_a_narrow_view_shows_one_column_and_keeps_the_place(view):
    text = "".join(f"line {number}\n" for number in range(500))
    view.set_differences(differences(text, text.replace("line 3", "row 3")))
    assert view.is_wide
    view.choose(400)
    top = view.verticalScrollBar().value()
    view.resize(400, 300)
    assert not view.is_wide
    assert view.row_at(2) == top


def test_keys_and_mouse_choose_rows(view, qtbot):
    view.set_differences(differences(LEFT, RIGHT))
    seen = []
    view.row_chosen.connect(seen.append)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_End)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, view.line_height * 2 + 3))
    assert seen == [0, 4, 3, 0, 2]
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, 299))
    assert seen[-1] == 2


def test_rows_are_said_for_those_who_hear_them(view):
    view.set_differences(differences(LEFT, RIGHT))
    view.choose(1)
    assert view.accessibleDescription() == f"changed: b = 1, now b = 3. Row {view.row + 1} of {len(view._differences)}"
    view.choose(4)
    assert view.accessibleDescription() == f"added: e. Row {view.row + 1} of {len(view._differences)}"
    assert view.chosen_text() == "+ e\n"


def test_only_what_is_seen_is_laid_out(view):
    text = "".join(f"line {number}\n" for number in range(150_000))
    view.set_differences(differences(text, text))
    assert not view.grab().isNull()
    view.choose(149_999)
    assert not view.grab().isNull()
    assert view.verticalScrollBar().maximum() > 149_000
    assert 0 < len(view._layouts) < 1000


def test_a_long_line_is_cut_and_others_are_painted(view):
    view.set_differences(differences("x" * 200_000 + "\n\tb\u202e\n", "y\n\tc\x00\n"))
    for width in (800, 300):
        view.resize(width, 200)
        assert not view.grab().isNull()
    assert view.horizontalScrollBar().maximum() < 10_000 * view.fontMetrics().horizontalAdvance("0")


def test_another_theme_paints_other_grounds(view):
    view.set_differences(differences("a\n", "b\nc\n"))
    light = view.grab().toImage().pixelColor(2, view.line_height // 2)
    view.set_theme(load_theme("dark"))
    assert view.grab().toImage().pixelColor(2, view.line_height // 2) != light
