"""A window for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.shell import make_window
from viewer.session.settings import Settings
from viewer.ui.window import MainWindow


@pytest.fixture
def settings(qapp: object, tmp_path: Path) -> Settings:
    del qapp
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    """A window with small panes, 1440 x 900, closed afterwards."""
    made = make_window(settings)
    qtbot.addWidget(made)
    yield made
    made.close()


@pytest.fixture
def turn(qapp: QApplication) -> Iterator[Callable[[], None]]:
    """What makes the program one of a language from right to left."""

    def now() -> None:
        qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)

    yield now
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
