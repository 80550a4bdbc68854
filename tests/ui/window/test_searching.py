"""The box of the toolbar: typing waits for a pause, Enter and Down go to the hits, Esc clears and leaves."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.ui.shell import LEGACY, SMALL_PANES, ZIP, make_window, opened, program_panes, settled


@pytest.fixture
def window(qtbot, settings):
    made = make_window(settings, panes=(*SMALL_PANES, *program_panes("search")))
    qtbot.addWidget(made)
    with qtbot.waitActive(made):
        made.activateWindow()
    yield made
    made.close()


@pytest.fixture
def view(qtbot, window):
    return opened(qtbot, window, LEGACY)


def test_the_keys_give_the_box_the_keyboard(view, window, qtbot):
    window.toolbar.search.setText("x")
    window.actions_by_id["edit.search"].trigger()
    assert QApplication.focusWidget() is window.toolbar.search
    assert window.toolbar.search.selectedText() == "x"
    assert [keys.toString() for keys in window.actions_by_id["edit.search"].shortcuts()] == ["Ctrl+Shift+F"]


def test_typing_searches_after_a_pause_and_shows_the_dock(view, window, qtbot):
    box, search = window.toolbar.search, view.session.search
    box.setFocus()
    began = []
    search.began.connect(lambda: began.append(search.text))
    with qtbot.waitSignal(search.ended):
        qtbot.keyClicks(box, "fc.w")
    assert began == ["fc.w"]
    assert view.docks["search"].is_in_front()
    # The keyboard stays in the box.
    assert QApplication.focusWidget() is box


def test_enter_chooses_hit_by_hit_and_down_gives_the_list_the_keyboard(view, window, qtbot):
    box, session = window.toolbar.search, view.session
    pane = view.pane("search")
    box.setFocus()
    qtbot.keyClicks(box, "fc.")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.selection.tensor is not None)
    first = session.selection.tensor
    qtbot.waitUntil(lambda: not session.search.running)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert session.selection.tensor == first + 1
    qtbot.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert session.selection.tensor == first
    settled(qtbot, window)
    window.actions_by_id["go.next_hit"].trigger()
    assert session.selection.tensor == first + 1
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert QApplication.focusWidget() is pane.table
    settled(qtbot, window)
    with qtbot.waitSignal(pane.asks):
        qtbot.keyClick(pane.table, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: view.active_dock() is view.docks["hex"])


def test_escape_clears_and_then_goes_back_to_the_bytes(view, window, qtbot):
    box, search = window.toolbar.search, view.session.search
    box.setFocus()
    with qtbot.waitSignal(search.ended):
        qtbot.keyClicks(box, "conv")
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert (box.text(), search.text, search.total) == ("", "", 0)
    assert QApplication.focusWidget() is box
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: view.active_dock() is view.docks["hex"])


def test_a_fault_shows_at_the_box(view, window, qtbot):
    box, search = window.toolbar.search, view.session.search
    with qtbot.waitSignal(search.ended):
        search.look("(a+)+", expression=True)
    assert box.property("fault") is True
    assert "A repeat around a group" in box.toolTip()
    with qtbot.waitSignal(search.ended):
        search.look("(?P=<b>bold</b>)", expression=True)
    assert "<b>" not in box.toolTip()
    assert "&lt;b&gt;bold" in box.toolTip()
    with qtbot.waitSignal(search.ended):
        search.look("")
    assert box.property("fault") is False


def test_each_file_keeps_its_own_search(view, window, qtbot):
    box = window.toolbar.search
    box.setFocus()
    with qtbot.waitSignal(view.session.search.ended):
        qtbot.keyClicks(box, "conv")
    opened(qtbot, window, ZIP)
    assert box.text() == ""
    window.workspace.activate(view.session)
    assert box.text() == "conv"


def test_the_dock_unfolds_in_a_low_window(window, qtbot):
    window.resize(900, 640)
    view = opened(qtbot, window, ZIP)
    settled(qtbot, window)
    assert view.docks["search"].folded
    box = window.toolbar.search
    box.setFocus()
    with qtbot.waitSignal(view.session.search.ended):
        qtbot.keyClicks(box, "step")
    qtbot.waitUntil(lambda: view.docks["search"].height() > 150)
    # It stays so when the window becomes a little larger.
    window.resize(920, 650)
    settled(qtbot, window)
    assert view.docks["search"].height() > 150
