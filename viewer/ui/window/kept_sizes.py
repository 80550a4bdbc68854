"""How a person divided a pane: splitters and columns that were dragged, kept beside a 13 px system font.

What the program sizes by itself is left to it: only what a hand changed is kept, and set once when it is first seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QHeaderView, QSplitter, QTableView, QTreeView, QWidget
from typing_extensions import override

from viewer.ui.pane import Pane
from viewer.ui.widgets.when_seen import WhenSeen

OURS: Final = "viewer."
MOST: Final = 10_000
"""Px; no part is larger."""
DOWN: Final = frozenset({QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick})
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
        self._known: dict[str, Part] = {}
        self._before: dict[str, list[int]] = {}
        self._seen = WhenSeen(pane, self.look)
        pane.installEventFilter(self)
        # A pane makes parts of it when they are asked for first.
        pane.kept_changed.connect(self._seen.ask)
        self._seen.ask()

    def now(self) -> dict[str, list[int]]:
        """What the person divided, by the part; sizes in px of a system font of 13 px."""
        return dict(self._now)

    def look(self) -> None:
        """Follow the parts that are new, as they were left."""
        for key, part in self._parts():
            if key in self._known:
                continue
            self._known[key] = part
            if key in self._now:
                self._set(part, self._now[key])
            if isinstance(part, QSplitter):
                part.splitterMoved.connect(lambda _at, _number, key=key: self._note(key))
            else:
                part.viewport().installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._pane:
            if event.type() == QEvent.Type.Show:
                self._seen.ask()
            return False
        if event.type() in DOWN or event.type() == QEvent.Type.MouseButtonRelease:
            key = next((key for key, part in self._known.items() if _viewport(part) is watched), "")
            if event.type() in DOWN:
                self._before[key] = self._sizes(self._known[key])
            elif self._before.get(key) != self._sizes(self._known[key]):
                self._note(key)
        return False

    def _note(self, key: str) -> None:
        self._now[key] = self._sizes(self._known[key])
        self.changed.emit()

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

    def _sizes(self, part: Part) -> list[int]:
        widths = part.sizes() if isinstance(part, QSplitter) else [part.sectionSize(at) for at in range(part.count())]
        return [round(width / self._pane.theme.scale) for width in widths]

    def _set(self, part: Part, sizes: list[int]) -> None:
        scaled = [round(size * self._pane.theme.scale) for size in sizes]
        if isinstance(part, QSplitter):
            if len(scaled) == part.count() and any(scaled):
                part.setSizes(scaled)
            return
        for at, width in enumerate(scaled[: part.count()]):
            if width and part.sectionResizeMode(at) == QHeaderView.ResizeMode.Interactive:
                part.resizeSection(at, width)


def _viewport(part: Part) -> QWidget | None:
    return part.viewport() if isinstance(part, QHeaderView) else None


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
