"""What a screen reader finds: all that takes keys has a name and a role, rows tell where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QTabBar,
    QTableView,
    QTextEdit,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.ui.shell import HALF, LEGACY, opened, settled
from tests.ui.surfaces import ASKING, TELLING
from viewer.ui.window import MainWindow

Role = QAccessible.Role
Text = QAccessible.Text
BUTTONS: Final = {Role.Button, Role.ButtonMenu, Role.ButtonDropDown, Role.CheckBox, Role.RadioButton}
ROLES: Final = {
    QAbstractButton: BUTTONS,
    QAbstractSpinBox: {Role.SpinBox},
    QComboBox: {Role.ComboBox},
    QLineEdit: {Role.EditableText},
    QListView: {Role.List},
    QPlainTextEdit: {Role.EditableText, Role.StaticText},
    QTableView: {Role.Table},
    QTabBar: {Role.PageTabList},
    QTextEdit: {Role.EditableText, Role.StaticText},
    QTreeView: {Role.Tree},
}
ROWS: Final = {Role.Tree, Role.Table, Role.List}
SAYS_NOTHING: Final = {Role.NoRole, Role.Client, Role.Window}
BREAK: Final = "\u200b"
"""Where a line may end: it is read as the end of a word."""
MARKUP: Final = re.compile(r"</?(qt|b|br|table|tr|td|code|p|span)\b")


def told(widget: QWidget) -> QAccessibleInterface:
    found = QAccessible.queryAccessibleInterface(widget)
    assert found is not None
    return found


def elements(spoken: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    """All that can be seen, without the rows of tables and trees."""
    if spoken.state().invisible:
        return
    yield spoken
    if spoken.role() in ROWS:
        return
    for at in range(spoken.childCount()):
        child = spoken.child(at)
        if child is not None:
            yield from elements(child)


def faults(widget: QWidget) -> list[str]:
    """What takes keys or can be pressed without a name, or under a role of something else."""
    wrong = []
    for spoken in elements(told(widget)):
        one = spoken.object()
        told_of = (spoken.text(Text.Name), spoken.text(Text.Description))
        if any(BREAK in text for text in told_of):
            wrong.append(f"marks that cut words: {told_of}")
        if isinstance(one, QTabBar) and one.count() and one.tabRect(one.currentIndex()).isEmpty():
            wrong.append(f"tabs that nobody sees: {[one.tabText(at) for at in range(one.count())]}")
        has_keys = spoken.state().focusable or spoken.state().focused
        if not isinstance(one, QWidget) or not (has_keys or isinstance(one, QAbstractButton)):
            continue
        if isinstance(one, QLabel) and not one.text():
            continue
        if isinstance(one.parentWidget(), QTabBar):
            continue  # the arrows of tabs that scroll: Qt's own, without keys
        words = f"{type(one).__name__} {one.objectName()} in {type(one.parentWidget()).__name__}: {spoken.role().name}"
        if not spoken.text(Text.Name).strip():
            wrong.append(f"no name: {words}")
        if spoken.role() in SAYS_NOTHING:
            wrong.append(f"role: {words}")
        if any(MARKUP.search(spoken.text(part)) for part in (Text.Name, Text.Description, Text.Value)):
            wrong.append(f"markup: {words}")
        expected = [roles for kind, roles in ROLES.items() if isinstance(one, kind)]
        if expected and spoken.role() not in expected[0]:
            wrong.append(f"role: {words}")
    return wrong


@pytest.mark.parametrize("path", [LEGACY, HALF], ids=lambda path: path.stem)
def test_all_panes_tell_what_takes_keys(qtbot: QtBot, whole: MainWindow, path: Path) -> None:
    view = opened(qtbot, whole, path)
    document = view.session.document
    assert document is not None
    if document.tensors:
        view.session.select_tensor(document.tensors[0], "test")
    for key in view.docks:
        view.show_pane(key)
        settled(qtbot, whole)
        qtbot.waitUntil(lambda: not view.session.jobs.busy)
        found = faults(whole)
        assert found == [], (key, "\n".join(found))


@pytest.mark.parametrize("action", [*ASKING, *TELLING])
def test_what_commands_open_tells_what_takes_keys(qtbot: QtBot, whole: MainWindow, action: str) -> None:
    view = opened(qtbot, whole, HALF if action == "file.rescue" else LEGACY)
    document = view.session.document
    assert document is not None
    view.session.select_tensor(document.tensors[0], "test")
    settled(qtbot, whole)
    whole.actions_by_id[action].trigger()
    qtbot.waitUntil(lambda: not view.session.jobs.busy)
    dialog = QApplication.activeModalWidget()
    assert faults(dialog or whole) == []
    if isinstance(dialog, QDialog):
        dialog.reject()


def test_the_welcome_page_tells_what_takes_keys(whole: MainWindow) -> None:
    assert faults(whole) == []


def test_rows_of_a_tree_tell_level_place_and_whether_they_are_open(qtbot: QtBot, whole: MainWindow) -> None:
    view = opened(qtbot, whole, LEGACY)
    view.show_pane("contents")
    tree = view.docks["contents"].pane.focus_target()
    assert isinstance(tree, QTreeView)
    model = tree.model()
    first = model.index(0, 0)
    tree.expand(first)
    inner = model.index(1, 0, first)
    tree.selectionModel().setCurrentIndex(inner, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    rows = {
        row.text(Text.Name): row
        for row in (told(tree).child(at) for at in range(told(tree).childCount()))
        if row is not None and row.role() == Role.TreeItem and row.text(Text.Description)
    }
    top, below = (rows[model.data(index)] for index in (first, inner))
    assert top.text(Text.Description) == f"Level 1, row 1 of {model.rowCount()}"
    assert below.text(Text.Description) == f"Level 2, row 2 of {model.rowCount(first)}"
    assert top.state().expandable
    assert top.state().expanded
    assert not below.state().expanded
    assert below.state().selected
    assert not top.state().selected
    tree.collapse(first)
    assert not top.state().expanded


def test_rows_of_a_table_tell_their_place(qtbot: QtBot, whole: MainWindow) -> None:
    view = opened(qtbot, whole, LEGACY)
    view.show_pane("tensors")
    table = view.docks["tensors"].pane.focus_target()
    assert isinstance(table, QTableView)
    table.selectRow(1)
    cells = (told(table).child(at) for at in range(told(table).childCount()))
    found = [one for one in cells if one is not None and one.text(Text.Description)]
    count = table.model().rowCount()
    assert [one.text(Text.Description) for one in found] == [f"Row {at} of {count}" for at in range(1, count + 1)]
    assert [bool(one.state().selected) for one in found] == [at == 1 for at in range(count)]


def test_changes_of_tabs_that_nobody_sees_are_told_without_a_warning(qtbot: QtBot, whole: MainWindow) -> None:
    view = opened(qtbot, whole, LEGACY)
    bars = view.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert bars
    for bar in bars:
        event = QAccessibleEvent(bar, QAccessible.Event.Selection)
        event.setChild(bar.count() - 1)
        told_of = event.accessibleInterface()
        assert told_of is not None
        assert told_of.state().invisible
        assert not told(bar).childCount()
