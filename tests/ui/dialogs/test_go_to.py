"""The go-to bar says what is named while it is typed."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.span import Span
from viewer.core.tensors import window
from viewer.core.tensors.columns import name_of
from viewer.session import byte_names
from viewer.session.byte_names import ByteNames
from viewer.session.session import Session
from viewer.ui.dialogs.go_to import GoToBar
from viewer.ui.theme import load_theme


@pytest.fixture
def bar(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> GoToBar:
    made = GoToBar(load_theme("light"))
    # The screen of tests cannot lend the keyboard to a popup, and warns.
    monkeypatch.setattr(made.completer, "complete", lambda: None)
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
        ("0764", "0x1F4   500   0764 is read as octal"),
        ("00000010", "0x10   16   00000010 is read as hexadecimal"),
        ("0500+0x10", "0x150   336   0500 is read as octal"),
        ("0x00000010", "0x10   16"),
        ("end-1", "0x1FFFFFFFF   8,589,934,591"),
        ("end", "That is beyond the end. The last byte is at 0x1FFFFFFFF."),
        ("-200", "That is before the start of the file."),
        ("5+", "A number is missing on one side of the sign."),
        ("weight", "Write a number: 0x1F4 or 1F4h is hexadecimal, 500 decimal, 0764 octal."),
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
    with qtbot.waitSignal(session.jobs.idle):
        session.open()
    yield session
    session.close()


def first_named(session: Session) -> tuple[str, Span]:
    """A tensor with a name, and its bytes."""
    assert session.document is not None
    tensor = next(tensor for tensor in session.document.tensors if tensor.name)
    span = window.span(tensor)
    assert tensor.name is not None
    assert span is not None
    return tensor.name, span


def test_names_are_offered_and_gone_to(qtbot: QtBot, bar: GoToBar, adam: Session) -> None:
    name, span = first_named(adam)
    bar.show()
    bar.ask_in(adam)
    bar.field.clear()
    qtbot.keyClicks(bar.field, f"@{name[:3]}")
    qtbot.waitUntil(lambda: name in bar._found.stringList())
    if bar.field.hasFocus():
        assert bar.said.text() == "Choose a name, or go on typing."
        assert not bar.field.property("fault")
    assert all(name[:3] in other for other in bar._found.stringList())
    bar.completer.activated[str].emit(name)
    assert bar.field.text() == f"@{name}"
    assert bar.said.text().startswith(f"0x{span.start:X}   {span.start:,}   ")
    qtbot.keyClicks(bar.field, "+4")
    with qtbot.waitSignal(bar.accepted) as told:
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert told.args == [span.start + 4]


def test_names_that_are_not_known_yet_are_waited_for(
    qtbot: QtBot, bar: GoToBar, adam: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()
    made = ByteNames.made

    def late(names: ByteNames, progress: Progress) -> ByteNames:
        may_go_on.wait(120)
        return made(names, progress)

    monkeypatch.setattr(ByteNames, "made", late)
    name, span = first_named(adam)
    bar.ask_in(adam)
    bar.field.setText(f"@{name}")
    assert bar.said.text() == "Looking up the names"
    assert not bar.go.isEnabled()
    assert not bar.field.property("fault")
    may_go_on.set()
    qtbot.waitUntil(bar.go.isEnabled)
    assert bar.said.text().startswith(f"0x{span.start:X}")
    bar.field.setText("@nobody")
    assert bar.said.text() == "No tensor, record or bookmark here has this name."


def test_a_file_that_is_decoded_while_the_bar_is_open_has_names_then(qtbot: QtBot, bar: GoToBar) -> None:
    session = Session(Path(__file__).parents[3] / "resources" / "samples" / "checkpoint_adam.pt")
    bar.ask_in(session)
    bar.field.setText("@fc")
    assert bar.said.text() == "Looking up the names"
    with qtbot.waitSignal(session.jobs.idle):
        session.open()
    name, _ = first_named(session)
    bar.field.setText(f"@{name}")
    qtbot.waitUntil(bar.go.isEnabled)
    session.close()


@pytest.mark.parametrize("how", ["closed", "hidden", "gone to"])
def test_the_bar_holds_nothing_of_a_file_once_it_is_left(qtbot: QtBot, bar: GoToBar, adam: Session, how: str) -> None:
    bar.ask_in(adam)
    bar.field.setText("0x10")
    qtbot.waitUntil(bar._knows_names)
    names = weakref.ref(bar._names)
    if how == "closed":
        qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    elif how == "hidden":
        bar.setVisible(False)
    else:
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    # A thread may still be leaving the work.
    qtbot.waitUntil(lambda: gc.collect() >= 0 and names() is None)
    assert bar._session is None


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
    names = ByteNames(adam.document).made(Progress())
    assert names.find(record.name) == record.data.start
    assert names.find("nobody") is None


def test_bookmarks_are_names_too(adam: Session) -> None:
    tensor = next(tensor.name for tensor in adam.document.tensors if tensor.name)
    marks = [("my place", 77), (tensor, 5), ("my place", 99), ("", 3)]
    names = ByteNames(adam.document, marks=marks).made(Progress())
    assert names.find("my place") == 77
    assert names.find(tensor) != 5
    assert names.holding("my", 10, Progress()) == ["my place"]
    assert names.find("") is None


def test_names_beyond_those_that_are_kept_are_found_all_the_same(
    adam: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert adam.document is not None
    whole = ByteNames(adam.document).made(Progress())
    monkeypatch.setattr(byte_names, "MOST_KEPT", 1)
    monkeypatch.setattr("viewer.core.search.names.AT_ONCE", 2)
    few = ByteNames(adam.document).made(Progress())
    assert len(few._kept) < len(whole._kept)
    for tensor in adam.document.tensors:
        for name in (name_of(tensor), tensor.name or name_of(tensor)):
            assert few.find(name) == whole.find(name) is not None
    assert sorted(few.holding("w", 100, Progress())) == sorted(whole.holding("w", 100, Progress()))
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(CancelledError):
        few.holding("w", 100, stopped)
