"""What the mouse does by dragging, clicking a title or hovering is done by keys and menus too, and is spoken."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.shell import LEGACY, SMALL_PANES, ZIP, make_window, opened, program_panes, settled
from viewer.session.settings import Settings
from viewer.ui import spoken
from viewer.ui.panes.tensors import TensorsPane
from viewer.ui.theme import load_theme
from viewer.ui.widgets.breadcrumb import Breadcrumb, Crumb
from viewer.ui.widgets.byte_counts import ByteHistogram, BytePairs
from viewer.ui.widgets.columns import ColumnMenu
from viewer.ui.widgets.tensor_table import TensorTable
from viewer.ui.window import MainWindow

Role = QAccessible.Role
Text = QAccessible.Text


@pytest.fixture
def tensors(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    made = make_window(settings, panes=program_panes("hex", "tensors"))
    qtbot.addWidget(made)
    with qtbot.waitActive(made):
        made.activateWindow()
    yield made
    made.close()


def lines(table: TensorTable) -> dict[str, QMenu]:
    """The menu of the columns, by its words."""
    menu = QMenu(table)
    ColumnMenu(table).fill(menu)
    return {action.text(): action for action in menu.actions() if action.text()}


def shown(pane: TensorsPane, column: int) -> list[str]:
    return [pane.model.cell(row, column).text for row in range(pane.model.rowCount())]


def test_a_table_is_sorted_without_its_titles(qtbot: QtBot, tensors: MainWindow) -> None:
    view = opened(qtbot, tensors, LEGACY)
    pane = view.pane("tensors")
    assert isinstance(pane, TensorsPane)
    as_stored = shown(pane, 0)
    lines(pane.table)["Sort by Name"].trigger()
    assert shown(pane, 0) == sorted(as_stored) != as_stored
    assert pane.table.accessibleDescription() == "Sorted by Name, smallest first"
    lines(pane.table)["Greatest first"].trigger()
    assert shown(pane, 0) == sorted(as_stored, reverse=True)
    assert pane.table.accessibleDescription() == "Sorted by Name, greatest first"
    now = lines(pane.table)
    assert [words for words, line in now.items() if line.isChecked()] == ["Sort by Name", "Greatest first"]
    now["As it stands in the file"].trigger()
    assert shown(pane, 0) == as_stored
    assert not lines(pane.table)["Greatest first"].isEnabled()


def test_columns_are_fitted_to_their_texts(qtbot: QtBot, tensors: MainWindow) -> None:
    pane = opened(qtbot, tensors, LEGACY).pane("tensors")
    assert isinstance(pane, TensorsPane)
    pane.table.setColumnWidth(1, 400)
    lines(pane.table)["Fit columns to their texts"].trigger()
    assert pane.table.sizeHintForColumn(1) <= pane.table.columnWidth(1) < 400


def test_the_command_is_on_where_there_are_columns(qtbot: QtBot, tensors: MainWindow) -> None:
    view = opened(qtbot, tensors, LEGACY)
    action = tensors.actions_by_id["view.columns"]
    for key, on in (("tensors", True), ("hex", False)):
        view.show_pane(key, focus=True)
        settled(qtbot, tensors)
        qtbot.waitUntil(lambda on=on: action.isEnabled() is on)


def test_tabs_of_files_change_places(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, ZIP)
    opened(qtbot, window, LEGACY)
    assert [one.path for one in window.workspace.sessions] == [ZIP, LEGACY]
    for _ in range(2):
        window.actions_by_id["window.tab_left"].trigger()
        assert [one.path for one in window.workspace.sessions] == [LEGACY, ZIP]
        assert window.session is not None
        assert window.session.path == LEGACY
    window.actions_by_id["window.tab_right"].trigger()
    assert [one.path for one in window.workspace.sessions] == [ZIP, LEGACY]


@pytest.mark.parametrize(("words", "way"), [("Wider", QWidget.width), ("Taller", QWidget.height)])
def test_a_pane_is_resized_by_its_menu(qtbot: QtBot, window: MainWindow, words: str, way: object) -> None:
    assert callable(way)
    view = opened(qtbot, window, LEGACY)
    dock = view.docks["hex"]
    acts = {action.text(): action for action in dock.menu.actions()}
    before = way(dock)
    acts[words].trigger()
    qtbot.waitUntil(lambda: way(dock) > before)
    acts["Float"].trigger()
    settled(qtbot, window)
    before = way(dock)
    acts[words].trigger()
    qtbot.waitUntil(lambda: way(dock) > before)


def test_the_menu_of_a_pane_has_what_its_header_can_be_dragged_for(qtbot: QtBot, window: MainWindow) -> None:
    docks = opened(qtbot, window, LEGACY).docks
    moves = {f"Move to the {side}" for side in ("left", "right", "bottom")}
    for spec in SMALL_PANES:
        assert {action.text() for action in docks[spec.key].menu.actions()} >= {*moves, "Float", "Close"}


def test_bars_of_bytes_are_walked(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    bars = ByteHistogram(load_theme("light"))
    qtbot.addWidget(bars)
    counts = np.zeros(256, np.int64)
    counts[1] = 7
    bars.show_counts(counts)
    said = heard(monkeypatch, "viewer.ui.widgets.byte_counts")
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Right):
        QTest.keyClick(bars, key)
    assert said == ["01: 7 times", "00: 0 times", "01: 7 times", "FF: 0 times", "FF: 0 times"]


def test_pairs_of_bytes_are_walked(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = BytePairs(load_theme("light"))
    qtbot.addWidget(picture)
    picture.resize(140, 140)
    counts = np.zeros((256, 256), np.int64)
    counts[2, 3] = 5
    picture.show_counts(counts)
    said = heard(monkeypatch, "viewer.ui.widgets.byte_counts")
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left):
        QTest.keyClick(picture, key)
    assert said == ["02, then 03: 5 times", "02, then 04: 0 times", "01, then 04: 0 times"]


def test_the_path_is_spoken_crumb_by_crumb(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Breadcrumb(load_theme("light"))
    qtbot.addWidget(path)
    path.resize(600, 26)
    path.set_crumbs([Crumb("model.pth"), Crumb("fc1"), Crumb("weight")])
    said = heard(monkeypatch, "viewer.ui.widgets.breadcrumb")
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Left):
        QTest.keyClick(path, key)
    assert said == ["fc1", "model.pth", "model.pth"]


def test_the_palette_says_what_it_would_do(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    said = heard(monkeypatch, "viewer.ui.widgets.command_palette")
    window.actions_by_id["tools.palette"].trigger()
    palette = window.commands_palette
    palette.field.setText("about")
    assert said[-1] == "About Picklescope, Help"
    palette.field.setText("close tab")
    assert said[-1].endswith("off now")
    palette.field.setText("about pick le xyz")
    assert said[-1] == "No such command"


@pytest.mark.parametrize("kind", [ByteHistogram, BytePairs, Breadcrumb])
def test_what_is_painted_tells_what_it_is_and_where_the_keyboard_is(qtbot: QtBot, kind: type[QWidget]) -> None:
    widget = kind(load_theme("light"))
    qtbot.addWidget(widget)
    told = QAccessible.queryAccessibleInterface(widget)
    assert told is not None
    assert told.role() in {Role.Chart, Role.Graphic, Role.List}
    spoken.speak(widget, "torch.\u200bload, \u2066fc1\u2069")
    assert told.text(Text.Value) == told.text(Text.Description) == "torch.load, fc1"


def heard(monkeypatch: pytest.MonkeyPatch, module: str) -> list[str]:
    """What a module has spoken from now on."""
    said: list[str] = []
    monkeypatch.setattr(f"{module}.speak", lambda _, words: said.append(words))
    return said
