"""The keyboard shows where it is only to those who use it: a ring round the focus after a key, none after a click."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid
from typing_extensions import override

from viewer.ui.theme import Theme
from viewer.ui.widgets.tab_order import seen_part

KEYS: Final = (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)
CLICKS: Final = (QEvent.Type.MouseButtonPress, QEvent.Type.TouchBegin)
MOVES: Final = (
    QEvent.Type.Move,
    QEvent.Type.Resize,
    QEvent.Type.Show,
    QEvent.Type.Hide,
    QEvent.Type.LayoutRequest,
    QEvent.Type.ZOrderChange,
)
FIELDS: Final = (QLineEdit, QAbstractSpinBox, QComboBox)
"""They show by themselves that they have the keyboard: a thick edge. Others say so by the property `shows_keyboard`."""
LINE: Final = 2
OFF: Final = 3
ROUND: Final = 4
LARGE: Final = 120
"""What is higher than this many pixels is an area: its ring stands within, else it would lie on others."""
MOST: Final = 100


class Ring(QWidget):
    """Two pixels of accent; the mouse goes through. Masked, so that what scrolls inside is not painted anew for it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVisible(False)

    def enclose(self, place: QRect) -> None:
        """Stand round a place of the window."""
        if place != self.geometry() or not self.isVisible():
            self.setGeometry(place)
            inner = self.rect().adjusted(ROUND, ROUND, -ROUND, -ROUND)
            self.setMask(QRegion(self.rect()).subtracted(QRegion(inner)))
        self.setVisible(True)
        self.raise_()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.theme.color("accent"), LINE))
        half = LINE // 2
        painter.drawRoundedRect(self.rect().adjusted(half, half, -half, -half), ROUND, ROUND)
        painter.end()


class FocusRing(QObject):
    """Puts a ring round the widget that has the keyboard, in every window of the program.

    key_coming: a key has reached the window, and nobody has looked yet whether it is a shortcut.
        Signal()
    """

    key_coming = Signal()

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._by_key = False
        self._ring: Ring | None = None
        self._around: QWidget | None = None
        self._watched: list[QWidget] = []
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._place)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._moved)

    def set_theme(self, theme: Theme) -> None:
        """Colours changed."""
        self._theme = theme
        if self._ring is not None:
            self._ring.theme = theme
            self._later.start()

    def watch(self, handle: QObject | None) -> None:
        """Look at what reaches a native window. Far fewer events pass there than through the application."""
        if handle is not None:
            handle.removeEventFilter(self)
            handle.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if isinstance(watched, QWidget):
            if kind in MOVES:
                self._later.start()
        elif kind in KEYS:
            self._by_key = True
            self.key_coming.emit()
            self._later.start()
        elif kind in CLICKS:
            self._by_key = False
            self._later.start()
        return False

    def _moved(self, old: QWidget | None, new: QWidget | None) -> None:
        del old
        # Named, as the window of a dialog that Qt makes by itself goes with its last name, and takes its handle along.
        window = new.window() if new is not None else None
        if window is not None:
            self.watch(window.windowHandle())
        self._follow(new)
        self._place()

    def _follow(self, widget: QWidget | None) -> None:
        """Hear of moves of the widget and of all that holds it."""
        for one in filter(isValid, self._watched):
            one.removeEventFilter(self)
        self._around, self._watched = widget, list(_upwards(widget))
        for one in self._watched:
            one.installEventFilter(self)

    def _place(self) -> None:
        """Where the ring stands now; nowhere while the mouse is used, or where the widget shows it by itself."""
        widget = self._around
        place = ringed(widget) if widget is not None and isValid(widget) and self._by_key else QRect()
        if widget is None or place.isEmpty():
            if self._ring is not None and isValid(self._ring):
                self._ring.setVisible(False)
            return
        window = widget.window()
        if self._ring is None or not isValid(self._ring) or self._ring.parentWidget() is not window:
            if self._ring is not None and isValid(self._ring):
                self._ring.deleteLater()
            self._ring = Ring(self._theme, window)
        self._ring.enclose(place)


def ringed(widget: QWidget) -> QRect:
    """The place of a ring in the widget's window, empty where none is needed: just off a control, within an area."""
    if not widget.isVisible() or isinstance(widget, FIELDS) or widget.property("shows_keyboard") or _shows_row(widget):
        return QRect()
    inner = widget.tabRect(widget.currentIndex()) if isinstance(widget, QTabBar) else widget.rect()
    place = seen_part(widget, inner)
    if place.isEmpty():
        return QRect()
    off = 0 if isinstance(widget, QAbstractScrollArea) or widget.height() > LARGE else OFF
    return place.adjusted(-off, -off, off, off) & widget.window().rect()


def _shows_row(widget: QWidget) -> bool:
    """A list whose chosen row can be seen is marked by that row, which is solid where the keyboard is.

    Not one that paints the row alike while the keyboard is elsewhere, which says so by the property `marks_always`.
    """
    if not isinstance(widget, QAbstractItemView) or widget.property("marks_always"):
        return False
    chosen = widget.selectionModel().selectedIndexes() if widget.selectionModel() is not None else []
    return any(widget.visualRect(index).intersects(widget.viewport().rect()) for index in chosen[:MOST])


def _upwards(widget: QWidget | None) -> Iterator[QWidget]:
    while widget is not None:
        yield widget
        if widget.isWindow():
            return
        widget = widget.parentWidget()
