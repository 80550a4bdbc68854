"""The members `storages` and `tensors` of a tar checkpoint: pickles with raw numbers between them.

    storages: N, then N times (key, location, class), int64 count, elements; then the list of views
    tensors:  N, then N times (key, storage key, class), int32 ndim, 4 bytes of any content, int64 size[ndim],
              int64 stride[ndim], int64 storage offset

In 2016 an entry was (key, class), or (key, class, storage key), and there were no views.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal

from viewer.core.archive.record import Record
from viewer.core.document import Document
from viewer.core.formats.base import Context
from viewer.core.formats.reading import add_pickle, encoding, stream_problems
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.values import Kind, Values
from viewer.core.problem import error, warning
from viewer.core.span import Region, Span
from viewer.core.tensors.dtypes import DTYPES, STORAGE_CLASSES, TENSOR_CLASSES
from viewer.core.tensors.identifiers import View
from viewer.core.tensors.special import Layout
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.table import Key, part
from viewer.wording import Phrase
from viewer.wording.rows import ROLES

INT64: Final = 8
MOST_AXES: Final = 1000
STEP: Final = 64
UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Entry:
    """One tensor. `storage` None: it never had one. `place`: the bytes of its layout in the document's source."""

    key: Key
    storage: Key | None
    dtype: str
    layout: Layout
    place: Span


@dataclass(slots=True)
class Parts:
    """What was read of the members, up to where they break. `early`: in the form of 2016."""

    storages: dict[Key, Storage] = field(default_factory=dict)
    tensors: dict[Key, Entry] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)
    early: bool = False


class Cursor:
    """Reads one member from its first byte on. `order`: of the raw numbers, little or big."""

    def __init__(self, document: Document, record: Record, context: Context, parts: Parts) -> None:
        self.document, self.record, self.context, self.parts = document, record, context, parts
        self.at, self.stop = record.data.start, record.data.stop
        self.coding = encoding(context)
        self.order: Literal["big", "little"] = "big" if document.byteorder == "big" else "little"

    def pickle(self, role: str) -> Values | None:
        """The next pickle; None where none stands here or it breaks. Damage becomes a Problem."""
        if self.at >= self.stop:
            self.ends_early(role)
            return None
        code = disassemble(self.document.source.slice(0, self.stop), self.at)
        code.source = self.document.source
        if not len(code):
            self.document.problems += stream_problems(code)
            return None
        found = add_pickle(self.document, code, self.record.name, role)
        self.parts.regions.append(Region(found.span(), "pickle", role))
        self.at = code.stop
        return found.values if code.complete else None

    def numbers(self, count: int) -> list[int] | None:
        """The next int64s; None where they are not all there."""
        stop = self.at + count * INT64
        if stop > self.stop:
            return None
        raw = self.document.source.read(self.at, count * INT64)
        self.at = stop
        return [int.from_bytes(raw[at : at + INT64], self.order, signed=True) for at in range(0, len(raw), INT64)]

    def region(self, start: int, kind: str, label: str) -> None:
        """Bytes from `start` to the place where reading is now."""
        self.parts.regions.append(Region(Span(start, min(self.at, self.stop)), kind, label))

    def ends_early(self, role: str) -> None:
        """The member ends where a part should stand; of one that the end of the file cuts that is known."""
        if not self.record.extra.get("cut"):
            span = self.record.data if self.record.data.length else self.record.header
            self.document.problems.append(
                error("tar-member-ends", span, name=self.record.name, part=Phrase(ROLES[role]))
            )

    def finish(self) -> None:
        """What follows the last part that was read."""
        if self.at < self.stop:
            self.parts.regions.append(Region(Span(self.at, self.stop), "trailing", self.record.name))

    def key(self, values: Values, value: int) -> Key | None:
        """A key: the C address as an int, or any text."""
        number = values.integer(value)
        return values.text(value, self.coding) if number is None else number


def read_storages(cursor: Cursor) -> None:
    """All storages up to where the member breaks, and their views."""
    is_whole = _read_each(cursor, "number of storages", "storages", _read_storage)
    if is_whole and cursor.at < cursor.stop:
        views = cursor.pickle("views")
        if views is not None:
            _read_views(cursor, views)
    cursor.finish()


def _read_each(cursor: Cursor, role: str, stage: str, read: Callable[[Cursor], bool]) -> bool:
    """As many entries as the member states; False where they break off before, or no number stands there."""
    values = cursor.pickle(role)
    if values is None:
        return False
    count = values.integer(values.root)
    if count is None or count < 0:
        cursor.document.problems.append(error("tar-count", values.span(values.root), name=cursor.record.name))
        return False
    for number in range(count):
        if number % STEP == 0:
            cursor.context.progress.step(stage, number, count)
        if not read(cursor):
            return False
    return True


def _read_storage(cursor: Cursor) -> bool:
    """One storage; False where nothing behind it can be found."""
    values = cursor.pickle("storage")
    if values is None:
        return False
    items = values.items(values.root) if values.kind(values.root) is Kind.TUPLE else []
    key = cursor.key(values, items[0]) if items else None
    name = values.global_name(items[-1]) if items else None
    if key is None or name is None or len(items) not in (2, 3):
        return _refuse(cursor, values)
    kind = STORAGE_CLASSES.get(name[1], "")
    if not kind:
        span = values.span(values.root)
        cursor.document.problems.append(error("storage-class-unknown", span, key=str(key), class_name=name[1]))
        return False
    location = values.text(items[1], cursor.coding) if len(items) == 3 else None
    where = location or ("cuda" if name[0] == "torch.cuda" else "cpu")
    return _place_storage(cursor, key, where, kind)


def _place_storage(cursor: Cursor, key: Key, location: str, kind: str) -> bool:
    """The count and the elements behind the entry of a storage."""
    document, start = cursor.document, cursor.at
    found = cursor.numbers(1)
    if found is None:
        cursor.at = cursor.stop
        cursor.region(start, "storage-count", str(key))
        cursor.ends_early("storage")
        return False
    cursor.region(start, "storage-count", str(key))
    if found[0] < 0:
        document.problems.append(error("storage-count-negative", Span(start, cursor.at), key=str(key), count=found[0]))
        return False
    start, nbytes = cursor.at, found[0] * DTYPES[kind].itemsize
    source = document.source.slice(start, min(start + nbytes, cursor.stop))
    span, order = Span(start, start + nbytes), document.byteorder or "little"
    if key in cursor.parts.storages:
        document.problems.append(warning("tar-key-twice", span.clipped(cursor.stop), key=str(key)))
    cursor.parts.storages[key] = Storage(
        key, location, kind, False, found[0], nbytes, span, source, cursor.record.name, order
    )
    cursor.at = min(span.stop, cursor.stop)
    cursor.region(start, "storage", f"{kind} {key}")
    return span.stop <= cursor.stop


def _read_views(cursor: Cursor, values: Values) -> None:
    """Storages that are parts of others: (key, root key, offset, count) in elements."""
    storages = cursor.parts.storages
    for view in values.items(values.root) if values.root >= 0 else []:
        items = values.items(view) if values.kind(view) is Kind.TUPLE else []
        key, root = (cursor.key(values, items[at]) if len(items) == 4 else None for at in (0, 1))
        offset, count = (values.integer(items[at]) if len(items) == 4 else None for at in (2, 3))
        if key is None or root is None or offset is None or count is None or root not in storages:
            _refuse(cursor, values, view)
        else:
            storages[key] = part(storages[root], View(key, offset, count))


def read_tensors(cursor: Cursor) -> None:
    """The layouts of all tensors up to where the member breaks."""
    _read_each(cursor, "number of tensors", "objects", _read_tensor)
    cursor.finish()


def _read_tensor(cursor: Cursor) -> bool:
    values = cursor.pickle("tensor")
    if values is None:
        return False
    items = values.items(values.root) if values.kind(values.root) is Kind.TUPLE else []
    if len(items) != 3:
        return _refuse(cursor, values)
    is_early = values.global_name(items[1]) is not None
    named, stored = (items[1], items[2]) if is_early else (items[2], items[1])
    key, name = cursor.key(values, items[0]), values.global_name(named)
    if key is None or name is None:
        return _refuse(cursor, values)
    cursor.parts.early = cursor.parts.early or is_early
    start = cursor.at
    layout = _layout(cursor)
    cursor.region(start, "tensor-layout", str(key))
    if layout is None:
        return False
    kind = TENSOR_CLASSES.get(name[1], UNKNOWN)
    cursor.parts.tensors[key] = Entry(key, cursor.key(values, stored), kind, layout, Span(start, cursor.at))
    return True


def _layout(cursor: Cursor) -> Layout | None:
    """Storage offset, size and stride; None where they are cut or no layout."""
    head = cursor.document.source.read(cursor.at, INT64) if cursor.at + INT64 <= cursor.stop else b""
    start = cursor.at
    # The old code wrote eight bytes from a field of four: the other four are whatever stood beside it.
    axes = int.from_bytes(head[:4], cursor.order, signed=True) if head else -1
    if not 0 <= axes <= MOST_AXES:
        cursor.at = min(start + INT64, cursor.stop)
        if head:
            cursor.document.problems.append(error("tar-layout", Span(start, cursor.at), axes=axes))
        else:
            cursor.ends_early("tensor")
        return None
    cursor.at += INT64
    numbers = cursor.numbers(2 * axes + 1)
    if numbers is None:
        cursor.at = cursor.stop
        cursor.ends_early("tensor")
        return None
    return numbers[-1], tuple(numbers[:axes]), tuple(numbers[axes:-1])


def _refuse(cursor: Cursor, values: Values, value: int = -1) -> bool:
    """An entry of another form than is known."""
    span = values.span(values.root if value < 0 else value) if values.root >= 0 else None
    cursor.document.problems.append(error("tar-entry", span, name=cursor.record.name))
    return False
