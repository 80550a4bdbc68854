"""The order in which Tab walks a window: as one reads it, and only over what can be seen.

Qt walks widgets in the order in which they were made, also into panes that lie behind other tabs, where the keyboard
would be lost. Here the layouts are asked instead, so what is moved on the screen is moved for the keyboard too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final, Protocol, TypeVar, cast, runtime_checkable

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QGridLayout,
    QLayout,
    QLineEdit,
    QScrollArea,
    QSplitter,
    QToolBar,
    QWidget,
)

WHOLE: Final = (QAbstractSpinBox, QComboBox, QLineEdit)
"""Made of parts that take no keys by themselves."""
MARGIN: Final = 6
"""Pixels that stay free beside what is scrolled to: room for its ring."""
SPOTS: Final = (1, 3, 5)
"""Sixths of a widget's width and height: where nothing can be seen of it there, nobody finds it."""
SAME_ROW: Final = 6
"""Pixels by which the middles of two widgets of one line may differ."""

One = TypeVar("One")


@runtime_checkable
class Ordered(Protocol):
    """A widget whose children lie otherwise than a layout can tell."""

    def tab_children(self) -> Sequence[QWidget]:
        """The children that can be seen, as one reads them."""
        ...


def stops(root: QWidget) -> Iterator[QWidget]:
    """The widgets at which Tab stops within `root`, itself among them, as one reads them."""
    for widget in _walk(root):
        if is_stop(widget):
            yield widget


def is_stop(widget: QWidget) -> bool:
    """True where Tab may stop."""
    takes = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
    return bool(takes) and widget.isEnabled() and widget.focusProxy() is None


def can_take(widget: QWidget) -> bool:
    """True where the keyboard would be of use: it can be seen and takes keys."""
    target = widget.focusProxy() or widget
    return target.focusPolicy() != Qt.FocusPolicy.NoFocus and target.isEnabled() and target.isVisible()


def step(root: QWidget, *, forward: bool, over: QWidget | None = None) -> bool:
    """Give the keyboard to the next stop in `root`, or the one before; from the last on to the first. False: none.

    `over`: lies over others; what it covers is left out.
    """
    now = QApplication.focusWidget()
    found = (widget for widget in _walk(root) if widget is now or is_stop(widget))
    order = [widget for widget in found if over is None or widget is now or not _covers(over, widget)]
    if not order or order == [now]:
        return False
    outside = -1 if forward else 0
    at = (order.index(now) if now in order else outside) + (1 if forward else -1)
    target = order[at % len(order)]
    reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
    target.setFocus(reason)
    bring_into_view(target)
    return True


def _covers(over: QWidget, widget: QWidget) -> bool:
    if over is widget or over.isAncestorOf(widget):
        return False
    place, seen = seen_part(over, over.rect()), seen_part(widget, widget.rect())
    points = (QPoint(seen.width() * x // 6, seen.height() * y // 6) for x in SPOTS for y in SPOTS)
    return all(place.contains(seen.topLeft() + point) for point in points)


def bring_into_view(widget: QWidget) -> None:
    """Have all areas that hold the widget scroll to it: to its beginning where it is larger than the area."""
    above = widget.parentWidget()
    while above is not None and not above.isWindow():
        inner = above.widget() if isinstance(above, QScrollArea) else None
        if isinstance(above, QScrollArea) and inner is not None:
            place = QRect(widget.mapTo(inner, widget.rect().topLeft()), widget.size())
            for corner in (place.bottomRight(), place.topLeft()):
                above.ensureVisible(corner.x(), corner.y(), MARGIN, MARGIN)
        above = above.parentWidget()


def seen_part(widget: QWidget, part: QRect) -> QRect:
    """What of a part of a widget those that hold it leave to be seen, in the coordinates of its window."""
    window, holder = widget.window(), widget
    place = QRect(widget.mapTo(window, part.topLeft()), part.size())
    while holder is not window:
        place &= QRect(holder.mapTo(window, QPoint(0, 0)), holder.size())
        above = holder.parentWidget()
        if above is None:
            break
        holder = above
    return place & window.rect()


def reading_order(things: Sequence[One], place: Callable[[One], QRect], *, mirrored: bool = False) -> list[One]:
    """Column by column as far as the whole can be cut into columns, each from the top down, and again within."""
    if len(things) < 2:
        return list(things)
    for upright in (False, True):
        parts = _cut([(place(one), one) for one in things], upright=upright)
        if len(parts) > 1:
            ordered = parts[::-1] if mirrored and not upright else parts
            return list(chain.from_iterable(reading_order(part, place, mirrored=mirrored) for part in ordered))
    return sorted(things, key=lambda one: (place(one).top(), place(one).left()))


def _cut(things: Sequence[tuple[QRect, One]], *, upright: bool) -> list[list[One]]:
    """Groups that do not overlap along one axis."""
    spans = [((r.top(), r.bottom()) if upright else (r.left(), r.right()), one) for r, one in things]
    spans.sort(key=lambda pair: pair[0])
    groups: list[list[One]] = []
    end = -(2**31)
    for (start, stop), one in spans:
        if start > end:
            groups.append([])
        groups[-1].append(one)
        end = max(end, stop)
    return groups


def _walk(widget: QWidget) -> Iterator[QWidget]:
    """All that can be seen within a widget, itself first."""
    yield widget
    if isinstance(widget, WHOLE):
        return
    for child in _children(widget):
        if not child.isWindow() and child.isVisibleTo(widget) and not child.size().isEmpty():
            yield from _walk(child)


def _children(widget: QWidget) -> Sequence[QWidget]:
    if isinstance(widget, Ordered):
        return widget.tab_children()
    first = _laid_out(widget)
    known = set(first)
    others = [child for child in widget.children() if isinstance(child, QWidget) and child not in known]
    others.sort(key=_place)
    return [*first, *others]


def _laid_out(widget: QWidget) -> list[QWidget]:
    """The children that something arranges, in its order."""
    if isinstance(widget, QSplitter):
        parts = (widget.widget(at) for at in range(widget.count()))
        return [one for one in parts if one is not None]
    if isinstance(widget, QToolBar):
        shown = (widget.widgetForAction(action) for action in widget.actions())
        return [one for one in shown if one is not None]
    layout = widget.layout()
    if layout is None:
        return []
    spots = [(_spot(layout, child), child) for child in widget.children() if isinstance(child, QWidget)]
    return [child for spot, child in sorted((pair for pair in spots if pair[0]), key=lambda pair: pair[0])]


def _spot(layout: QLayout, widget: QWidget) -> tuple[int, ...]:
    """Where a widget stands in a layout and those within it; () where it does not.

    Never by its items: what Python once held of an item it takes for the widget that comes to the same address later.
    """
    at = layout.indexOf(widget)
    if at >= 0:
        return _cell(layout, at)
    for inner in layout.children():
        spot = _spot(inner, widget) if isinstance(inner, QLayout) else ()
        if spot and isinstance(inner, QLayout):
            return (*_cell(layout, layout.indexOf(inner)), *spot)
    return ()


def _cell(layout: QLayout, at: int) -> tuple[int, ...]:
    if not isinstance(layout, QGridLayout):
        return (at,)
    row, column, *_ = cast("tuple[int, int, int, int]", layout.getItemPosition(at))
    return row, column


def _place(widget: QWidget) -> tuple[int, int]:
    middle = widget.geometry().center()
    mirrored = widget.isRightToLeft()
    return middle.y() // SAME_ROW, -middle.x() if mirrored else middle.x()
