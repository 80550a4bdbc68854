"""The scrolled window on the bytes: owns the top row, paints, zooms; the scroll bar only shows where it stands.

Offsets and rows are Python ints of any size. The surface counts device pixels, Qt's events logical ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import ceil, floor
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QAbstractSlider, QApplication, QWidget
from typing_extensions import override

from viewer.ui.hexview import scroll
from viewer.ui.hexview.layout import Form, Side
from viewer.ui.hexview.scroll import Projection
from viewer.ui.hexview.surface import Moment, Surface

if TYPE_CHECKING:
    from viewer.core.span import Span
    from viewer.ui.hexview.content import Finder
    from viewer.ui.theme import Theme

FLASH_MS: Final = 400
WHEEL_NOTCH: Final = 120
LEAST_FONT, MOST_FONT = 8, 32
MOST_ROW_BYTES: Final = 2**20
"""So wide that Qt still counts its pixels at any zoom."""

MOST_AREAS: Final = 8
"""Parts of the viewport that are painted one by one; of more, all that lies between them is painted."""


class ByteArea(QAbstractScrollArea):
    """A surface in a scroll area. `scrolled` carries the span in view, `zoomed` the factor; `formed`: other looks.

    `gutter_clicked`: the offsets are wanted in the other radix.
    """

    scrolled = Signal(object)
    zoomed = Signal(object)
    formed = Signal()
    gutter_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._surface = Surface(theme)
        self._zoom = 1.0
        self._wheel = 0.0
        self._projecting = False
        self._flash_row: int | None = None
        self._flash = QTimer(self)
        self._flash.setSingleShot(True)
        self._flash.setInterval(FLASH_MS)
        self._flash.timeout.connect(self._end_flash)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._bar_moved)
        bar.actionTriggered.connect(self._bar_acted)
        for watched in (self, bar, self.viewport()):
            watched.installEventFilter(self)

    @property
    def surface(self) -> Surface:
        """What is painted."""
        return self._surface

    @property
    def top_row(self) -> int:
        """First row in view."""
        return self._surface.top_row

    @property
    def row_bytes(self) -> int:
        """Bytes in a row."""
        return self._surface.layout.row_bytes

    @property
    def zoom(self) -> float:
        """Size of the bytes, 1 = as the theme says."""
        return self._zoom

    def visible_span(self) -> Span:
        """The bytes in view."""
        return self._surface.visible

    def shown_bytes(self) -> list[tuple[int, bytes]]:
        """The bytes in view and where they begin: one piece, of very wide rows a piece or two of each."""
        self._surface.look()
        return self._surface.content.pieces()

    def visible_kinds(self) -> tuple[str, ...]:
        """The kinds of regions in view, for a legend."""
        self._surface.look()
        return self._surface.content.runs.names()

    def set_theme(self, theme: Theme) -> None:
        """Wear other colours."""
        self._surface.dress(theme, self.devicePixelRatioF(), self._zoom)
        self._arrange()

    def set_row_bytes(self, row_bytes: int | None) -> None:
        """A fixed row width of 1 byte to 1 MiB, scrolled sideways where it does not fit; None fits 16, 12 or 8."""
        self._surface.fixed = None if row_bytes is None else max(1, min(row_bytes, MOST_ROW_BYTES))
        self._arrange()
        self.formed.emit()

    def set_text_shown(self, shown: bool) -> None:
        """With the column of letters or, where two views share a narrow pane, without it."""
        self._surface.has_text = shown
        self._arrange()

    def set_form(self, form: Form, label: str) -> None:
        """Other groups, offsets, lines; `label`: the word over the offsets."""
        if (form, label) == (self._surface.form, self._surface.labels[0]):
            return
        self._surface.form = form
        self._surface.labels = (label, self._surface.labels[1])
        self._surface.dress(self._surface.theme, self.devicePixelRatioF(), self._zoom)
        self._arrange()
        self.formed.emit()

    @property
    def form(self) -> Form:
        """How rows look."""
        return self._surface.form

    def set_differences(self, finder: Finder | None) -> None:
        """Underline the bytes that differ from another file's."""
        with self._changing():
            self._surface.differences = finder

    def set_changed(self, finder: Finder | None) -> None:
        """Light up bytes that are others than they were."""
        with self._changing():
            self._surface.changed = finder

    @contextmanager
    def _changing(self, *, bytes_too: bool = False) -> Iterator[None]:
        """What is set within gives rows another look: those that have one are painted."""
        before = self._surface.looks()
        yield
        self._surface.refresh(bytes_too=bytes_too)
        for rows in self._surface.others(before):
            self._repaint(self._surface.rect(rows))

    def set_encoding(self, encoding: str) -> None:
        """The letters of the text column: one of `texts.ENCODINGS`."""
        if encoding == self._surface.content.encoding:
            return
        self._surface.content.encoding = encoding
        self._surface.dress(self._surface.theme, self.devicePixelRatioF(), self._zoom)
        self._arrange()
        self.formed.emit()

    def set_zoom(self, zoom: float) -> None:
        """Size of the bytes alone; kept between 8 and 32 pixels."""
        base = self._surface.theme.mono().pixelSize()
        self._zoom = max(LEAST_FONT / base, min(zoom, MOST_FONT / base))
        self._surface.dress(self._surface.theme, self.devicePixelRatioF(), self._zoom)
        self._arrange()

    def set_top_row(self, row: int) -> None:
        """Scroll to a row."""
        row = min(max(0, row), self._surface.last_top)
        if row == self._surface.top_row:
            return
        self._to_row(row)
        self._project()
        self.scrolled.emit(self.visible_span())

    def hold_top(self, offset: int) -> None:
        """Scroll to the row of a byte, which stays the top one however the view is sized, until it is scrolled."""
        self._surface.held = offset = min(max(0, offset), max(0, self._surface.layout.size - 1))
        self.set_top_row(self._surface.layout.row_of(offset))

    def let_top_go(self) -> None:
        """Hold no row at the top any more."""
        self._surface.held = None

    def scroll_rows(self, rows: int) -> None:
        """Scroll down, or up when negative."""
        self.set_top_row(self._surface.top_row + rows)

    def reveal(self, offset: int) -> None:
        """Scroll as little as shows the byte; far away its row comes to the middle."""
        surface = self._surface
        offset = min(max(0, offset), max(0, surface.layout.size - 1))
        row = surface.layout.row_of(offset)
        self.set_top_row(scroll.revealed(row, surface.top_row, surface.whole, surface.last_top))
        bar = self.horizontalScrollBar()
        if bar.maximum():
            left = floor(surface.layout.cell_x(surface.layout.column_of(offset), Side.HEX) / self._dpr)
            right = left + ceil(surface.layout.cell_width(Side.HEX) / self._dpr)
            bar.setValue(max(min(bar.value(), left), right - self.viewport().width()))

    def flash(self, offset: int) -> None:
        """Light up the row of a byte for a moment."""
        if self._surface.layout.size:
            self._end_flash()
            self._flash_row = self._surface.layout.row_of(offset)
            self._flash.start()
            self._repaint(self._surface.row_rect(self._flash_row))

    def _end_flash(self) -> None:
        row, self._flash_row = self._flash_row, None
        if row is not None:
            self._repaint(self._surface.row_rect(row))

    # Between logical and device pixels

    @property
    def _dpr(self) -> float:
        return self.devicePixelRatioF()

    def _shift(self) -> int:
        return round(self.horizontalScrollBar().value() * self._dpr)

    def _in_rows(self, point: QPoint) -> tuple[int, int]:
        """A point of the viewport in device pixels, from the first row's left corner."""
        x = floor((point.x() + 0.5) * self._dpr) + self._shift()
        return x, floor((point.y() + 0.5) * self._dpr) - self._surface.face.metrics.header

    def in_gutter(self, point: QPoint) -> bool:
        """True for a point of the viewport on the offsets, or on the word over them."""
        layout = self._surface.layout
        return layout.size > 0 and self._in_rows(point)[0] < layout.hex_x - layout.metrics.between // 2

    def click_gutter(self) -> None:
        """Say that the offsets were clicked."""
        self.gutter_clicked.emit()

    def gutter_words(self, point: QPoint) -> str:
        """What a click on the offsets does; "" elsewhere."""
        if not self.in_gutter(point):
            return ""
        is_hex = self._surface.form.radix == 16
        return self.tr("Click: offsets in decimal") if is_hex else self.tr("Click: offsets in hexadecimal")

    def rows_beyond(self, point: QPoint) -> int:
        """How many rows a point lies above (negative) or below the bytes; 0 inside."""
        _, y = self._in_rows(point)
        row = self._surface.face.metrics.row
        return y // row if y < 0 else max(0, y // row - self._surface.whole + 1)

    def _to_logical(self, area: QRect) -> QRect:
        """The smallest rectangle of the viewport that holds some device pixels."""
        dpr = self._dpr
        left, top = floor(area.left() / dpr), floor(area.top() / dpr)
        return QRect(left, top, ceil((area.right() + 1) / dpr) - left, ceil((area.bottom() + 1) / dpr) - top)

    def _repaint(self, area: QRect) -> None:
        """Ask for paint of device pixels."""
        if not area.isEmpty():
            self.viewport().update(self._to_logical(area))

    def _to_row(self, row: int) -> None:
        """Move what is painted, so that only the rows that come in are painted anew."""
        surface, dpr = self._surface, self._dpr
        rows, surface.top_row = row - surface.top_row, row
        header, tall = surface.face.metrics.header / dpr, surface.face.metrics.row / dpr
        port = self.viewport().rect()
        whole = dpr.is_integer() and header.is_integer() and tall.is_integer()
        if whole and abs(rows) < surface.shown and not surface.depends_on_view:
            self.viewport().scroll(0, -rows * int(tall), port.adjusted(0, int(header), 0, 0))
        else:
            self.viewport().update()

    @override
    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """The bars have moved: rows are moved by what moves the bar, columns here."""
        del dy
        if dx and self._dpr.is_integer():
            self.viewport().scroll(dx, 0)
        elif dx:
            self.viewport().update()

    # Layout and scroll bars

    def _arrange(self) -> None:
        port = self.viewport().size()
        before = self.visible_span()
        if self._surface.dpr != self._dpr:
            self._surface.dress(self._surface.theme, self._dpr, self._zoom)
        self._surface.arrange(round(port.width() * self._dpr), round(port.height() * self._dpr))
        wide = ceil(self._surface.layout.width / self._dpr)
        self.horizontalScrollBar().setRange(0, max(0, wide - port.width()))
        self.horizontalScrollBar().setPageStep(port.width())
        self.horizontalScrollBar().setSingleStep(ceil(self._surface.layout.cell / self._dpr))
        self._project()
        self.viewport().update()
        if self.visible_span() != before:
            self.scrolled.emit(self.visible_span())

    def _project(self) -> None:
        """Show the top row in the scroll bar."""
        projection = Projection(self._surface.last_top)
        bar, whole = self.verticalScrollBar(), self._surface.whole
        self._projecting = True
        bar.setRange(0, projection.steps)
        bar.setPageStep(max(1, whole * projection.steps // max(1, projection.last)))
        bar.setValue(projection.to_bar(self._surface.top_row))
        self._projecting = False

    def _bar_moved(self, value: int) -> None:
        projection = Projection(self._surface.last_top)
        if self._projecting or value == projection.to_bar(self._surface.top_row):
            return
        self._to_row(min(max(0, projection.to_row(value)), self._surface.last_top))
        self.scrolled.emit(self.visible_span())

    def _bar_acted(self, action: int) -> None:
        """Steps and pages count rows, not the bar's own units."""
        page = max(1, self._surface.whole - 1)
        act = QAbstractSlider.SliderAction
        rows = {
            act.SliderSingleStepAdd.value: 1,
            act.SliderSingleStepSub.value: -1,
            act.SliderPageStepAdd.value: page,
            act.SliderPageStepSub.value: -page,
        }.get(action)
        if rows is not None:
            self.scroll_rows(rows)
            bar = self.verticalScrollBar()
            bar.setSliderPosition(Projection(self._surface.last_top).to_bar(self._surface.top_row))

    # Events

    def _moment(self) -> Moment:
        """What passes while painting; a view with a caret adds it."""
        return Moment(flash_row=self._flash_row)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.scale(1 / self._dpr, 1 / self._dpr)
        region = event.region()
        # A region is a sequence of rectangles, which the stubs of PySide6 do not say.
        areas = cast(Iterable[QRect], region) if region.rectCount() <= MOST_AREAS else [region.boundingRect()]
        for area in areas:
            self._paint(painter, area)
        painter.end()

    def _paint(self, painter: QPainter, area: QRect) -> None:
        dpr = self._dpr
        left, top = floor(area.left() * dpr), floor(area.top() * dpr)
        right, bottom = ceil((area.right() + 1) * dpr), ceil((area.bottom() + 1) * dpr)
        self._surface.paint(painter, QRect(left, top, right - left, bottom - top), self._shift(), self._moment())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What has no handler of its own."""
        if watched is self and event.type() == QEvent.Type.DevicePixelRatioChange:
            self._arrange()
        if watched is self.verticalScrollBar() and isinstance(event, QWheelEvent):
            self.wheelEvent(event)
            return True
        return super().eventFilter(watched, event)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = QPointF(event.angleDelta())
        modifiers = event.modifiers()
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self._zoom_by(turned.y())
        elif modifiers & Qt.KeyboardModifier.ShiftModifier or abs(turned.x()) > abs(turned.y()):
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - round((turned.x() or turned.y()) / WHEEL_NOTCH * 3 * bar.singleStep()))
        else:
            row = self._surface.face.metrics.row / self._dpr
            pixels = event.pixelDelta().y()
            self._wheel -= pixels / row if pixels else turned.y() / WHEEL_NOTCH * QApplication.wheelScrollLines()
            rows = int(self._wheel)
            self._wheel -= rows
            self.scroll_rows(rows)
        event.accept()

    def _zoom_by(self, turned: float) -> None:
        if turned:
            base = self._surface.theme.mono().pixelSize()
            self.set_zoom((round(self._zoom * base) + (1 if turned > 0 else -1)) / base)
            self.zoomed.emit(self._zoom)
