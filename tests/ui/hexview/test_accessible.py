"""What a screen reader finds at a view of bytes: a text that is only read, and the offset as a value."""

from __future__ import annotations

import gc
from collections.abc import Callable

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QAccessibleTextInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from viewer.core.source import ByteSource, MemorySource
from viewer.core.span import Span
from viewer.ui.hexview.layout import Form
from viewer.ui.hexview.numbers import Cells
from viewer.ui.hexview.view import HexView
from viewer.ui.theme import load_theme

DATA = bytes(range(0x30, 0x30 + 64))
Text = QAccessible.Text
Make = Callable[[ByteSource], HexView]


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    def made(source: ByteSource) -> HexView:
        view = HexView(load_theme("light"))
        qtbot.addWidget(view)
        view.resize(760, 300)
        view.set_reader(source)
        with qtbot.waitExposed(view):
            view.show()
        return view

    return made


@pytest.fixture
def view(make: Make) -> HexView:
    return make(MemorySource(DATA))


def told(view: HexView) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(view)


def text_of(view: HexView) -> QAccessibleTextInterface:
    """As Qt asks for it: anew each time."""
    return told(view).textInterface()


def row_of(view: HexView) -> str:
    text = text_of(view)
    return text.text(0, text.characterCount())


def selected(view: HexView) -> str:
    """What a screen reader is told to be selected; the bindings lack the question for it."""
    assert text_of(view).selectionCount() <= 1
    return view.findChildren(QLineEdit)[0].selectedText()


def test_the_bytes_are_a_text_that_is_only_read(view: HexView) -> None:
    interface = told(view)
    assert interface.role() == QAccessible.Role.EditableText
    assert interface.state().readOnly
    assert interface.state().focusable
    assert interface.text(Text.Name) == "Bytes"
    assert interface.text(Text.Value) == DATA[:16].hex(" ").upper()


def test_the_text_is_the_row_of_the_caret(view: HexView) -> None:
    view.go_to(0x12)
    assert row_of(view) == DATA[16:32].hex(" ").upper()
    assert text_of(view).cursorPosition() == 6
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert row_of(view) == DATA[16:32].decode()
    assert text_of(view).cursorPosition() == 2


def test_the_caret_is_put_where_a_screen_reader_wants_it(view: HexView, qtbot: QtBot) -> None:
    text = text_of(view)
    with qtbot.waitSignal(view.caret_moved) as moved:
        text.setCursorPosition(10)
    assert moved.args == [3]
    text_of(view).setSelection(0, 3, 11)
    assert view.selected_span() == Span(1, 4)
    text_of(view).removeSelection(0)
    assert view.selected_span() == Span(3, 4)
    text_of(view).addSelection(3, 8)
    assert view.selected_span() == Span(1, 3)


def test_a_screen_reader_is_told_what_is_selected(view: HexView) -> None:
    view.go_to(0x12)
    assert selected(view) == ""
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right):
        QTest.keyClick(view, key, Qt.KeyboardModifier.ShiftModifier)
    assert view.selected_span() == Span(0x12, 0x15)
    assert selected(view) == "42 43 44"
    assert text_of(view).cursorPosition() == 14
    assert told(view).text(Text.Description) == "0x14: 44, D. 3 bytes selected"
    view.select(Span(0x1E, 0x40), reveal=False)
    assert selected(view) == "4E 4F"
    assert text_of(view).cursorPosition() == 42
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert selected(view) == "NO"
    text_of(view).removeSelection(0)
    assert view.selected_span() == Span(0x1E, 0x1F)
    view.select_spans([Span(2, 4), Span(8, 9)])
    assert told(view).text(Text.Description) == "0x2: 32, 2. 3 bytes selected, in 2 ranges"


def test_the_letter_at_the_caret_is_where_the_caret_is(view: HexView) -> None:
    view.go_to(0x25)
    text = text_of(view)
    assert text.characterRect(text.cursorPosition()).topLeft() == view.caret_on_screen().topLeft()


def test_of_a_very_wide_row_a_part_is_told(make: Make) -> None:
    view = make(MemorySource(bytes(300_000)))
    view.set_row_bytes(200_000)
    view.go_to(150_000)
    row = view.surface.layout.row_span(view.surface.layout.row_of(view.caret))
    assert row.length > 100_000
    assert len(row_of(view)) == 3 * 1024 - 1
    assert text_of(view).cursorPosition() == 3 * ((view.caret - row.start) % 1024)
    text_of(view).setCursorPosition(0)
    assert view.caret == row.start + (150_000 - row.start) // 1024 * 1024


def test_the_field_that_is_asked_is_never_seen(view: HexView) -> None:
    interface = told(view)
    names = [interface.child(number).object() for number in range(interface.childCount())]
    field = view.findChildren(QLineEdit)[0]
    assert field not in names
    assert not field.isVisible()


def test_the_value_is_the_offset(make: Make, qtbot: QtBot) -> None:
    size = 2**45 + 5

    class Far(ByteSource):
        def __init__(self) -> None:
            self.size = size

        def read(self, offset: int, length: int) -> bytes:
            return b"\1" * max(0, min(length, size - offset))

    view = make(Far())
    value = told(view).valueInterface()
    assert (value.minimumValue(), value.maximumValue(), value.minimumStepSize()) == (0, size - 1, 1)
    with qtbot.waitSignal(view.caret_moved) as moved:
        value.setCurrentValue(2**44)
    assert moved.args == [2**44]
    assert value.currentValue() == 2**44
    assert 2**44 in view.visible_span()
    value.setCurrentValue(2**50)
    assert view.caret == size - 1


def test_a_cell_of_an_element_is_spoken_as_its_number(make: Make) -> None:
    view = make(MemorySource(b"\x00\x00\xc0\x3f\xcd\xcc\xcc\x3dxy"))
    view.set_describe(lambda offset, full: "fc.weight" if offset < 8 else "")
    view.set_form(Form(cells=Cells("float32")), "Offset")
    assert told(view).text(Text.Description) == "0x0: 1.5, float32. fc.weight"
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert told(view).text(Text.Description) == "0x4: 0.1, float32. fc.weight"
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert told(view).text(Text.Description) == "0x8: …, float32"
    assert row_of(view) == "1.5 0.1 …"
    assert text_of(view).cursorPosition() == 8
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert told(view).text(Text.Description) == "0x8: 78, x. 2 bytes selected"
    view.set_form(Form(cells=Cells("int16", big=True)), "Offset")
    QTest.keyClick(view, Qt.Key.Key_Backtab)
    assert told(view).text(Text.Description) == "0x8: 30841, int16"


def test_an_empty_file_has_an_empty_text(make: Make) -> None:
    view = make(MemorySource(b""))
    interface = told(view)
    text, value = interface.textInterface(), interface.valueInterface()
    assert (text.characterCount(), text.cursorPosition(), text.selectionCount()) == (0, 0, 0)
    text.setCursorPosition(5)
    value.setCurrentValue(3)
    assert (value.currentValue(), value.maximumValue()) == (0, 0)


def test_a_view_that_is_closed_takes_its_words_along(qapp: QApplication) -> None:
    view = HexView(load_theme("light"))
    view.set_reader(MemorySource(DATA))
    interface = told(view)
    # What Qt has no use for is none: anything else would be called.
    assert (interface.actionInterface(), interface.tableCellInterface()) == (None, None)
    number = QAccessible.uniqueId(interface)
    value = interface.valueInterface()
    assert interface.textInterface().characterCount() == 47
    field = view.findChildren(QLineEdit)[0]
    del interface
    gc.collect()
    assert told(view).text(Text.Name) == "Bytes"
    interface = told(view)
    shiboken6.delete(view)
    assert QAccessible.accessibleInterface(number) is None
    assert not shiboken6.isValid(interface)
    assert not shiboken6.isValid(field)
    assert value.currentValue() == 0
