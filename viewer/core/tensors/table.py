"""The storages that the persistent ids of one stream name, and where their bytes stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from viewer.core.pickles.values import Values
from viewer.core.problem import Problem
from viewer.core.source import ByteSource
from viewer.core.span import Span
from viewer.core.tensors.dtypes import DTYPES, dtype
from viewer.core.tensors.findings import Findings
from viewer.core.tensors.identifiers import Identifier, Identifiers, View
from viewer.core.tensors.rows import Rows
from viewer.core.tensors.storage import Storage
from viewer.wording.told import Told

Key = str | int
NO_NAMES: Final = "\u2013"
"""In place of the names of tensors, as long as they are not known."""
GONE_CLASSES: Final = frozenset({"_UntypedStorage"})
"""Storage classes that torch had for two versions: today it cannot load a file that names them."""


class Located(NamedTuple):
    """Where the bytes of a storage are, as the format found them.

    `span`: in the document's source, None where they stand in no part of it. `source`: the bytes, None where
    there are none. `size`: bytes that the container gives to this storage, -1 = as many as `source` has.
    """

    span: Span | None
    source: ByteSource | None
    record: str = ""
    byteorder: str = "little"
    size: int = -1


NOWHERE: Final = Located(None, None)


@dataclass(slots=True)
class Declared:
    """What the first id of a key says of its storage. `value`: that persistent value."""

    count: int
    dtype: str
    untyped: bool
    location: str
    value: int

    @property
    def nbytes(self) -> int:
        """Bytes of the storage."""
        kind = DTYPES.get(self.dtype)
        return self.count * kind.itemsize if kind is not None and self.count > 0 else 0


Stored = tuple[Storage, str]
"""The storage that an id names, and the element type that this very id gives it. Made for every tensor, so plain."""

Locate = Callable[[Key, int], Located | None]


class StorageTable:
    """Storages by key, made when they are first asked for; the first id of a key in the stream decides.

    `locate(key, nbytes)` is the format's: it is called once a key, and may need `declared()` before it knows.
    `spans`: the stream's offsets count in the document's source (False: in a record that was inflated).
    """

    def __init__(
        self, values: Values, encoding: str = "utf-8", locate: Locate | None = None, spans: bool = True
    ) -> None:
        self.values = values
        self.rows = Rows(values, encoding or "utf-8")
        self.locate = locate
        self._findings = Findings(values, spans)
        self._identifiers: dict[int, Identifier] | None = None
        self._declared: dict[Key, Declared] | None = None
        self._storages: dict[Key, Storage | None] = {}
        self._views: dict[tuple[Key, View], Storage] = {}

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with the ids and the bytes of the storages located up to now."""
        return self._findings.problems()

    @property
    def identifiers(self) -> dict[int, Identifier]:
        """The ids of storages by persistent value, in stream order."""
        if self._identifiers is None:
            self._identifiers = Identifiers(self.values, self.rows).of
        return self._identifiers

    def declared(self) -> dict[Key, Declared]:
        """What the stream says of each storage that has bytes of its own, in the order of their first ids."""
        if self._declared is None:
            self._declared = self._declare()
        return self._declared

    def stored(self, value: int) -> Stored | None:
        """The storage of a persistent value with the element type that its id names; None where it is none."""
        found = self.identifiers.get(value)
        if found is None:
            return None
        _, kind, _, key, _, _, view = found
        storage = self._storages.get(key) or self._root(key)
        if storage is None:
            return None
        if view is not None:
            storage = self._view(storage, key, view)
        return storage, kind or storage.dtype

    def storage(self, value: int) -> Storage | None:
        """The storage of a persistent value; None where the value is no storage."""
        found = self.stored(value)
        return None if found is None else found[0]

    def all(self) -> list[Storage]:
        """Every storage that the stream names, in the order of their first ids."""
        found = (self._root(key) for key in self.declared())
        return [storage for storage in found if storage is not None]

    def _declare(self) -> dict[Key, Declared]:
        declared: dict[Key, Declared] = {}
        told: set[Key] = set()
        for value, identity in self.identifiers.items():
            _, kind, untyped, key, location, numel, _ = identity
            first = declared.get(key)
            if first is None:
                if not kind or numel < 0 or key.__class__ is str:
                    self._check(value, identity)
                declared[key] = Declared(numel, kind, untyped, location, value)
            elif key not in told and not _agree(first, identity):
                told.add(key)
                self._findings.warning("storage-conflict", value, None, key=key, **_versions(first, identity))
        return declared

    def _check(self, value: int, identity: Identifier) -> None:
        if isinstance(identity.key, str) and ("/" in identity.key or "\\" in identity.key or ".." in identity.key):
            self._findings.warning("storage-key", value, key=identity.key)
        if not identity.dtype:
            self._findings.error("storage-class-unknown", value, key=identity.key, class_name=identity.class_name)
        elif identity.class_name in GONE_CLASSES:
            self._findings.warning("storage-class-gone", value, key=identity.key, class_name=identity.class_name)
        elif identity.numel < 0:
            self._findings.error("storage-count-negative", value, key=identity.key, count=identity.numel)

    def _root(self, key: Key) -> Storage | None:
        if key in self._storages:
            return self._storages[key]
        declared = self.declared()[key]
        storage = None
        if declared.dtype and declared.count >= 0:
            nbytes = declared.nbytes
            place = self.locate(key, nbytes) if self.locate is not None else None
            storage = self._made(key, declared, nbytes, place or NOWHERE)
        self._storages[key] = storage
        return storage

    def _made(self, key: Key, declared: Declared, nbytes: int, place: Located) -> Storage:
        given = place.size if place.size >= 0 or place.source is None else place.source.size
        if place.source is None and nbytes:
            self._findings.error("storage-missing", declared.value, key=key, size=nbytes, names=NO_NAMES)
        elif place.source is not None and given != nbytes:
            sizes = {"expected": nbytes, "found": given}
            self._findings.error("storage-size-differs", declared.value, None, key=key, names=NO_NAMES, **sizes)
        return Storage(
            key,
            declared.location,
            declared.dtype,
            declared.untyped,
            declared.count,
            nbytes,
            place.span,
            place.source,
            place.record,
            place.byteorder,
        )

    def _view(self, root: Storage, key: Key, view: View) -> Storage:
        """The part of a root that the id of a view names."""
        found = self._views.get((key, view))
        if found is None:
            found = self._views[key, view] = part(root, view)
        return found


def part(root: Storage, view: View) -> Storage:
    """A storage of its own over a part of another; what reaches beyond it is missing."""
    kind = dtype(root.dtype)
    size = kind.itemsize if kind is not None else 1
    first, count = max(view.offset, 0), max(view.numel, 0)
    start, nbytes = first * size, count * size
    span = None if root.span is None else Span(root.span.start + start, root.span.start + start + nbytes)
    source = None if root.source is None else root.source.slice(start, min(start + nbytes, root.nbytes))
    return Storage(
        view.key, root.location, root.dtype, root.untyped, count, nbytes, span, source, root.record, root.byteorder
    )


def _agree(first: Declared, identity: Identifier) -> bool:
    """Whether two ids of one key say the same; untyped bytes and uint8 do."""
    return (
        first.dtype == identity.dtype
        and first.count == identity.numel
        and first.location == identity.location
        and (first.untyped == identity.untyped or first.dtype == "uint8")
    )


def _versions(first: Declared, identity: Identifier) -> dict[str, str]:
    """What two ids of one key say, in words."""
    return {
        "first": Told(first.count, f" {first.dtype} {first.location}"),
        "later": Told(identity.numel, f" {identity.dtype or identity.class_name} {identity.location}"),
    }
