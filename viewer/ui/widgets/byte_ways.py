"""Ways from a byte to another place: to what owns it and what that is a part of, along runs, by the offset it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from viewer.core.errors import ViewerError
from viewer.core.span import Span
from viewer.late import late
from viewer.ui.words import offset as written

if TYPE_CHECKING:
    from viewer.core.progress import Progress
    from viewer.core.search_bytes.runs import run_end, run_start
    from viewer.core.source import ByteSource
    from viewer.session.session import Session
    from viewer.ui.hexview.view import HexView
else:
    run_end, run_start = late("viewer.core.search_bytes.runs", "run_end run_start")

RUN: Final = "end of the run"
SIZES: Final = (2, 4, 8)


class ByteWays(QObject):
    """Moves the selection of a session from the caret of a view. `origin`: the pane that asks."""

    def __init__(self, session: Session, view: HexView, origin: str) -> None:
        super().__init__(view)
        self._session, self._view, self._origin = session, view, origin
        view.owner_requested.connect(self.to_owner)
        view.parent_requested.connect(self.to_parent)

    def commands(self) -> Mapping[str, Callable[[], None]]:
        """What the menus can ask for."""
        return {
            "go.run_end": partial(self._along_run, run_end),
            "go.run_start": partial(self._along_run, run_start),
            "go.owner": lambda: self.to_owner(self._view.caret),
            "go.parent": lambda: self.to_parent(self._view.caret),
        }

    def to_owner(self, offset: int) -> None:
        """Select the smallest thing that owns a byte."""
        self._choose(Span(offset, offset + 1))
        owner, source = self._owner(), self._session.shown_source
        if owner is not None and source is not None:
            # Told too: what is counted and copied elsewhere is what is seen as selected here.
            owner = owner.clipped(source.size)
            self._choose(owner)
            self._view.select(owner, reveal=False)

    def _owner(self) -> Span | None:
        """What the selected byte belongs to; of an opcode that makes no value its own bytes."""
        selection, links = self._session.selection, self._session.links
        if selection.linked:
            return selection.linked[0]
        if selection.opcode is None or links is None:
            return None
        return links.from_opcode(selection.opcode).spans[0]

    def to_parent(self, offset: int) -> None:
        """Select what the selected bytes are a part of; at first what the owner of the byte is a part of."""
        chosen = self._view.selected_span()
        if offset not in chosen or chosen.length < 2:
            self.to_owner(offset)
            chosen = self._view.selected_span()
        for around in reversed(self._around()):
            if around.contains_span(chosen) and around != chosen:
                self._choose(around)
                self._view.select(around, reveal=False)
                return

    def _around(self) -> list[Span]:
        """The bytes of the rows of Contents above the selected one, and of that, outermost first."""
        contents, selection, source = self._session.contents, self._session.selection, self._session.shown_source
        if contents is None or selection.node is None or source is None or selection.source:
            return []
        spans = (contents.span(node) for node in contents.tree.path_to(selection.node))
        found = [span.clipped(source.size) for span in spans if span is not None]
        found += self._records(self._view.caret)
        return [Span(0, source.size), *sorted(found, key=lambda span: -span.length)]

    def _records(self, offset: int) -> list[Span]:
        """The record around a byte: its content, and that with its header."""
        document = self._session.document
        records = [record for record in document.records if offset in record.data] if document is not None else []
        whole = [Span(record.header.start, record.data.stop) for record in records if record.header is not None]
        return [*(record.data for record in records), *whole]

    def _along_run(self, find: Callable[[ByteSource, int, Progress], int | None]) -> None:
        source = self._session.shown_source
        if source is None:
            return
        at = self._view.caret
        self._session.start(RUN, lambda progress: find(source, at, progress), self._arrived)

    def _arrived(self, offset: int | None) -> None:
        """There is no other byte: the last one of the run is the end."""
        source = self._session.shown_source
        if source is None or not source.size:
            return
        self.go(source.size - 1 if offset is None else offset)

    def go(self, offset: int) -> None:
        """Put the caret on a byte, in all panes."""
        self._view.go_to(offset, flash=True)
        self._choose(Span(offset, offset + 1))

    def _choose(self, span: Span) -> None:
        self._session.select_bytes((span,), self._origin, self._session.selection.source)

    def targets(self) -> list[tuple[int, str]]:
        """The offsets that the bytes at the caret would be, and how they were read; those outside are left out."""
        source = self._session.shown_source
        if source is None:
            return []
        try:
            data = source.read(self._view.caret, SIZES[-1])
        except ViewerError:
            return []
        found: dict[int, str] = {}
        for size in SIZES:
            for order, words in (("little", self.tr("little-endian")), ("big", self.tr("big-endian"))):
                value = int.from_bytes(data[:size], "little" if order == "little" else "big")
                if len(data) >= size and 0 < value < source.size:
                    found.setdefault(value, f"uint{8 * size}, {words}")
        return list(found.items())

    def add_to(self, menu: QMenu) -> None:
        """The ways from the caret as entries of a menu."""
        here = self._view.caret
        menu.addAction(self.tr("Select the owner")).triggered.connect(lambda: self.to_owner(here))
        menu.addAction(self.tr("Select what it is a part of")).triggered.connect(lambda: self.to_parent(here))
        follow = menu.addMenu(self.tr("Follow as an offset"))
        for target, how in self.targets():
            follow.addAction(f"{written(target)}   {how}").triggered.connect(partial(self.go, target))
        follow.setEnabled(bool(follow.actions()))
