from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from viewer.ui.hexview import accessible


@pytest.mark.parametrize(
    ("offset", "data", "owner", "words"),
    [
        (0x20DF, b"R", "REDUCE", "0x20DF: 52, R. REDUCE"),
        (0, b"\x80", "", "0x0: 80"),
        (2**50, b" ", "float32", "0x4000000000000: 20. float32"),
        (5, b"", "", "0x5: no byte"),
    ],
)
def test_a_byte_in_words(qtbot: QtBot, offset: int, data: bytes, owner: str, words: str) -> None:
    assert accessible.sentence(offset, data, owner) == words


@pytest.mark.parametrize("active", [False, True])
def test_words_are_spoken_only_to_a_screen_reader(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, active: bool) -> None:
    said: list[object] = []
    monkeypatch.setattr(QAccessible, "isActive", staticmethod(lambda: active))
    monkeypatch.setattr(QAccessible, "updateAccessibility", staticmethod(lambda event: said.append(event.message())))
    widget = QWidget()
    qtbot.addWidget(widget)
    accessible.speak(widget, "0x0: 80")
    assert widget.accessibleDescription() == "0x0: 80"
    assert said == (["0x0: 80"] if active else [])


def test_an_announcement_reaches_qt_unharmed(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QAccessible, "isActive", staticmethod(lambda: True))
    widget = QWidget()
    qtbot.addWidget(widget)
    for number in range(200):
        accessible.speak(widget, f"0x{number:X}")
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface.text(QAccessible.Text.Description) == "0xC7"
