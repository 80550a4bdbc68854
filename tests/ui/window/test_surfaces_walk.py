"""Tab in all that opens: dialogs, bars, the help, each pane in a window of its own. What is new is found and walked."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

import viewer.ui
from tests.builders.sets import numbered, shard, write_set
from tests.ui.shell import HALF, LEGACY, ZIP, opened, settled
from tests.ui.surfaces import ASKING, TELLING
from tests.ui.walking import judge, pressed_signs
from viewer.ui.panes import PANES
from viewer.ui.panes.compare import CLASSES, TENSORS, VALUES, ComparePane
from viewer.ui.panes.hex import HexPane
from viewer.ui.widgets.message_bar import Message
from viewer.ui.window import MainWindow

LEFT_BY_FOCUS: Final = {"edit.find", "go.offset", "tools.palette"}
"""What they open closes when the keyboard goes elsewhere: how it looks without cannot be seen."""


def quiet(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until nothing changes by itself."""
    settled(qtbot, window)
    qtbot.waitUntil(lambda: window.session is None or not window.session.jobs.busy)


def dialog_of(qtbot: QtBot, window: MainWindow, action: str) -> QDialog | None:
    """The dialog that a command opens, None where it opens something within the window."""
    window.actions_by_id[action].trigger()
    quiet(qtbot, window)
    dialog = QApplication.activeModalWidget()
    if isinstance(dialog, QDialog):
        qtbot.waitUntil(dialog.isActiveWindow)
        return dialog
    return None


@pytest.mark.parametrize("action", [*ASKING, *TELLING])
def test_tab_walks_what_a_command_opens(qtbot: QtBot, whole: MainWindow, action: str) -> None:
    view = opened(qtbot, whole, HALF if action == "file.rescue" else LEGACY)
    if action.startswith("tensor."):
        document = view.session.document
        assert document is not None
        view.session.select_tensor(document.tensors[0], "test")
    view.show_pane("hex", focus=True)
    quiet(qtbot, whole)
    dialog = dialog_of(qtbot, whole, action)
    judge(dialog or whole, marked=action not in LEFT_BY_FOCUS)
    if dialog is not None:
        dialog.reject()


def test_every_dialog_is_walked() -> None:
    """A new one fails here until a command opens it or a walk of its own does."""
    for module in pkgutil.walk_packages(viewer.ui.__path__, "viewer.ui."):
        importlib.import_module(module.name)
    ours = {kind for kind in kinds_below(QDialog) if kind.__module__.startswith("viewer.")}
    assert {kind.__name__ for kind in ours} == {"About", "ExportDialog", "ExportFrame", "Preferences", "Shortcuts"}


def kinds_below(kind: type) -> Iterator[type]:
    for one in kind.__subclasses__():
        yield one
        yield from kinds_below(one)


@pytest.mark.parametrize("key", [pane.key for pane in PANES])
def test_tab_walks_each_pane_in_a_window_of_its_own(qtbot: QtBot, whole: MainWindow, key: str) -> None:
    view = opened(qtbot, whole, LEGACY)
    document = view.session.document
    assert document is not None
    view.session.select_tensor(document.tensors[0], "test")
    dock = view.docks[key]
    view.show_pane(key)
    dock.float_action.trigger()
    dock.resize(900, 700)
    with qtbot.waitActive(dock):
        dock.activateWindow()
    quiet(qtbot, whole)
    dock.take_keyboard(Qt.FocusReason.ShortcutFocusReason)
    judge(dock)


def test_tab_walks_a_set_of_files(qtbot: QtBot, whole: MainWindow, tmp_path: Path) -> None:
    one, two = numbered(1, 2), numbered(2, 2)
    files = {one: shard({"a": ([1], [1])}), two: shard({"b": ([2], [2, 3])})}
    opened(qtbot, whole, write_set(tmp_path, files, {"a": one, "b": two}))
    quiet(qtbot, whole)
    judge(whole)


@pytest.mark.parametrize("way", [TENSORS, VALUES, CLASSES])
def test_tab_walks_a_comparison(qtbot: QtBot, whole: MainWindow, way: str) -> None:
    other = opened(qtbot, whole, ZIP).session
    view = opened(qtbot, whole, LEGACY)
    whole.commands.comparisons.start(view.session, other)
    pane = view.pane("compare")
    assert isinstance(pane, ComparePane)
    pane.switch.choose(way)
    quiet(qtbot, whole)
    judge(whole)


def test_tab_walks_a_comparison_of_bytes(qtbot: QtBot, whole: MainWindow) -> None:
    opened(qtbot, whole, ZIP)
    view = opened(qtbot, whole, LEGACY)
    pane = view.pane("hex")
    assert isinstance(pane, HexPane)
    menu = QMenu()
    words = {action.text(): action for action in pane.compared.choices.add_to(menu).actions()}
    words[ZIP.name].trigger()
    quiet(qtbot, whole)
    judge(whole)


def test_tab_walks_the_bars_of_a_fault(qtbot: QtBot, whole: MainWindow) -> None:
    opened(qtbot, whole, HALF)
    for severity in ("note", "warning", "error"):
        whole.say(Message(severity, severity, "What was.", (("Do it", lambda: None),), severity))
    quiet(qtbot, whole)
    judge(whole)


def test_tab_walks_the_first_page(whole: MainWindow) -> None:
    whole.welcome.open_button.setFocus()
    judge(whole)


def test_the_keyboard_is_in_the_file_that_is_looked_at(qtbot: QtBot, whole: MainWindow) -> None:
    """Else keys would act on bytes that nobody sees."""
    one, two = opened(qtbot, whole, ZIP), opened(qtbot, whole, LEGACY)
    for view in (two, one, two):
        whole.workspace.activate(view.session)
        quiet(qtbot, whole)
        has_keys = QApplication.focusWidget()
        assert has_keys is not None
        assert has_keys.isVisible()
        assert view.isAncestorOf(has_keys)


def test_the_walk_tells_signs_that_do_something_from_those_that_tell_what_a_field_is(qtbot: QtBot) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    field.setClearButtonEnabled(True)
    lens = field.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
    assert pressed_signs(field) == []
    lens.triggered.connect(field.selectAll)
    assert pressed_signs(field) == [lens]
