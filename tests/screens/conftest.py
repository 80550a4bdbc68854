"""What the pictures share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication


@pytest.fixture
def plain(qapp: QApplication) -> Iterator[QApplication]:
    """The program, whose palette and font a test may change; no caret blinks."""
    colours, font, flashing = qapp.palette(), qapp.font(), qapp.cursorFlashTime()
    qapp.setCursorFlashTime(0)
    yield qapp
    qapp.setPalette(colours)
    qapp.setFont(font)
    qapp.setCursorFlashTime(flashing)
