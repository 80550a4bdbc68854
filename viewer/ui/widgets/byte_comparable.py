"""What the bytes of a view can be compared with: other files, the same record or tensor there, bytes set aside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from viewer.core.source import printable
from viewer.core.span import Span
from viewer.core.tensors import window
from viewer.core.tensors.columns import name_of
from viewer.late import late
from viewer.session.byte_comparing import Part
from viewer.ui.models.byte_scopes import scope_of
from viewer.ui.words import span_text

if TYPE_CHECKING:
    from viewer.core.document import Document
    from viewer.core.progress import Progress
    from viewer.session.byte_names import ByteNames
    from viewer.session.session import Session
    from viewer.ui.hexview.view import HexView
else:
    (ByteNames,) = late("viewer.session.byte_names", "ByteNames")

LOOKING: Final = "the same tensor"
MOST_FILES: Final = 30


class Comparable(QObject):
    """The menu.

    chosen: compare these.
        Signal(mine: Part, theirs: Part)
    second: show the bytes a second time.
        Signal()
    asks: a command of the menus is wanted.
        Signal(action: str)
    missed: what was to be compared is not there, in a sentence.
        Signal(sentence: str)
    """

    chosen = Signal(object, object)
    second = Signal()
    asks = Signal(str)
    missed = Signal(str)

    def __init__(self, session: Session, view: HexView) -> None:
        super().__init__(view)
        self._session, self._view = session, view

    def add_to(self, menu: QMenu) -> QMenu:
        """All that can be chosen now, as a menu inside another one."""
        inner = menu.addMenu(self.tr("Compare bytes with"))
        self._files(inner)
        inner.addSeparator()
        for words, act in (*self._aside(), *self._alike()):
            inner.addAction(words).triggered.connect(act)
        inner.addSeparator()
        inner.addAction(self.tr("These bytes in a second view")).triggered.connect(self.second)
        inner.addAction(self.tr("Open another file…")).triggered.connect(lambda: self.asks.emit("file.open"))
        return inner

    def mine(self, span: Span | None = None) -> Part | None:
        """Bytes of the view: all of them, or a part."""
        source, place = self._session.shown_source, self._session.selection.source
        if source is None or not source.size:
            return None
        return Part(self._session, source, span or Span(0, source.size), place)

    def _files(self, menu: QMenu) -> None:
        for peer in self._session.peers()[:MOST_FILES]:
            if peer.source is not None and peer.source.size:
                act = partial(self._compare, None, Part.whole(peer, peer.source))
                menu.addAction(printable(peer.title)).triggered.connect(act)

    def _compare(self, span: Span | None, theirs: Part) -> None:
        mine = self.mine(span)
        if mine is not None:
            self.chosen.emit(mine, theirs)

    # -- two ranges -------------------------------------------------------------------------------

    def set_aside(self) -> None:
        """Keep the selected bytes until others are compared with them."""
        part = self.mine(self._view.selected_span())
        if part is not None:
            self._session.bookmarks.aside = (part.span, part.place)

    def _kept(self) -> Iterator[Part]:
        for session in (self._session, *self._session.peers()):
            span, place = session.bookmarks.aside or (None, "")
            document = session.document
            source = document.source_at(place) if document is not None else session.source
            if span is not None and source is not None and span.clipped(source.size) == span:
                yield Part(session, source, span, place)

    def _aside(self) -> Iterator[tuple[str, Callable[[], None]]]:
        chosen = self._view.selected_span()
        if chosen.length < 2:
            return
        for part in self._kept():
            words = self.tr("Bytes set aside, {span} of {name}")
            words = words.format(span=span_text(part.span), name=printable(part.session.title))
            yield words, partial(self._compare, chosen, part)
        for peer in self._session.peers()[:MOST_FILES]:
            source = peer.source
            if source is not None and chosen.start < source.size:
                part = Part(peer, source, chosen.clipped(source.size))
                words = self.tr("The same offsets of {name}").format(name=printable(peer.title))
                yield words, partial(self._compare, chosen, part)
        yield self.tr("Set these bytes aside"), self.set_aside

    # -- what has the same name -------------------------------------------------------------------

    def _alike(self) -> Iterator[tuple[str, Callable[[], None]]]:
        """The record and the tensor at the caret, in the other files."""
        document, selection = self._session.document, self._session.selection
        if document is None or selection.source:
            return
        at = self._view.caret
        record = next((record for record in document.records if record.stored and at in record.data), None)
        tensor = document.tensors[selection.tensor] if selection.tensor is not None else None
        for peer in self._session.peers()[:MOST_FILES]:
            name = printable(peer.title)
            if peer.document is None:
                continue
            if record is not None:
                words = self.tr("Record {record} of {name}").format(record=printable(record.name), name=name)
                yield words, partial(self._with_record, record.name, record.data, peer)
            span = scope_of(self._session, "tensor", self._view.selected_span()) if tensor is not None else None
            if tensor is not None and span is not None:
                words = self.tr("Tensor {tensor} of {name}").format(tensor=printable(name_of(tensor)), name=name)
                yield words, partial(self._with_tensor, name_of(tensor), span, peer)

    def _with_record(self, name: str, span: Span, peer: Session) -> None:
        document, source = peer.document, peer.source
        records = document.records if document is not None else ()
        # The folder inside an archive is named after its file: what stands below it is what is alike.
        found = [record for record in records if record.stored and record.name == name]
        below = name.partition("/")[2] or name
        found += [record for record in records if record.stored and record.name.partition("/")[2] == below]
        if source is None or not found:
            self.missed.emit(self.tr("{file} has no such record.").format(file=printable(peer.title)))
            return
        self._compare(span, Part(peer, source, found[0].data.clipped(source.size)))

    def _with_tensor(self, name: str, span: Span, peer: Session) -> None:
        """Names are many, so they are looked through off the GUI thread."""
        document, source = peer.document, peer.source
        if document is None or source is None:
            return

        def found(there: Span | None) -> None:
            if there is None or peer.source is not source:
                self.missed.emit(self.tr("{file} has no such tensor.").format(file=printable(peer.title)))
            else:
                self._compare(span, Part(peer, source, there.clipped(source.size)))

        self._session.start(LOOKING, lambda progress: span_of_tensor(document, name, progress), found)


def span_of_tensor(document: Document, name: str, progress: Progress) -> Span | None:
    """The bytes of the first tensor of a name that stands in the file itself."""
    number = ByteNames(document).made(progress).number(name)
    tensor = document.tensors[number] if number is not None else None
    return window.span(tensor) if tensor is not None and not tensor.member else None
