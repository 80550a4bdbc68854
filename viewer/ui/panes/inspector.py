"""Inspector: what the bytes at the caret would be as numbers and text, in both byte orders, and who owns them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil
from typing import Any, ClassVar, Final

import numpy as np
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.errors import ViewerError
from viewer.core.tensors.readings import LONGEST, Reading, of_length, readings
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.session.settings import HIDDEN_READINGS
from viewer.ui.models.value_text import exact, short
from viewer.ui.pane import Area, Pane
from viewer.ui.theme import Theme
from viewer.wording import QT_TRANSLATE_NOOP

ROW: Final = 21
NAME: Final = 64
GAP: Final = 8
# Characters of the longest number of each column: 64-bit integers, floats.
DIGITS: Final = (20, 11)
ORDERED: Final = frozenset(
    {"uint16", "int16", "uint32", "int32", "uint64", "int64"} | {"float16", "bfloat16", "float32", "float64"}
)


class _Sheet(QWidget):
    """The rows, in as many columns as fit. Numbers stay left to right in every language."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.rows: list[Reading] = []
        self.all_rows: list[Reading] = []
        self.hidden_names: set[str] = set()
        self.keep_hidden: Callable[[list[str]], None] = lambda names: None
        self.length = 0
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.little = self.tr("little-endian")
        self.big = self.tr("big-endian")

    def show_rows(self, rows: list[Reading], length: int = 0) -> None:
        """Show other readings; those of `length` bytes, as many as are selected, stand out."""
        self.all_rows, self.length = rows, length
        self.rows = [row for row in rows if row.name not in self.hidden_names]
        self.updateGeometry()
        self.update()

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
        line = y // self.theme.px(ROW) - 1
        places = self.places()
        column = max(number for number, (left, _) in enumerate(places) if left <= max(x, 0))
        left, width = places[column]
        number = column * self.per_column() + line
        if line < 0 or line >= self.per_column() or number >= len(self.rows):
            return None
        row = self.rows[number]
        name, value = self._widths(width)
        in_big = x - left >= name + value and is_ordered(row)
        return row, row.big if in_big else row.little

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._copy(event.position().toPoint().x(), event.position().toPoint().y())

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
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


class InspectorPane(Pane):
    """The rows, and one line that names the owner of the byte."""

    key: ClassVar[str] = "inspector"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("panes", "Inspector")
    icon: ClassVar[str] = "inspector"
    area: ClassVar[Area] = Area.BYTES
    order: ClassVar[int] = 1

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.offset = QLabel(self)
        self.sheet = _Sheet(theme, self)
        self.sheet.hidden_names = {str(name) for name in session.habits.get(HIDDEN_READINGS, [])}
        self.sheet.keep_hidden = lambda names: session.habits.keep(HIDDEN_READINGS, names)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self.sheet)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.px(12), theme.px(2), 0, theme.px(4))
        layout.addWidget(area)
        self._style()
        self.show_selection(session.selection)

    def _style(self) -> None:
        self.offset.setFont(self.theme.mono("small"))
        self.offset.setStyleSheet(f"color: {self.theme.color('muted').name()}")

    @override
    def header_widgets(self) -> list[QWidget]:
        return [self.offset]

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.sheet.theme = theme
        self.sheet.update()
        self._style()

    @override
    def show_source(self) -> None:
        self.show_selection(self.session.selection)

    @override
    def show_document(self) -> None:
        self.show_selection(self.session.selection)

    @override
    def show_selection(self, selection: Selection) -> None:
        source, span = self.session.shown_source, selection.span
        at = span.start if span is not None else 0
        data = b""
        if source is not None:
            try:
                data = source.read(at, LONGEST)
            except ViewerError:
                data = b""
        self.offset.setText(f"0x{at:X}" if source is not None else "")
        length = sum(each.length for each in selection.spans)
        rows = [*of_length(data, length), *readings(data)] if source is not None else []
        self.sheet.show_rows(rows, length)


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
