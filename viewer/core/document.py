"""Document: all that was read from one file, or from one file inside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from viewer.core.span import Region, Span
from viewer.core.tensors.many import ManyTensors
from viewer.late import late
from viewer.wording.phrases import phrase

if TYPE_CHECKING:
    from viewer.core.archive.record import Record
    from viewer.core.code.embedded import EmbeddedSource
    from viewer.core.objects.outline import Outline
    from viewer.core.objects.state_dict import Branch, state_dicts
    from viewer.core.pickles.disassembly import Disassembly
    from viewer.core.pickles.values import Values
    from viewer.core.problem import Problem
    from viewer.core.source import ByteSource
    from viewer.core.tensors.path import Part
    from viewer.core.tensors.tensor import Tensor, ValueRef
else:
    (state_dicts,) = late("viewer.core.objects.state_dict", "state_dicts")


@dataclass(slots=True, eq=False)
class Pickle:
    """One stream of a document. `role`: magic, protocol version, system info, object, storage keys, or "".

    Its offsets count in `code.source`. `base`: where byte 0 of that source stands in the document's source
    (0 when it is the same, a record's start when it is a slice); None when it was inflated or made.
    """

    index: int
    record: str
    role: str
    code: Disassembly
    values: Values
    base: int | None = 0

    def span(self) -> Span:
        """All its bytes, in its own source."""
        return Span(self.code.start, self.code.stop)

    @property
    def place(self) -> str:
        """The source that its spans are shown in: "" for the document's own, else the record's name."""
        return "" if self.base is not None else self.record

    def in_document(self, span: Span) -> Span | None:
        """A span of its own source in the document's source; None where it was inflated."""
        return span.shifted(self.base) if self.base is not None else None

    def shown(self, span: Span) -> Span:
        """A span of its own source in the source that `place` names."""
        return span.shifted(self.base or 0)

    def shown_at(self, opcode: int) -> int:
        """Where an opcode begins, in the source that `place` names."""
        return self.code.offset(opcode) + (self.base or 0)


WRAPPERS: Final = frozenset({"gzip", "bz2", "xz", "zlib", "zstd"})
ARCHIVES: Final = frozenset({"tar", "zip"})
# joblib to 0.9 compressed its pickles itself; later files of it are streams, or in one of the wrappers.
ZFILE: Final = "joblib"
NEXT_PICKLE: Final = phrase("how-next-pickle")
"""How a stream lies in a file of which another one is the first."""


class Stated(NamedTuple):
    """A text that the container itself keeps under a key (`__metadata__` of safetensors), and its bytes."""

    key: str
    value: str
    span: Span | None


class SetFile(NamedTuple):
    """A file of a set, by its name in the folder. `size`: None where the file is not there."""

    name: str
    size: int | None


class SetValue(NamedTuple):
    """A value of a set that is no tensor. `path`: in the object that the set is. `member`: the file that holds it.

    `document`: what was read of it; None where nothing was. `span`: its bytes in the file; None where they are not
    there.
    """

    name: str
    path: tuple[Part, ...]
    member: str
    document: Document | None
    span: Span | None = None


MEMBER: Final = "file "
"""How a file of a set lies in the document of the set: this, and its name."""


def member_how(name: str) -> str:
    """How a file of a set lies in the document of the set."""
    return phrase("how-file", name=name)


@dataclass(slots=True, eq=False)
class Document:
    """What was read from one source. Spans count in `source`.

    `format`: a name of design 6. `how`: how it lies in its parent (`gzip`, `record x.pkl`), "" for the file.
    `offset`: of its first byte in the outermost file, None where bytes were inflated. `byteorder`: of the
    stored elements, None where it does not apply. `regions` tile the source; so do `pieces`, which are few,
    where what the bytes are is known without listing all regions. `main`: number of the pickle
    that holds the object, -1: none. `metadata`: texts of the container. `outlines`: what records that hold no tensors
    say (a graph, bytecode, a list of names), by the name of the record. `children`: documents inside this one, in
    order of their offset.

    A set of files is one document: `files` are all that it needs, the one that it was opened by first; those that were
    read are children (`how` is `file NAME`). `tensors` are then the tensors of the whole model, each with the `member`
    that its bytes stand in, or with `parts` that tell theirs. `file`: the number of a document's own file in the
    `files` of the outermost one. `opened_by`: the name of the file of a set that the person asked for, where that is
    another. `tensors_in(member)`: numbers of the tensors with bytes in a file, where that is known without making all.
    `others`: the values of the object that are no tensors, where each stands in a file by itself.

    `held`: the bytes or text of the parent's pickles that hold this document; None for all other documents.
    """

    source: ByteSource
    format: str
    detail: str | None = None
    written_by: str | None = None
    how: str = ""
    offset: int | None = 0
    byteorder: str | None = None
    regions: Sequence[Region] = ()
    pieces: Sequence[Region] = ()
    records: Sequence[Record] = ()
    pickles: list[Pickle] = field(default_factory=list)
    main: int = -1
    tensors: Sequence[Tensor] = field(default_factory=list)
    sources: list[EmbeddedSource] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    metadata: list[Stated] = field(default_factory=list)
    outlines: dict[str, Outline] = field(default_factory=dict)
    children: list[Document] = field(default_factory=list)
    index: int = 0
    parent: int | None = None
    path: Path | None = None
    files: Sequence[SetFile] = ()
    file: int = 0
    opened_by: str = ""
    tensors_in: Callable[[str], Iterable[int]] | None = None
    others: Sequence[SetValue] = ()
    held: ValueRef | None = None
    _branches: dict[str, list[Branch]] = field(default_factory=dict, init=False)
    _members: dict[str, Document] = field(default_factory=dict, init=False)

    def add_tensors(self, found: Iterable[Tensor]) -> None:
        """More tensors behind those that are known."""
        if not isinstance(self.tensors, list):
            self.tensors = list(self.tensors)
        self.tensors.extend(found)

    def branches(self, encoding: str = "utf-8") -> list[Branch]:
        """The state_dicts, whole modules and optimizers of the main pickle, found once: a walk over all its values."""
        pickle = self.object_pickle
        if pickle is None:
            return []
        if encoding not in self._branches:
            self._branches[encoding] = state_dicts(pickle.values, self.tensors, pickle.index, encoding)
        return self._branches[encoding]

    @property
    def is_member(self) -> bool:
        """True for a file of a set."""
        return self.how.startswith(MEMBER)

    @property
    def whole_size(self) -> int:
        """Bytes of the file; of a set those of all its files that are there."""
        return sum(file.size or 0 for file in self.files) if self.files else self.source.size

    def member(self, name: str) -> Document | None:
        """The document of a file of this set; None where it was not read."""
        if not self.files:
            return None
        if not self._members:
            self._members = {child.how.removeprefix(MEMBER): child for child in self.children if child.is_member}
        return self._members.get(name)

    def at(self, place: str) -> tuple[Document, str]:
        """The document that bytes of a place count in, and the place there: of a file of the set its own bytes."""
        member = self.member(place) if place and self.files else None
        return (member, "") if member is not None else (self, place)

    def source_at(self, place: str) -> ByteSource:
        """The bytes of a place: its own, those of an inflated record, of a file of the set."""
        document, record = self.at(place)
        pickle = next((pickle for pickle in document.pickles if record and pickle.place == record), None)
        return pickle.code.source if pickle is not None else document.source

    def close(self) -> None:
        """Give the file back, and the files of a set."""
        self.source.close()
        for child in self.children:
            if child.is_member:
                child.source.close()

    @property
    def main_pickle(self) -> Pickle | None:
        """The pickle that holds the object."""
        return self.pickles[self.main] if self.main >= 0 else None

    @property
    def object_pickle(self) -> Pickle | None:
        """The main pickle, where it is the object, and does not only say what stands in the files of a set."""
        return None if self.files and isinstance(self.tensors, ManyTensors) else self.main_pickle

    @property
    def content(self) -> Document:
        """The document that people came for: of a compressed file, and of an archive of one file, the one inside."""
        document = self
        while document.children and (
            document.format in WRAPPERS
            or (document.format in ARCHIVES and len(document.children) == 1)
            or (document.format == ZFILE and not document.pickles)
        ):
            document = document.children[0]
        return document

    def walk(self) -> Iterator[Document]:
        """This document and all below it, parents first."""
        waiting = [self]
        while waiting:
            document = waiting.pop()
            yield document
            waiting += reversed(document.children)

    def holders(self) -> Iterator[Document]:
        """Those documents whose tensors are counted: all but the files of a set, whose tensors are the set's."""
        waiting = [self]
        while waiting:
            document = waiting.pop()
            yield document
            waiting += (child for child in reversed(document.children) if not child.is_member)

    def number(self) -> None:
        """Give `index`, `parent` and `file` to this document and all below it."""
        files = {file.name: number for number, file in enumerate(self.files)}
        for index, document in enumerate(self.walk()):
            document.index = index
            for child in document.children:
                child.parent = index
                child.file = files.get(child.how.removeprefix(MEMBER), 0) if child.is_member else document.file
