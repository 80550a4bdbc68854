"""Persistent ids of storages: ('storage', class, key, location, count[, view]).

Almost all ids of a file have one shape of opcodes. That shape is matched over the column of opcodes by one
regular expression, all others are read value by value; both give the same.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from viewer.core.pickles.opcodes import codes
from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.dtypes import STORAGE_CLASSES, UNTYPED_CLASSES
from viewer.core.tensors.rows import Numbers, Rows


class View(NamedTuple):
    """A part of a storage that early legacy streams kept as a storage of its own; counts elements of the root."""

    key: str | int
    offset: int
    numel: int


class Identifier(NamedTuple):
    """One persistent id. `dtype`: of the class, uint8 when untyped, "" for a class that is not known."""

    class_name: str
    dtype: str
    untyped: bool
    key: str | int
    location: str
    numel: int
    view: View | None = None


def one_of(names: str, more: bytes = b"") -> bytes:
    """A class of opcode bytes for a regular expression."""
    return b"[" + b"".join(re.escape(bytes([byte])) for byte in sorted(codes(names))) + more + b"]"


PUT: Final = one_of("PUT BINPUT LONG_BINPUT MEMOIZE") + b"?"
REFERENCE: Final = "GET BINGET LONG_BINGET"
INTEGERS: Final = "BININT BININT1 BININT2 LONG1 INT LONG"
TEXTS: Final = "BINUNICODE SHORT_BINUNICODE UNICODE BINSTRING SHORT_BINSTRING STRING"
INTEGER: Final = one_of(INTEGERS)
GLOBAL: Final = one_of(f"GLOBAL {REFERENCE}")
_TEXT: Final = one_of(f"{TEXTS} {REFERENCE}")
_KEY: Final = one_of(f"{TEXTS} {INTEGERS} {REFERENCE}")
_PARTS: Final = (
    *(one_of("MARK"), b"(", _TEXT, b")", PUT, b"(", GLOBAL, b")", PUT, b"(", _KEY, b")", PUT),
    *(b"(", _TEXT, b")", PUT, b"(", INTEGER, b")", PUT, one_of("NONE"), b"?"),
    *(one_of("TUPLE"), PUT, one_of("BINPERSID")),
)
IDENTIFIER: Final = re.compile(b"".join(_PARTS))
IDENTIFIER_INSIDE: Final = b"".join(b"(?:" if part == b"(" else part for part in _PARTS)
"""The same without groups, as a part of another expression."""
# What PERSID holds in protocol 0: str() of the same tuple, which torch itself cannot read back.
_AS_TEXT: Final = re.compile(
    r"\(u?'storage', <class '([\w.]+)'>, (u?'(?:[^'\\]*)'|-?\d+L?), u?'([^'\\]*)', (-?\d+)L?(?:, None)?\)", re.ASCII
)


class Identifiers:
    """The ids of storages of one stream, by the number of their persistent value, in stream order."""

    def __init__(self, values: Values, rows: Rows) -> None:
        self.values = values
        self.rows = rows
        self.of: dict[int, Identifier] = {}
        matched = self._matched()
        persistent = values.persistents()
        if len(matched) == len(persistent):
            self.of = matched
            return
        for value in persistent:
            found = matched.get(value) or self.read(value)
            if found is not None:
                self.of[value] = found

    def _matched(self) -> dict[int, Identifier]:
        """The ids of the common shape, read column by column."""
        rows = self.rows
        places = rows.matches(IDENTIFIER)
        tag, named, key, location, count = places[:, 1:, 0].T
        value = places[:, 0, 1] - 1
        numbers, valid = rows.integers(count)
        facts = zip(rows.texts(tag), rows.names(named), valid.tolist(), strict=True)
        classes = [_class(name[1]) if tagged == "storage" and ok and name else None for tagged, name, ok in facts]
        columns = zip(classes, self._keys(key), rows.texts(location), numbers.tolist(), value.tolist(), strict=True)
        return {
            at: Identifier(*cls, which, place, number)
            for cls, which, place, number, at in columns
            if cls is not None and which is not None and place is not None
        }

    def _keys(self, rows: Numbers) -> list[str | int | None]:
        texts = self.rows.texts(rows)
        if None not in texts:
            return list(texts)
        numbers, valid = self.rows.integers(rows)
        either = zip(texts, numbers.tolist(), valid.tolist(), strict=True)
        return [text if text is not None else number if is_number else None for text, number, is_number in either]

    def read(self, value: int) -> Identifier | None:
        """Any id, value by value; None for what is no storage."""
        values = self.values
        text = values.persistent_text(value)
        if text is not None:
            return _from_text(text)
        identity = values.persistent(value)
        if identity < 0 or values.kind(identity) is not Kind.TUPLE:
            return None
        items = values.items(identity)
        if len(items) not in (5, 6) or values.text(items[0]) != "storage":
            return None
        key = values.text(items[2], self.rows.encoding)
        named = values.global_name(items[1])
        which = values.integer(items[2]) if key is None else key
        location, count = values.text(items[3], self.rows.encoding), values.integer(items[4])
        if named is None or which is None or location is None or count is None:
            return None
        view = self._view(items[5]) if len(items) == 6 else None
        return Identifier(*_class(named[1]), which, location, count, view)

    def _view(self, value: int) -> View | None:
        if self.values.kind(value) is not Kind.TUPLE:
            return None
        items = self.values.items(value)
        if len(items) != 3:
            return None
        text = self.values.text(items[0])
        key = self.values.integer(items[0]) if text is None else text
        offset, count = self.values.integer(items[1]), self.values.integer(items[2])
        if key is None or offset is None or count is None:
            return None
        return View(key, offset, count)


@lru_cache(maxsize=64)
def _class(name: str) -> tuple[str, str, bool]:
    """A storage class: its name, element type, and whether it counts bytes."""
    return name, STORAGE_CLASSES.get(name, ""), name in UNTYPED_CLASSES


def _from_text(text: str) -> Identifier | None:
    match = _AS_TEXT.fullmatch(text)
    if match is None:
        return None
    path, key, location, count = match.groups()
    plain = key.lstrip("u").strip("'") if "'" in key else int(key.rstrip("L"))
    return Identifier(*_class(path.rpartition(".")[2]), plain, location, int(count))
