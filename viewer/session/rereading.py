"""Places that outlive a reading of the file: read again with other options, each is looked for in what was found then.

Numbers of documents, rows, tensors and values count in one reading only: an archive that is unpacked further has
more documents, another text encoding gives keys other names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Final

import numpy as np

from viewer.core.document import MEMBER, Document
from viewer.core.pickles.opcodes import codes
from viewer.core.span import Span
from viewer.late import late
from viewer.session.selection import Address, Anchor, Selection

if TYPE_CHECKING:
    from viewer.core.formats.base import Options
    from viewer.core.opening import find_place, open_document, open_place
    from viewer.core.progress import Progress
    from viewer.core.source import ByteSource
    from viewer.core.summary.contents import Contents
    from viewer.core.summary.remarks.byte_order import is_unstated
    from viewer.core.tensors.path import Path
    from viewer.core.tensors.tensor import Tensor
    from viewer.session.damage import Left, what_is_left
    from viewer.session.linking import Links
else:
    find_place, open_document, open_place = late("viewer.core.opening", "find_place open_document open_place")
    (Contents,) = late("viewer.core.summary.contents", "Contents")
    (is_unstated,) = late("viewer.core.summary.remarks.byte_order", "is_unstated")
    (what_is_left,) = late("viewer.session.damage", "what_is_left")
    (Links,) = late("viewer.session.linking", "Links")

FEW: Final = 2_000
STRINGS: Final = sorted(codes("STRING BINSTRING SHORT_BINSTRING"))


@dataclass(slots=True)
class Reading:
    """What one reading of the file gave. `links`: of the documents that may be shown first.

    `unstated`: indices of the documents that have a place for the mark of their byte order, and no mark.
    `python2_text`: some pickle holds strings of Python 2. `left`: what is left of the tensors of a damaged file.
    """

    root: Document
    options: Options
    links: dict[int, Links]
    python2_text: bool = False
    unstated: frozenset[int] = frozenset()
    left: Left | None = None


def read(
    source: ByteSource | None, progress: Progress, options: Options, place: Address = (), path: FilePath | None = None
) -> Reading:
    """Read the file; ready to be shown at what people came for, and at the document that lies at a place.

    `path`: of a file that may be a part of a set, or of a folder; the set is read then. Raises SourceError.
    """
    root = whole_set(path, progress, options) if path is not None and options.whole_set else None
    if root is None:
        root = open_document(source if source is not None else path or "", progress, options)
    shown = (root.content, document_at(root, place))
    links = {document.index: linked(document, options) for document in shown if document is not None}
    unstated = frozenset(document.index for document in root.walk() if is_unstated(document))
    return Reading(root, options, links, has_python2_text(root), unstated, what_is_left(root))


def whole_set(path: FilePath, progress: Progress, options: Options) -> Document | None:
    """The set of files that a folder holds, or that a file is a part of; None for a file that is none."""
    found = find_place(path, options)
    if found.path == path and not found.kind:
        found.source.close()
        return None
    return open_place(found, progress, options)


def linked(document: Document, options: Options) -> Links:
    """The rows and ties of a document, with what the first click needs."""
    links = Links(document, Contents(document, options.encoding))
    links.prepare()
    return links


def is_small(document: Document) -> bool:
    """True where rows and ties are made in a few milliseconds."""
    return len(document.tensors) + sum(len(pickle.code) for pickle in document.pickles) <= FEW


class Anchors:
    """Makes anchors of the places of one reading."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._addresses: dict[int, Address] = {}

    def anchored(self, place: Selection) -> Anchor:
        """A place, with what it takes to find it in another reading."""
        at = place.document
        root = self._documents[0] if self._documents else None
        opened_by = root.opened_by if root is not None and root.files else None
        if at >= len(self._documents):
            return Anchor(place, opened_by=opened_by)
        document = self._documents[at]
        if at not in self._addresses:
            self._addresses[at] = address(self._documents, document)
        tensor = document.tensors[place.tensor].path if place.tensor is not None else None
        return Anchor(place, self._addresses[at], tensor, opened_by)


def address(documents: Sequence[Document], document: Document) -> Address:
    """How a document lies in those around it, the outermost first."""
    steps: list[tuple[str, int | None, int]] = []
    while document.parent is not None:
        above = documents[document.parent]
        alike = [child for child in above.children if (child.how, child.offset) == (document.how, document.offset)]
        number = next(at for at, child in enumerate(alike) if child is document)
        steps.append((document.how, document.offset, number))
        document = above
    return tuple(reversed(steps))


def document_at(root: Document, place: Address) -> Document | None:
    """The document that lies at a place; None where none does any more."""
    document = root
    for how, offset, number in place:
        alike = [child for child in document.children if (child.how, child.offset) == (how, offset)]
        if number >= len(alike):
            return None
        document = alike[number]
    return document


def located(anchor: Anchor, root: Document) -> tuple[Document, Anchor]:
    """The document in which a place is to be found again; the start of the file where there is none any more."""
    here = carried(anchor, root)
    document = document_at(root, here.document)
    return (document, here) if document is not None else (root, Anchor(Selection(origin=anchor.place.origin)))


def carried(anchor: Anchor, root: Document) -> Anchor:
    """A place of a whole set as that of its file alone, and the other way round; the start where it is in neither."""
    place, start = anchor.place, Anchor(Selection(origin=anchor.place.origin))
    if (anchor.opened_by is not None) == bool(root.files):
        return anchor
    if anchor.opened_by is not None:
        name, (first, *rest) = anchor.opened_by, anchor.document or (("", None, 0),)
        if name and first[0] == MEMBER + name:
            return Anchor(place, tuple(rest), anchor.tensor)
        is_inside = name and not anchor.document and place.source == name
        return Anchor(Selection(spans=place.spans, origin=place.origin)) if is_inside else start
    member = root.member(root.opened_by)
    if member is None:
        return start
    if anchor.document:
        return Anchor(place, ((member.how, member.offset, 0), *anchor.document), anchor.tensor, root.opened_by)
    spans = place.spans if not place.source else ()
    return Anchor(Selection(source=root.opened_by, spans=spans, origin=place.origin), opened_by=root.opened_by)


def found_again(anchor: Anchor, links: Links) -> Selection:
    """The place in the document of another reading: the reading of it that has the same bytes, else its bytes."""
    place = anchor.place
    same = (found for found in _readings(anchor, links) if _shape(found) == _shape(place))
    found = next(same, None) or links.from_bytes(_there_still(place, links.document), place.source)
    return replace(found, origin=place.origin)


def _there_still(place: Selection, document: Document) -> tuple[Span, ...]:
    """The bytes of a place that the file still has; of one that it was cut before its last byte."""
    size = document.source_at(place.source).size
    parts = (span.clipped(size) for span in place.spans)
    last = (Span(size - 1, size),) if size and place.spans else ()
    return tuple(part for part in parts if part.length) or last


def has_python2_text(document: Document) -> bool:
    """True where a pickle of the file, or of one inside it, holds strings of Python 2."""
    streams = (pickle.code.codes.data for part in document.walk() for pickle in part.pickles)
    return any(bool(np.isin(np.frombuffer(stream, dtype=np.uint8), STRINGS).any()) for stream in streams)


def _readings(anchor: Anchor, links: Links) -> Iterator[Selection]:
    """The place by each thing that it names, as far as the document still has it."""
    place, document = anchor.place, links.document
    tensor = _tensor_of(document, anchor.tensor)
    if tensor is not None:
        yield links.from_tensor(tensor, place.element)
    for value in (place.value, place.opcode):
        pickle = document.pickles[value.pickle] if value is not None and value.pickle < len(document.pickles) else None
        if value is None or pickle is None or value.value >= len(pickle.code):
            continue
        if value is place.value:
            yield links.from_value(value)
        yield links.from_opcode(value)
    if place.code is not None and place.code < len(document.sources):
        yield links.from_line(place.code, place.line)


def _tensor_of(document: Document, path: Path | None) -> Tensor | None:
    if path is None:
        return None
    return next((tensor for tensor in document.tensors if tensor.path == path), None)


def _shape(place: Selection) -> tuple[object, ...]:
    """What a place and the same place in another reading have in common."""
    return place.source, place.spans, place.linked, place.element, place.line, place.code
