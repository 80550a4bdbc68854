"""What the tests of the window share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.shell import make_window
from viewer.session.settings import Settings
from viewer.ui.panes import PANES
from viewer.ui.window import MainWindow


@pytest.fixture
def whole(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    """A window with the panes of the program, in front."""
    made = make_window(settings, panes=PANES)
    qtbot.addWidget(made)
    with qtbot.waitActive(made):
        made.activateWindow()
    yield made
    made.close()
