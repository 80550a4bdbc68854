"""Qt's own file dialog, which is shown where the desktop has none for programs of Qt."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from tests.ui.shell import LEGACY, opened
from viewer.ui.window import MainWindow


def test_it_takes_the_keyboard_without_a_fault(qtbot: QtBot, window: MainWindow) -> None:
    """No name of ours holds such a dialog: what is asked of its window must not outlive the window's own name."""
    opened(qtbot, window, LEGACY)
    window.activateWindow()
    seen: list[str] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QDialog) or QApplication.focusWidget() is None:
            return
        seen.append(dialog.metaObject().className())
        clock.stop()
        dialog.reject()

    clock = QTimer(interval=1)
    clock.timeout.connect(look)
    clock.start()
    window.actions_by_id["file.open"].trigger()
    assert seen == ["QFileDialog"]
    assert window.bars.shown == []
