"""What a screen reader finds at a view of bytes: a text that is only read, and the offset as a value."""

from __future__ import annotations

import gc
from collections.abc import Callable

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
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


def test_the_bytes_are_a_text_that_is_only_read(view: HexView) -> None:
    interface = told(view)
    assert interface.role() == QAccessible.Role.EditableText
    assert interface.state().readOnly
    assert interface.state().focusable
    assert interface.text(Text.Name) == "Bytes"
    assert interface.text(Text.Value) == DATA[:16].hex(" ").upper()


def test_the_text_is_the_row_of_the_caret(view: HexView) -> None:
    text = told(view).textInterface()
    view.go_to(0x12)
    assert text.text(0, text.characterCount()) == DATA[16:32].hex(" ").upper()
    assert text.cursorPosition() == 6
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert text.text(0, text.characterCount()) == DATA[16:32].decode()
    assert text.cursorPosition() == 2


def test_the_caret_is_put_where_a_screen_reader_wants_it(view: HexView, qtbot: QtBot) -> None:
    text = told(view).textInterface()
    with qtbot.waitSignal(view.caret_moved) as moved:
        text.setCursorPosition(10)
    assert moved.args == [3]
    text.setSelection(0, 3, 11)
    assert view.selected_span() == Span(1, 4)
    text.removeSelection(0)
    assert view.selected_span() == Span(3, 4)


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
    text = told(view).textInterface()
    assert text.text(0, text.characterCount()) == "1.5 0.1 …"
    assert text.cursorPosition() == 8
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert told(view).text(Text.Description) == "0x8: 78, x"
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
    text, value = interface.textInterface(), interface.valueInterface()
    del interface
    gc.collect()
    assert told(view).text(Text.Name) == "Bytes"
    interface = told(view)
    shiboken6.delete(view)
    assert QAccessible.accessibleInterface(number) is None
    assert not shiboken6.isValid(interface)
    assert (text.text(0, 9), value.currentValue()) == ("", 0)
