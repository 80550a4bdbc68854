"""The go-to bar says what is named while it is typed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from viewer.core.span import Span
from viewer.core.tensors import window
from viewer.session.byte_names import ByteNames
from viewer.session.session import Session
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


@pytest.fixture
def adam(qtbot: QtBot) -> Iterator[Session]:
    session = Session(Path(__file__).parents[3] / "resources" / "samples" / "checkpoint_adam.pt")
    with qtbot.waitSignal(session.jobs.idle, timeout=20_000):
        session.open()
    yield session
    session.close()


def test_names_are_offered_and_gone_to(
    qtbot: QtBot, bar: GoToBar, adam: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The screen of tests cannot lend the keyboard to a popup, and warns.
    monkeypatch.setattr(bar.completer, "complete", lambda: None)
    assert adam.document is not None
    tensor = next(tensor for tensor in adam.document.tensors if tensor.name)
    name, span = tensor.name, window.span(tensor)
    assert name is not None
    assert span is not None
    bar.show()
    bar.ask_in(adam)
    bar.field.clear()
    qtbot.keyClicks(bar.field, f"@{name[:3]}")
    offered = bar._found.stringList()
    assert name in offered
    assert all(name[:3] in other for other in offered)
    bar.completer.activated[str].emit(name)  # type: ignore[index]
    assert bar.field.text() == f"@{name}"
    assert bar.said.text().startswith(f"0x{span.start:X}   {span.start:,}   ")
    qtbot.keyClicks(bar.field, "+4")
    with qtbot.waitSignal(bar.accepted) as told:
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert told.args == [span.start + 4]


def test_shift_and_enter_select_up_to_there(qtbot: QtBot, bar: GoToBar, adam: Session) -> None:
    adam.select_bytes((Span(16, 17),), "test")
    bar.ask_in(adam)
    bar.field.setText("+15")
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert adam.selection.spans == (Span(16, 32),)
    assert bar.isHidden()


def test_records_have_names_too(adam: Session) -> None:
    assert adam.document is not None
    record = adam.document.records[0]
    assert ByteNames(adam.document).find(record.name) == record.data.start
    assert ByteNames(adam.document).find("nobody") is None


def test_bookmarks_are_names_too(adam: Session) -> None:
    tensor = next(tensor.name for tensor in adam.document.tensors if tensor.name)
    names = ByteNames(adam.document, marks=[("my place", 77), (tensor, 5), ("my place", 99), ("", 3)])
    assert names.find("my place") == 77
    assert names.find(tensor) != 5
    assert names.starting("my", 10) == ["my place"]
    assert names.find("") is None
