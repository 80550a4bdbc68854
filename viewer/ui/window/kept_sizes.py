"""How a person divided a pane: splitters and columns that were dragged, kept beside a 13 px system font.

What the program sizes by itself is left to it. What a hand changed stays, whatever the program would make of it when a
document arrives or the pane grows: by then it may size its parts again, at any time and several times over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from zlib import crc32

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QHeaderView, QSplitter, QTableView, QTreeView, QWidget
from typing_extensions import override

from viewer.ui.pane import Pane
from viewer.ui.widgets.rows import BY_HAND

OURS: Final = "viewer."
MOST: Final = 10_000
"""Px; no part is larger."""
PARTS: Final = 64
"""Ways of a pane to be divided that are kept; those that were divided last."""
DOWN: Final = frozenset({QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick})
LAID_OUT: Final = frozenset({QEvent.Type.Resize, QEvent.Type.LayoutRequest, QEvent.Type.Show})
Part = QSplitter | QHeaderView


class KeptSizes(QObject):
    """Follows a pane. `kept`: what `now` gave the last time.

    changed: the person divided it otherwise.
        Signal()
    """

    changed = Signal()

    def __init__(self, pane: Pane, kept: Mapping[str, Any]) -> None:
        super().__init__(pane)
        self._pane = pane
        self._now: dict[str, list[int]] = {key: sizes for key, sizes in kept.items() if _is_sizes(sizes)}
        self._held: dict[str, _Split | _Columns] = {}
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.look)
        pane.installEventFilter(self)
        # A pane makes parts of it when they are asked for first.
        pane.kept_changed.connect(self._later.start)
        self.look()

    def now(self) -> dict[str, list[int]]:
        """What the person divided, by the part; sizes in px of a system font of 13 px, 0: left to the program."""
        return dict(list(self._now.items())[-PARTS:])

    def look(self) -> None:
        """Follow the parts that are new, and have all as they were left."""
        for name, part in self._parts():
            held = self._held.get(name)
            if held is None or held.part is not part:
                made = _Split(self, name, part) if isinstance(part, QSplitter) else _Columns(self, name, part)
                self._held[name] = held = made
            if self._now:
                held.put_back()

    def let_go(self) -> None:
        """Follow the pane no more."""
        self._now.clear()
        self._later.stop()
        self.deleteLater()

    def look_soon(self) -> None:
        """A part was laid out anew."""
        if self._now:
            self._later.start()

    @property
    def is_any(self) -> bool:
        """True where a person divided anything."""
        return bool(self._now)

    def sizes(self, key: str) -> list[int]:
        """What is kept of a part, in px of the screen."""
        return [round(size * self._pane.theme.scale) for size in self._now.get(key, ())]

    def note(self, key: str, sizes: list[int]) -> None:
        """A person made it of these sizes, in px of the screen."""
        self._now.pop(key, None)
        self._now[key] = [round(size / self._pane.theme.scale) for size in sizes]
        self.changed.emit()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self._later.start()
        return False

    def _parts(self) -> Iterator[tuple[str, Part]]:
        """By the kinds of what holds them, and which it is of several alike."""
        counts: dict[str, int] = {}
        found: list[Part] = [*self._pane.findChildren(QSplitter)]
        found += [view.horizontalHeader() for view in self._pane.findChildren(QTableView)]
        found += [view.header() for view in self._pane.findChildren(QTreeView)]
        for part in found:
            name = "/".join(_holders(part, self._pane))
            number = counts[name] = counts.get(name, 0) + 1
            yield f"{name} {number}", part


class _Split(QObject):
    """Where a person drew the borders of a splitter; otherwise for each way to lie, and for what of it is shown."""

    def __init__(self, kept: KeptSizes, name: str, part: QSplitter) -> None:
        super().__init__(kept)
        self._kept, self._name, self.part = kept, name, part
        self._put: tuple[list[int], list[int]] | None = None
        part.splitterMoved.connect(self._moved)
        part.installEventFilter(self)

    def put_back(self) -> None:
        wanted = self._kept.sizes(self._key())
        if len(wanted) != self.part.count() or not any(wanted) or not any(self.part.sizes()):
            return
        # Parts that ask for a layout when they are resized would be laid out for ever.
        if self._put != (wanted, self.part.sizes()):
            self.part.setSizes(wanted)
            self._put = wanted, self.part.sizes()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in LAID_OUT:
            self._kept.look_soon()
        return False

    def _moved(self) -> None:
        self._kept.note(self._key(), self.part.sizes())

    def _key(self) -> str:
        way = "across" if self.part.orientation() == Qt.Orientation.Horizontal else "down"
        parts = [self.part.widget(at) for at in range(self.part.count())]
        shown = "".join("0" if part is None or part.isHidden() else "1" for part in parts)
        return f"{self._name} {way} {shown}"


class _Columns(QObject):
    """The columns that a person made wider or narrower; otherwise for each table that a view shows."""

    def __init__(self, kept: KeptSizes, name: str, part: QHeaderView) -> None:
        super().__init__(kept)
        self._kept, self._name, self.part = kept, name, part
        self._is_down = False
        part.viewport().installEventFilter(self)
        part.sectionResized.connect(self._resized)
        part.sectionCountChanged.connect(kept.look_soon)
        part.geometriesChanged.connect(kept.look_soon)

    def put_back(self) -> None:
        for at, width in enumerate(self._kept.sizes(self._key())):
            self._put(at, width)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in DOWN:
            self._is_down = True
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._is_down = False
        return False

    def _resized(self, at: int, _before: int, width: int) -> None:
        if not width or self.part.sectionResizeMode(at) != QHeaderView.ResizeMode.Interactive:
            return
        by_hand = self._is_down or bool(self.part.property(BY_HAND))
        if not by_hand and not self._kept.is_any:
            return
        key = self._key()
        sizes = self._kept.sizes(key)
        if by_hand:
            sizes += [0] * (self.part.count() - len(sizes))
            sizes[at] = width
            self._kept.note(key, sizes)
        elif at < len(sizes):
            self._put(at, sizes[at])

    def _put(self, at: int, width: int) -> None:
        if not width or at >= self.part.count() or self.part.sectionSize(at) == width:
            return
        if self.part.sectionResizeMode(at) == QHeaderView.ResizeMode.Interactive:
            self.part.resizeSection(at, width)

    def _key(self) -> str:
        """By the titles, as one view shows several tables in turn."""
        model = self.part.model()
        titles = [model.headerData(at, self.part.orientation()) for at in range(self.part.count())] if model else []
        return f"{self._name} {crc32(repr(titles).encode(errors='surrogatepass'))}"


def _holders(part: QWidget, pane: QWidget) -> Iterator[str]:
    """The kinds of ours from a part up to its pane, and its own."""
    yield "columns" if isinstance(part, QHeaderView) else "split"
    above = part.parentWidget()
    while above is not None and above is not pane:
        if type(above).__module__.startswith(OURS):
            yield type(above).__name__
        above = above.parentWidget()


def _is_sizes(sizes: object) -> bool:
    return isinstance(sizes, list) and all(type(size) is int and 0 <= size <= MOST for size in sizes)
