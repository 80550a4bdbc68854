"""The ways from an opcode to others in the window: by the menu and its keys, from one pane to another."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.ui.shell import SMALL_PANES, make_window, opened, program_panes, settled
from viewer.core.tensors.tensor import ValueRef
from viewer.session.settings import Settings
from viewer.ui.panes.imports import ImportsPane
from viewer.ui.panes.opcodes import OpcodesPane
from viewer.ui.window import MainWindow
from viewer.ui.window.file_view import FileView

# 0 PROTO 1 GLOBAL 2 BINPUT0 3 MARK 4 BINGET0 5 BININT1 6 TUPLE 7 REDUCE 8 BINGET0 9 POP 10 GLOBAL 11 POP 12 STOP
STREAM = b"\x80\x02cos\nsystem\nq\x00(h\x00K\x05tRh\x000cjson\nloads\n0."
REAL = ("opcodes", "effect", "imports")


@pytest.fixture
def real(qtbot: QtBot, settings: Settings) -> MainWindow:
    """A window with the real panes for opcodes."""
    kept = [pane for pane in SMALL_PANES if pane.key not in REAL]
    window = make_window(settings, panes=[*kept, *program_panes(*REAL)])
    qtbot.addWidget(window)
    return window


@pytest.fixture
def view(qtbot: QtBot, real: MainWindow, tmp_path: Path) -> FileView:
    path = tmp_path / "calls.pkl"
    path.write_bytes(STREAM)
    found = opened(qtbot, real, path)
    for key in REAL:
        found.show_pane(key)
    return found


def select(qtbot: QtBot, window: MainWindow, opcode: int) -> None:
    assert window.session is not None
    window.session.select_opcode(ValueRef(0, opcode), "test")
    settled(qtbot, window)


def place(window: MainWindow) -> int:
    assert window.session is not None
    assert window.session.selection.opcode is not None
    return window.session.selection.opcode.value


def test_keys_lead_from_put_to_get_and_from_mark_to_its_end(qtbot: QtBot, real: MainWindow, view: FileView) -> None:
    view.show_pane("effect", focus=True)
    for start, key, modifier, target in (
        (2, Qt.Key.Key_F9, Qt.KeyboardModifier.NoModifier, 4),
        (8, Qt.Key.Key_F9, Qt.KeyboardModifier.ShiftModifier, 2),
        (3, Qt.Key.Key_F4, Qt.KeyboardModifier.NoModifier, 6),
        (6, Qt.Key.Key_F4, Qt.KeyboardModifier.NoModifier, 3),
        (4, Qt.Key.Key_F4, Qt.KeyboardModifier.ShiftModifier, 1),
    ):
        select(qtbot, real, start)
        QTest.keyClick(real, key, modifier)
        assert place(real) == target, (start, target)


def test_uses_are_listed_in_opcodes_whoever_asks(qtbot: QtBot, real: MainWindow, view: FileView) -> None:
    view.show_pane("effect", focus=True)
    select(qtbot, real, 1)
    real.actions_by_id["go.uses"].trigger()
    pane = view.pane("opcodes")
    assert isinstance(pane, OpcodesPane)
    assert pane.isVisible()
    qtbot.waitUntil(lambda: pane.bar.found.text() == "5 of 13")
    assert [pane.stream.model.source_row(row) for row in range(5)] == [4, 6, 7, 8, 9]


def test_a_global_leads_to_its_row_of_imports(qtbot: QtBot, real: MainWindow, view: FileView) -> None:
    pane = view.pane("imports")
    assert isinstance(pane, ImportsPane)
    qtbot.waitUntil(lambda: len(pane.rows) == 2)
    for opcode, name in ((10, "json.loads"), (7, "os.system"), (10, "json.loads"), (8, "os.system")):
        view.show_pane("opcodes", focus=True)
        select(qtbot, real, opcode)
        real.actions_by_id["go.import"].trigger()
        assert pane.isVisible()
        assert name in pane.table.currentIndex().siblingAtColumn(1).data()
        assert place(real) == opcode
    select(qtbot, real, 5)
    assert not real.actions_by_id["go.import"].isEnabled()


def test_the_help_explains_the_opcode_that_is_selected(qtbot: QtBot, real: MainWindow, view: FileView) -> None:
    view.show_pane("opcodes", focus=True)
    select(qtbot, real, 7)
    real.actions_by_id["help.here"].trigger()
    assert real.help.page.key == "opcodes"
    assert real.help.chosen is not None
    assert real.help.chosen.key == "REDUCE"
    assert "runs code" in real.help.article.toPlainText()
    real.actions_by_id["help.filter"].trigger()
    assert real.help.page.key == "filter"
