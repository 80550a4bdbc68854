"""What a screen reader is told of the bytes: where the caret stands, what is there, whose it is; the row as a text.

A view is a text that is only read, of one row: that of the caret, in the column of the caret. Its value is the offset.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Final, Protocol

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, QPoint, QRect
from PySide6.QtGui import (
    QAccessible,
    QAccessibleInterface,
    QAccessibleTextInterface,
    QAccessibleValueInterface,
)
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from typing_extensions import override

from viewer.core.span import Span
from viewer.ui.hexview.atlas import text_labels
from viewer.ui.hexview.layout import Form, Layout, Place, Side
from viewer.ui.hexview.numbers import exact
from viewer.ui.hexview.surface import Surface
from viewer.ui.spoken import speak as speak
from viewer.ui.words import hexadecimal

NOTHING: Final = shiboken6.wrapInstance(0, QAccessibleTextInterface)
"""A null pointer as Qt wants it: 0 or None would reach it as the address of that Python object."""
PART: Final = "…"
"""Stands for a cell of which not all bytes are there."""


class Bytes(Protocol):
    """What is told of a view."""

    @property
    def caret(self) -> int:
        """Offset of the byte that the caret stands on."""

    @property
    def side(self) -> Side:
        """The column that takes the keys."""

    @property
    def form(self) -> Form:
        """How rows look."""

    @property
    def surface(self) -> Surface:
        """What is painted."""

    def describe(self, offset: int, *, full: bool = False) -> str:
        """What the byte is."""

    def selected_span(self) -> Span:
        """The selected bytes; of several ranges those with the caret."""

    def point_to(self, place: Place, *, extend: bool, shift: bool, add: bool = False) -> None:
        """The caret goes to a byte."""

    def reveal(self, offset: int) -> None:
        """Scroll so that a byte is in view."""

    def caret_on_screen(self) -> QRect:
        """Where the caret stands, in pixels of the screen."""


def sentence(view: Bytes) -> str:
    """`0x20DF: 52, R. REDUCE`: the offset, the byte, its character if it has one, its owner.

    In cells of elements `0x20DC: 1.5, float32. fc.weight`.
    """
    offset, cells = view.caret, view.form.cells
    if cells.dtype and view.side is Side.HEX:
        value = f"{_cell(view, offset)}, {cells.dtype}"
    else:
        data = view.surface.content.read(offset, 1)
        value = hexadecimal(data[0], 2) if data else QCoreApplication.translate("hexview", "no byte")
        character = chr(data[0]) if data and 0x20 < data[0] < 0x7F else ""
        value = f"{value}, {character}" if character else value
    owner = view.describe(offset)
    place = f"0x{hexadecimal(offset)}"
    return f"{place}: {value}. {owner}" if owner else f"{place}: {value}"


def _cell(view: Bytes, offset: int) -> str:
    """What the cell of a byte shows, with every digit."""
    grain, cells = view.surface.layout.grain(view.side), view.form.cells
    start = grain.start(offset)
    data = view.surface.content.read(start, grain.stop(offset) - start)
    if view.side is Side.TEXT:
        return text_labels(view.surface.content.encoding)[data[0]] if data else PART
    if cells.dtype:
        return exact(cells, data)[0] if len(data) == cells.unit else PART
    return hexadecimal(data[0], 2) if data else PART


class RowText:
    """The row of the caret. `starts`: offsets of its cells; `cells`: what they show; `at`: where that is in `text`."""

    def __init__(self, view: Bytes) -> None:
        layout: Layout = view.surface.layout
        grain = layout.grain(view.side)
        row = layout.row_span(layout.row_of(view.caret)) if layout.size else Span(0, 0)
        self.starts = []
        place = row.start
        while place < row.stop:
            self.starts.append(place)
            place = grain.stop(place)
        self.cells = [_cell(view, start) for start in self.starts]
        between = "" if view.side is Side.TEXT else " "
        self.text = between.join(self.cells)
        self.at = [0]
        for cell in self.cells:
            self.at.append(self.at[-1] + len(cell) + len(between))

    def offset_at(self, position: int) -> int | None:
        """The byte whose cell holds a position in the text; None in a row without cells."""
        number = sum(start <= position for start in self.at[1:])
        return self.starts[min(number, len(self.starts) - 1)] if self.starts else None

    def position_of(self, offset: int) -> int:
        """Where the cell of a byte begins."""
        number = sum(start <= offset for start in self.starts) - 1
        return self.at[max(0, number)]


class _Text(QAccessibleTextInterface):
    """The row of the caret as a text in which the caret can be put."""

    def __init__(self, view: Callable[[], Bytes | None]) -> None:
        super().__init__()
        self._view = view

    def _row(self) -> RowText | None:
        view = self._view()
        return RowText(view) if view is not None else None

    @override
    def text(self, start: int, end: int) -> str:
        row = self._row()
        return row.text[max(0, start) : max(0, end)] if row is not None else ""

    @override
    def characterCount(self) -> int:
        row = self._row()
        return len(row.text) if row is not None else 0

    @override
    def cursorPosition(self) -> int:
        view, row = self._view(), self._row()
        return row.position_of(view.caret) if view is not None and row is not None else 0

    @override
    def setCursorPosition(self, position: int) -> None:
        self._choose(position, position)

    def _choose(self, first: int, last: int) -> None:
        """Select the cells that hold two positions and all between them."""
        view, row = self._view(), self._row()
        ends = (row.offset_at(first), row.offset_at(last)) if row is not None else (None, None)
        if view is None or ends[0] is None or ends[1] is None:
            return
        view.point_to(Place(ends[0], view.side), extend=False, shift=False)
        if ends[1] != ends[0]:
            view.point_to(Place(ends[1], view.side), extend=True, shift=False)
        view.reveal(ends[1])

    @override
    def selectionCount(self) -> int:
        """None: where they are is asked by pointers to numbers, which do not reach Python."""
        return 0

    @override
    def addSelection(self, startOffset: int, endOffset: int) -> None:
        self._choose(startOffset, max(startOffset, endOffset - 1))

    @override
    def setSelection(self, selectionIndex: int, startOffset: int, endOffset: int) -> None:
        self._choose(startOffset, max(startOffset, endOffset - 1))

    @override
    def removeSelection(self, selectionIndex: int) -> None:
        position = self.cursorPosition()
        self._choose(position, position)

    @override
    def characterRect(self, offset: int) -> QRect:
        view = self._view()
        return view.caret_on_screen() if view is not None else QRect()

    @override
    def offsetAtPoint(self, point: QPoint) -> int:
        return -1

    @override
    def scrollToSubstring(self, startIndex: int, endIndex: int) -> None:
        view, row = self._view(), self._row()
        offset = row.offset_at(startIndex) if row is not None else None
        if view is not None and offset is not None:
            view.reveal(offset)


class _Value(QAccessibleValueInterface):
    """The offset of the caret as a number that can be set."""

    def __init__(self, view: Callable[[], Bytes | None]) -> None:
        super().__init__()
        self._view = view

    @override
    def currentValue(self) -> int:
        view = self._view()
        return view.caret if view is not None else 0

    @override
    def setCurrentValue(self, value: object) -> None:
        view = self._view()
        if view is None or not isinstance(value, int | float) or not view.surface.layout.size:
            return
        offset = min(max(0, int(value)), view.surface.layout.size - 1)
        view.point_to(Place(offset, view.side), extend=False, shift=False)
        view.reveal(offset)

    @override
    def minimumValue(self) -> int:
        return 0

    @override
    def maximumValue(self) -> int:
        view = self._view()
        return max(0, view.surface.layout.size - 1) if view is not None else 0

    @override
    def minimumStepSize(self) -> int:
        return 1


class _Interface(QAccessibleWidget):
    """Qt keeps it as long as the widget lives, and a while longer: it holds no view."""

    def __init__(self, widget: QWidget, view: Callable[[], Bytes | None]) -> None:
        super().__init__(widget, QAccessible.Role.EditableText)
        self._row, self._value = _Text(view), _Value(view)

    @override
    def state(self) -> QAccessible.State:
        state = super().state()
        state.readOnly = state.selectableText = True
        return state

    @override
    def text(self, t: QAccessible.Text) -> str:
        return self._row.text(0, self._row.characterCount()) if t == QAccessible.Text.Value else super().text(t)

    @override
    def interface_cast(self, t: QAccessible.InterfaceType) -> Any:
        if t == QAccessible.InterfaceType.TextInterface:
            return self._row
        if t == QAccessible.InterfaceType.ValueInterface:
            return self._value
        return NOTHING


_VIEWS: Final[weakref.WeakKeyDictionary[QObject, Callable[[], Bytes | None]]] = weakref.WeakKeyDictionary()
_INSTALLED: Final[list[object]] = []


def tell_of(widget: QWidget, view: Bytes) -> None:
    """From now on a screen reader is told of these bytes when it asks for the widget, which is the view itself."""
    if not _INSTALLED:
        QAccessible.installFactory(_made)
        _INSTALLED.append(_made)
    known = weakref.ref(view)

    def alive() -> Bytes | None:
        found = known()
        return found if shiboken6.isValid(found) else None

    _VIEWS[widget] = alive


def _made(key: str, thing: QObject) -> QAccessibleInterface | None:
    """What Qt asks for each widget that it has no words for yet."""
    del key
    view = _VIEWS.get(thing)
    return _Interface(thing, view) if view is not None and isinstance(thing, QWidget) else None
