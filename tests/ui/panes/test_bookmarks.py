"""Bookmarks in the Bytes pane, in their own pane, and copies in forms."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QMenu

from viewer.core.span import Span
from viewer.session.bookmarks import Bookmark
from viewer.ui.panes.bookmarks import NAME, OFFSET, BookmarksPane
from viewer.ui.panes.hex import HexPane
from viewer.ui.widgets.byte_copying import COPYING, FEW


@pytest.fixture
def pane(legacy, shown):
    return shown(HexPane, legacy)


def test_a_bookmark_is_added_and_taken_away(pane, legacy):
    pane.view.select(Span(2, 12))
    pane.commands()["edit.bookmark"]()
    (mark,) = legacy.bookmarks
    assert (mark.span, mark.name) == (Span(2, 12), "LONG1 119547037146038801333356")
    assert pane.view.surface.marks.bookmarks == {2}
    assert pane.view.surface.marks.highlights == ((Span(2, 12), "accent"),)
    assert pane.map._bookmarks == ((2, "accent"),)
    pane.commands()["edit.bookmark"]()
    assert list(legacy.bookmarks) == []
    assert pane.view.surface.marks.highlights == ()


def test_the_pane_lists_changes_and_goes_there(legacy, shown, qtbot):
    listed = shown(BookmarksPane, legacy)
    assert listed.pages.currentWidget() is listed.empty
    assert "Ctrl+D" in listed.empty.text()
    legacy.bookmarks.add(Bookmark("", 100, 104, "weights"))
    legacy.bookmarks.add(Bookmark("", 20, 21, "head"))
    assert [listed.model.cell(row, NAME).text for row in range(2)] == ["head", "weights"]
    listed.table.setCurrentIndex(listed.model.index(1, NAME))
    assert legacy.selection.spans == (Span(100, 104),)
    listed.name.setText("other")
    listed.name.editingFinished.emit()
    listed.note.setText("why")
    listed.note.editingFinished.emit()
    listed.colour.setCurrentIndex(2)
    listed.colour.activated.emit(2)
    assert legacy.bookmarks[1] == Bookmark("", 100, 104, "other", "call", "why")
    assert listed.model.cell(1, OFFSET).text == "0x64"
    assert listed.table.currentIndex().row() == 1
    listed.remove.click()
    assert [mark.name for mark in legacy.bookmarks] == ["head"]


def test_the_delete_key_removes_the_chosen_one(legacy, shown, qtbot):
    for start in (4, 40):
        legacy.bookmarks.add(Bookmark("", start, start + 4, f"at {start}"))
    made = shown(BookmarksPane, legacy)
    made.table.setFocus()
    qtbot.waitUntil(made.table.hasFocus)
    made.table.setCurrentIndex(made.model.index(1, 0))
    qtbot.keyClick(made.table, Qt.Key.Key_Delete)
    assert [mark.name for mark in legacy.bookmarks] == ["at 4"]


def test_table_and_fields_have_a_name_to_be_spoken(legacy, shown):
    listed = shown(BookmarksPane, legacy)
    for part in (listed.table, listed.colour, listed.name, listed.note):
        assert QAccessible.queryAccessibleInterface(part).text(QAccessible.Text.Name)


def test_forms_stand_in_the_menu_and_copy(pane, legacy):
    pane.view.select(Span(0, 4))
    menu = QMenu()
    pane.copying.add_to(menu)
    actions = {action.text(): action for action in menu.actions()[0].menu().actions()}
    actions["Python bytes"].trigger()
    assert QGuiApplication.clipboard().text() == repr(legacy.source.read(0, 4))
    actions["Link to the bytes"].trigger()
    assert QGuiApplication.clipboard().text() == f"{legacy.path}#0x0+4"
    pane.view.select_spans([Span(0, 4), Span(8, 9)])
    pane.copying.copy("plain")
    assert QGuiApplication.clipboard().text() == (legacy.source.read(0, 4) + legacy.source.read(8, 1)).hex().upper()


def test_the_numpy_call_names_the_elements(adam, shown):
    pane = shown(HexPane, adam)
    tensor = next(tensor for tensor in adam.document.tensors if tensor.dtype == "float32")
    adam.select_tensor(tensor, "test")
    pane.copying.copy("numpy")
    span = tensor.storage.span
    wanted = f"np.fromfile({str(adam.path)!r}, dtype='<f4', count={span.length // 4}, offset={span.start})"
    assert QGuiApplication.clipboard().text() == wanted


def test_a_copy_that_is_cut_is_told(pane, monkeypatch, qtbot):
    monkeypatch.setattr(type(pane.view), "selected_bytes", lambda self: (b"ab", 10))
    pane.view.select(Span(0, 10))
    with qtbot.waitSignal(pane.message) as told:
        pane.copying.copy("hex")
    assert told.args[2] == "2 of 10 bytes were copied; more do not fit on a clipboard."


@pytest.fixture
def large(opened, shown, tmp_path):
    """A pane of which more is selected than is written out at once."""
    path = tmp_path / "large.bin"
    path.write_bytes(bytes(range(256)) * (FEW // 256 + 1))
    pane = shown(HexPane, opened(path))
    pane.view.select_all()
    return pane


def test_many_bytes_are_written_out_in_a_thread(large, qtbot):
    clipboard = QGuiApplication.clipboard()
    clipboard.setText("before")
    large.copying.copy("escaped")
    assert clipboard.text() == "before"
    qtbot.waitUntil(lambda: clipboard.text() != "before")
    data = large.session.source.read(0, FEW + 256)
    assert clipboard.text() == "".join(f"\\x{value:02x}" for value in data)


@pytest.mark.parametrize("is_here", [True, False])
def test_a_copy_that_comes_later_is_not_replaced(large, is_here, qtbot):
    clipboard = QGuiApplication.clipboard()
    clipboard.setText("before")
    large.copying.copy("escaped")
    if is_here:
        large.view.select(Span(0, 2))
        large.copying.copy("plain")
    else:
        clipboard.setText("other")
    assert not large.session.jobs.is_running(COPYING)
    qtbot.waitUntil(lambda: not large.session.jobs.busy)
    assert clipboard.text() == ("0001" if is_here else "other")
