"""The Opcodes pane: its views, their columns, and the filter."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.builders.held import HIDDEN, wrapped
from tests.builders.pickles import Stream
from tests.builders.torch_zip import ZipWriter
from viewer.core.span import Span
from viewer.core.tensors.tensor import ValueRef
from viewer.ui.models.cells import CELL_ROLE
from viewer.ui.models.opcode_cells import ARGUMENT, BYTES, DEPTH, DOES, MAKES, MEMO, NAME, OFFSET
from viewer.ui.opcode_views.tree import COLUMNS
from viewer.ui.panes.opcodes import FILTER_JOB, OpcodesPane

# 0 PROTO  1 EMPTY_DICT  2 BINPUT 0  3 MARK  4 'a'  5 BINPUT 1  6 1  7 BINGET 1  8 ]  9 2  10 APPEND  11 3  12 BINGET 0
# 13 SETITEMS  14 STOP
STREAM = b"\x80\x02}q\x00(X\x01\x00\x00\x00aq\x01K\x01h\x01]K\x02aK\x03h\x00u."


@pytest.fixture
def small(tmp_path, opened):
    path = tmp_path / "small.pkl"
    path.write_bytes(STREAM)
    return opened(path)


def stream_row(pane, row):
    return [pane.stream.model.index(row, column).data() for column in range(8)]


def tree_row(pane, opcode):
    """The row of an opcode in the tree, by the columns of the stream; name and argument are one there."""
    view = pane.view("tree")
    view.reveal(ValueRef(0, opcode))
    index = view.tree.currentIndex()
    return {column: index.siblingAtColumn(at).data() for at, column in enumerate(COLUMNS)}


def test_the_stream_lists_every_opcode(legacy, shown):
    pane = shown(OpcodesPane, legacy)
    pane.show_view("stream")
    assert pane.stream.model.rowCount() == sum(len(pickle.code) for pickle in legacy.document.pickles)
    assert stream_row(pane, 0)[:4] == ["0", "80 02", "PROTO", "2"]
    assert stream_row(pane, 0)[DOES] == "Says which protocol the stream is written in."


def test_the_columns_of_the_stream(small, shown):
    pane = shown(OpcodesPane, small)
    assert stream_row(pane, 1)[:-1] == ["2", "7D", "EMPTY_DICT", "{}", "dict", "1", "\u2192 0"]
    assert stream_row(pane, 2)[:-1] == ["3", "71 00", "BINPUT", "0", "", "1", "\u2192 0"]
    assert stream_row(pane, 3)[:-1] == ["5", "28", "MARK", "", "mark", "2", ""]
    assert stream_row(pane, 4)[:-1] == ["6", "58 01 00 00 00 61", "BINUNICODE", "'a'", "str", "3", "\u2192 1"]
    assert stream_row(pane, 7)[:-1] == ["10", "68 01", "BINGET", "'a'", "str", "5", "\u2190 1"]
    assert stream_row(pane, 10)[:-1] == ["15", "61", "APPEND", "2", "list", "6", ""]
    assert stream_row(pane, 13)[:-1] == ["1A", "75", "SETITEMS", "3 items", "dict", "1", ""]
    assert stream_row(pane, 14)[:-1] == ["1B", "2E", "STOP", "", "", "0", ""]


def test_the_tree_shows_the_same_values(small, shown):
    pane = shown(OpcodesPane, small)
    for opcode in (0, 1, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14):
        flat, row = stream_row(pane, opcode), tree_row(pane, opcode)
        assert row[NAME] == f"{flat[NAME]} {flat[ARGUMENT]}".rstrip()
        for column in (OFFSET, BYTES, MAKES, DEPTH, MEMO):
            assert row[column] == flat[column], (opcode, column)


def test_bytes_wear_the_colours_of_the_hex_view(small, shown):
    pane = shown(OpcodesPane, small)
    own, argument = pane.stream.model.index(4, BYTES).data(CELL_ROLE).pieces
    assert (own.text, own.chip, own.role, own.bold) == ("58", "text", "opcode", True)
    assert (argument.text, argument.chip, argument.role) == ("01 00 00 00 61", "text", "argument")
    (own,) = pane.stream.model.index(1, BYTES).data(CELL_ROLE).pieces
    assert (own.text, own.chip) == ("7D", "stack")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_colours_are_drawn(small, shown, theme):
    pane = shown(OpcodesPane, small, theme)
    pane.show_view("stream")
    image = pane.stream.table.viewport().grab().toImage()
    rect = pane.stream.table.visualRect(pane.stream.model.index(4, BYTES))
    seen = {image.pixelColor(x, rect.top() + 6).name() for x in range(rect.left(), rect.right())}
    colors = pane.theme.region("text")
    assert {colors.fill.name(), colors.argument_fill.name(), colors.line.name()} <= seen


def test_long_arguments_are_cut_and_counted(tmp_path, opened, shown):
    path = tmp_path / "long.pkl"
    path.write_bytes(b"\x80\x02X\x40\x42\x0f\x00" + b"z" * 1_000_000 + b".")
    pane = shown(OpcodesPane, opened(path))
    cell = pane.stream.model.index(1, BYTES).data(CELL_ROLE)
    assert cell.text == "58 40 42 0F 00 7A 7A 7A 7A 7A 7A 7A\u2026"
    assert cell.tooltip.startswith("1,000,005 bytes: 58 40 42 0F 00 7A")
    assert len(cell.tooltip) < 1_000
    assert len(pane.stream.model.index(1, ARGUMENT).data()) <= 80


def test_values_are_shown_as_they_are_at_their_opcode(tmp_path, opened, shown):
    path = tmp_path / "later.pkl"
    path.write_bytes(b"\x80\x02(]q\x00h\x00K\x01ah\x00et.")
    pane = shown(OpcodesPane, opened(path))
    assert [stream_row(pane, row)[ARGUMENT] for row in (2, 4, 7)] == ["[]", "[]", "[1]"]


def test_what_is_set_and_appended_one_by_one_is_shown(tmp_path, opened, shown):
    path = tmp_path / "one.pkl"
    path.write_bytes(b"(dS'a'\n(lI1\nas.")
    pane = shown(OpcodesPane, opened(path))
    assert [stream_row(pane, row)[ARGUMENT] for row in (6, 7)] == ["1", "'a': [1]"]


def test_a_screen_reader_is_told_offset_opcode_and_argument(small, shown):
    pane = shown(OpcodesPane, small)
    role = Qt.ItemDataRole.AccessibleTextRole
    assert pane.stream.model.index(4, NAME).data(role) == "0x6 BINUNICODE 'a'"
    assert pane.stream.model.index(4, OFFSET).data(role) == "6"
    view = pane.view("tree")
    view.reveal(ValueRef(0, 13))
    assert view.tree.currentIndex().data(role) == "0x1A SETITEMS 3 items"


def test_the_offsets_of_large_pickles_are_whole(tmp_path, opened, shown):
    path = tmp_path / "large.pkl"
    path.write_bytes(Stream().start().op("BINBYTES", bytes(1 << 26)).ops("STOP").data)
    tree = shown(OpcodesPane, opened(path)).view("tree").tree
    digits = tree.fontMetrics().horizontalAdvance("4000007")
    assert tree.model().index(tree.model().rowCount() - 1, COLUMNS.index(OFFSET)).data() == "4000007"
    assert tree.columnWidth(COLUMNS.index(OFFSET)) >= digits + 16


def test_narrow_trees_keep_what_they_are_named_by(small, shown):
    pane = shown(OpcodesPane, small)
    shown_at = {}
    for width in (300, 450, 600, 800):
        pane.resize(width, 480)
        tree = pane.view("tree").tree
        shown_at[width] = [column for at, column in enumerate(COLUMNS) if not tree.isColumnHidden(at)]
    assert shown_at[300] == [NAME, OFFSET, MEMO]
    assert shown_at[450] == [NAME, OFFSET, DEPTH, MEMO]
    assert shown_at[600] == [NAME, OFFSET, BYTES, DEPTH, MEMO]
    assert shown_at[800] == list(COLUMNS)


def test_the_filter_lists_what_matches(legacy, shown, qtbot):
    pane = shown(OpcodesPane, legacy)
    pane.filter.setText("STOP")
    qtbot.waitUntil(lambda: pane.views.currentWidget() is pane.stream and pane.stream.model.rowCount() == 5)
    pane.filter.setText("no such thing")
    qtbot.waitUntil(lambda: "no such thing" in pane.empty.text())
    pane.filter.clear()
    qtbot.waitUntil(lambda: pane.views.currentWidget() is pane.view("tree"))


def test_markup_in_the_filter_is_shown_as_it_was_typed(legacy, shown, qtbot):
    pane = shown(OpcodesPane, legacy)
    pane.filter.setText("<i>none</i>")
    qtbot.waitUntil(lambda: "&lt;i&gt;none&lt;/i&gt;" in pane.empty.text())


def listed(pane):
    return [pane.stream.model.source_row(row) for row in range(pane.stream.model.rowCount())]


def filtered(pane, qtbot, words):
    pane.filter_by(words)
    qtbot.waitUntil(lambda: " of " in pane.bar.found.text())
    return listed(pane)


def test_several_words_have_to_fit_and_matches_are_counted(small, shown, qtbot):
    pane = shown(OpcodesPane, small)
    assert filtered(pane, qtbot, "BININT1 =2") == [9]
    assert pane.bar.found.text() == "1 of 15"
    assert filtered(pane, qtbot, "#1") == [5, 7]
    assert pane.bar.found.text() == "2 of 15"
    assert filtered(pane, qtbot, "REDUCE") == []
    assert "15 rows are hidden." in pane.empty.text()


def test_what_was_found_keeps_its_links(small, shown, qtbot):
    pane = shown(OpcodesPane, small)
    filtered(pane, qtbot, "BINPUT")
    pane.stream.table.setCurrentIndex(pane.stream.model.index(1, 0))
    assert small.selection.opcode == ValueRef(0, 5)
    pane.commands()["go.memo_get"]()
    assert small.selection.opcode == ValueRef(0, 7)


def test_another_view_shows_all_again_at_the_place_that_was_found(small, shown, qtbot):
    pane = shown(OpcodesPane, small)
    filtered(pane, qtbot, "BINPUT")
    assert pane.switch.current == "stream"
    pane.stream.table.setCurrentIndex(pane.stream.model.index(1, 0))
    pane.show_view("tree")
    assert pane.filter.text() == ""
    assert pane.bar.found.isHidden()
    assert pane.view("tree").tree.currentIndex().data() == "BINUNICODE 'a'"
    pane.show_view("stream")
    assert len(listed(pane)) == 15


def test_all_uses_are_listed(small, shown, qtbot):
    pane = shown(OpcodesPane, small)
    small.select_opcode(ValueRef(0, 5), "test")
    with qtbot.waitSignal(pane.asks) as asked:
        pane.commands()["go.uses"]()
    assert asked.args == ["pane.opcodes"]
    assert pane.filter.text() == "uses:0xC"
    qtbot.waitUntil(lambda: pane.bar.found.text() == "1 of 15")
    assert listed(pane) == [7]


def test_a_hundred_thousand_uses_are_listed(tmp_path, opened, shown, qtbot):
    path = tmp_path / "many.pkl"
    path.write_bytes(b"\x80\x02(]q\x00" + b"h\x00" * 100_000 + b"t.")
    session = opened(path)
    pane = shown(OpcodesPane, session)
    session.select_opcode(ValueRef(0, 3), "test")
    pane.commands()["go.uses"]()
    qtbot.waitUntil(lambda: pane.bar.found.text() == "100,000 of 100,006")
    pane.stream.table.setCurrentIndex(pane.stream.model.index(99_999, 0))
    assert session.selection.opcode == ValueRef(0, 100_003)
    pane.commands()["go.memo_put"]()
    assert session.selection.opcode == ValueRef(0, 3)


def test_a_search_can_be_stopped(small, shown, qtbot):
    pane = shown(OpcodesPane, small)
    pane.filter_by("BINPUT")
    assert pane.bar.found.text() == "Searching"
    small.cancel(FILTER_JOB)
    qtbot.waitUntil(lambda: pane.bar.found.text() == "Stopped")


def test_the_keyboard_goes_from_the_filter_to_the_rows(small, shown, qtbot):
    pane = shown(OpcodesPane, small)
    pane.focus_target().setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is pane.view("tree").tree)
    pane.commands()["edit.find"]()
    qtbot.keyClicks(pane.filter, "BINPUT")
    assert pane.topic() == "filter"
    qtbot.keyClick(pane.filter, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: listed(pane) == [2, 5])
    qtbot.keyClick(pane.filter, Qt.Key.Key_Return)
    assert pane.stream.table.hasFocus()
    qtbot.keyClick(pane.stream.table, Qt.Key.Key_End)
    assert small.selection.opcode == ValueRef(0, 5)
    assert pane.topic() == "opcodes/BINPUT"
    pane.filter.setFocus()
    qtbot.keyClick(pane.filter, Qt.Key.Key_Escape)
    assert pane.filter.text() == ""
    qtbot.keyClick(pane.filter, Qt.Key.Key_Escape)
    assert not pane.filter.hasFocus()


def test_the_tooltip_tells_what_can_be_typed(small, shown):
    pane = shown(OpcodesPane, small)
    for example in ("uses:0x1F4", "hex:8002", "#5", "&quot;two words&quot;"):
        assert example in pane.filter.toolTip()


def test_what_is_said_where_there_is_no_pickle(tmp_path, opened, shown):
    path = tmp_path / "text.bin"
    path.write_bytes(b"no pickle at all")
    pane = shown(OpcodesPane, opened(path))
    assert "No pickle in this file" in pane.empty.text()
    assert "names and shapes" not in pane.empty.text()
    assert not pane.filter.isEnabled()
    pane.show_view("stream")
    assert pane.views.currentWidget() is pane.empty


def test_of_tensors_without_a_pickle_it_is_said_that_their_names_stand_elsewhere(tmp_path, opened, shown):
    path = tmp_path / "array.npy"
    np.save(path, np.zeros(3, np.float32))
    pane = shown(OpcodesPane, opened(path))
    assert "No pickle in this file" in pane.empty.text()
    assert "Its names and shapes do not stand in a pickle." in pane.empty.text()


def test_a_file_that_is_read_again_is_filtered_again(small, shown, qtbot):
    pane = shown(OpcodesPane, small)
    filtered(pane, qtbot, "BINPUT")
    pane.show_document()
    qtbot.waitUntil(lambda: listed(pane) == [2, 5])


@pytest.fixture
def held(tmp_path, opened):
    path = tmp_path / "held.pkl"
    coded = wrapped(HIDDEN, ["base64"])
    stream = b"\x80\x04]\x94(" + Stream().op("SHORT_BINBYTES", HIDDEN).op("SHORT_BINBYTES", coded).data + b"e."
    path.write_bytes(stream)
    return opened(path)


def inner_row(view, stream, opcode):
    """Choose an opcode of a stream in a value, as a click would."""
    node = view._opcodes.node_of(stream, opcode)
    for above in view._opcodes.tree.path_to(node)[:-1]:
        view.tree.expand(view.model.index_of(above))
    index = view.model.index_of(node)
    view.tree.setCurrentIndex(index)
    return index


def test_a_pickle_in_bytes_is_a_tree_below_them(held, shown):
    pane = shown(OpcodesPane, held)
    index = inner_row(pane.view("tree"), 1, 1)
    assert index.data() == "GLOBAL os.getcwd"
    assert index.parent().data().startswith("REDUCE")
    stream = index.parent().parent()
    assert stream.data() == "bytes argument 5 opcodes"
    assert held.selection.document == 0
    assert held.selection.spans == (Span(9, 20),)
    assert pane.view("tree").tree.currentIndex() == index


def test_a_click_in_an_encoded_pickle_shows_its_own_bytes(held, shown):
    pane = shown(OpcodesPane, held)
    inner_row(pane.view("tree"), 2, 1)
    assert (held.selection.document, held.selection.spans) == (2, (Span(2, 13),))
    assert held.shown_source.read(2, 11) == b"cos\ngetcwd\n"
    assert pane.view("tree").tree.currentIndex().data() == "GLOBAL os.getcwd"
    held.leave("")
    outer = held.document.pickles[0].code
    assert (held.selection.document, held.selection.spans) == (0, (outer.span(5),))


def test_the_enter_key_opens_the_pickle_in_bytes(held, shown):
    pane = shown(OpcodesPane, held)
    index = inner_row(pane.view("tree"), 1, 1)
    pane.view("tree").tree.activated.emit(index)
    assert (held.selection.document, held.selection.spans) == (1, (Span(2, 13),))
    held.leave("")
    assert (held.selection.document, held.selection.spans) == (0, (Span(7, 23),))


def test_the_menu_of_a_row_switches_the_view_too(small, shown):
    pane = shown(OpcodesPane, small)
    ways = {action.text(): action for action in pane.view("tree").tree.actions()}
    assert "Show each value with the opcodes that built it" in ways
    ways["List all opcodes in the order of the stream"].trigger()
    assert pane.switch.current == "stream"
    assert pane.views.currentWidget() is pane.stream


@pytest.fixture
def broken(tmp_path, opened):
    path = tmp_path / "broken.pkl"
    path.write_bytes(b"\x80\x02cos\ngetcwd\n)R\xff\xff\xff")
    return opened(path)


def test_the_stream_ends_with_its_break(broken, shown):
    pane = shown(OpcodesPane, broken)
    pane.show_view("stream")
    assert pane.stream.model.rowCount() == 5
    assert stream_row(pane, 4)[:-1] == ["F", "", "Break", "Byte 0xFF at offset 0xF is no opcode", "", "1", ""]
    pane.stream.table.setCurrentIndex(pane.stream.model.index(4, 0))
    assert broken.selection.spans == (Span(15, 16),)
    assert broken.selection.opcode is None


def test_the_tree_ends_with_the_break_and_follows_to_it(broken, shown):
    pane = shown(OpcodesPane, broken)
    broken.select_bytes((Span(15, 16),), "test")
    current = pane.view("tree").tree.currentIndex()
    assert current.data() == "Break Byte 0xFF at offset 0xF is no opcode"
    assert current.row() == 2
    assert pane.view("tree").model.data(current, Qt.ItemDataRole.AccessibleTextRole) == (
        "0xF Break Byte 0xFF at offset 0xF is no opcode"
    )


def test_a_stream_that_just_ends_breaks_behind_its_last_byte(tmp_path, opened, shown):
    path = tmp_path / "cut.pkl"
    path.write_bytes(b"\x80\x02}q\x00X\x01\x00\x00\x00aK\x01s")
    session = opened(path)
    pane = shown(OpcodesPane, session)
    pane.show_view("stream")
    last = pane.stream.model.rowCount() - 1
    assert stream_row(pane, last)[:4] == ["E", "", "Break", "The pickle has no STOP: it ends too early, at 0xE"]
    pane.stream.table.setCurrentIndex(pane.stream.model.index(last, 0))
    assert session.selection.spans == (Span(14, 14),)


def test_uses_are_those_of_the_pickle_that_was_asked_about(tmp_path, opened, shown, qtbot):
    # Records that are unpacked have offsets of their own, here the same ones.
    body = b"\x80\x02]q\x00h\x00a."
    writer = ZipWriter()
    writer.add("constants.pkl", body, deflated=True)
    writer.add("data.pkl", body, deflated=True)
    writer.add("code/__torch__.py", b"pass\n", deflated=True)
    path = tmp_path / "two.pt"
    path.write_bytes(writer.finish())
    session = opened(path)
    pane = shown(OpcodesPane, session)
    assert len(session.document.pickles) == 2
    session.select_opcode(ValueRef(1, 1), "test")
    pane.list_uses()
    qtbot.waitUntil(lambda: " of 12" in pane.bar.found.text())
    asked = listed(pane)
    assert asked
    assert min(asked) >= 6
    pane.filter_by("uses:0x3")
    qtbot.waitUntil(lambda: pane.bar.found.text() == "2 of 12")
    assert listed(pane) == [3, 9]


def test_a_view_that_takes_the_keyboard_keeps_what_is_selected(small, shown, qtbot):
    pane = shown(OpcodesPane, small)
    small.select_opcode(ValueRef(0, 6), "test")
    pane.activateWindow()
    tree = pane.view("tree").rows
    tree.setFocus()
    qtbot.waitUntil(tree.hasFocus)
    pane.show_view("stream")
    qtbot.waitUntil(pane.stream.table.hasFocus)
    assert pane.stream.table.currentIndex().row() == 6
    assert small.selection.opcode == ValueRef(0, 6)
