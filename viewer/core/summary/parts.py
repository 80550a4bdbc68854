"""What a container is made of, as rows: pickles, records by folder, storages, header and directory bytes.

Every byte of the document belongs to one part at each level; parts of long lists are made when they are asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from viewer.core.archive.record import Record
from viewer.core.document import Document, Pickle
from viewer.core.span import Region, Span
from viewer.core.tensors.tensor import Tensor
from viewer.wording import rows as words

# A part may lie between the parts of another: so many before the nearest are looked at as well.
_NEAR: Final = 8
_DEEPEST: Final = 32


@dataclass(frozen=True, slots=True)
class Say:
    """A piece of a row. `data`: it stands in the file as it is; else a sentence of the wording tables to be filled."""

    text: str
    params: Mapping[str, object] = field(default_factory=dict)
    data: bool = False


def data(text: str) -> Say:
    """Text out of the file."""
    return Say(text, data=True)


@dataclass(slots=True)
class Part:
    """One row. `span`: what is selected with it. `owned`: the bytes that are its own, None = those of `span`.

    `pickle`, `tensor`, `child`: numbers in the document of what the row stands for; -1: none. The object of a
    pickle is its first child, before `children`.
    """

    label: Say
    icon: str
    span: Span | None = None
    details: tuple[Say, ...] = ()
    size: int | None = None
    owned: Span | None = None
    pickle: int = -1
    tensor: int = -1
    child: int = -1
    children: Parts | None = None

    @property
    def place(self) -> Span | None:
        """The bytes that belong to it."""
        return self.owned or self.span


class Parts:
    """Neighbouring parts, made one by one: `make(n)` gives the n-th, `starts[n]` its first byte, in ascending order."""

    def __init__(self, starts: Sequence[int], make: Callable[[int], Part], stop: int) -> None:
        self.starts, self.make, self.stop = starts, make, stop
        self.count = len(starts)

    def find(self, offset: int) -> int:
        """Number of the part that owns a byte; -1: none."""
        if offset >= self.stop:
            return -1
        number = bisect_right(self.starts, offset) - 1
        for near in range(number, max(-1, number - _NEAR), -1):
            place = self.make(near).place
            if place is not None and offset in place:
                return near
        return -1


def listed(parts: Sequence[Part]) -> Parts:
    """Parts that are there already, put in the order of their bytes; those without bytes come last."""
    found = sorted((part for part in parts if part.place is not None), key=lambda part: _start(part))
    found += [part for part in parts if part.place is None]
    last = max((part.place.stop for part in found if part.place is not None), default=0)
    return Parts([_start(part) for part in found], lambda number: found[number], last)


def _start(part: Part) -> int:
    return part.place.start if part.place is not None else 1 << 62


def document_part(document: Document) -> Part:
    """The row of a whole document, with all that it is made of below."""
    label = Say(words.FORMATS.get(document.format, document.format))
    detail = (data(document.detail),) if document.detail else ()
    whole = Span(0, document.source.size)
    part = Part(label, "archive", whole, detail, document.source.size)
    if document.records:
        part.children = listed([*_zip_parts(document), *_child_parts(document)])
        return part
    if document.format == "pickle" and document.pickles:
        part.icon, part.pickle = "pickle", document.main
        protocol = document.pickles[document.main].code.protocol
        part.details = (Say(words.PROTOCOL, {"protocol": protocol}),)
    elif not document.pickles and not document.tensors:
        part.icon = "bytes"
    found = [*_stream_parts(document), *_array_parts(document), *_child_parts(document)]
    part.children = listed([*found, *_region_parts(document, found)])
    return part


# -- streams, arrays, children -----------------------------------------------------------------------


def _stream_parts(document: Document) -> list[Part]:
    """The pickles of a document, and the storages behind them as one group."""
    if document.format == "pickle":
        return []
    found = [pickle_part(document, pickle) for pickle in document.pickles]
    children = [span for child in document.children if (span := child_span(document, child)) is not None]
    regions = [
        region
        for region in document.regions
        if region.kind in ("storage", "storage-count") and not any(span.overlaps(region.span) for span in children)
    ]
    if regions and document.pickles:
        stored = _storages(regions)
        whole = Span(regions[0].span.start, regions[-1].span.stop)
        size = sum(region.span.length for region in regions if region.kind == "storage")
        found.append(Part(Say(words.STORAGES), "storage", whole, (), size, children=stored))
    return found


def pickle_part(document: Document, pickle: Pickle, label: Say | None = None, owned: Span | None = None) -> Part:
    """The row of one stream; its object stands below."""
    span = pickle.in_document(pickle.span())
    size = pickle.span().length
    details = (Say(words.PROTOCOL, {"protocol": pickle.code.protocol}),)
    name = label or Say(words.ROLES.get(pickle.role, words.ROLES[""]))
    return Part(name, "pickle", span, details, size, owned, pickle=pickle.index)


def _storages(regions: Sequence[Region]) -> Parts:
    """Storages of a legacy stream, each with the count before it. A storage without elements has only its count."""
    starts: list[int] = []
    rows: list[tuple[Region, Region | None]] = []
    for region in regions:
        follows = rows and rows[-1][1] is None and rows[-1][0].kind == "storage-count"
        if region.kind == "storage" and follows and rows[-1][0].span.stop == region.span.start:
            rows[-1] = (rows[-1][0], region)
        else:
            starts.append(region.span.start)
            rows.append((region, None))

    def make(number: int) -> Part:
        first, second = rows[number]
        stored = second or first
        dtype, _, key = second.label.partition(" ") if second is not None else ("", "", first.label)
        details = (data(dtype),) if dtype else ()
        size = stored.span.length if stored.kind == "storage" else 0
        return Part(data(key), "storage", stored.span, details, size, Span(first.span.start, stored.span.stop))

    return Parts(starts, make, regions[-1].span.stop)


def _array_parts(document: Document) -> list[Part]:
    """Arrays that no pickle made: npy."""
    return [
        tensor_part(tensor, data(document.format))
        for tensor in document.tensors
        if tensor.value is None and tensor.storage is not None
    ]


def tensor_part(tensor: Tensor, label: Say, owned: Span | None = None) -> Part:
    """The row of a tensor that stands in a container itself."""
    storage = tensor.storage
    details = (data(shape_text(tensor.shape)), data(tensor.dtype))
    span = storage.span if storage is not None else None
    size = storage.nbytes if storage is not None else None
    return Part(label, "tensor", span, details, size, owned, tensor=tensor.index)


def _child_parts(document: Document) -> list[Part]:
    found: list[Part] = []
    for number, child in enumerate(document.children):
        label = Say(words.FORMATS.get(child.format, child.format))
        details = (Say(words.INSIDE, {"how": child.how}),)
        span = child_span(document, child)
        found.append(Part(label, "archive", span, details, child.source.size, child=number))
    return found


def child_span(document: Document, child: Document) -> Span | None:
    """The bytes of a child in its parent; None where it was inflated."""
    start, outer = document.source.to_outer(0), child.source.to_outer(0)
    if start is None or outer is None:
        return None
    return Span(outer - start, outer - start + child.source.size)


def _region_parts(document: Document, found: Iterable[Part]) -> list[Part]:
    """A row for each region that no other part owns."""
    places = sorted((part.place for part in found if part.place is not None), key=lambda place: place.start)
    starts = [place.start for place in places]
    parts: list[Part] = []
    main = document.main_pickle if document.format == "pickle" else None
    for region in document.regions:
        number = bisect_right(starts, region.span.start) - 1
        owned = number >= 0 and places[number].contains_span(region.span)
        if not owned and not (main is not None and region.kind == "pickle"):
            parts.append(region_part(region))
    return parts


_REGION_ICONS: Final = {"gap": "gap", "padding": "gap", "npy-header": "header", "zip-header": "header"}


def region_part(region: Region) -> Part:
    """The row of bytes that are nothing else."""
    label = Say(words.KINDS.get(region.kind, region.kind))
    details = (data(region.label),) if region.label else ()
    icon = _REGION_ICONS.get(region.kind, "bytes")
    return Part(label, icon, region.span, details, region.span.length)


def shape_text(shape: Sequence[int]) -> str:
    """A shape as torch prints it."""
    return f"[{', '.join(map(str, shape))}]"


# -- zip ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Folder:
    """Numbers of records and names of folders in a folder, in the order of the archive."""

    records: list[int] = field(default_factory=list)
    folders: dict[str, _Folder] = field(default_factory=dict)
    first: int = 0
    last: int = 0
    size: int = 0


def _zip_parts(document: Document) -> list[Part]:
    """Records by folder, the directory, and what else stands in the archive."""
    rows = _Records(document)
    rest = [region for region in document.regions if region.kind in ("prefix", "trailing", "gap", "unknown")]
    ends = [region for region in document.regions if region.kind in ("zip-directory", "zip-end")]
    found = [*rows.parts(rows.root), *(region_part(region) for region in rest)]
    if ends:
        whole = Span(ends[0].span.start, ends[-1].span.stop)
        inner = Parts([region.span.start for region in ends], lambda number: region_part(ends[number]), whole.stop)
        found.append(Part(Say(words.DIRECTORY), "header", whole, (), whole.length, children=inner))
    return found


class _Records:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.records = sorted(document.records, key=_record_start)
        self.starts = [_record_start(record) for record in self.records]
        self.root = _Folder()
        self.pickles = {pickle.record: pickle for pickle in reversed(document.pickles) if pickle.record}
        # Of tensors in one record the first gives its name to the row, where no pickle made it.
        self.tensors = {
            tensor.storage.record: tensor
            for tensor in reversed(document.tensors)
            if tensor.storage is not None and tensor.storage.record
        }
        self._stops = [region.span.start for region in document.regions if region.kind in ("zip-directory", "zip-end")]
        prefix = common_folder([record.name for record in self.records])
        for number, record in enumerate(self.records):
            self._sort_in(number, record, prefix)

    def parts(self, folder: _Folder) -> list[Part]:
        """The rows of a folder; its records one by one only when they are looked at."""
        found = [self.part(number) for number in folder.records]
        for name, inner in folder.folders.items():
            whole = Span(self.starts[inner.first], self.stop(inner.last))
            count = Say(words.RECORDS, {"count": len(inner.records) + len(inner.folders)})
            below = self.lazy(inner) if not inner.folders else listed(self.parts(inner))
            found.append(Part(data(name), "folder", whole, (count,), inner.size, children=below))
        return found

    def lazy(self, folder: _Folder) -> Parts:
        """The records of a folder without folders."""
        numbers = folder.records
        starts = [self.starts[number] for number in numbers]
        return Parts(starts, lambda row: self.part(numbers[row]), self.stop(folder.last))

    def part(self, number: int) -> Part:
        """The row of one record. It owns its header, its padding and its descriptor too."""
        record = self.records[number]
        label = data(record.name.rpartition("/")[2] or record.name)
        owned = Span(self.starts[number], max(self.stop(number), self.starts[number]))
        pickle = self.pickles.get(record.name)
        if pickle is not None:
            return pickle_part(self.document, pickle, label, owned)
        tensor = self.tensors.get(record.name)
        if tensor is None or tensor.storage is None:
            return Part(label, "record", record.data, (), record.size, owned)
        if tensor.value is None:
            return tensor_part(tensor, label, owned)
        details = (data(tensor.storage.dtype), Say(words.ELEMENTS, {"count": tensor.storage.count}))
        return Part(label, "storage", record.data, details, record.size, owned)

    def stop(self, number: int) -> int:
        """Where the bytes of a record end: at the next one, or at the directory."""
        start = self.starts[number]
        following = self.starts[number + 1] if number + 1 < len(self.starts) else self.document.source.size
        row = bisect_right(self._stops, start)
        directory = self._stops[row] if row < len(self._stops) else following
        return max(min(following, directory), min(self.records[number].data.stop, self.document.source.size))

    def _sort_in(self, number: int, record: Record, prefix: str) -> None:
        folder = self.root
        for name in record.name.removeprefix(prefix).split("/", _DEEPEST)[:-1]:
            if name not in folder.folders:
                folder.folders[name] = _Folder(first=number)
            folder = folder.folders[name]
            folder.last = number
            folder.size += record.size
        folder.records.append(number)


def common_folder(names: Sequence[str]) -> str:
    """The folder, with its slash, that all names begin with; "" where there is none."""
    first = names[0].partition("/")[0] + "/" if names and "/" in names[0] else ""
    return first if first and all(name.startswith(first) for name in names) else ""


def _record_start(record: Record) -> int:
    return record.header.start if record.header is not None else record.data.start
