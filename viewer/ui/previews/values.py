"""Values grid: two axes of a tensor as rows and columns, the others fixed at an index."""

from __future__ import annotations

from functools import partial
from math import isfinite
from pathlib import Path
from typing import ClassVar, Final

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QPainter, QPolygon
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHeaderView,
    QMenu,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.core.document import Document
from viewer.core.errors import TargetExistsError
from viewer.core.export.slice_file import Slice, csv_text, write_slice
from viewer.core.progress import Progress
from viewer.core.source import printable
from viewer.core.tensors.meaning import has_meaning
from viewer.core.tensors.statistics import Statistics
from viewer.core.tensors.tensor import Tensor
from viewer.session.session import Session
from viewer.ui.measures import keep_lengths, keep_mono
from viewer.ui.models.grid import NUMBER, GridModel
from viewer.ui.models.text_saving import file_name
from viewer.ui.models.value_text import bits, exact, scientific, short
from viewer.ui.previews.base import Preview
from viewer.ui.theme import Theme
from viewer.ui.widgets.colour_map import colours, limits_of, steps_of
from viewer.ui.widgets.entering import QuietTable
from viewer.ui.widgets.labels import Box, IconButton
from viewer.ui.widgets.slice_choice import SliceChoice
from viewer.ui.words import count, of_failure
from viewer.wording import QT_TRANSLATE_NOOP

Index = QModelIndex | QPersistentModelIndex
CELL_WIDTH: Final = 78
# Characters of the longest number of a type; others fit in CELL_WIDTH.
LONG_NUMBERS: Final = {"bfloat16": 10, "float32": 10, "float64": 11, "uint32": 13, "int32": 14, "int64": 26} | {
    "uint64": 26,
    "complex32": 20,
    "complex64": 21,
    "complex128": 23,
}


LONG_EXACT: Final = {"float64": 25, "float32": 25, "int64": 21, "uint64": 21, "complex128": 50, "complex64": 50} | {
    "complex32": 50,
    "bfloat16": 25,
    "float16": 25,
}
FORMATS: Final = (short, exact, scientific, bits)
MOST_COPIED: Final = 1_000_000
JOB: Final = "slice"


class _CellDelegate(QStyledItemDelegate):
    """Numbers in the mono font; the chosen cell has a ring and a tint, NaN and infinity the error ink.

    A strip at the left has the colour of the heat map; a corner marks the least and the greatest number of all.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self._limits: tuple[float, float] | None = None
        self._colours: list[QColor] = []

    def set_limits(self, limits: tuple[float, float] | None) -> None:
        """The least and the greatest number of the tensor; None: not known."""
        self._limits = limits
        self._colours = [QColor(int(pixel)) for pixel in colours(self.theme, *limits)] if limits is not None else []

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.set_limits(self._limits)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect = option.rect
        text = str(index.data() or "")
        number = index.data(NUMBER)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if chosen:
            painter.fillRect(rect, self.theme.color("link_tint"))
            painter.setPen(self.theme.color("link_line"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        if number is not None and self._limits is not None and isfinite(number):
            self._paint_size(painter, rect, number, *self._limits)
        odd = number is not None and not isfinite(number)
        painter.setPen(QColor(self.theme.color("error" if odd else "faint" if text == "\u2014" else "text")))
        painter.setFont(self.theme.mono())
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        flags = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(rect.adjusted(0, 0, -self.theme.px(8), 0), flags, text)
        painter.restore()

    def _paint_size(self, painter: QPainter, rect: QRect, number: float, low: float, high: float) -> None:
        """The strip, and a triangle in the upper corner of the greatest number, in the lower one of the least."""
        step = int(steps_of(np.array([number]), *limits_of(low, high))[0])
        strip = QRect(rect.left() + 2, rect.top() + 3, self.theme.px(3), rect.height() - 6)
        painter.fillRect(strip, self._colours[step])
        if low < high and number in (low, high):
            side = self.theme.px(6)
            y, down = (rect.top(), side) if number == high else (rect.bottom() + 1, -side)
            x = rect.right()
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.theme.color("text"))
            painter.drawPolygon(QPolygon([QPoint(x - side, y), QPoint(x, y), QPoint(x, y + down)]))


class ValuesPreview(Preview):
    """The grid with its axis choice."""

    key: ClassVar[str] = "values"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("previews", "Values")
    stretch: ClassVar[int] = 1

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._tensor: Tensor | None = None
        self._quiet = False
        self._element: tuple[int, ...] | None = None
        self.model = GridModel(self)
        self.grid = QuietTable(self)
        self.grid.setModel(self.model)
        self.grid.setAccessibleName(self.tr("Values"))
        self._delegate = _CellDelegate(theme, self.grid)
        self.grid.setItemDelegate(self._delegate)
        self.grid.setFrameShape(QTableView.Shape.NoFrame)
        self.grid.setShowGrid(False)
        self.grid.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.grid.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        for header in (self.grid.horizontalHeader(), self.grid.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setHighlightSections(True)
        self._size_grid()
        self.grid.selectionModel().currentChanged.connect(self._moved)
        self.slice = SliceChoice(theme, self)
        self.slice.changed.connect(self._slice_changed)
        self.rows_choice, self.columns_choice = self.slice.rows_choice, self.slice.columns_choice
        self.meaning = Box(self.slice)
        self.meaning.addItems([self.tr("Numbers"), self.tr("Stored")])
        self.meaning.setAccessibleName(self.tr("Numbers that are meant, or as they are stored"))
        self.meaning.activated.connect(self._slice_changed)
        self.slice.add(self.meaning)
        self.format = Box(self.slice)
        self.format.addItems([self.tr("4 digits"), self.tr("All digits"), self.tr("Scientific"), self.tr("Bits, hex")])
        self.format.setAccessibleName(self.tr("How numbers are written"))
        self.format.activated.connect(self._format_chosen)
        self.slice.add(self.format)
        self.slice.add(self._export_button(theme))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, layout.setSpacing, 4)
        layout.addWidget(self.slice)
        layout.addWidget(self.grid, 1)

    def _export_button(self, theme: Theme) -> QToolButton:
        self.export = IconButton(theme, "export", self.tr("Copy or save this slice"), self.slice)
        menu = QMenu(self.export)
        menu.addAction(self.tr("Copy slice as CSV"), self.copy_slice)
        menu.addAction(self.tr("Save slice\u2026"), self.ask_where_to_save)
        self.export.setStyleSheet("QToolButton { padding-right: 0; } QToolButton::menu-indicator { image: none; }")
        self.export.setMenu(menu)
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return self.export

    @property
    def shown_slice(self) -> Slice | None:
        """What the grid shows."""
        if self._tensor is None:
            return None
        return Slice(self._tensor, *self.slice.axes, tuple(self.slice.fixed), self.meaning.currentIndex() == 0)

    def copy_slice(self) -> None:
        """Put the numbers of the slice on the clipboard."""
        part = self.shown_slice
        if part is not None and self.model.rowCount() * self.model.columnCount() > MOST_COPIED:
            title = self.tr("This slice is too large for the clipboard")
            words = self.tr("It has more than {0} elements. Save it into a file.").format(count(MOST_COPIED))
            self.message.emit("note", title, words)
        elif part is not None:
            self.session.start(JOB, partial(csv_text, part), self._copied, self._failed)

    def _copied(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.message.emit("done", self.tr("The slice is on the clipboard"), "")

    def ask_where_to_save(self) -> None:
        """Ask for a file and write the slice into it."""
        if self._tensor is None:
            return
        name = file_name(self._tensor.name or "slice")
        proposed = str(self.session.path.absolute().parent / f"{name}.csv")
        kinds = f"{self.tr('Text of numbers (*.csv)')};;{self.tr('numpy (*.npy)')}"
        chosen, kind = QFileDialog.getSaveFileName(self, self.tr("Save this slice"), proposed, kinds)
        if not chosen:
            return
        target = Path(chosen)
        if target.suffix:
            self.save_to(target)
        else:
            # the chooser asked about the name without a suffix only
            self.save_to(target.with_suffix(".npy" if "npy" in kind else ".csv"), overwrite=False)

    def save_to(self, target: Path, overwrite: bool = True) -> None:
        """Write the slice into a file: npy by that suffix, else CSV. `overwrite`: the person was asked about it."""
        part = self.shown_slice
        if part is not None:
            work = partial(_save, part, self.session.root, target, overwrite)
            self.session.start(JOB, work, partial(self._saved, target), self._failed)

    def _saved(self, target: Path, done: object) -> None:
        del done
        words = self.tr("Saved {name}").format(name=printable(target.name))
        self.message.emit("done", words, printable(str(target)))

    def _failed(self, failure: Exception) -> None:
        words = of_failure(failure)
        if isinstance(failure, TargetExistsError):
            name = printable(Path(str(failure.params["path"])).name)
            words = self.tr("{name} is there already. Choose another name.").format(name=name)
        self.message.emit("error", self.tr("The slice was not written"), words)

    def _format_chosen(self, number: int) -> None:
        self.model.show_as(FORMATS[number])
        self._fit_cells()

    @override
    def show_statistics(self, found: Statistics | None) -> None:
        self._delegate.set_limits(found.range if found is not None else None)
        self.grid.viewport().update()

    @property
    def spins(self) -> list[QSpinBox]:
        """The fields for the index of each axis."""
        return self.slice.spins

    @override
    def suits(self, tensor: Tensor) -> bool:
        return tensor.storage is not None

    @override
    def show_tensor(self, tensor: Tensor | None) -> None:
        self._tensor, self._element = tensor, None
        self._quiet = True
        self.slice.show_shape(tensor.shape if tensor is not None else ())
        self.meaning.setVisible(tensor is not None and has_meaning(tensor))
        self._fit_cells()
        self._quiet = False
        self._apply()

    @override
    def show_element(self, element: tuple[int, ...] | None) -> None:
        if element is None or self._tensor is None or len(element) != len(self._tensor.shape):
            self._element = None
            self.grid.clearSelection()
            return
        self._keep(element)
        if element != self.model.element(*self._cell_of(element)):
            self._apply()
        self._mark()

    @override
    def focus_target(self) -> QWidget:
        return self.grid

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._delegate.set_theme(theme)
        self.slice.set_theme(theme)
        self.export.set_theme(theme)
        self._size_grid()
        self._fit_cells()
        self.grid.viewport().update()

    def _size_grid(self) -> None:
        self.grid.setMinimumHeight(self.theme.px(120))
        for header in (self.grid.horizontalHeader(), self.grid.verticalHeader()):
            keep_mono(self.theme, header, "small")
        self.grid.horizontalHeader().setDefaultSectionSize(self.theme.px(CELL_WIDTH))
        self.grid.verticalHeader().setDefaultSectionSize(self.theme.px(22))

    def _fit_cells(self) -> None:
        """Cells as wide as the numbers of the type can be: none is cut."""
        characters = LONG_NUMBERS.get(self._tensor.dtype, 0) if self._tensor is not None else 0
        form = FORMATS[self.format.currentIndex()]
        if form is exact and self._tensor is not None:
            characters = LONG_EXACT.get(self._tensor.dtype, max(characters, 12))
        elif form is not short:
            characters = max(characters, 36 if characters > 14 and self._tensor is not None else 16)
        digits = QFontMetrics(self.theme.mono()).horizontalAdvance("0" * characters)
        width = max(self.theme.px(CELL_WIDTH), digits + self.theme.px(16))
        self.grid.horizontalHeader().setDefaultSectionSize(width)
        self.grid.verticalHeader().setDefaultSectionSize(self.theme.px(22))

    def _slice_changed(self) -> None:
        if not self._quiet:
            self._apply()
            self._mark()

    def _apply(self) -> None:
        rows, columns = self.slice.axes
        meant = self._tensor is not None and has_meaning(self._tensor) and self.meaning.currentIndex() == 0
        self.model.show_tensor(self._tensor, rows, columns, self.slice.fixed, meant)

    def _keep(self, element: tuple[int, ...]) -> None:
        """Remember the chosen element: other axes then show the slice that it lies in."""
        self._element = element
        self.slice.keep(element)

    def _mark(self) -> None:
        """The chosen element as the current cell, where the slice in view holds it."""
        element = self._element
        if element is None or element != self.model.element(*self._cell_of(element)):
            return
        self._quiet = True
        index = self.model.index(*self._cell_of(element))
        self.grid.setCurrentIndex(index)
        self.grid.scrollTo(index)
        self._quiet = False

    def _cell_of(self, element: tuple[int, ...]) -> tuple[int, int]:
        rows, columns = self.slice.axes
        return (element[rows] if rows is not None else 0, element[columns] if columns is not None else 0)

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        if current.isValid() and not self._quiet:
            element = self.model.element(current.row(), current.column())
            self._keep(element)
            self.element_chosen.emit(element)


def _save(part: Slice, opened: Document | None, target: Path, overwrite: bool, progress: Progress) -> None:
    write_slice(part, opened, target, progress, overwrite)
