"""Arrays that numpy saved: npy (one array, or several one after another) and npz (a zip of npy members)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from typing_extensions import override

from viewer.core.archive.record import Record
from viewer.core.archive.zip_reader import read_zip
from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import add_beside, finish, limited, open_known, open_records
from viewer.core.problem import error, note, warning
from viewer.core.source import ByteSource
from viewer.core.span import Region, Span
from viewer.core.tensors.arrays import array_storage, array_tensor
from viewer.core.tensors.dtypes import NumpyType
from viewer.core.tensors.npy_header import MAGIC, NpyHeader, NpyHeaderError, read_npy_header
from viewer.core.tensors.path import Path, key_part
from viewer.wording.phrases import phrase

SUFFIX: Final = ".npy"
MOST_ARRAYS: Final = 1000


@dataclass(frozen=True, slots=True)
class Place:
    """Where an array is read from and what it is called. It begins with its source.

    `shift`: what its offsets need to count in the document's source, None where they do not.
    """

    source: ByteSource
    shift: int | None
    path: Path
    key: str = ""
    record: str = ""

    def span(self, start: int, stop: int) -> Span | None:
        """A part of `source` in the document's source."""
        return None if self.shift is None else Span(start + self.shift, stop + self.shift)


class Npy(Format):
    """Arrays that follow the first are children."""

    @override
    def score(self, context: Context) -> int:
        return 100 if context.guess.format == "npy" else 0

    @override
    def parse(self, context: Context) -> Document:
        source = context.source
        document = Document(source, "npy")
        end = read_one(document, source, context)
        while end < source.size and len(document.children) < MOST_ARRAYS:
            if source.read(end, len(MAGIC)) != MAGIC:
                break
            rest = source.slice(end, source.size)
            child = Document(rest, "npy", how=phrase("how-next-array"), offset=source.to_outer(end))
            length = read_one(child, rest, context)
            child.source = rest.slice(0, length)
            finish(child)
            add_beside(document, child)
            end += length
        rest_behind(document, context, end)
        finish(document)
        return document


class Npz(Format):
    """Members that are no arrays are records; those that hold objects of their own are children."""

    @override
    def score(self, context: Context) -> int:
        return 100 if context.guess.format == "npz" else 0

    @override
    def parse(self, context: Context) -> Document:
        archive = read_zip(context.source, context.progress, context.options.most_unpacked, for_python=True)
        document = Document(context.source, "npz", records=archive.records, problems=list(archive.problems))
        reader = ArrayReader(document, context)
        names: set[str] = set()
        for name in dict.fromkeys(archive.names):
            record = archive.find(name)
            if name.endswith(SUFFIX) and record is not None and record.source is not None:
                context.progress.step("archive", len(names), len(archive.names))
                names.add(name)
                reader.add_member(record, record.source)
        open_records(document, archive, context, names.__contains__)
        starts = {region.span.start for region in reader.regions}
        rest = (region for region in archive.regions if region.span.start not in starts)
        document.regions = [*document.regions, *reader.regions, *rest]
        document.problems = limited(document.problems)
        finish(document)
        return document


def rest_behind(document: Document, context: Context, end: int) -> None:
    """The bytes behind the last array: a file of another kind, or nothing that is known."""
    source = context.source
    if end >= source.size:
        return
    more = len(document.children) == MOST_ARRAYS
    child = None if more else open_known(source.slice(end, source.size), phrase("how-after-array"), context)
    if child is not None:
        add_beside(document, child)
        return
    span = Span(end, source.size)
    document.problems.append(
        warning("streams-more", span, limit=MOST_ARRAYS, count=span.length)
        if more
        else note("npy-trailing", span, count=span.length)
    )
    document.regions = [*document.regions, Region(span, "trailing", "")]


def read_one(document: Document, source: ByteSource, context: Context) -> int:
    """The array at the start of a source, into a document of its own; gives its length."""
    reader = ArrayReader(document, context)
    length = reader.add(Place(source, 0, ()))
    document.regions = [*reader.regions, *document.regions]
    return length


def is_lost(kind: NumpyType) -> bool:
    """True for bytes without a type: numpy cannot name those of ml_dtypes in a file."""
    return kind.kind == "V" and kind.names is None and kind.subdtype is None and kind.itemsize > 0


class ArrayReader:
    """Reads arrays into a document; collects their regions."""

    def __init__(self, document: Document, context: Context) -> None:
        self.document = document
        self.context = context
        self.regions: list[Region] = []

    def add_member(self, record: Record, source: ByteSource) -> None:
        """The array of one member of an npz."""
        stem = record.name.removesuffix(SUFFIX)
        place = Place(source, record.data.start if record.stored else None, (key_part(stem),), stem, record.name)
        problems = self.document.problems
        try:
            end = self.add(place)
        except SourceError as failure:
            problems.append(error("record-unreadable", record.data, name=record.name, reason=str(failure)))
            return
        if end < source.size:
            span = place.span(end, source.size)
            problems.append(note("npy-trailing", span or record.data, count=source.size - end))
            self._region(span, "trailing", record.name)

    def add(self, place: Place) -> int:
        """Read one array; gives the offset behind it in the place's source."""
        source = place.source
        try:
            header = read_npy_header(source)
        except NpyHeaderError as failure:
            span = place.span(0, source.size)
            self.document.problems.append(error(failure.code, span, **failure.params))
            self._region(span, "unknown", place.key)
            return source.size
        self._region(place.span(0, header.size), "npy-header", place.key)
        if header.dtype.hasobject:
            return self._add_objects(place, header.size)
        return self._add_elements(place, header)

    def _add_elements(self, place: Place, header: NpyHeader) -> int:
        document, source = self.document, place.source
        stop = header.size + header.nbytes
        span = place.span(header.size, stop)
        storage = array_storage(
            header.dtype, header.elements, span, source.slice(header.size, stop), place.record, place.key
        )
        if self.context.options.byteorder:
            storage = replace(storage, byteorder=self.context.options.byteorder)
        tensor = array_tensor(header.dtype, header.shape, header.fortran, storage)
        tensor.index, tensor.path, tensor.name = len(document.tensors), place.path, place.key or None
        document.add_tensors((tensor,))
        document.byteorder = document.byteorder or storage.byteorder
        self._region(span, "storage", f"{tensor.dtype} {place.key}".rstrip())
        if is_lost(header.dtype):
            stated, size = header.dtype.str, header.dtype.itemsize
            document.problems.append(note("npy-type-lost", place.span(0, header.size), dtype=stated, size=size))
        if not storage.complete:
            there = place.span(header.size, source.size)
            facts = {"present": storage.available, "stated": storage.nbytes}
            document.problems.append(error("npy-data-cut", there, name=place.key, **facts))
        return min(stop, source.size)

    def _add_objects(self, place: Place, data: int) -> int:
        """An array of Python objects: what follows its header is a pickle."""
        size = place.source.size
        how = phrase("how-objects-of", name=place.record) if place.record else phrase("how-objects")
        child = self.context.open_child(place.source.slice(data, size), how)
        if child is not None:
            add_beside(self.document, child)
        return size

    def _region(self, span: Span | None, kind: str, label: str) -> None:
        if span is not None:
            self.regions.append(Region(span, kind, label))
