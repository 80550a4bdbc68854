"""The palette ranks what fits best first."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from viewer.ui.theme import load_theme
from viewer.ui.widgets.command_palette import ROW, CommandPalette, Entry, matching


@pytest.fixture
def entries(qapp: object) -> list[Entry]:
    del qapp
    words = [("File", "Open…"), ("File", "Export npz…"), ("Go", "Go to offset…"), ("Window", "Opcodes"), ("Go", "Back")]
    found = [Entry(place, title, QAction(title)) for place, title in words]
    found[4].action.setEnabled(False)
    return found


@pytest.mark.parametrize(
    ("typed", "titles"),
    [
        ("", ["Open…", "Export npz…", "Go to offset…", "Opcodes", "Back"]),
        ("op", ["Open…", "Opcodes", "Export npz…"]),
        ("go", ["Go to offset…", "Back"]),
        ("offset go", ["Go to offset…"]),
        ("gtoff", ["Go to offset…"]),
        ("nothing", []),
    ],
)
def test_ranking(entries: list[Entry], typed: str, titles: list[str]) -> None:
    assert [entry.title for entry in matching(typed, entries)][: len(titles) or None] == titles


def test_a_command_that_is_off_cannot_be_run(qtbot: QtBot, entries: list[Entry]) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(800, 600)
    window.show()
    palette = CommandPalette(load_theme("light"), window)
    palette.ask(entries)
    palette.field.setText("back")
    with qtbot.assertNotEmitted(entries[4].action.triggered):
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    palette.field.setText("")
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    with qtbot.waitSignal(entries[1].action.triggered):
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert not palette.isVisible()


@pytest.mark.parametrize(("scale", "height"), [(1.0, 900), (2.0, 744), (2.0, 500)])
def test_whole_rows_within_the_window(qtbot: QtBot, scale: float, height: int) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1366, height)
    theme = load_theme("light", text_scale=scale)
    palette = CommandPalette(theme, window)
    palette.ask([Entry("File", f"Command {number}", QAction("x", window)) for number in range(40)])
    assert window.rect().contains(palette.geometry())
    assert palette.view.height() % theme.px(ROW) == 0
    assert palette.view.height() > 2 * theme.px(ROW)


def test_another_text_size_finds_it_where_it_belongs(qtbot: QtBot, entries: list[Entry]) -> None:
    """Open or hidden: as one that was made with that size."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1366, 744)
    usual, large = load_theme("light"), load_theme("light", text_scale=1.5)
    palette, made_large = CommandPalette(usual, window), CommandPalette(large, window)
    for one in (palette, made_large):
        one.ask(entries)
    palette.set_theme(large)
    assert palette.geometry() == made_large.geometry() != QRect()
    assert palette.view.maximumHeight() == made_large.view.maximumHeight()
    palette.setVisible(False)
    palette.set_theme(usual)
    assert palette.view.maximumHeight() == len(entries) * usual.px(ROW)
