"""Debug ranges of TorchScript: from a place in the stored code back to the line of Python that it was made from.

A debug pickle stands beside each code file (`net.py.debug_pkl`). It is one of

    ("FORMAT_WITH_STRING_TABLE", (texts ...), ((offset, (source, start, end), tag), ...))   torch 1.12 and later
    ((offset, (source, start, end)[, tag]), ...)                                            before

where a source is (text, file, first line); with a table of texts, text and file are numbers of it, the text a list of
them. `offset` counts bytes of the code file, `start` and `end` bytes of the source's text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from viewer.core.objects.content import TAGS, tagged
from viewer.core.objects.names import called
from viewer.core.pickles.values import Kind, Values

TABLE: Final = "FORMAT_WITH_STRING_TABLE"
MOST_RANGES: Final = 50_000
MOST_STEPS: Final = 4_000_000
LONGEST_SOURCE: Final = 4 * 1024 * 1024
_SEQUENCES: Final = (Kind.TUPLE, Kind.LIST)


@dataclass(frozen=True, slots=True)
class DebugRange:
    """The code from a byte on was made from a line of a file. `file`, `line`: None where it is not told.

    `entry`: the value that says so; `source`: the value of the text that the line stands in, of which `DebugReader`
    makes a `PythonText`.
    """

    offset: int
    file: str | None
    line: int | None
    entry: int = field(default=-1, compare=False)
    source: int = field(default=-1, compare=False)


@dataclass(frozen=True, slots=True)
class PythonText:
    """A text that code was made from: a function for scripted code, the calls that led there for traced code.

    `first`: the number of its first line in the file.
    """

    file: str
    first: int
    text: str

    @property
    def is_trace(self) -> bool:
        """True when the text is a list of calls, innermost first, and the file and the line are those of the first."""
        return self.text.startswith(f"{self.file}({self.first}): ")


def range_at(ranges: Sequence[DebugRange], offset: int) -> DebugRange | None:
    """The range that owns a byte of the code; None before the first one."""
    number = bisect_right(ranges, offset, key=lambda found: found.offset) - 1
    return ranges[number] if number >= 0 else None


class DebugReader:
    """Reads one debug pickle: its `ranges`, in the order of their offsets, and the texts that they point into."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.texts: list[int] | None = None
        self.steps = MOST_STEPS
        self._feeds: dict[int, list[int]] = {}
        self._files: dict[int, str | None] = {}
        self._sources: dict[int, PythonText | None] = {}
        # Text, file and first line of a source: most ranges share a few.
        self._heads: dict[int, tuple[int, str | None, int] | None] = {}
        self.ranges = sorted(self._ranges(), key=lambda found: found.offset)

    def text_of(self, found: DebugRange) -> PythonText | None:
        """The text that a range points into; None where it has no file, is too long or is not there."""
        if found.source not in self._sources:
            self._sources[found.source] = self._python_text(found.source)
        return self._sources[found.source]

    def is_trace(self, found: DebugRange) -> bool:
        """True when the text that a range points into is a list of calls; tells it by the first line alone."""
        parts = self._items(found.source)
        if len(parts) != 3 or not found.file:
            return False
        pieces = [parts[0]] if self.texts is None else self._items(parts[0])[:1]
        first = self.values.integer(parts[2]) or 0
        return any(PythonText(found.file, first, self._text(piece)).is_trace for piece in pieces)

    def _python_text(self, source: int) -> PythonText | None:
        parts = self._items(source)
        first = self.values.integer(parts[2]) if len(parts) == 3 else None
        file = self._file(parts[1]) if len(parts) == 3 else None
        if first is None or not file:
            return None
        pieces: list[str] = []
        length = 0
        for part in [parts[0]] if self.texts is None else self._items(parts[0]):
            pieces.append(self._text(part))
            length += len(pieces[-1]) + 1
            if length > LONGEST_SOURCE:
                return None
        return PythonText(file, first, "".join(pieces))

    def _ranges(self) -> list[DebugRange]:
        entries = self._items(self.values.root)
        if len(entries) == 3 and self.values.text(entries[0]) == TABLE:
            self.texts = self._items(entries[1])
            entries = self._items(entries[2])
        found = (self._range(entry) for entry in entries[:MOST_RANGES])
        return [each for each in found if each is not None]

    def _range(self, entry: int) -> DebugRange | None:
        parts = self._items(entry)
        offset = self.values.integer(parts[0]) if len(parts) >= 2 else None
        place = self._items(parts[1]) if offset is not None else []
        start = self.values.integer(place[1]) if len(place) == 3 else None
        if offset is None or offset < 0 or start is None:
            return None
        if place[0] not in self._heads:
            source = self._items(place[0])
            known = self.values.integer(source[2]) if len(source) == 3 else None
            self._heads[place[0]] = None if known is None else (source[0], self._file(source[1]), known)
        head = self._heads[place[0]]
        if head is None or start < 0:
            return None
        text, file, first = head
        # Traces point at the start of their text, which is long and need not be looked at then.
        line = first + (bisect_right(self._line_feeds(text), start - 1) if start else 0)
        return DebugRange(offset, file, line, entry, place[0])

    def _items(self, value: int) -> list[int]:
        """The items of a tuple or list, also of a marked one."""
        if self.values.kind(value) is Kind.CALL and called(self.values, value) in TAGS:
            value = tagged(self.values, value)
        return self.values.items(value) if value >= 0 and self.values.kind(value) in _SEQUENCES else []

    def _file(self, value: int) -> str | None:
        if value not in self._files:
            self._files[value] = self._text(value) or None
        return self._files[value]

    def _text(self, value: int) -> str:
        """A text, or the text of the table that a number names."""
        if self.texts is not None:
            number = self.values.integer(value)
            if number is None or not 0 <= number < len(self.texts):
                return ""
            value = self.texts[number]
        return self.values.text(value) or ""

    def _line_feeds(self, value: int) -> list[int]:
        """Where the lines of a source's text end, in bytes of the text."""
        if value not in self._feeds:
            parts = [value] if self.texts is None else self._items(value)
            feeds: list[int] = []
            at = 0
            for part in parts:
                raw = self._text(part).encode("utf-8", "surrogatepass")
                self.steps -= len(raw) + 1
                if self.steps < 0 or at > LONGEST_SOURCE:
                    break
                feeds += [at + place for place, byte in enumerate(raw) if byte == 0x0A]
                at += len(raw)
            self._feeds[value] = feeds
        return self._feeds[value]
