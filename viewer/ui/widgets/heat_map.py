"""Heat map: a plane of numbers as colours, down to single values.

It shows any `Sheet` (viewer/core/tensors/sheet.py): something with `rows`, `columns`, `block` and a `read` of some rows
and columns that gives float64, NaN for holes. Of a tensor that is a TensorSheet; a difference of two is a class of a
few lines whose `read` subtracts. To use it:

    heat = HeatMap(theme, session.jobs, "my heat map")     # the key of its background reads
    heat.show_sheet(sheet)                                 # None: nothing; limits are those of the numbers in view
    heat.set_limits(-1.0, 1.0)                             # least and greatest number, where they are known
    heat.chosen.connect(...)                               # a cell was clicked: its index as `sheet.index` names it
    heat.set_chosen(index)                                 # ring round a cell that was selected elsewhere

Wheel and + - zoom, 0 shows all, dragging moves, a double click goes to single values, arrows move the ring. Colours
are around zero where both signs occur, else cividis; NaN is hatched. The row and the column under the mouse (else of
the ring) are drawn as profiles below and at the right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from viewer.core.memory import share
from viewer.core.progress import Progress
from viewer.core.tensors.reduced import cells_of, reduced
from viewer.core.tensors.sheet import Index, Plane, Sheet
from viewer.session.jobs import Jobs
from viewer.ui.models.value_text import short
from viewer.ui.spoken import speak, tell_as
from viewer.ui.theme import Theme
from viewer.ui.widgets.heat_map_painter import Drawing, HeatMapPainter
from viewer.ui.widgets.heat_map_view import LARGEST, Axis
from viewer.ui.words import count, of_failure

MEANS: Final = " means"
MOST_MEANT: Final = 64 * 1024 * 1024
"""Cells up to which all are read for the means of the pixels; of more one in a pixel is drawn, and that is said."""
ZOOM: Final = 1.25
DRAGGED: Final = 4
ARROWS: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """Numbers of some rows and columns; `is_mean`: each is the mean of the cells up to the next."""

    rows: range
    columns: range
    plane: Plane
    is_mean: bool = False

    def at(self, row: int, column: int) -> float | None:
        """The number of a cell; None where it was not read."""
        if row not in self.rows or column not in self.columns:
            return None
        return float(self.plane[self.rows.index(row), self.columns.index(column)])


class HeatMap(QWidget):
    """See above.

    chosen: a cell was clicked or walked to.
        Signal(index: tuple[int, ...])
    shown: the numbers in view were read and drawn.
        Signal()
    """

    chosen = Signal(object)
    shown = Signal()

    def __init__(self, theme: Theme, jobs: Jobs, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._jobs = jobs
        self._key = key
        self._sheet: Sheet | None = None
        self._limits: tuple[float, float] | None = None
        self._seen: tuple[float, float] | None = None
        self.loaded: Loaded | None = None
        self._asked: tuple[range, range] | None = None
        self.failure = ""
        self.rows, self.columns = Axis(0, 1), Axis(0, 1)
        self.ring: tuple[int, int] | None = None
        self.hover: tuple[int, int] | None = None
        self._pressed: QPointF | None = None
        self._moved = False
        self._painter = HeatMapPainter(theme)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        tell_as(self, QAccessible.Role.Chart)
        self.setAccessibleName(self.tr("Heat map"))

    # -- what is shown ------------------------------------------------------------------------------

    def show_sheet(self, sheet: Sheet | None) -> None:
        """Look at another plane, all of it; None: at nothing."""
        self._jobs.cancel(self._key)
        self._jobs.cancel(self._key + MEANS)
        self._sheet, self.loaded, self._asked, self.failure = sheet, None, None, ""
        self._limits = self._seen = self.ring = self.hover = None
        high, wide = sheet.block if sheet is not None else (1, 1)
        self.rows = Axis(sheet.rows if sheet is not None else 0, 1, block=high)
        self.columns = Axis(sheet.columns if sheet is not None else 0, 1, block=wide)
        self._lay_out()
        self.fit()

    def set_limits(self, low: float, high: float) -> None:
        """The least and the greatest number of all; what is not in view counts too."""
        self._limits = (low, high)
        self.update()

    @property
    def limits(self) -> tuple[float, float]:
        """The least and greatest number: as they were told, else of the numbers in view up to now."""
        return self._limits or self._seen or (0.0, 0.0)

    def set_chosen(self, index: Index | None) -> None:
        """Put the ring round a cell and bring it into view; None, or one of another plane: no ring."""
        self.ring = self._sheet.cell(index) if index is not None and self._sheet is not None else None
        if self.ring is not None:
            self.rows, self.columns = self.rows.showing(self.ring[0]), self.columns.showing(self.ring[1])
        self._ask()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self._painter = HeatMapPainter(theme)
        self._lay_out()
        self.update()

    # -- zoom -----------------------------------------------------------------------------------------

    def fit(self) -> None:
        """Show all cells."""
        self.rows, self.columns = self.rows.fitted(), self.columns.fitted()
        self._ask()
        self.update()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Larger or smaller cells, around a point of the widget; the middle, or the ring, when none is given."""
        area = self._area()
        if at is None:
            at = area.center() if self.ring is None else self._place_of(*self.ring)
        if factor > 1 and self.rows.size != self.columns.size:
            # The thinner side grows first, until cells are square.
            thin = min(self.rows.size, self.columns.size) * factor
            by = [max(1.0, min(factor, thin / axis.size)) for axis in (self.rows, self.columns)]
        else:
            by = [factor, factor]
        self.rows = self.rows.zoomed(by[0], at.y() - area.top())
        self.columns = self.columns.zoomed(by[1], at.x() - area.left())
        self._ask()
        self.update()

    @property
    def is_whole(self) -> bool:
        """Whether all cells are in view."""
        return self.rows.is_whole and self.columns.is_whole

    # -- reading --------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Read what is in view, in a thread; the last picture stays until then."""
        sheet = self._sheet
        if sheet is None or not self.isVisible() or not sheet.rows or not sheet.columns:
            return
        wanted = self.rows.wanted(), self.columns.wanted()
        have = (self.loaded.rows, self.loaded.columns) if self.loaded is not None else None
        if wanted in (self._asked, have):
            return
        self._asked = wanted
        self._jobs.cancel(self._key + MEANS)
        self._jobs.start(self._key, partial(_read, sheet, *wanted), self._arrived, self._failed)

    def _arrived(self, loaded: Loaded) -> None:
        self.loaded, self._asked, self.failure = loaded, None, ""
        finite = loaded.plane[np.isfinite(loaded.plane)]
        if finite.size:
            low, high = float(finite.min()), float(finite.max())
            seen = self._seen or (low, high)
            self._seen = min(low, seen[0]), max(high, seen[1])
        self.update()
        self.shown.emit()
        self._ask_means(loaded)

    def _ask_means(self, loaded: Loaded) -> None:
        """Read what lies between the cells drawn too, where that is not too much: a NaN there must be seen."""
        sheet, rows, columns = self._sheet, loaded.rows, loaded.columns
        if sheet is None or (rows.step == 1 and columns.step == 1):
            return
        if cells_of(sheet, rows, columns) > share(MOST_MEANT):
            return
        work = partial(_means, sheet, rows, columns)
        self._jobs.start(self._key + MEANS, work, self._means_arrived, self._failed)

    def _means_arrived(self, loaded: Loaded) -> None:
        if self.loaded is not None and (self.loaded.rows, self.loaded.columns) == (loaded.rows, loaded.columns):
            self.loaded = loaded
            self.update()
            self.shown.emit()

    def _failed(self, failure: Exception) -> None:
        self._asked, self.failure = None, of_failure(failure)
        self.update()

    # -- places -----------------------------------------------------------------------------------------

    def _area(self) -> QRectF:
        return self._painter.area(self.rect(), self.rows, self.columns)

    def _lay_out(self) -> None:
        area = self._area()
        self.rows, self.columns = self.rows.resized(area.height()), self.columns.resized(area.width())

    def _place_of(self, row: int, column: int) -> QPointF:
        area = self._area()
        return QPointF(
            area.left() + self.columns.place(column + 0.5),
            area.top() + self.rows.place(row + 0.5),
        )

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """The cell at a point of the widget."""
        area = self._area()
        if not area.contains(point):
            return None
        row, column = self.rows.cell(point.y() - area.top()), self.columns.cell(point.x() - area.left())
        if row < 0 or column < 0 or self._sheet is None:
            return None
        if self.loaded is not None and self.rows.step > 1 and self.rows.step == self.loaded.rows.step:
            row -= row % self.rows.step
        if self.loaded is not None and self.columns.step > 1 and self.columns.step == self.loaded.columns.step:
            column -= column % self.columns.step
        return row, column

    def words_of(self, cell: tuple[int, int]) -> str:
        """`[3, 2] = 0.01928` of a cell in view; only the place where its number was not read."""
        if self._sheet is None:
            return ""
        index = "[" + ", ".join(map(str, self._sheet.index(*cell))) + "]"
        number = self.loaded.at(*cell) if self.loaded is not None else None
        if number is not None and self.loaded is not None and self.loaded.is_mean:
            words = self.tr("mean of {0} elements from {1} on = {2}")
            return words.format(count(self.rows.step * self.columns.step), index, short(number))
        return index if number is None else f"{index} = {short(number)}"

    # -- Qt ---------------------------------------------------------------------------------------------

    @override
    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(420), self.theme.px(320))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(200), self.theme.px(200))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()
        self._ask()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self._lay_out()
            self._ask()
        return super().event(event)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y()
        if turned:
            self.zoom(ZOOM ** (turned / 120), event.position())
        event.accept()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._moved = event.position(), False

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._pressed is not None and (self._moved or (at - self._pressed).manhattanLength() >= DRAGGED):
            self._moved = True
            self.rows = self.rows.moved(self._pressed.y() - at.y())
            self.columns = self.columns.moved(self._pressed.x() - at.x())
            self._pressed = at
            self._ask()
        self.hover = self.cell_at(at)
        self.update()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and not self._moved:
            cell = self.cell_at(event.position())
            if cell is not None:
                self._choose(cell)
        self._pressed = None

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.zoom(LARGEST / max(1e-9, min(self.rows.size, self.columns.size)), event.position())

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self.hover = None
        self.update()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in ARROWS and self._sheet is not None and self.rows.count and self.columns.count:
            self._choose(self._beside(*ARROWS[key]))
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(ZOOM**2)
        elif key == Qt.Key.Key_Minus:
            self.zoom(ZOOM**-2)
        elif key == Qt.Key.Key_0:
            self.fit()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._painter.paint(painter, self.rect(), self._drawing())
        painter.end()

    def _beside(self, down: int, right: int) -> tuple[int, int]:
        """The cell beside the ring; where there is none yet, the cell in the upper left corner of what is in view."""
        if self.ring is None:
            return self.cell_at(self._area().topLeft()) or (0, 0)
        row = min(max(0, self.ring[0] + down * self.rows.step), self.rows.count - 1)
        column = min(max(0, self.ring[1] + right * self.columns.step), self.columns.count - 1)
        return row, column

    def _choose(self, cell: tuple[int, int]) -> None:
        if self._sheet is not None:
            index = self._sheet.index(*cell)
            self.set_chosen(index)
            speak(self, self.words_of(self.ring or cell))
            self.chosen.emit(index)

    def _drawing(self) -> Drawing:
        loaded = self.loaded
        spot = self.hover or self.ring
        words = self.failure or (self.words_of(spot) if spot is not None else "")
        if not words and self.is_sampled:
            apart = self.rows.step * self.columns.step
            is_mean = loaded is not None and loaded.is_mean
            drawn = self.tr("One of {0} elements is drawn; zoom in for all")
            words = (self.tr("Means of {0} elements; NaN where one is NaN") if is_mean else drawn).format(count(apart))
        return Drawing(
            rows=self.rows,
            columns=self.columns,
            have=(loaded.rows, loaded.columns) if loaded is not None else None,
            plane=loaded.plane if loaded is not None else None,
            limits=self.limits,
            ring=self.ring,
            spot=spot,
            words=words,
        )

    @property
    def is_sampled(self) -> bool:
        """Whether a pixel stands for several cells."""
        return self.rows.step > 1 or self.columns.step > 1


def _read(sheet: Sheet, rows: range, columns: range, progress: Progress) -> Loaded:
    progress.check()
    return Loaded(rows, columns, sheet.read(rows, columns))


def _means(sheet: Sheet, rows: range, columns: range, progress: Progress) -> Loaded:
    return Loaded(rows, columns, reduced(sheet, rows, columns, progress), is_mean=True)
