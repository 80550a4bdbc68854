"""The readings of some bytes as rows: numbers and text, in both byte orders; chosen, copied and spoken one by one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QContextMenuEvent,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from typing_extensions import override

from viewer.core.tensors.readings import Reading
from viewer.ui.hexview.keys import is_menu
from viewer.ui.models.value_text import exact, short
from viewer.ui.spoken import speak, tell_as, with_place
from viewer.ui.theme import Theme
from viewer.ui.words import joined, named

ROW: Final = 21
NAME: Final = 64
GAP: Final = 8
# Characters of the longest number of each column: 64-bit integers, floats.
DIGITS: Final = (20, 11)
ORDERED: Final = frozenset(
    {"uint16", "int16", "uint32", "int32", "uint64", "int64"} | {"float16", "bfloat16", "float32", "float64"}
)


class ReadingsSheet(QWidget):
    """The rows, in as many columns as fit. Numbers stay left to right in every language.

    Up and Down go along the rows, Left and Right from one byte order to the other; the value there is spoken, copied by
    the key for that, and has a frame while the sheet has the keyboard.

    moved: the keyboard went to a row, of which this is the middle.
        Signal(y: int)
    """

    moved = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.rows: list[Reading] = []
        self.all_rows: list[Reading] = []
        self.hidden_names: set[str] = set()
        self.keep_hidden: Callable[[list[str]], None] = lambda names: None
        self.length = 0
        self.current = 0
        self.in_big = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        tell_as(self, QAccessible.Role.Table)
        self.setAccessibleName(self.tr("Readings of the bytes"))
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.little = self.tr("little-endian")
        self.big = self.tr("big-endian")

    def show_rows(self, rows: list[Reading], length: int = 0) -> None:
        """Show other readings; those of `length` bytes, as many as are selected, stand out."""
        self.all_rows, self.length = rows, length
        names = [row.name for row in self.rows]
        chosen = names[self.current] if self.current < len(names) else ""
        self.rows = [row for row in rows if row.name not in self.hidden_names]
        # The same reading stays the chosen one, wherever it stands now.
        at = next((at for at, row in enumerate(self.rows) if row.name == chosen), self.current)
        self.current = min(at, max(0, len(self.rows) - 1))
        self.updateGeometry()
        self.update()
        self._tell()

    def show_row(self, name: str, shown: bool) -> None:
        """Show or hide the row of a name."""
        if shown:
            self.hidden_names.discard(name)
        else:
            self.hidden_names.add(name)
        self.keep_hidden(sorted(self.hidden_names))
        self.show_rows(self.all_rows, self.length)

    def columns(self) -> int:
        """Columns of rows that fit beside each other."""
        return self._columns_in(self.width())

    def places(self) -> list[tuple[int, int]]:
        """Left edge and width of each column; integers of 64 bits need the wider one."""
        if self.columns() == 1:
            return [(0, self.width())]
        needs = self._needs()
        first = needs[0] + (self.width() - sum(needs)) // 2
        return [(0, first), (first, self.width() - first)]

    def _needs(self) -> list[int]:
        """Width of each column in which no number is cut, in pixels."""
        digit = QFontMetrics(self.theme.mono()).horizontalAdvance("0" * 100) / 100
        return [self.theme.px(NAME) + 2 * (ceil(digits * digit) + self.theme.px(GAP)) for digits in DIGITS]

    def _columns_in(self, width: int) -> int:
        return 2 if width >= sum(self._needs()) else 1

    def per_column(self) -> int:
        """Rows under one another."""
        return -(-len(self.rows) // self.columns()) if self.rows else 0

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._needs()[0], (self.per_column() + 1) * self.theme.px(ROW))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    @override
    def heightForWidth(self, width: int) -> int:
        return (-(-len(self.rows) // self._columns_in(width)) + 1) * self.theme.px(ROW)

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        per = self.per_column()
        for column, (left, width) in enumerate(self.places()):
            self._head(painter, left, width)
            for line, row in enumerate(self.rows[column * per : (column + 1) * per]):
                self._row(painter, row, left, (line + 1) * self.theme.px(ROW), width)
        painter.end()

    def _head(self, painter: QPainter, left: int, width: int) -> None:
        painter.setFont(self.theme.text("caption"))
        painter.setPen(self.theme.color("muted"))
        name, value = self._widths(width)
        self._text(painter, self.little, left + name, 0, value)
        self._text(painter, self.big, left + name + value, 0, value)

    def _row(self, painter: QPainter, row: Reading, left: int, top: int, width: int) -> None:
        name, value = self._widths(width)
        chosen = self.length > 1 and row.size == self.length
        if self.hasFocus() and row is self.rows[self.current]:
            self._frame(painter, row, left, top, width)
        painter.setFont(self.theme.mono("small", bold=chosen))
        painter.setPen(self.theme.color("accent" if chosen else "muted"))
        self._text(painter, row.name, left, top, name)
        painter.setFont(self.theme.mono())
        painter.setPen(self.theme.color("text"))
        if is_ordered(row):
            self._text(painter, _shown(row.little), left + name, top, value)
            self._text(painter, _shown(row.big), left + name + value, top, value)
        else:
            self._text(painter, _shown(row.little), left + name, top, 2 * value)

    def _frame(self, painter: QPainter, row: Reading, left: int, top: int, width: int) -> None:
        """A frame round the value that the keyboard is at."""
        name, value = self._widths(width)
        shift = value if self.in_big and is_ordered(row) else 0
        room = value if is_ordered(row) else 2 * value
        painter.setPen(QPen(self.theme.color("accent"), 1))
        painter.setBrush(self.theme.color("link_tint"))
        painter.drawRect(QRect(left + name + shift - 3, top + 1, room - self.theme.px(GAP) + 3, self.theme.px(ROW) - 3))

    def _widths(self, width: int) -> tuple[int, int]:
        name = self.theme.px(NAME)
        return name, max(self.theme.px(60), (width - name) // 2)

    def _text(self, painter: QPainter, text: str, left: int, top: int, width: int) -> None:
        metrics = QFontMetrics(painter.font())
        room = width - self.theme.px(GAP) + 1
        rect = QRect(left, top, room, self.theme.px(ROW))
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(rect, flags, metrics.elidedText(text, Qt.TextElideMode.ElideRight, room))

    def value_at(self, x: int, y: int) -> tuple[Reading, Any] | None:
        """The reading and the value under a point."""
        place = self.place_at(x, y)
        return self._value(*place) if place is not None else None

    def place_at(self, x: int, y: int) -> tuple[int, bool] | None:
        """The number of the row under a point, and whether its big-endian value is."""
        line = y // self.theme.px(ROW) - 1
        places = self.places()
        column = max(number for number, (left, _) in enumerate(places) if left <= max(x, 0))
        left, width = places[column]
        number = column * self.per_column() + line
        if line < 0 or line >= self.per_column() or number >= len(self.rows):
            return None
        name, value = self._widths(width)
        return number, x - left >= name + value

    def _value(self, number: int, in_big: bool) -> tuple[Reading, Any]:
        row = self.rows[number]
        return row, row.big if in_big and is_ordered(row) else row.little

    # -- the keyboard -----------------------------------------------------------------------------

    def words(self) -> str:
        """The value that the keyboard is at, as it is spoken."""
        if not self.rows:
            return ""
        row, value = self._value(self.current, self.in_big)
        if not is_ordered(row):
            return named(row.name, _exact(value))
        return named(joined((row.name, self.big if self.in_big else self.little)), _exact(value))

    def _tell(self) -> None:
        if self.hasFocus():
            speak(self, self._placed())
        else:
            self.setAccessibleDescription(self._placed())

    def _placed(self) -> str:
        return with_place(self.words(), self.current, len(self.rows))

    def _go(self, number: int, *, in_big: bool) -> None:
        self.current, self.in_big = min(max(0, number), max(0, len(self.rows) - 1)), in_big
        self.update()
        self._tell()
        row = self.theme.px(ROW)
        self.moved.emit((self.current % max(1, self.per_column()) + 1) * row + row // 2)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Home: -len(self.rows),
            Qt.Key.Key_End: len(self.rows),
        }
        key = Qt.Key(event.key())
        if key in steps:
            self._go(self.current + steps[key], in_big=self.in_big)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._go(self.current, in_big=key == Qt.Key.Key_Right)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_current()
        elif is_menu(event):
            self._ask_menu()
        else:
            event.ignore()

    def copy_current(self) -> None:
        """Put the value that the keyboard is at on the clipboard."""
        if self.rows and (value := self._value(self.current, self.in_big)[1]) is not None:
            QApplication.clipboard().setText(_exact(value))

    def _ask_menu(self) -> None:
        column, line = divmod(self.current, max(1, self.per_column()))
        left, _ = self.places()[column]
        below = QPoint(left + self.theme.px(NAME), (line + 2) * self.theme.px(ROW))
        found = self._value(self.current, self.in_big) if self.rows else None
        self.menu_of(found).popup(self.mapToGlobal(below))

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()
        self._tell()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position().toPoint().x(), event.position().toPoint().y())
        if place is not None:
            self._go(place[0], in_big=place[1])

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._copy(event.position().toPoint().x(), event.position().toPoint().y())

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self._ask_menu()
            return
        found = self.value_at(event.pos().x(), event.pos().y())
        self.menu_of(found).popup(event.globalPos())

    def menu_of(self, found: tuple[Reading, Any] | None) -> QMenu:
        """Copies of a reading, of all of them, and which rows are seen."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        if found is not None and found[1] is not None:
            words = _exact(found[1])
            copy = menu.addAction(self.tr("Copy {value}").format(value=words))
            copy.triggered.connect(lambda: QApplication.clipboard().setText(words))
        menu.addAction(self.tr("Copy all")).triggered.connect(self.copy_all)
        rows = menu.addMenu(self.tr("Rows"))
        for row in self.all_rows:
            action = rows.addAction(row.name)
            action.setCheckable(True)
            action.setChecked(row.name not in self.hidden_names)
            action.toggled.connect(partial(self.show_row, row.name))
        return menu

    def copy_all(self) -> None:
        """All rows as lines: name, little-endian, big-endian."""
        lines = []
        for row in self.rows:
            values = [_exact(row.little)] + ([_exact(row.big)] if is_ordered(row) else [])
            lines.append("\t".join([row.name, *dict.fromkeys(values)]))
        QApplication.clipboard().setText("\n".join(lines))

    def _copy(self, x: int, y: int) -> None:
        found = self.value_at(x, y)
        if found is not None and found[1] is not None:
            QApplication.clipboard().setText(_exact(found[1]))


def is_ordered(row: Reading) -> bool:
    """True where the byte order makes another value, so that both are shown."""
    return row.name in ORDERED or (row.name.lstrip("u").startswith("int") and row.size > 1)


def _shown(value: Any) -> str:
    """Short for floats; integers with every digit and without groups, as one compares them with other tools."""
    if value is None or isinstance(value, str):
        return value or ""
    is_integer = isinstance(value, int) or getattr(value, "dtype", np.dtype(float)).kind in "iu"
    return exact(value) if is_integer else short(value)


def _exact(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else exact(value)
