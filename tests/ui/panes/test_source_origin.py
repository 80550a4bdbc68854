"""The line below the text of TorchScript: what the code at the cursor was made from, the original text, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from tests.builders.debug_records import FILE, traceable
from tests.ui.panes.conftest import SAMPLES
from viewer.ui.panes.source import SourcePane


@pytest.fixture
def pane(tmp_path: Path, opened, shown, qtbot: QtBot) -> SourcePane:
    path = tmp_path / "net.pt"
    path.write_bytes(traceable())
    made = shown(SourcePane, opened(path))
    qtbot.waitUntil(lambda: not made.session.jobs.busy and bool(made.session.classes.originals))
    return made


def put_cursor(pane: SourcePane, line: int, column: int) -> None:
    cursor = pane.text.textCursor()
    cursor.setPosition(pane.text.document().findBlockByNumber(line - 1).position() + column)
    pane.text.setTextCursor(cursor)


def names(pane: SourcePane) -> str:
    return pane.origin.names.text().strip("\u2066\u2069")


def test_the_line_follows_the_cursor(pane: SourcePane) -> None:
    assert pane.origin.isVisible()
    put_cursor(pane, 7, 15)
    assert pane.origin.words.text() == "Made from"
    assert names(pane) == "nets.py:42  y = x * self.weight  # é"
    put_cursor(pane, 1, 0)
    assert pane.origin.words.text() == "No line of Python is noted for this place"
    assert not pane.origin.other.isVisible()
    assert not pane.origin.bytes.isVisible()


def test_a_click_keeps_the_place_within_the_line(pane: SourcePane) -> None:
    put_cursor(pane, 7, 15)
    pane._line_chosen(7)
    here = pane.text.here()
    assert (here.line, here.column) == (7, 15)
    assert names(pane).startswith("nets.py:42")


def test_the_original_text_and_back(pane: SourcePane) -> None:
    put_cursor(pane, 8, 15)
    pane.origin.other.click()
    assert pane.shown_text().origin == "original"
    assert pane.shown_text().file == FILE
    assert pane.text.linked_line == 3
    assert pane.text.shift == 40
    assert pane.body.banner.text().startswith("<b>The Python that this code was made from</b>")
    assert (pane.origin.words.text(), names(pane)) == ("Became line", "8")
    put_cursor(pane, 2, 0)
    assert names(pane) == "7"
    put_cursor(pane, 1, 0)
    assert pane.origin.words.text() == "No stored code was made from this line"
    put_cursor(pane, 2, 0)
    assert pane.origin.other.text() == "Stored code"
    pane.origin.other.click()
    assert pane.shown_text().origin == "stored"
    assert pane.text.linked_line == 7
    assert pane.session.selection.code == 0
    assert pane.session.selection.line == 7


def test_the_bytes_of_the_debug_record_are_a_click_away(pane: SourcePane) -> None:
    put_cursor(pane, 8, 15)
    pane.origin.bytes.click()
    selection = pane.session.selection
    pickle = pane.session.document.pickles[selection.value.pickle]
    assert pickle.record == "net/code/__torch__.py.debug_pkl"
    assert pickle.values.integer(pickle.values.items(selection.value.value)[2]) == 2
    assert selection.span == pickle.shown(pickle.values.span(selection.value.value))
    assert pane.shown_text().origin == "stored"


def test_the_texts_of_a_class_tell_its_original(pane: SourcePane) -> None:
    boxes = [pane.head.texts.itemText(at) for at in range(pane.head.texts.count())]
    assert boxes == ["stored", "original nets.py, line 41"]


def test_a_trace_shows_the_call_and_all_of_them_in_the_tooltip(pane: SourcePane) -> None:
    pane._show(pane._classes.row_of["__torch__.traced.Traced"])
    put_cursor(pane, 5, 12)
    assert names(pane) == "nets.py:70  forward"
    assert "train.py(9)" in pane.origin.toolTip()
    assert not pane.origin.other.isVisible()
    assert pane.origin.bytes.isVisible()


def test_where_room_is_short_the_place_stays(pane: SourcePane, qtbot: QtBot) -> None:
    put_cursor(pane, 8, 15)
    pane.resize(380, 480)
    qtbot.waitUntil(lambda: not pane.origin.words.isVisible())
    assert pane.origin.names.isVisible()
    assert pane.origin.other.isVisible()
    assert not pane.origin.bytes.isVisible()


def test_other_files_have_no_such_line(opened, shown) -> None:
    pane = shown(SourcePane, opened(SAMPLES / "whole_model_legacy.pth"))
    assert not pane.origin.isVisible()
    pane.text.moveCursor(QTextCursor.MoveOperation.Down)
    assert not pane.origin.isVisible()
