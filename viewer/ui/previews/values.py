"""Values grid: two axes of a tensor as rows and columns, the others fixed at an index."""

from __future__ import annotations

from typing import ClassVar, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.core.tensors.meaning import has_meaning
from viewer.core.tensors.tensor import Tensor
from viewer.session.session import Session
from viewer.ui.models.grid import GridModel
from viewer.ui.previews.base import Preview
from viewer.ui.theme import Theme
from viewer.ui.widgets.slice_choice import SliceChoice
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


class _CellDelegate(QStyledItemDelegate):
    """Numbers in the mono font; the chosen cell has a ring and a tint, NaN and infinity the error ink."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect = option.rect
        text = str(index.data() or "")
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if chosen:
            painter.fillRect(rect, self.theme.color("link_tint"))
            painter.setPen(self.theme.color("link_line"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        odd = text in ("NaN", "inf", "\u2212inf")
        painter.setPen(QColor(self.theme.color("error" if odd else "faint" if text == "\u2014" else "text")))
        painter.setFont(self.theme.mono())
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        flags = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(rect.adjusted(0, 0, -self.theme.px(8), 0), flags, text)
        painter.restore()


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
        self.grid = QTableView(self)
        self.grid.setModel(self.model)
        self._delegate = _CellDelegate(theme, self.grid)
        self.grid.setItemDelegate(self._delegate)
        self.grid.setFrameShape(QTableView.Shape.NoFrame)
        self.grid.setShowGrid(False)
        self.grid.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.grid.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.grid.setMinimumHeight(theme.px(120))
        for header in (self.grid.horizontalHeader(), self.grid.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setFont(theme.mono("small"))
            header.setHighlightSections(True)
        self.grid.horizontalHeader().setDefaultSectionSize(theme.px(CELL_WIDTH))
        self.grid.verticalHeader().setDefaultSectionSize(theme.px(22))
        self.grid.selectionModel().currentChanged.connect(self._moved)
        self.slice = SliceChoice(theme, self)
        self.slice.changed.connect(self._slice_changed)
        self.rows_choice, self.columns_choice = self.slice.rows_choice, self.slice.columns_choice
        self.meaning = QComboBox(self)
        self.meaning.addItems([self.tr("Numbers"), self.tr("Stored")])
        self.meaning.setAccessibleName(self.tr("Numbers that are meant, or as they are stored"))
        self.meaning.activated.connect(self._slice_changed)
        self.slice.add(self.meaning)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(4))
        layout.addWidget(self.slice)
        layout.addWidget(self.grid, 1)

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
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._delegate.theme = theme
        self.slice.set_theme(theme)
        self._fit_cells()
        self.grid.viewport().update()

    def _fit_cells(self) -> None:
        """Cells as wide as the numbers of the type can be: none is cut."""
        characters = LONG_NUMBERS.get(self._tensor.dtype, 0) if self._tensor is not None else 0
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
