"""What can be exported of a file: chosen tensors, what a search found, its state_dict, branches, everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final

from PySide6.QtCore import QObject

from viewer.core.document import Document
from viewer.core.export.base import Exporter
from viewer.core.export.selection import WHOLE, Wanted, branches, whole_object
from viewer.core.progress import Progress
from viewer.core.span import Span
from viewer.core.tensors.tensor import Tensor
from viewer.session.session import Session
from viewer.ui.models.export_words import chosen_words
from viewer.ui.words import named, tensors_of

MOST_RECORDS: Final = 2_000
"""Records whose names are offered."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A line of "What": its words, what it asks for, and which forms can take it (`Exporter.takes`)."""

    words: str
    wanted: Wanted
    takes: str = "tensors"


@dataclass(frozen=True, slots=True)
class FoundBranch:
    """A branch that can be chosen: how it is named (WHOLE: all of the object), its tensors, whether it is a module."""

    title: str
    count: int
    is_module: bool


class Choices(QObject):
    """The lines of "What" for one session."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._document = session.root
        self.every: list[Choice] = []

    def begin(self, tensors: Sequence[Tensor], compact: bool) -> None:
        """What can be said at once. `tensors`: offered first, `compact`: as used."""
        encoding = self._session.options.encoding
        if tensors:
            self.every.append(Choice(chosen_words(tensors, compact), Wanted(tensors=tensors)))
        usual = Wanted(encoding=encoding)
        self.every += [
            Choice(self.tr("The state_dict of the file"), usual),
            Choice(self.tr("The module of the file"), usual, "module"),
            Choice(self.tr("All classes with their text"), usual, "classes"),
            Choice(self.tr("The whole file"), usual, "file"),
        ]
        found = found_tensors(self._session)
        if found:
            search = self._session.search
            is_cut = sum(map(len, search.hits.values())) < search.total
            words = self.tr("Found by “{text}”, the first {count}") if is_cut else self.tr("Found by “{text}”: {count}")
            words = words.format(text=search.text, count=tensors_of(len(found)))
            self.every.append(Choice(words, Wanted(tensors=found)))

    def regions(self) -> tuple[int, list[str], Span | None]:
        """Bytes of the file, names of its records, and the bytes of it that are selected."""
        document, selection = self._document, self._session.selection
        if document is None:
            return 0, [], None
        is_here = selection.document == document.index and not selection.source
        records = [record.name for record in islice(document.records, MOST_RECORDS) if record.source is not None]
        return document.source.size, records, selection.span if is_here else None

    def look(self, progress: Progress) -> list[FoundBranch]:
        """The branches; asked for off the GUI thread."""
        progress.check()
        document = self._document
        found = branches(document, self._session.options.encoding) if document is not None else []
        listed = [
            FoundBranch(one.title, len(one.branch.entries), one.branch.kind == "module") for one in found if one.title
        ]
        if document is not None and listed:
            branch = whole_object(document, Wanted(root=WHOLE, progress=progress)).branch
            if len(branch.holders) > 1:
                listed.append(FoundBranch(WHOLE, len(branch.entries), is_module=False))
        return listed

    def add(self, found: Sequence[FoundBranch]) -> None:
        """List the branches, and everything behind them."""
        encoding = self._session.options.encoding
        for branch in found:
            words = named(branch.title, tensors_of(branch.count))
            if branch.title == WHOLE:
                words = self.tr("The whole object: {0}").format(tensors_of(branch.count))
            wanted = Wanted(root=branch.title, encoding=encoding)
            self.every += [Choice(words, wanted, takes) for takes in ("tensors", "module")[: 1 + branch.is_module]]
        every = all_of(self._document)
        self.every.append(Choice(self.tr("All of the file: {0}").format(tensors_of(len(every))), Wanted(tensors=every)))

    def of(self, exporter: Exporter) -> list[Choice]:
        """Those that a form can take."""
        return [choice for choice in self.every if choice.takes == exporter.takes]


def all_of(document: Document | None) -> Sequence[Tensor]:
    """All tensors of a file. Those of a set are not looked at for this: there may be a million."""
    parts = [part.tensors for part in document.holders()] if document is not None else []
    return parts[0] if len(parts) == 1 else tuple(chain.from_iterable(parts))


def found_tensors(session: Session) -> tuple[Tensor, ...]:
    """The tensors among the hits of the last search, each once."""
    return tuple(_found(session))


def _found(session: Session) -> Iterator[Tensor]:
    seen: set[tuple[int, int]] = set()
    for hits in session.search.hits.values():
        for hit in hits:
            place = hit.document, hit.tensor
            if hit.tensor >= 0 and place not in seen and hit.document < len(session.documents):
                seen.add(place)
                yield session.documents[hit.document].tensors[hit.tensor]
