"""The rows of an archive: records by folder, the directory, and what else stands in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from viewer.core.archive.record import Record
from viewer.core.document import Document, Pickle
from viewer.core.span import Span
from viewer.core.summary.outline_parts import of_record, outline_parts
from viewer.core.summary.part import Part, Parts, Say, data, listed, next_pickles, pickle_part, region_part, tensor_part
from viewer.core.summary.tar_parts import MEMBER_ROLES, member_parts
from viewer.wording import rows as words

_DEEPEST: Final = 32
RECORD: Final = "record "
# Behind these no record goes on.
_ENDS: Final = frozenset({"zip-directory", "zip-end", "tar-end"})


@dataclass(slots=True)
class _Folder:
    """Numbers of records and names of folders in a folder, in the order of the archive."""

    records: list[int] = field(default_factory=list)
    folders: dict[str, _Folder] = field(default_factory=dict)
    first: int = 0
    last: int = 0
    size: int = 0


def archive_parts(document: Document) -> list[Part]:
    """Records by folder, the directory, and what else stands in the archive."""
    rows = _Records(document)
    rest = [region for region in document.regions if region.kind in ("prefix", "trailing", "gap", "unknown", "tar-end")]
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
        self.pickles: dict[str, list[Pickle]] = {}
        for pickle in document.pickles:
            if pickle.record:
                self.pickles.setdefault(pickle.record, []).append(pickle)
        self.children = record_children(document)
        # Of tensors in one record the first gives its name to the row, where no pickle made it.
        self.tensors = {
            tensor.storage.record: tensor
            for tensor in reversed(document.tensors)
            if tensor.storage is not None and tensor.storage.record
        }
        self._stops = [region.span.start for region in document.regions if region.kind in _ENDS]
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
        child = self.children.get(record.name)
        if child is not None:
            kind = self.document.children[child].format
            what = (Say(words.FORMATS.get(kind, kind)),)
            return Part(label, "archive", record.data, what, record.size, owned, child=child)
        pickles = self.pickles.get(record.name)
        if pickles is not None and pickles[0].role in MEMBER_ROLES:
            inner, count = member_parts(self.document, record, pickles), Say(words.ENTRIES, {"count": len(pickles)})
            return Part(label, "folder", record.data, (count,), record.size, owned, children=inner)
        outline = self.document.outlines.get(record.name)
        inside = outline_parts(outline, record.data) if outline is not None else None
        if pickles is not None:
            found = pickle_part(self.document, pickles[0], label, owned)
            found.children = inside
            if len(pickles) > 1:
                found.size, found.children = record.size, next_pickles(self.document, pickles[1:])
            return found
        tensor = self.tensors.get(record.name)
        if tensor is None or tensor.storage is None:
            told = of_record(outline) if outline is not None else ()
            return Part(label, "record", record.data, told, record.size, owned, children=inside)
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


def record_children(document: Document) -> dict[str, int]:
    """The documents inside records, by the name of the record; their rows are those of the records."""
    return {
        child.how.removeprefix(RECORD): number
        for number, child in enumerate(document.children)
        if child.how.startswith(RECORD)
    }


def common_folder(names: Sequence[str]) -> str:
    """The folder, with its slash, that all names begin with; "" where there is none."""
    first = names[0].partition("/")[0] + "/" if names and "/" in names[0] else ""
    return first if first and all(name.startswith(first) for name in names) else ""


def _record_start(record: Record) -> int:
    return record.header.start if record.header is not None else record.data.start
