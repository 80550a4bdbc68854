"""Putting docks where a layout wants them, and giving them their sizes. Qt's docks take some persuading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from viewer.ui.window.dock import PaneDock
from viewer.ui.window.layouts import Part, Split, Tabs, first, leaves, sized_by

if TYPE_CHECKING:
    from viewer.ui.theme import Theme

SEPARATOR: Final = 7
UNFOLDED: Final = 198
"""Height of a place that the layout folds and that was unfolded since."""
PLACE: Final = Qt.DockWidgetArea.LeftDockWidgetArea
Docks = Mapping[str, PaneDock]


def arrange(window: QMainWindow, docks: Docks, whole: Split, theme: Theme, front: Sequence[str] = ()) -> None:
    """Put all docks where the layout has them. `front`: keys that stay in front of their tabs where they can."""
    for dock in docks.values():
        dock.set_folded(folded=False)
        dock.setFloating(False)
        window.removeDockWidget(dock)
    places = list(leaves(whole))
    if places:
        window.addDockWidget(PLACE, docks[first(whole)])
        _split(window, docks, whole)
    for place in places:
        _fill(window, docks, place, front)
    _put_away(window, docks, [key for place in places for key in place.keys])
    resize(window, docks, whole, theme, window.width(), window.height())


def put_in_front(docks: Docks, front: Sequence[str]) -> None:
    """Turn to these panes where they stand behind others. Qt turns to none before the window was laid out and shown."""
    for key in front:
        if key in docks and not docks[key].isHidden():
            docks[key].raise_()


def resize(window: QMainWindow, docks: Docks, part: Part, theme: Theme, width: int, height: int) -> None:
    """Give each part its size, from the outside in; those without one share the rest."""
    if isinstance(part, Tabs):
        return
    way = Qt.Orientation.Vertical if part.vertical else Qt.Orientation.Horizontal
    asked = [theme.px(_size(docks, inner)) for inner in part.parts]
    whole = (height if part.vertical else width) - SEPARATOR * (len(asked) - 1)
    free = max(1, (whole - sum(asked)) // max(1, asked.count(0)))
    sizes = [size or free for size in asked]
    keys = [sized_by(inner, vertical=part.vertical) for inner in part.parts]
    meant = [(docks[key], size) for key, size in zip(keys, sizes, strict=True) if key is not None]
    window.resizeDocks([dock for dock, _ in meant], [size for _, size in meant], way)
    for inner, size in zip(part.parts, sizes, strict=True):
        resize(window, docks, inner, theme, *((width, size) if part.vertical else (size, height)))


def _size(docks: Docks, part: Part) -> int:
    """The length of a part, 0 where it shares the rest."""
    is_unfolded = isinstance(part, Tabs) and part.folded and not docks[part.keys[0]].folded
    return max(part.size, UNFOLDED) if is_unfolded else part.size


def unfold_to(window: QMainWindow, dock: PaneDock, beside: int, height: int) -> None:
    """Give an unfolded dock its height. `beside`: height of what shares its split, taken while it was folded.

    Qt fits the size that is asked for and those of the others into the whole, each by its share.
    """
    free = max(1, beside + dock.height() - height)
    window.resizeDocks([dock], [max(1, height * beside // free)], Qt.Orientation.Vertical)


def height_beside(dock: PaneDock, others: Sequence[PaneDock]) -> int:
    """Height of what stands above and below a dock in the same split: all of the others that is no wider than it."""
    place = dock.geometry()
    column = [one.geometry() for one in others if one is not dock and not one.isFloating()]
    column = [one for one in column if place.left() <= one.left() and one.right() <= place.right()]
    if not column:
        return 0
    bottom = max(place.bottom(), *(one.bottom() for one in column))
    top = min(place.top(), *(one.top() for one in column))
    return bottom - top + 1 - place.height() - SEPARATOR


def _split(window: QMainWindow, docks: Docks, part: Part) -> None:
    """Divide the place that the first pane of the part holds, from the outside in."""
    if isinstance(part, Tabs):
        return
    way = Qt.Orientation.Vertical if part.vertical else Qt.Orientation.Horizontal
    for before, after in zip(part.parts, part.parts[1:], strict=False):
        window.splitDockWidget(docks[first(before)], docks[first(after)], way)
    for inner in part.parts:
        _split(window, docks, inner)


def _fill(window: QMainWindow, docks: Docks, place: Tabs, front: Sequence[str]) -> None:
    base = docks[place.keys[0]]
    for key in place.keys[1:]:
        window.tabifyDockWidget(base, docks[key])
    for key in place.keys:
        docks[key].show()
        docks[key].set_folded(folded=place.folded)
        docks[key].unfolded_height = 0
    kept = [key for key in place.keys if key in front]
    docks[kept[0] if kept else place.front].raise_()


def _put_away(window: QMainWindow, docks: Docks, placed: Sequence[str]) -> None:
    """Close the panes that the layout leaves out; each comes back as a tab beside those of its area."""
    for dock in docks.values():
        if dock.key in placed or not placed:
            continue
        alike = [key for key in placed if docks[key].kind.area is dock.kind.area]
        home = [*alike, *(key for key in placed if key == "hex"), *placed][0]
        window.tabifyDockWidget(docks[home], dock)
        dock.hide()
