"""The header of a safetensors file: JSON read by rules of our own, so that each entry keeps its bytes.

Nothing recurses, whatever the nesting; damage ends the reading or leaves out one entry, and is told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from viewer.core.progress import Progress
from viewer.core.tensors.json_text import STEP, WS, JsonError, JsonText, Value
from viewer.wording.phrases import phrase

METADATA: Final = "__metadata__"

_INT: Final = rb"(?:0|[1-9][0-9]{0,19})"
_INTS: Final = rb"((?:%b%b(?:%b,%b%b)*)?)" % (WS, _INT, WS, WS, _INT)
_FIELD: Final = rb'(?:"dtype"%b:%b"(\w+)"|"shape"%b:%b\[%b%b\]|"data_offsets"%b:%b\[%b(%b)%b,%b(%b)%b\])' % (
    *(WS, WS, WS, WS, _INTS, WS, WS, WS, WS, _INT, WS, WS, _INT, WS),
)
# An entry as every writer makes it: the three facts in any order, and what follows it.
_ENTRY: Final = re.compile(
    rb'%b("([^"\\\x00-\x1f]*)"%b:%b\{%b(?:%b%b(?:,%b(?=")|(?=\}))){3}\})%b([,}])' % (WS, WS, WS, WS, _FIELD, WS, WS, WS)
)
_RAW_METADATA: Final = METADATA.encode()


class Entry(NamedTuple):
    """One tensor as it is stated. Bytes [begin, end) behind the header; [start, stop) of the header state it."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int
    start: int
    stop: int


class Text(NamedTuple):
    """One pair of `__metadata__`."""

    key: str
    value: str
    start: int
    stop: int


class Fault(NamedTuple):
    """A Problem to be: its code, the bytes of the header, its parameters."""

    code: str
    start: int
    stop: int
    params: dict[str, object]


@dataclass(slots=True)
class Header:
    """What a header states, up to where it breaks. Offsets count in the header. `broken`: where, -1: nowhere."""

    entries: list[Entry] = field(default_factory=list)
    metadata: list[Text] = field(default_factory=list)
    metadata_place: tuple[int, int] = (0, 0)
    faults: list[Fault] = field(default_factory=list)
    broken: int = -1


def read_header(data: bytes, progress: Progress) -> Header:
    """All entries of a header. Never raises on what the bytes say; CancelledError when stopped."""
    header = Header()
    try:
        data.decode()
    except UnicodeDecodeError as failure:
        header.faults.append(Fault("safetensors-utf-8", failure.start, failure.start + 1, {"offset": failure.start}))
    try:
        _Reader(data, header, progress).run()
    except JsonError as failure:
        at = min(failure.at, len(data))
        header.broken = at
        facts: dict[str, object] = {"offset": at, "expected": failure.expected}
        header.faults.append(Fault("safetensors-json", at, min(at + 1, len(data)), facts))
    return header


class _Reader(JsonText):
    def __init__(self, data: bytes, header: Header, progress: Progress) -> None:
        super().__init__(data, progress)
        self.header = header
        self._shapes: dict[bytes, tuple[int, ...]] = {}

    def run(self) -> None:
        """The object, and only spaces behind it."""
        at = self.space(0)
        if self.data[at : at + 1] != b"{":
            raise JsonError(at, "{")
        at = self._members(at + 1)
        left = self.space(at)
        if left < len(self.data):
            raise JsonError(left, phrase("json-nothing"))

    def _members(self, at: int) -> int:
        """The entries of the object; gives the place behind its closing brace."""
        empty = self.space(at)
        if self.data[empty : empty + 1] == b"}":
            return empty + 1
        while True:
            at = self._plain_members(at)
            if self.data[at - 1 : at] == b"}":
                return at
            at = self.space(self._member(self.space(at)))
            sign = self.data[at : at + 1]
            if sign not in (b",", b"}"):
                raise JsonError(at, phrase("json-brace", sign="}"))
            at += 1
            if sign == b"}":
                return at

    def _plain_members(self, at: int) -> int:
        """The entries from here on that have the common form; gives the place behind the last one's comma or brace."""
        add, shapes = self.header.entries.append, self._shapes
        data, find = self.data, _ENTRY.match
        while (match := find(data, at)) is not None:
            _, raw, dtype, sizes, begin, end, sign = match.groups()
            if dtype is None or sizes is None or begin is None or raw == _RAW_METADATA:
                break
            shape = shapes.get(sizes)
            if shape is None:
                shape = shapes[sizes] = tuple(map(int, sizes.split(b","))) if sizes else ()
            start, stop = match.span(1)
            at = match.end()
            name = raw.decode("utf-8", "backslashreplace")
            add(Entry(name, dtype.decode(), shape, int(begin), int(end), start, stop))
            if sign == b"}":
                break
            if not len(self.header.entries) % STEP:
                self.progress.step("opening", at, len(self.data))
        return at

    def _member(self, start: int) -> int:
        """One entry of any form, step by step; gives the place behind it."""
        self.step(start)
        name, at = self.string(start)
        at = self.expect(at, b":")
        if name == METADATA:
            return self._metadata(start, at)
        if self.data[at : at + 1] != b"{":
            _, stop = self.value(at)
            self._fault("safetensors-entry", start, stop, name=name, reason=phrase("entry-object"))
            return stop
        facts, repeated, stop = self._object(at)
        reason = phrase("entry-twice", name=repeated) if repeated else wrong_fact(facts)
        if reason:
            self._fault("safetensors-entry", start, stop, name=name, reason=reason)
        entry = entry_of(name, facts, start, stop)
        if entry is not None:
            self.header.entries.append(entry)
        return stop

    def _metadata(self, start: int, at: int) -> int:
        if self.data[at : at + 1] != b"{":
            _, stop = self.value(at)
            self._fault("safetensors-metadata", start, stop)
            return stop
        first = self.space(at + 1)
        is_good = True
        while self.data[first : first + 1] != b"}":
            self.step(first)
            key, middle = self.string(first)
            value, stop = self.value(self.expect(middle, b":"))
            if isinstance(value, str):
                self.header.metadata.append(Text(key, value, first, stop))
            else:
                is_good = False
            first = self.next(stop)
        if not is_good:
            self._fault("safetensors-metadata", start, first + 1)
        self.header.metadata_place = (start, first + 1)
        return first + 1

    def _object(self, at: int) -> tuple[dict[str, Value], str, int]:
        """The facts of one entry, a fact that stands twice, and the place behind."""
        facts: dict[str, Value] = {}
        repeated = ""
        at = self.space(at + 1)
        while self.data[at : at + 1] != b"}":
            self.step(at)
            key, at = self.string(at)
            value, at = self.value(self.expect(at, b":"))
            repeated = repeated or (key if key in facts else "")
            facts[key] = value
            at = self.next(at)
        return facts, repeated, at + 1

    def _fault(self, code: str, start: int, stop: int, **params: object) -> None:
        self.header.faults.append(Fault(code, start, stop, params))


def wrong_fact(facts: dict[str, Value]) -> str:
    """What is wrong with the facts of an entry, "" for nothing."""
    for key in ("dtype", "shape", "data_offsets"):
        if key not in facts:
            return phrase("entry-lacks", name=key)
    if not isinstance(facts["dtype"], str):
        return phrase("entry-dtype")
    if integers(facts["shape"]) is None:
        return phrase("entry-shape")
    offsets = integers(facts["data_offsets"])
    return "" if offsets is not None and len(offsets) == 2 else phrase("entry-offsets")


def entry_of(name: str, facts: dict[str, Value], start: int, stop: int) -> Entry | None:
    """An entry with what can be used of its facts; None where its bytes are not stated."""
    offsets = integers(facts.get("data_offsets"))
    if offsets is None or len(offsets) != 2:
        return None
    dtype, shape = facts.get("dtype"), integers(facts.get("shape"))
    # A length of -1 is that of no tensor, so that the bytes are shown without one.
    return Entry(
        name, dtype if isinstance(dtype, str) else "", (-1,) if shape is None else shape, *offsets, start, stop
    )


def integers(value: Value) -> tuple[int, ...] | None:
    """A list of integers; None for all else."""
    if not isinstance(value, list):
        return None
    found = tuple(one for one in value if isinstance(one, int) and not isinstance(one, bool))
    return found if len(found) == len(value) else None
