"""What the tests of the hex view share."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.hexview.stand import Stand


@pytest.fixture
def stand(qtbot: QtBot) -> Stand:
    """Shown, with the keyboard in the bytes."""
    made = Stand()
    qtbot.addWidget(made)
    made.resize(700, 500)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    made.view.setFocus()
    qtbot.waitUntil(made.view.hasFocus)
    return made
