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
from viewer.core.formats.reading import add_beside, finish, open_records
from viewer.core.problem import error, note, warning
from viewer.core.source import ByteSource
from viewer.core.span import Region, Span
from viewer.core.tensors.arrays import array_storage, array_tensor
from viewer.core.tensors.npy_header import MAGIC, NpyHeaderError, read_npy_header
from viewer.core.tensors.path import Path, key_part

SUFFIX: Final = ".npy"
MOST_ARRAYS: Final = 1000


@dataclass(frozen=True, slots=True)
class Place:
    """Where an array is read from and what it is called.

    The array begins at `start` of `source`. `shift`: what its offsets need to count in the document's source,
    None where they do not.
    """

    source: ByteSource
    start: int
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
        end = add_array(document, Place(source, 0, 0, ()), context)
        while end < source.size and len(document.children) < MOST_ARRAYS:
            if source.read(end, len(MAGIC)) != MAGIC:
                break
            rest = source.slice(end, source.size)
            child = Document(rest, "npy", how="next array", offset=source.to_outer(end))
            length = add_array(child, Place(rest, 0, 0, ()), context)
            child.source = rest.slice(0, length)
            finish(child)
            add_beside(document, child)
            end += length
        if end < source.size:
            rest_span = Span(end, source.size)
            more = len(document.children) == MOST_ARRAYS
            document.problems.append(
                warning("streams-more", rest_span, limit=MOST_ARRAYS, count=rest_span.length)
                if more
                else note("npy-trailing", rest_span, count=rest_span.length)
            )
            document.regions.append(Region(rest_span, "trailing", ""))
        finish(document)
        return document


class Npz(Format):
    """Members that are no arrays are records; those that hold objects of their own are children."""

    @override
    def score(self, context: Context) -> int:
        return 100 if context.guess.format == "npz" else 0

    @override
    def parse(self, context: Context) -> Document:
        archive = read_zip(context.source, context.progress)
        document = Document(context.source, "npz", records=archive.records, problems=list(archive.problems))
        names: list[str] = []
        for name in dict.fromkeys(archive.names):
            record = archive.find(name)
            if name.endswith(SUFFIX) and record is not None and record.source is not None:
                context.progress.step("archive", len(names), len(archive.names))
                names.append(name)
                add_member(document, record, record.source, context)
        open_records(document, archive, context, tuple(names))
        read = {region.span.start for region in document.regions}
        document.regions += [region for region in archive.regions if region.span.start not in read]
        finish(document)
        return document


def add_member(document: Document, record: Record, source: ByteSource, context: Context) -> None:
    """The array of one member of an npz."""
    stem = record.name.removesuffix(SUFFIX)
    shift = record.data.start if record.stored else None
    place = Place(source, 0, shift, (key_part(stem),), stem, record.name)
    try:
        end = add_array(document, place, context)
    except SourceError as failure:
        document.problems.append(error("record-unreadable", record.data, name=record.name, reason=str(failure)))
        return
    if end < source.size:
        span = place.span(end, source.size)
        document.problems.append(note("npy-trailing", span or record.data, count=source.size - end))
        if span is not None:
            document.regions.append(Region(span, "trailing", record.name))


def add_array(document: Document, place: Place, context: Context) -> int:
    """Read one array into the document, with its regions; gives the offset behind it in the place's source."""
    source, start = place.source, place.start
    try:
        header = read_npy_header(source, start)
    except NpyHeaderError as failure:
        span = place.span(start, source.size)
        document.problems.append(error(failure.code, span, **failure.params))
        if span is not None:
            document.regions.append(Region(span, "unknown", place.key))
        return source.size
    data = start + header.size
    head = place.span(start, data)
    if head is not None:
        document.regions.append(Region(head, "npy-header", place.key))
    if header.dtype.hasobject:
        return add_objects(document, place, data, context)
    stop = data + header.nbytes
    span = place.span(data, stop)
    storage = array_storage(header.dtype, header.elements, span, source.slice(data, stop), place.record, place.key)
    if context.options.byteorder:
        storage = replace(storage, byteorder=context.options.byteorder)
    tensor = array_tensor(header.dtype, header.shape, header.fortran, storage)
    tensor.index, tensor.path, tensor.name = len(document.tensors), place.path, place.key or None
    document.tensors.append(tensor)
    document.byteorder = document.byteorder or storage.byteorder
    if span is not None:
        document.regions.append(Region(span, "storage", f"{tensor.dtype} {place.key}".rstrip()))
    if not storage.complete:
        facts = {"present": storage.available, "stated": storage.nbytes}
        document.problems.append(error("npy-data-cut", place.span(data, source.size), name=place.key, **facts))
    return min(data + header.nbytes, source.size)


def add_objects(document: Document, place: Place, data: int, context: Context) -> int:
    """An array of Python objects: what follows its header is a pickle."""
    size = place.source.size
    how = f"objects of {place.record}" if place.record else "objects"
    child = context.open_child(place.source.slice(data, size), how)
    if child is not None:
        add_beside(document, child)
    return size
