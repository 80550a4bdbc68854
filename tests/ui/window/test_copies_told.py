"""What copies a text that no selection shows says that it did: the command that mends a file, the versions."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.ui.shell import opened
from viewer.ui.dialogs.about import About, versions
from viewer.ui.theme import load_theme
from viewer.ui.window import MainWindow

POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'5' * 64}\nsize 134217728\n"


def test_the_command_that_mends_a_file_is_told_when_copied(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    path.write_text(POINTER)
    opened(qtbot, window, path)
    button = next(one for one in window.bars.findChildren(QPushButton) if "git lfs pull" in one.text())
    button.click()
    assert QGuiApplication.clipboard().text() == "git lfs pull"
    assert ("done", "The command is on the clipboard") in [(one.severity, one.title) for one in window.bars.shown]


def test_the_versions_are_told_when_copied(qtbot: QtBot) -> None:
    dialog = About(load_theme("light"))
    qtbot.addWidget(dialog)
    dialog.copy_button.click()
    assert QGuiApplication.clipboard().text() == versions()
    assert dialog.copy_button.text() == "Copied"
    assert dialog.copy_button.accessibleDescription() == "Copied"
