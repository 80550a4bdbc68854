"""What a screen reader is told of the bytes: where the caret stands, what is there, whose it is; the row as a text.

A view is a text that is only read, of one row: that of the caret, in the column of the caret. Its value is the offset.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final, Protocol

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, QRect, QSignalBlocker, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleInterface,
    QAccessibleTextInterface,
    QAccessibleValueInterface,
)
from PySide6.QtWidgets import QAccessibleWidget, QLineEdit, QWidget
from typing_extensions import override

from viewer.core.span import Span
from viewer.ui.hexview.atlas import text_labels
from viewer.ui.hexview.layout import Form, Layout, Place, Side
from viewer.ui.hexview.numbers import exact
from viewer.ui.hexview.surface import Surface
from viewer.ui.spoken import speak as speak
from viewer.ui.words import count, hexadecimal

NOTHING: Final = shiboken6.wrapInstance(0, QAccessibleTextInterface)
"""A null pointer as Qt wants it: 0 or None would reach it as the address of that Python object."""
WIDEST: Final = 1024
"""Bytes of a row that are told at once."""
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

    def selected_spans(self) -> tuple[Span, ...]:
        """All selected ranges."""

    def point_to(self, place: Place, *, extend: bool, shift: bool, add: bool = False) -> None:
        """The caret goes to a byte."""

    def reveal(self, offset: int) -> None:
        """Scroll so that a byte is in view."""

    def caret_on_screen(self) -> QRect:
        """Where the caret stands, in pixels of the screen."""


def sentence(view: Bytes) -> str:
    """`0x20DF: 52, R. REDUCE`: the offset, the byte, its character if it has one, its owner.

    In cells of elements `0x20DC: 1.5, float32. fc.weight`. Of more bytes how many are selected comes last.
    """
    offset, cells = view.caret, view.form.cells
    if cells.dtype and view.side is Side.HEX:
        value = f"{_cell(view, offset)}, {cells.dtype}"
    else:
        data = view.surface.content.read(offset, 1)
        value = hexadecimal(data[0], 2) if data else QCoreApplication.translate("hexview", "no byte")
        character = chr(data[0]) if data and 0x20 < data[0] < 0x7F else ""
        value = f"{value}, {character}" if character else value
    parts = (f"0x{hexadecimal(offset)}: {value}", view.describe(offset), _selected(view))
    return ". ".join(part for part in parts if part)


def _selected(view: Bytes) -> str:
    """How many bytes are selected; "" for the one, or the one cell, of the caret."""
    spans = view.selected_spans()
    total = sum(span.length for span in spans)
    if len(spans) > 1:
        words = QCoreApplication.translate("hexview", "{total} bytes selected, in {ranges} ranges")
        return words.format(total=count(total), ranges=count(len(spans)))
    grain = view.surface.layout.grain(view.side)
    if total < 2 or total <= grain.stop(view.caret) - grain.start(view.caret):
        return ""
    return QCoreApplication.translate("hexview", "{total} bytes selected").format(total=count(total))


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
    """The row of the caret. `starts`: offsets of its cells; `cells`: what they show; `at`: where that is in `text`.

    Of a very wide row a part, which holds the caret.
    """

    def __init__(self, view: Bytes) -> None:
        layout: Layout = view.surface.layout
        grain = layout.grain(view.side)
        row = layout.row_span(layout.row_of(view.caret)) if layout.size else Span(0, 0)
        self.starts = []
        place = grain.start(row.start + max(0, view.caret - row.start) // WIDEST * WIDEST)
        row = Span(row.start, min(row.stop, place + WIDEST))
        while place < row.stop:
            self.starts.append(place)
            place = grain.stop(place)
        self.cells = [_cell(view, start) for start in self.starts]
        self._most = max((b - a for a, b in pairwise(self.starts)), default=1)
        between = "" if view.side is Side.TEXT else " "
        self.text = between.join(self.cells)
        self.at = [0]
        for cell in self.cells:
            self.at.append(self.at[-1] + len(cell) + len(between))

    def offset_at(self, position: int) -> int | None:
        """The byte whose cell holds a position in the text; None in a row without cells."""
        number = sum(start <= position for start in self.at[1:])
        return self.starts[min(number, len(self.starts) - 1)] if self.starts else None

    def selected(self, span: Span) -> tuple[int, int]:
        """Where the cells of selected bytes stand, [start, stop); of one cell, on which the caret stands, nowhere."""
        numbers = [number for number, start in enumerate(self.starts) if span.start <= start < span.stop]
        if span.length < 2 or not numbers or (len(numbers) == 1 and span.length <= self._most):
            return 0, 0
        return self.at[numbers[0]], self.at[numbers[-1]] + len(self.cells[numbers[-1]])

    def position_of(self, offset: int) -> int:
        """Where the cell of a byte begins."""
        number = sum(start <= offset for start in self.starts) - 1
        return self.at[max(0, number)]


class _Row(QLineEdit):
    """The row of the caret as Qt's own field has it, never shown: a screen reader reads it and selects in it.

    Of a text interface the bindings (6.11.3) lack `selection`, which tells by two pointers to numbers where a selection
    is: a class of ours in Python cannot answer it. The interface of a field of Qt does. The field follows the view
    whenever it is asked for, and the view what a screen reader does in it.
    """

    def __init__(self, widget: QWidget, view: Callable[[], Bytes | None]) -> None:
        # A window of its own, or it would be found among the children of the view.
        super().__init__(widget)
        self.setWindowFlag(Qt.WindowType.Tool)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setReadOnly(True)
        self.setAccessibleName(widget.accessibleName())
        self._view = view
        self._shown = ""
        self._end = -1
        self.selectionChanged.connect(self._asked)
        self.cursorPositionChanged.connect(self._asked)

    def told(self) -> QAccessibleTextInterface:
        """What Qt asks, as the view stands now."""
        told = QAccessible.queryAccessibleInterface(self).textInterface()
        view = self._view()
        if view is not None:
            with QSignalBlocker(self):
                self._follow(view)
            # A magnifier looks where the letter at the caret is.
            letter = told.characterRect(min(self.cursorPosition(), max(0, len(self._shown) - 1)))
            self.move(self.pos() + view.caret_on_screen().topLeft() - letter.topLeft())
        return told

    def _follow(self, view: Bytes) -> None:
        row = RowText(view)
        if row.text != self._shown:
            self._shown = row.text
            self.setText(row.text)
        self._end = -1
        first, stop = row.selected(view.selected_span())
        if stop <= first:
            self.setCursorPosition(row.position_of(view.caret))
        elif view.caret == view.selected_span().start:
            self.setSelection(stop, first - stop)
        else:
            self._end = stop
            self.setSelection(first, stop - first)

    def _asked(self) -> None:
        """A screen reader put the caret elsewhere, or selected something."""
        if self.hasSelectedText():
            self._choose(self.selectionStart(), self.selectionEnd() - 1)
        else:
            # Behind what was selected stands the next cell.
            at = self.cursorPosition() - int(self.cursorPosition() == self._end)
            self._choose(at, at)

    def _choose(self, first: int, last: int) -> None:
        """Select the cells that hold two positions and all between them."""
        view = self._view()
        row = RowText(view) if view is not None else None
        ends = (row.offset_at(first), row.offset_at(last)) if row is not None else (None, None)
        if view is None or ends[0] is None or ends[1] is None:
            return
        view.point_to(Place(ends[0], view.side), extend=False, shift=False)
        if ends[1] != ends[0]:
            view.point_to(Place(ends[1], view.side), extend=True, shift=False)
        view.reveal(ends[1])


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
        self._row = _Row(widget, view)
        self._view, self._value = view, _Value(view)

    @override
    def state(self) -> QAccessible.State:
        state = super().state()
        state.readOnly = state.selectableText = True
        return state

    @override
    def text(self, t: QAccessible.Text) -> str:
        view = self._view()
        return RowText(view).text if t == QAccessible.Text.Value and view is not None else super().text(t)

    @override
    def interface_cast(self, t: QAccessible.InterfaceType) -> Any:
        if t == QAccessible.InterfaceType.TextInterface:
            return self._row.told() if shiboken6.isValid(self._row) else NOTHING
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
