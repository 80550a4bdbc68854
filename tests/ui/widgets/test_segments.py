"""The switch of words: a click, the arrow keys, and one stop for Tab."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from viewer.ui.widgets.segments import Segment, Segments


@pytest.fixture
def switch(qtbot):
    made = Segments([Segment("a", "First"), Segment("b", "Second", "What it does"), Segment("c", "Third")], "Views")
    qtbot.addWidget(made)
    return made


def buttons(switch):
    return switch.frame.findChildren(QToolButton)


def test_a_click_tells_what_was_chosen_and_setting_it_tells_nobody(switch, qtbot):
    told = []
    switch.chosen.connect(told.append)
    assert switch.current == "a"
    switch.set_current("c")
    assert (switch.current, told) == ("c", [])
    qtbot.mouseClick(buttons(switch)[1], Qt.MouseButton.LeftButton)
    assert (switch.current, told) == ("b", ["b"])
    assert switch.accessibleName() == "Views"
    assert buttons(switch)[1].toolTip() == "What it does"


def test_arrow_keys_go_to_the_neighbours_and_tab_stops_once(switch, qtbot):
    with qtbot.waitExposed(switch):
        switch.show()
    buttons(switch)[0].setFocus()
    for key, expected in (
        (Qt.Key.Key_Right, "b"),
        (Qt.Key.Key_Right, "c"),
        (Qt.Key.Key_Right, "c"),
        (Qt.Key.Key_Left, "b"),
    ):
        qtbot.keyClick(next(button for button in buttons(switch) if button.hasFocus()), key)
        assert switch.current == expected
        stops = [button.text() for button in buttons(switch) if button.focusPolicy() & Qt.FocusPolicy.TabFocus]
        assert stops == [button.text() for button in buttons(switch) if button.isChecked()]


def test_without_room_the_word_that_is_on_has_the_others_in_a_menu(switch, qtbot):
    with qtbot.waitExposed(switch):
        switch.show()
    switch.resize(switch.sizeHint())
    assert switch.frame.isVisible()
    assert not switch.folded.isVisible()
    switch.resize(switch.sizeHint().width() - 1, switch.height())
    assert not switch.frame.isVisible()
    assert switch.folded.isVisible()
    assert switch.minimumSizeHint().width() < switch.sizeHint().width()
    told = []
    switch.chosen.connect(told.append)
    switch.folded.menu().actions()[2].trigger()
    assert told == ["c"]
    assert switch.current == "c"
    assert switch.folded.text() == "Third"
    assert switch.folded.accessibleName() == "Views: Third"


def test_a_long_word_is_cut_and_told_where_there_is_no_room(qtbot):
    made = Segments([Segment("a", "Plain"), Segment("b", "The state of all the optimizers")], "Views")
    qtbot.addWidget(made)
    least = made.minimumSizeHint().width()
    with qtbot.waitExposed(made):
        made.show()
    made.set_current("b")
    metrics = made.folded.fontMetrics()
    assert made.minimumSizeHint().width() < least + metrics.horizontalAdvance("The state of all")
    made.resize(made.minimumSizeHint().width(), made.height())
    assert made.folded.isVisible()
    assert made.folded.text().endswith("…")
    assert made.folded.sizeHint().width() <= made.width()
    assert made.folded.toolTip() == made.folded.accessibleName() == "Views: The state of all the optimizers"
    made.set_current("a")
    assert (made.folded.text(), made.folded.toolTip()) == ("Plain", "Views")
