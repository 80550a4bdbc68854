"""Which rows of a tree are open: kept for each document that was looked at, and opened again a few at a time.

Rows are written down as pairs of numbers in one list: at which pair the row above stands (-1: it is the top), and which
row under it. The row of one that is closed, but holds open ones, is written as -1 - row.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import Any, Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QTimer, Signal
from typing_extensions import override

from viewer.core.document import Document
from viewer.core.tree import ROOT, Tree
from viewer.ui.models.tree_model import TreeModel
from viewer.ui.widgets.rows import RowTree

MOST: Final = 10_000
"""Open rows that are kept of a tree."""
DOCUMENTS: Final = 8
"""Documents whose open rows are kept when the file is closed."""
REMEMBERED: Final = 64
"""Documents whose open rows are known while it is open."""
SLICE_S: Final = 0.004
"""How long the window may wait for rows that are opened again."""
AT_ONCE: Final = 2_500
"""Rows that come into view together: Qt lays them out in 20 ms; one by one they take it three times as long.

Rows below a closed one are only noted, and laid out with it when it is opened. So the rows above are opened last, as
long as no more than these come with them.
"""
HIDDEN: Final = 100
"""Rows that are opened in a tree that cannot be seen: it opens all of them at once when it is shown."""
Rows = Sequence[int]


class OpenRows(QObject):
    """Follows a tree. The owner calls `leave` before it shows another document, and `come` once that is shown.

    changed: a row was opened or closed.
        Signal()
    opened: all rows that were open before are open again.
        Signal()
    """

    changed = Signal()
    opened = Signal()

    def __init__(self, view: RowTree, model: TreeModel) -> None:
        super().__init__(view)
        self._view, self._model = view, model
        self._open: set[int] = set()
        self._key = ""
        self._left: dict[str, Rows | Callable[[], Rows]] = {}
        self._waiting: Iterator[bool] | None = None
        self._is_opening = False
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._open_some)
        view.expanded.connect(self._expanded)
        view.collapsed.connect(self._collapsed)
        view.installEventFilter(self)

    def leave(self) -> None:
        """Remember which rows are open: the document may be looked at again, or be read with other options."""
        if self._key and self._waiting is None:
            self._left.pop(self._key, None)
            self._left[self._key] = self._now()
        if len(self._left) > REMEMBERED:
            del self._left[next(iter(self._left))]
        self._waiting, self._key = None, ""
        self._next.stop()
        self._open.clear()

    def come(self, key: str) -> bool:
        """Open the rows that were open when the document of a key was left. False where none is known."""
        self._key = key
        rows = self._left.get(key)
        if rows is None:
            return False
        self._waiting = self._opening(rows() if callable(rows) else rows)
        self._open_some()
        return True

    def kept(self) -> dict[str, Any]:
        """For each document the open rows, or what gives them: it takes long, and may be asked for in any thread."""
        found = dict(self._left)
        if self._key and self._waiting is None:
            found.pop(self._key, None)
            found[self._key] = self._now()
        return dict(list(found.items())[-DOCUMENTS:])

    def bring_back(self, kept: object) -> None:
        """Take what was kept when the file was open the last time."""
        for key, rows in kept.items() if isinstance(kept, Mapping) else ():
            if isinstance(rows, list) and all(type(number) is int for number in rows):
                self._left.setdefault(str(key), rows[: 2 * MOST])
        if self._key in self._left and self._waiting is None:
            # A pane that is made after its document has opened the rows that a file begins with.
            for node in sorted(self._open, reverse=True):
                self._view.collapse(self._model.index_of(node))
            self.come(self._key)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and self._waiting is not None:
            self._next.start()
        return False

    def _now(self) -> Callable[[], Rows]:
        tree, opened = self._model.tree, frozenset(self._open)
        return partial(written, tree, opened) if tree is not None else list

    def _expanded(self, index: QModelIndex) -> None:
        self._open.add(index.internalId())
        if not self._is_opening:
            self.changed.emit()

    def _collapsed(self, index: QModelIndex) -> None:
        self._open.discard(index.internalId())
        self.changed.emit()

    def _open_some(self) -> None:
        """Open rows for a while; the rest after what the window has to do meanwhile."""
        if self._waiting is None:
            return
        visible, end = self._view.isVisible(), monotonic() + SLICE_S
        if visible:
            # While Qt puts off laying the rows out, they are only noted, and would all be laid out at once.
            self._view.executeDelayedItemsLayout()
        self._is_opening, opened = True, 0
        try:
            for is_open in self._waiting:
                opened += is_open
                if monotonic() > end or (not visible and opened >= HIDDEN):
                    if visible:
                        self._next.start()
                    return
        finally:
            self._is_opening = False
        self._waiting = None
        self.opened.emit()
        self.changed.emit()

    def _opening(self, rows: Rows) -> Iterator[bool]:
        """Finds one row or opens one (True) at each step."""
        tree, nodes, aboves, shown = self._model.tree, list[int](), list[int](), list[int]()
        if tree is None:
            return
        for place, (above, row) in enumerate(zip(rows[::2], rows[1::2], strict=False)):
            node = self._node(tree, nodes, above, row)
            in_view = row >= 0 and (above == -1 or (0 <= above < place and shown[above] > 0))
            nodes.append(node)
            aboves.append(above if 0 <= above < place else -1)
            shown.append(tree.count(node) if node > ROOT and in_view else 0)
            yield False
        for place in in_turn(aboves, shown):
            if nodes[place] > ROOT and rows[2 * place + 1] >= 0:
                self._view.expand(self._model.index_of(nodes[place]))
                yield True

    @staticmethod
    def _node(tree: Tree, nodes: list[int], above: int, row: int) -> int:
        """The node that a pair means; -1 where the tree has none, as that of a file that has changed."""
        parent = ROOT if above == -1 else nodes[above] if 0 <= above < len(nodes) else -1
        row = row if row >= 0 else -1 - row
        return tree.child(parent, row) if parent >= ROOT and row < tree.count(parent) else -1


def in_turn(above: Sequence[int], shown: Sequence[int]) -> Iterator[int]:
    """Places of pairs in the order in which they are best opened: what is below before what is above, in parts.

    `above`: of each pair the place of the one above it, or -1. `shown`: rows that come into view by it, 0: it stays
    closed.
    """
    below: dict[int, list[int]] = {}
    whole = list(shown)
    for place in range(len(whole) - 1, -1, -1):
        below.setdefault(above[place], []).append(place)
        if above[place] >= 0 and shown[above[place]]:
            whole[above[place]] += whole[place]
    # Each list is in reverse, and so is the stack. Whose turn comes after what is below it stands there as ~place.
    waiting = list(below.get(-1, ()))
    while waiting:
        place = waiting.pop()
        if place < 0:
            yield ~place
            continue
        if whole[place] > AT_ONCE:
            yield place
        else:
            waiting.append(~place)
        waiting.extend(below.get(place, ()))


def key_of(document: Document) -> str:
    """By what the rows of a document are known; one of another size is another one."""
    return f"{document.index} {document.format} {document.source.size}"


def written(tree: Tree, opened: frozenset[int]) -> list[int]:
    """The pairs of open nodes; rows above them first."""
    pairs, places = array("q"), dict[int, int]()
    # Rows are numbered as they are made, so those above come before those below.
    for node in sorted(opened)[:MOST]:
        for one in _unplaced(tree, node, places):
            row = tree.row(one)
            parent = tree.parent(one)
            places[one] = len(pairs) // 2
            pairs.extend((places.get(parent, -1), row if one in opened else -1 - row))
    return pairs.tolist()


def _unplaced(tree: Tree, node: int, places: Mapping[int, int]) -> list[int]:
    """A node and those above it that have no pair yet, from the top."""
    path = []
    while node > ROOT and node not in places:
        path.append(node)
        node = tree.parent(node)
    return path[::-1]
