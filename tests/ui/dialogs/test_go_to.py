"""The go-to bar says what is named while it is typed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from viewer.ui.dialogs.go_to import GoToBar
from viewer.ui.theme import load_theme


@pytest.fixture
def bar(qtbot: QtBot) -> GoToBar:
    made = GoToBar(load_theme("light"))
    qtbot.addWidget(made)
    made.resize(900, 36)
    made.ask(here=100, size=2**33)
    return made


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "This file has 8,589,934,592 bytes."),
        ("0x1F4", "0x1F4   500"),
        ("+16", "0x74   116"),
        ("end-1", "0x1FFFFFFFF   8,589,934,591"),
        ("end", "That is beyond the end. The last byte is at 0x1FFFFFFFF."),
        ("-200", "That is before the start of the file."),
        ("5+", "A number is missing on one side of the sign."),
        ("weight", "Write a number: 0x1F4 or 1F4h is hexadecimal, 500 decimal."),
    ],
)
def test_what_is_said(bar: GoToBar, typed: str, said: str) -> None:
    bar.field.setText(typed)
    assert bar.said.text() == said
    assert bar.go.isEnabled() == ("0x" in said and "beyond" not in said and "Write" not in said)
    assert bool(bar.field.property("fault")) == (not bar.go.isEnabled() and typed != "")


def test_enter_goes_beyond_32_bits(qtbot: QtBot, bar: GoToBar) -> None:
    bar.field.setText("end-1")
    with qtbot.waitSignal(bar.accepted) as told:
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert told.args == [2**33 - 1]
    assert bar.isHidden()


def test_a_fault_does_not_go(qtbot: QtBot, bar: GoToBar) -> None:
    bar.field.setText("x")
    with qtbot.assertNotEmitted(bar.accepted):
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert not bar.isHidden()


def test_escape_leaves(qtbot: QtBot, bar: GoToBar) -> None:
    with qtbot.waitSignal(bar.left):
        qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert bar.isHidden()
