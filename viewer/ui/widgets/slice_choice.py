"""Which two axes of a tensor are rows and columns, and at which index of the others."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSpinBox, QToolButton, QWidget

from viewer.core.tensors.layout import plane_axes
from viewer.ui.measures import keep_lengths
from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.flow import FlowLayout
from viewer.ui.widgets.labels import Box
from viewer.ui.widgets.number_field import number_field
from viewer.ui.words import count

LARGEST: Final = 2**31 - 1


class SliceChoice(QWidget):
    """Two axes to choose, a button that turns them round, a field for the index of each other axis.

    changed: the person chose another slice.
        Signal()
    """

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.shape: tuple[int, ...] = ()
        self.spins: list[QSpinBox] = []
        self._fields: list[QWidget] = []
        self._more: list[QWidget] = []
        self._quiet = False
        self._offered = True
        self._last: tuple[int, int] = (-1, -1)
        self._of_axes = QWidget(self), QWidget(self)
        self.rows_choice, self.columns_choice = map(Box, self._of_axes)
        self.turn = QToolButton(self)
        self.turn.setIcon(icon(theme, "turn"))
        self.turn.setToolTip(self.tr("Transpose: turn rows and columns round"))
        self.turn.setAccessibleName(self.turn.toolTip())
        self.turn.clicked.connect(self.transpose)
        self._axis_words: list[QWidget] = [self.turn]
        self.flow = FlowLayout(self)
        keep_lengths(theme, self.flow.setSpacing, 6)
        self._build()

    def _build(self) -> None:
        titles = (
            (self.tr("Rows: axis"), self.rows_choice, self.tr("Axis of the rows")),
            (self.tr("columns: axis"), self.columns_choice, self.tr("Axis of the columns")),
        )
        for both, (words, choice, name) in zip(self._of_axes, titles, strict=True):
            line = QHBoxLayout(both)
            line.setContentsMargins(0, 0, 0, 0)
            keep_lengths(self.theme, line.setSpacing, 6)
            line.addWidget(QLabel(words, both))
            line.addWidget(choice)
            self._axis_words.append(both)
            self.flow.addWidget(both)
            keep_lengths(self.theme, choice.setMinimumWidth, 66)
            choice.setAccessibleName(name)
            choice.activated.connect(self._axes_changed)
        self.flow.addWidget(self.turn)

    def add(self, widget: QWidget) -> None:
        """What else belongs into the line, behind the axes."""
        self._more.append(widget)
        self.flow.addWidget(widget)

    def offer_axes(self, offered: bool) -> None:
        """Show or hide all but what else was added: a view of all axes at once has nothing to choose."""
        self._offered = offered
        self._show_parts()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.turn.setIcon(icon(theme, "turn"))
        for choice in (self.rows_choice, self.columns_choice):
            choice.setMinimumWidth(theme.px(66))
        for spin in self.spins:
            self._dress(spin)

    def _dress(self, spin: QSpinBox) -> None:
        # The line within keeps the font that a style sheet once gave it.
        for part in (spin, spin.lineEdit()):
            part.setFont(self.theme.mono())
        spin.setFixedWidth(self.theme.px(48 + 8 * len(str(spin.maximum()))))

    def show_shape(self, shape: tuple[int, ...]) -> None:
        """Another tensor: the two axes that show most of it, all others at 0. Tells nobody."""
        self.shape = shape
        rank = len(shape)
        self._quiet = True
        for choice in (self.rows_choice, self.columns_choice):
            choice.clear()
            choice.addItems([str(axis) for axis in range(rank)])
        rows, columns = plane_axes(shape)
        self.rows_choice.setCurrentIndex(rows)
        self.columns_choice.setCurrentIndex(columns)
        self._last = (self.rows_choice.currentIndex(), self.columns_choice.currentIndex())
        self._make_spins()
        self._quiet = False
        self._show_parts()

    @property
    def axes(self) -> tuple[int | None, int | None]:
        """The axis of the rows and that of the columns: of one axis it is the rows', of none neither."""
        if not self.shape:
            return None, None
        if len(self.shape) == 1:
            return 0, None
        return self.rows_choice.currentIndex(), self.columns_choice.currentIndex()

    @property
    def fixed(self) -> list[int]:
        """An index for every axis."""
        return [spin.value() for spin in self.spins]

    def keep(self, element: tuple[int, ...]) -> None:
        """Remember an element: other axes then show the slice that it lies in. Tells nobody."""
        self._quiet = True
        for axis, spin in enumerate(self.spins):
            spin.setValue(min(element[axis], spin.maximum()))
        self._quiet = False

    def transpose(self) -> None:
        """Rows become columns."""
        rows, columns = self.rows_choice.currentIndex(), self.columns_choice.currentIndex()
        self.rows_choice.setCurrentIndex(columns)
        self.columns_choice.setCurrentIndex(rows)
        self._tell()

    def _axes_changed(self) -> None:
        rows, columns = self.rows_choice.currentIndex(), self.columns_choice.currentIndex()
        if rows == columns and len(self.shape) > 1:
            by_rows = self.sender() is self.rows_choice
            (self.columns_choice if by_rows else self.rows_choice).setCurrentIndex(self._last[0 if by_rows else 1])
        self._tell()

    def _tell(self) -> None:
        self._last = (self.rows_choice.currentIndex(), self.columns_choice.currentIndex())
        self._show_parts()
        if not self._quiet:
            self.changed.emit()

    def _show_parts(self) -> None:
        for widget in self._axis_words:
            widget.setVisible(self._offered and len(self.shape) > 1)
        for axis, field in enumerate(self._fields):
            # An axis of one element has nothing to choose.
            field.setVisible(self._offered and axis not in self.axes and self.shape[axis] > 1)

    def _make_spins(self) -> None:
        for field in self._fields:
            self.flow.removeWidget(field)
            field.hide()
            field.deleteLater()
        for widget in self._more:
            self.flow.removeWidget(widget)
        self.spins, self._fields = [], []
        for axis, size in enumerate(self.shape):
            field, spin = self._field(axis)
            spin.setRange(0, min(max(size - 1, 0), LARGEST))
            self._dress(spin)
            spin.setAccessibleName(self.tr("Index of axis {axis}").format(axis=axis))
            spin.setToolTip(
                self.tr("Index of axis {axis}, 0 to {last}").format(axis=axis, last=count(max(size - 1, 0)))
            )
            spin.valueChanged.connect(self._tell)
            self.flow.addWidget(field)
            self.spins.append(spin)
            self._fields.append(field)
        for widget in self._more:
            self.flow.addWidget(widget)

    def _field(self, axis: int) -> tuple[QWidget, QSpinBox]:
        """A field for an index behind the word of its axis: both go into the next line together."""
        both = QWidget(self)
        line = QHBoxLayout(both)
        line.setContentsMargins(0, 0, 0, 0)
        keep_lengths(self.theme, line.setSpacing, 4)
        spin = number_field(self.theme, both)
        line.addWidget(QLabel(self.tr("axis {0} at").format(axis), both))
        line.addWidget(spin)
        return both, spin
