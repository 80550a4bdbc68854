"""What the mouse does in the bytes: press, drag with scrolling beyond the edges, two and three clicks, hover."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from viewer.ui.hexview.layout import Place, Side

AUTO_SCROLL_MS: Final = 50
MOST_ROWS_A_TICK: Final = 64


class Bytes(Protocol):
    """What the pointer needs of the view. Points are logical pixels of the viewport."""

    def place_at(self, point: QPoint) -> Place | None:
        """The byte under a point."""

    def in_gutter(self, point: QPoint) -> bool:
        """True on the offsets."""

    def click_gutter(self) -> None:
        """The offsets were clicked."""

    def nearest_place(self, point: QPoint, side: Side | None) -> Place | None:
        """The byte nearest to a point."""

    def rows_beyond(self, point: QPoint) -> int:
        """How many rows a point lies above (negative) or below the bytes; 0 inside."""

    def point_to(self, place: Place, *, extend: bool, shift: bool, add: bool = False) -> None:
        """The caret goes to a byte; `extend` from where the drag began, `shift` from the nearer end.

        `add`: what is selected stays so, as a range of its own.
        """

    def choose_row(self, place: Place) -> None:
        """The whole row is selected."""

    def ask_owner(self, place: Place, *, parent: bool) -> None:
        """The smallest thing that owns the byte is asked for, or what that is a part of."""

    def hover_at(self, offset: int | None) -> None:
        """The pointer rests on another byte, or on none."""

    def scroll_rows(self, rows: int) -> None:
        """Scroll down, or up when negative."""


class Pointer(QObject):
    """Turns mouse events into calls of the view. Its timer runs only while a drag is beyond the edge."""

    def __init__(self, bytes_: Bytes, parent: QObject) -> None:
        super().__init__(parent)
        self._bytes = bytes_
        self._side: Side | None = None
        self._at = QPoint()
        self._doubled: tuple[int, QPoint] | None = None
        self._hovered: int | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(AUTO_SCROLL_MS)
        self._timer.timeout.connect(self._scroll_on)

    @property
    def dragging(self) -> bool:
        """True between a press and its release."""
        return self._side is not None

    def press(self, event: QMouseEvent) -> None:
        """A button goes down."""
        point = event.position().toPoint()
        place = self._bytes.nearest_place(point, None)
        if place is None:
            return
        if event.button() == Qt.MouseButton.LeftButton:
            if self._bytes.in_gutter(point):
                self._bytes.click_gutter()
                return
            if self._is_third(event, point):
                self._bytes.choose_row(place)
                return
            self._side, self._at = place.side, point
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            add = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self._bytes.point_to(place, extend=False, shift=shift and not add, add=add)

    def double(self, event: QMouseEvent) -> None:
        """A second click on the same byte."""
        point = event.position().toPoint()
        place = self._bytes.place_at(point)
        if place is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self._doubled = (event.timestamp(), point)
        self._bytes.ask_owner(place, parent=bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))

    def move(self, event: QMouseEvent) -> None:
        """The pointer moves, with or without a button."""
        self._at = event.position().toPoint()
        if not self.dragging:
            self._hover(self._at)
            return
        self._reach()
        if self._bytes.rows_beyond(self._at) and not self._timer.isActive():
            self._timer.start()

    def release(self) -> None:
        """The button is up, or the view lost the mouse."""
        self._side = None
        self._timer.stop()

    def leave(self) -> None:
        """The pointer left the view."""
        if self._hovered is not None:
            self._hovered = None
            self._bytes.hover_at(None)

    def _is_third(self, event: QMouseEvent, point: QPoint) -> bool:
        doubled, self._doubled = self._doubled, None
        if doubled is None:
            return False
        soon = event.timestamp() - doubled[0] <= QApplication.doubleClickInterval()
        return soon and (point - doubled[1]).manhattanLength() <= QApplication.startDragDistance()

    def _hover(self, point: QPoint) -> None:
        place = self._bytes.place_at(point)
        offset = None if place is None else place.offset
        if offset != self._hovered:
            self._hovered = offset
            self._bytes.hover_at(offset)

    def _reach(self) -> None:
        place = self._bytes.nearest_place(self._at, self._side)
        if place is not None:
            self._bytes.point_to(place, extend=True, shift=False)

    def _scroll_on(self) -> None:
        beyond = self._bytes.rows_beyond(self._at)
        if not beyond or not self.dragging:
            self._timer.stop()
            return
        self._bytes.scroll_rows(max(-MOST_ROWS_A_TICK, min(beyond, MOST_ROWS_A_TICK)))
        self._reach()
