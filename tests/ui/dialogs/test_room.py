"""Dialogs are no larger than what holds them, whatever is wished."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from viewer.session.settings import Settings
from viewer.ui.dialogs.preferences import Preferences
from viewer.ui.dialogs.room import fit, room_of
from viewer.ui.theme import load_theme


def test_a_dialog_keeps_to_the_screen(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(400, 300)
    dialog = QDialog(window)
    room = room_of(dialog)
    assert room is not None
    screen = window.screen().availableSize()
    assert room.width() == screen.width()
    assert screen.height() - 60 < room.height() < screen.height()
    fit(dialog, QSize(5000, 5000), QSize(4000, 100))
    assert (dialog.size(), dialog.minimumSize()) == (room, QSize(room.width(), 100))
    fit(dialog, QSize(300, 200))
    assert dialog.minimumWidth() == room.width()


def test_a_window_that_no_screen_holds_gives_its_own_room(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    size = window.screen().availableSize() + QSize(200, 10)
    window.resize(size)
    assert room_of(QDialog(window)) == size
    alone = QDialog()
    qtbot.addWidget(alone)
    assert room_of(alone) is None


def test_the_preferences_fit_a_small_screen_with_large_text(qtbot: QtBot, settings: Settings) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = Preferences(settings, load_theme("light", text_scale=2.0), parent=window)
    room = room_of(dialog)
    assert room is not None
    assert dialog.size().boundedTo(room) == dialog.size()
    assert dialog.minimumSizeHint().boundedTo(room) == dialog.minimumSizeHint()
