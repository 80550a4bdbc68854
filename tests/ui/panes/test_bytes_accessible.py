"""What a screen reader is told of the bytes and of all that stands round them: names, roles, values, what is spoken."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from viewer.core.span import Span
from viewer.session.bookmarks import Bookmark
from viewer.ui.dialogs.go_to import GoToBar
from viewer.ui.panes.bookmarks import BookmarksPane
from viewer.ui.panes.hex import HexPane
from viewer.ui.panes.inspector import InspectorPane
from viewer.ui.theme import load_theme

Text, Role = QAccessible.Text, QAccessible.Role


def told(widget, what=Text.Name):
    """A text of a widget as a screen reader gets it."""
    return QAccessible.queryAccessibleInterface(widget).text(what)


def role(widget):
    return QAccessible.queryAccessibleInterface(widget).role()


@pytest.fixture
def spoken(monkeypatch):
    """What is announced from now on, as on a system with a screen reader."""
    said = []
    monkeypatch.setattr(QAccessible, "isActive", staticmethod(lambda: True))
    monkeypatch.setattr(QAccessible, "updateAccessibility", staticmethod(lambda event: said.append(event.message())))
    return said


@pytest.fixture
def pane(adam, shown):
    return shown(HexPane, adam)


def walked(interface):
    """All that is seen below an interface."""
    for number in range(interface.childCount()):
        child = interface.child(number)
        if child is not None and child.isValid() and not child.state().invisible:
            yield child
            yield from walked(child)


def texts(table, kind):
    """The words of the cells, or of the headers, of a table."""
    children = [table.child(number) for number in range(table.childCount())]
    return [child.text(Text.Name) for child in children if child.role() == kind]


def test_each_move_of_the_caret_speaks_offset_value_and_owner(pane, spoken):
    QTest.keyClick(pane.view, Qt.Key.Key_Right)
    assert spoken == ["0x1: 4B, K. checkpoint_adam/data.pkl"]
    assert told(pane.view) == "Bytes"
    assert told(pane.view, Text.Description) == spoken[0]
    start = pane.session.document.pickles[0].span().start
    pane.view.go_to(start)
    assert spoken[-1] == f"0x{start:X}: 80. PROTO 2"


def test_what_is_focusable_has_a_name(pane, adam, shown, qtbot):
    adam.bookmarks.add(Bookmark("", 4, 8, "here"))
    pane.finding.show()
    pane.finding.bar.form.setCurrentIndex(pane.finding.bar.form.findData("number"))
    pane.facts.ask()
    pane.compared.show_second()
    qtbot.waitUntil(lambda: not adam.jobs.busy)
    bar = GoToBar(load_theme("light"))
    qtbot.addWidget(bar)
    bar.ask_in(adam)
    for top in (pane, shown(InspectorPane, adam), shown(BookmarksPane, adam), bar):
        for part in walked(QAccessible.queryAccessibleInterface(top)):
            words = part.text(Text.Name) or part.text(Text.Value)
            is_cell = part.role() in (Role.Cell, Role.ListItem)
            assert words or is_cell or not part.state().focusable, (top, part.role(), part.object())
    bar.setVisible(False)


def test_the_find_bar(pane, spoken, qtbot):
    pane.finding.show()
    bar = pane.finding.bar
    assert (told(bar.field), role(bar.field)) == ("What to look for", Role.EditableText)
    for choice, words in ((bar.form, "Form of what is looked for"), (bar.scope, "Where to look")):
        assert role(choice) == Role.ComboBox
        assert words in (told(choice), told(choice, Text.Description))
    for button, words in ((bar.next, "Next hit"), (bar.previous, "Previous hit"), (bar.close_button, "Close the bar")):
        assert (told(button), role(button)) == (words, Role.Button)
    bar.form.setCurrentIndex(0)
    bar.field.setText("8")
    assert spoken[-1] == "Half a byte is left over: write 08 or 8?"
    bar.field.setText("50 4B 01 02")
    qtbot.waitUntil(lambda: spoken[-1].endswith(" hits"))
    assert told(bar.field, Text.Description) == spoken[-1]


def test_hits_are_rows_with_words(pane, qtbot):
    pane.finding.show()
    bar = pane.finding.bar
    bar.form.setCurrentIndex(0)
    bar.field.setText("50 4B 01 02")
    bar.list.setChecked(True)
    qtbot.waitUntil(lambda: pane.hits.model.rowCount() > 1)
    table = QAccessible.queryAccessibleInterface(pane.hits.table)
    assert (table.role(), table.text(Text.Name)) == (Role.Table, "Hits")
    assert texts(table, Role.ColumnHeader) == ["Offset", "Bytes", "Text", "Owner"]
    assert texts(table, Role.Cell)[0] == f"0x{pane.finding.search.hits[0].start:X}"


def test_the_map_is_a_slider(pane, spoken, qtbot):
    chart = QAccessible.queryAccessibleInterface(pane.map)
    assert (chart.role(), chart.text(Text.Name)) == (Role.Slider, "Map of the file")
    value = chart.valueInterface()
    assert (value.currentValue(), value.minimumValue()) == (0, 0)
    pane.map.setFocus()
    qtbot.waitUntil(pane.map.hasFocus)
    pane.view.set_top_row(pane.view.surface.last_top)
    assert value.currentValue() == value.maximumValue()
    start = pane.view.visible_span().start
    assert spoken[-1].startswith(f"0x{start:X}  ")


def test_the_inspector_by_keyboard(adam, shown, spoken):
    adam.select_bytes((Span(0, 4),), "test")
    pane = shown(InspectorPane, adam)
    sheet = pane.focus_target()
    sheet.setFocus()
    assert told(sheet) == "Readings of the bytes"
    QTest.keyClick(sheet, Qt.Key.Key_Home)
    names = [row.name for row in sheet.rows]
    for _ in range(names.index("int32")):
        QTest.keyClick(sheet, Qt.Key.Key_Down)
    value = int.from_bytes(adam.source.read(0, 4), "little")
    assert sheet.words() == f"int32, little-endian: {value}"
    assert told(sheet, Text.Description) == f"{sheet.words()}. Row {names.index('int32') + 1} of {len(names)}"
    QTest.keyClick(sheet, Qt.Key.Key_Right)
    big = int.from_bytes(adam.source.read(0, 4), "big")
    assert told(sheet, Text.Description) == f"int32, big-endian: {big}. Row {names.index('int32') + 1} of {len(names)}"
    sheet.copy_current()
    assert QGuiApplication.clipboard().text() == str(big)
    QTest.keyClick(sheet, Qt.Key.Key_End)
    assert sheet.current == len(sheet.rows) - 1
    adam.select_bytes((Span(1, 2),), "test")
    count = len(sheet.rows)
    assert told(sheet, Text.Description) == f"{sheet.words()}. Row {sheet.current + 1} of {count}"


def test_the_reading_that_was_chosen_stays_so(adam, shown):
    pane = shown(InspectorPane, adam)
    sheet = pane.sheet
    sheet._go([row.name for row in sheet.rows].index("float32"), in_big=False)
    adam.select_bytes((Span(0, 3),), "test")
    assert sheet.rows[sheet.current].name == "float32"
    sheet.show_row("int8", shown=False)
    assert sheet.rows[sheet.current].name == "float32"


def test_the_go_to_bar_speaks_what_is_named(adam, qtbot, spoken):
    bar = GoToBar(load_theme("light"))
    qtbot.addWidget(bar)
    bar.ask_in(adam)
    assert (told(bar.field), role(bar.field)) == ("Go to offset", Role.EditableText)
    bar.field.setText("0x10")
    assert spoken[-1] == "0x10   16   checkpoint_adam/data.pkl"
    assert told(bar.field, Text.Description) == spoken[-1]
    bar.field.setText("0x10+")
    assert spoken[-1] == "A number is missing on one side of the sign."
    bar.setVisible(False)


def test_bookmarks_are_a_table_with_fields(adam, shown):
    adam.bookmarks.add(Bookmark("", 4, 8, "here", note="why"))
    pane = shown(BookmarksPane, adam)
    table = QAccessible.queryAccessibleInterface(pane.table)
    assert (table.role(), table.text(Text.Name)) == (Role.Table, "Bookmarks")
    assert texts(table, Role.Cell) == ["here", "0x4", "4 bytes", "why"]
    pane.table.setCurrentIndex(pane.model.index(0, 0))
    assert [(told(field), told(field, Text.Value)) for field in (pane.name, pane.note)] == [
        ("Name", "here"),
        ("Note", "why"),
    ]
    assert "Colour" in (told(pane.colour), told(pane.colour, Text.Description))
    assert told(pane.remove) == "Remove this bookmark"


def test_a_comparison_speaks_where_it_arrives(adam, opened, shown, spoken, qtbot, tmp_path):
    path = tmp_path / "other.pt"
    data = bytearray(adam.path.read_bytes())
    data[0x20] ^= 1
    path.write_bytes(data)
    other = opened(path)
    pane = shown(HexPane, adam)
    pane.compared.compare_with(other)
    qtbot.waitUntil(lambda: "Differs at 0x20   1 difference, 1 byte" in spoken)
    assert told(pane.compared.head) == "Comparison of bytes"
    assert told(pane.compared.view) == "Other bytes"
    assert told(pane.compared.view, Text.Description).startswith("0x20: ")
    pane.compared.head.list.click()
    qtbot.waitUntil(lambda: pane.compared.list.model.rowCount() == 1)
    table = QAccessible.queryAccessibleInterface(pane.compared.list.table)
    assert (table.role(), table.text(Text.Name)) == (Role.Table, "Differences")
    assert texts(table, Role.ColumnHeader) == ["Offset", "Size", "Here", "There", "Owner"]
    assert texts(table, Role.Cell)[:2] == ["0x20", "1 byte"]


def test_tab_goes_from_column_to_column_and_to_the_bytes_beside(adam, opened, shown, qtbot, tmp_path):
    path = tmp_path / "other.pt"
    path.write_bytes(adam.path.read_bytes() + b"x")
    pane = shown(HexPane, adam)
    pane.compared.compare_with(opened(path))
    view, other = pane.view, pane.compared.view
    view.setFocus()
    assert round_of(Qt.Key.Key_Tab, view, other) == [(other, "hex"), (view, "hex")], "no letters where it is narrow"
    pane.resize(1400, 480)
    qtbot.waitUntil(lambda: view.surface.layout.has_text and other.surface.layout.has_text)
    view.setFocus()
    assert round_of(Qt.Key.Key_Tab, view, other) == [(view, "text"), (other, "hex"), (other, "text"), (view, "hex")]
    assert round_of(Qt.Key.Key_Backtab, view, other) == [
        (other, "text"),
        (other, "hex"),
        (view, "text"),
        (view, "hex"),
    ]
    pane.compared.leave()
    view.setFocus()
    assert round_of(Qt.Key.Key_Tab, view, other) == [(view, "text"), (view, "hex")]


def round_of(key, first, other):
    """The columns to which a key comes, until it is back at the first one; buttons and fields between are left out."""
    found = []
    for _ in range(100):
        QTest.keyClick(QApplication.focusWidget(), key)
        widget = QApplication.focusWidget()
        if widget in (first, other):
            found.append((widget, widget.side.value))
        if found and found[-1] == (first, "hex"):
            return found
    raise AssertionError(found)


def test_every_part_of_the_pane_is_reached_by_tab(pane):
    pane.finding.show()
    reached, widget = set(), pane.find_bar.field
    while widget not in reached:
        reached.add(widget)
        widget = widget.nextInFocusChain()
    for wanted in (pane.map, pane.find_bar.next, pane.find_bar.list, pane.find_bar.scope, pane.options):
        assert wanted in reached
        assert wanted.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert isinstance(pane.focus_target(), QWidget)
