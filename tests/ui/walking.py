"""Walks a window by Tab as a person does, and says of each stop what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from PySide6.QtCore import SIGNAL, QEventLoop, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAction, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QLineEdit,
    QMenuBar,
    QPlainTextEdit,
    QScrollArea,
    QSplitterHandle,
    QTabBar,
    QTextEdit,
    QWidget,
)

from viewer.ui.help.drawer import HelpDrawer
from viewer.ui.hexview.view import HexView
from viewer.ui.widgets.field_icons import CLEAR
from viewer.ui.widgets.kind_chips import KindChips
from viewer.ui.widgets.page_switch import PageSwitch
from viewer.ui.widgets.segments import Segments
from viewer.ui.widgets.tour_card import TourCard
from viewer.ui.window import MainWindow

CONTROLS: Final = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QSplitterHandle,
    QTabBar,
    QTextEdit,
)
WALKED_BY_ARROWS: Final = (
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QTabBar,
    Segments,
    PageSwitch,
    KindChips,
    QAbstractItemView,
    QMenuBar,
)
"""What lies within one of these is reached by arrow keys, or does what a key does there."""
APART: Final = (QDockWidget, HelpDrawer, TourCard)
"""What lies in one of these is read by itself."""
MOST: Final = 300
AROUND: Final = 5


@dataclass(frozen=True)
class Stop:
    """One press of Tab: where it came to, and that widget's place on the screen then."""

    widget: QWidget
    side: object
    place: QRect

    @property
    def pane(self) -> str:
        """The dock that it lies in, or what lies over the window."""
        return next((one.objectName() for one in upwards(self.widget) if isinstance(one, APART)), "")

    def __str__(self) -> str:
        return describe(self.widget)


def describe(widget: QWidget) -> str:
    """Words for a message."""
    dock = next((one.objectName() for one in upwards(widget) if isinstance(one, QDockWidget)), "")
    return f"{type(widget).__name__} {widget.accessibleName()!r} in {dock or type(widget.window()).__name__}"


def upwards(widget: QWidget | None) -> Iterator[QWidget]:
    """The widget and all that hold it, up to its window."""
    while widget is not None:
        yield widget
        widget = None if widget.isWindow() else widget.parentWidget()


def press(window: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """A key as the system sends it: to the native window."""
    handle = window.windowHandle()
    assert handle is not None
    QTest.keyClick(handle, key, modifiers)
    loop = QEventLoop()
    QTimer.singleShot(0, loop.quit)
    loop.exec()


def here() -> Stop:
    """Where the keyboard is."""
    widget = QApplication.focusWidget()
    assert widget is not None, "nothing has the keyboard"
    side = widget.side if isinstance(widget, HexView) else None
    return Stop(widget, side, QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size()))


def walk(window: QWidget, *, forward: bool = True, at: Callable[[Stop], None] | None = None) -> list[Stop]:
    """One round of Tab from where the keyboard is, `at` each stop. Fails where it never comes back."""
    key = Qt.Key.Key_Tab if forward else Qt.Key.Key_Backtab
    modifiers = Qt.KeyboardModifier.NoModifier if forward else Qt.KeyboardModifier.ShiftModifier
    first = here()
    found = [first]
    while len(found) < MOST:
        if at is not None:
            at(found[-1])
        press(window, key, modifiers)
        stop = here()
        if (stop.widget, stop.side) == (first.widget, first.side):
            return found
        if (stop.widget, stop.side) == (found[-1].widget, found[-1].side):
            raise AssertionError(f"Tab does not leave {stop}")
        found.append(stop)
    raise AssertionError(f"no round from {first}: Tab turns in {[str(stop) for stop in found[-6:]]}")


def unseen(window: QWidget, stop: Stop) -> str:
    """Why a stop cannot be seen, or "". To be asked while the keyboard is there."""
    widget = stop.widget
    seen = QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
    for one in upwards(widget):
        seen &= QRect(one.mapToGlobal(QPoint(0, 0)), one.size())
    if not widget.isVisible() or seen.isEmpty():
        return f"{stop} cannot be seen"
    place = QRect(window.mapFromGlobal(seen.topLeft()), seen.size())
    if not window.rect().intersects(place):
        return f"{stop} lies outside of the window"
    share = (1, 3, 5)
    points = [place.topLeft() + QPoint(place.width() * x // 6, place.height() * y // 6) for x in share for y in share]
    tops = [top for point in points if (top := window.childAt(point)) is not None]
    if tops and not any(widget in upwards(top) or top in upwards(widget) for top in tops):
        return f"{stop} lies behind {describe(tops[0])}"
    return ""


def picture(window: QWidget, place: QRect) -> QImage:
    """What a place of the screen shows, with the room of a ring round it."""
    corner = window.mapFromGlobal(place.topLeft())
    wanted = QRect(corner, place.size()).adjusted(-AROUND, -AROUND, AROUND, AROUND)
    return window.grab(wanted.intersected(window.rect())).toImage().convertToFormat(QImage.Format.Format_RGB32)


def out_of_order(stops: list[Stop]) -> list[str]:
    """Steps within one pane that go back, other than to the beginning of another line or column.

    One step in a round leads from the last stop of the window to its first.
    """
    wrong, rounds, alone = list[str](), 0, len({stop.pane for stop in stops}) == 1
    for before, after in pairwise([*stops, stops[0]]):
        one, other = places(before, after)
        if before.pane != after.pane or one.intersects(other):
            continue
        mirrored = before.widget.isRightToLeft()
        leads = other.right() < one.left() if not mirrored else other.left() > one.right()
        trails = other.left() > one.right() if not mirrored else other.right() < one.left()
        above, below = other.bottom() < one.top(), other.top() > one.bottom()
        if (above and not trails) or (leads and not below):
            rounds += alone or not before.pane
            if (alone or not before.pane) and rounds == 1:
                continue
            wrong.append(f"{before} {one.getRect()} then {after} {other.getRect()}")
    return wrong


def places(before: Stop, after: Stop) -> tuple[QRect, QRect]:
    """Where two stops lay; of two in one area that scrolled in between, where they lie now."""
    area = next((one for one in upwards(before.widget) if isinstance(one, QScrollArea)), None)
    if area is None or not area.isAncestorOf(after.widget):
        return before.place, after.place
    one, other = (QRect(stop.widget.mapToGlobal(QPoint(0, 0)), stop.widget.size()) for stop in (before, after))
    return one, other


def left_out(window: QWidget, stops: list[Stop]) -> list[str]:
    """Controls that can be seen and used, but not reached."""
    reached = {stop.widget for stop in stops}
    missing = list[str]()
    palette = (
        window.commands_palette if isinstance(window, MainWindow) and window.commands_palette.isVisible() else None
    )
    for field in window.findChildren(QLineEdit):
        missing += [f"sign {sign.text()!r} in {describe(field)}" for sign in pressed_signs(field)]
    for widget in (palette or window).findChildren(QWidget):
        if not isinstance(widget, CONTROLS) or widget.window() is not window or not usable(widget):
            continue
        above = list(upwards(widget))
        if any(one in reached for one in above) or any(isinstance(one, WALKED_BY_ARROWS) for one in above[1:]):
            continue
        if palette is not None and widget is palette.view:
            continue  # the keyboard stays in the field, whose keys walk the list
        if not unseen(window, Stop(widget, None, QRect())):
            missing.append(describe(widget))
    return missing


def pressed_signs(field: QLineEdit) -> list[QAction]:
    """Signs in a field that do something: only the mouse reaches them. What empties a field, keys do as well.

    The button that draws a sign hears of it too, so somebody who acts on it is the second.
    """
    signs = field.findChildren(QAction, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [sign for sign in signs if sign.objectName() != CLEAR and sign.receivers(SIGNAL("triggered(bool)")) > 1]


def usable(widget: QWidget) -> bool:
    """True for what can be seen and is on."""
    return widget.isVisible() and widget.isEnabled() and not widget.visibleRegion().isEmpty()


def judge(window: QWidget, *, marked: bool = True) -> None:
    """One round either way; every stop can be seen and is `marked`, nothing is left out, and nothing is chosen."""
    session = window.session if isinstance(window, MainWindow) else None
    place, wrong = session.selection if session is not None else None, list[str]()

    def look(stop: Stop) -> None:
        wrong.append(unseen(window, stop))
        if not marked:
            return
        seen = picture(window, stop.place)
        window.setFocus()
        if picture(window, stop.place) == seen:
            wrong.append(f"{stop} looks alike with the keyboard and without")
        stop.widget.setFocus()

    press(window, Qt.Key.Key_Shift)  # the keyboard is used from here on
    there = walk(window, at=look)
    back = walk(window, forward=False)
    # Else Shift is held for all that comes later, and the next test that chooses a row chooses others with it.
    press(window, Qt.Key.Key_Shift)
    wrong += out_of_order(there) + left_out(window, there)
    if [str(stop) for stop in [back[0], *back[:0:-1]]] != [str(stop) for stop in there]:
        wrong.append(f"back: {[str(stop) for stop in back]}, there: {[str(stop) for stop in there]}")
    if session is not None and session.selection != place:
        wrong.append("the walk chose something")
    if any(wrong):
        raise AssertionError("\n".join(filter(None, wrong)))
