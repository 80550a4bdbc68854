"""The Listing view of the Opcodes pane: statements, their bytes, copying."""

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from viewer.core.span import Span
from viewer.core.tensors.tensor import ValueRef
from viewer.ui.opcode_views.listing import ListingView
from viewer.ui.panes.opcodes import OpcodesPane
from viewer.ui.widgets.code_rows import coloured

# 0 PROTO  1 GLOBAL os getcwd  2 EMPTY_TUPLE  3 REDUCE  4 POP  5 EMPTY_DICT  6 MARK  7 'a'  8 1  9 SETITEMS  10 STOP
STREAM = b"\x80\x02cos\ngetcwd\n)R0}(X\x01\x00\x00\x00aK\x01u."
LINES = ["from os import getcwd", "os.getcwd()", "result = {'a': 1}"]


@pytest.fixture
def small(tmp_path, opened):
    path = tmp_path / "small.pkl"
    path.write_bytes(STREAM)
    return opened(path)


@pytest.fixture
def listed(small, shown, qtbot):
    pane = shown(OpcodesPane, small)
    pane.show_view("listing")
    view = pane.view("listing")
    assert isinstance(view, ListingView)
    qtbot.waitUntil(lambda: view.lines is not None)
    return pane, view


def column(view, number):
    return [view.model.index(row, number).data() for row in range(view.model.rowCount())]


def test_the_view_shows_statements_and_where_their_bytes_begin(listed):
    _, view = listed
    assert column(view, 1) == LINES
    assert column(view, 0) == ["2", "2", "10"]
    assert view.foot.told.text() == "3 lines"


def test_a_line_selects_the_bytes_of_its_opcodes(listed):
    pane, view = listed
    view.table.setCurrentIndex(view.model.index(1, 1))
    assert pane.session.selection.spans == (Span(2, 15),)
    assert pane.session.selection.opcode == ValueRef(0, 3)
    view.table.setCurrentIndex(view.model.index(2, 1))
    assert pane.session.selection.spans == (Span(16, len(STREAM)),)


def test_an_opcode_marks_its_line(listed):
    pane, view = listed
    pane.session.select_opcode(ValueRef(0, 2), "hex")
    assert view.table.currentIndex().row() == 1
    pane.session.select_opcode(ValueRef(0, 8), "hex")
    assert view.table.currentIndex().row() == 2
    assert pane.session.selection.spans == (Span(24, 26),)


def test_chosen_lines_are_copied(listed):
    _, view = listed
    view.copy()
    assert QApplication.clipboard().text() == "\n".join(LINES)
    flags = QItemSelectionModel.SelectionFlag
    view.table.selectionModel().select(view.model.index(0, 1), flags.ClearAndSelect | flags.Rows)
    view.table.selectionModel().select(view.model.index(2, 1), flags.Select | flags.Rows)
    QTest.keyClick(view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == f"{LINES[0]}\n{LINES[2]}"


def test_saving_asks_for_the_export(listed, qtbot):
    pane, view = listed
    with qtbot.waitSignal(pane.asks) as asked:
        view.foot.save.click()
    assert asked.args == ["file.export_listing"]


def test_what_can_be_done_with_the_lines_is_whole_in_a_narrow_pane(listed, qtbot):
    pane, view = listed
    buttons = (view.foot.copy, view.foot.save)
    assert [button.text().strip() for button in buttons] == ["Copy lines", "Save listing…"]
    pane.resize(200, 480)
    assert [button.text() for button in buttons] == ["", ""]
    assert [button.toolTip() for button in buttons] == ["Copy lines", "Save listing…"]
    parts = (view.foot.told, *buttons)
    qtbot.waitUntil(lambda: all(part.mapTo(pane, part.rect().bottomRight()).x() < 200 for part in parts))
    assert all(part.width() >= part.sizeHint().width() for part in parts)


def test_each_of_several_pickles_has_a_head(legacy, shown, qtbot):
    pane = shown(OpcodesPane, legacy)
    pane.show_view("listing")
    view = pane.view("listing")
    qtbot.waitUntil(lambda: view.lines is not None)
    texts = column(view, 1)
    heads = [row for row, text in enumerate(texts) if text.startswith("# pickle ")]
    assert len(heads) == len(legacy.document.pickles)
    assert texts[0] == "# pickle 1 of 5: magic number, offset 0x0, protocol 2"
    assert column(view, 0)[0] == ""
    view.table.setCurrentIndex(view.model.index(heads[1], 1))
    assert legacy.selection.opcode == ValueRef(1, 0)


def test_another_document_is_listed_anew(listed, qtbot):
    pane, view = listed
    before = view.lines
    pane.session.decode(pane.session.options)
    qtbot.waitUntil(lambda: view.lines is not None and view.lines is not before)
    assert column(view, 1) == LINES


def test_a_listing_that_is_stopped_says_so(small, shown):
    pane = shown(OpcodesPane, small)
    pane.show_view("listing")
    view = pane.view("listing")
    assert view.words.text() == "The listing is being made."
    small.cancel("listing")
    assert view.words.text() == "The listing was stopped before its end."
    assert view.words.isVisible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_statements_are_drawn_in_the_colours_of_code(tmp_path, opened, shown, qtbot, theme):
    path = tmp_path / "small.pkl"
    path.write_bytes(STREAM)
    pane = shown(OpcodesPane, opened(path), theme)
    pane.show_view("listing")
    view = pane.view("listing")
    qtbot.waitUntil(lambda: view.lines is not None)
    picture = view.table.viewport().grab().toImage()
    row = view.table.visualRect(view.model.index(0, 1))
    drawn = {
        picture.pixelColor(x, y).name()
        for x in range(row.left(), row.left() + 60)
        for y in range(row.top(), row.bottom())
    }
    assert pane.theme.color("code_keyword").name() in drawn


def test_runs_of_a_line_join_to_the_line():
    line = "v1['\U0001f600 é'] = f(1)  # written as 'x'"
    assert "".join(text for text, _ in coloured(line)) == line
    assert coloured(line)[0] == ("v1[", "text")
    assert ("'\U0001f600 é'", "code_string") in coloured(line)
    assert coloured(line)[-1] == ("# written as 'x'", "code_comment")


def test_the_line_of_a_break_selects_the_place(tmp_path, opened, shown, qtbot):
    path = tmp_path / "broken.pkl"
    path.write_bytes(b"\x80\x02cos\ngetcwd\n)R\xff\xff\xff")
    pane = shown(OpcodesPane, opened(path))
    pane.show_view("listing")
    view = pane.view("listing")
    qtbot.waitUntil(lambda: view.lines is not None)
    last = view.model.rowCount() - 1
    assert column(view, 0)[last] == "F"
    view.table.setCurrentIndex(view.model.index(last, 1))
    assert pane.session.selection.spans == (Span(15, 16),)
    pane.session.select_opcode(ValueRef(0, 1), "hex")
    pane.session.select_bytes((Span(15, 16),), "hex")
    assert view.table.currentIndex().row() == last
