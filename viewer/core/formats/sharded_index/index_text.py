"""The text of an index: which file each name stands in, with the bytes that say so.

Names are kept as they stand between their quotes, as most are looked at only once. What has the common form is read
a block at a time, all else step by step; damage ends the reading or leaves out one entry, and is told.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.problem import Problem, error, warning
from viewer.core.progress import Progress
from viewer.core.span import Span
from viewer.core.tensors.json_text import NESTED, JsonError, JsonText, Value, text_of
from viewer.wording.phrases import phrase

MAP: Final = "weight_map"
METADATA: Final = "metadata"
BLOCK: Final = 1 << 20
SLOWLY: Final = 4096
"""Entries that are read step by step before a whole block is tried again."""
CONTROL: Final = bytes(range(32))
BOM: Final = b"\xef\xbb\xbf"
COLON: Final = re.compile(rb"[ \t\n\r]*:[ \t\n\r]*")
COMMA: Final = re.compile(rb"[ \t\n\r]*,[ \t\n\r]*")
QUOTE: Final = ord('"')
QUOTES: Final = 4
"""Quotes of an entry."""
SHORT: Final = 32

Column = npt.NDArray[np.int64]

Places = Sequence[int] | Column


class Numbers(dict[bytes, int]):
    """A number for each key, in the order in which they are first asked for."""

    def __missing__(self, key: bytes) -> int:
        number = self[key] = len(self)
        return number


@dataclass(slots=True)
class Stated:
    """A fact of the index's `metadata`, with its bytes."""

    value: Value
    span: Span


@dataclass(slots=True)
class IndexText:
    """What an index says.

    Columns by entry: `names` raw, `starts` and `stops` of its bytes, `lengths` of the quoted name, `files` the number
    of the file in `file_names`. `map_place`: the bytes of the whole map. `broken`: where the text ends to be JSON,
    -1: nowhere.
    """

    names: list[bytes] = field(default_factory=list)
    starts: array[int] = field(default_factory=lambda: array("q"))
    stops: array[int] = field(default_factory=lambda: array("q"))
    lengths: array[int] = field(default_factory=lambda: array("q"))
    files: array[int] = field(default_factory=lambda: array("q"))
    file_names: list[str] = field(default_factory=list)
    metadata: dict[str, Stated] = field(default_factory=dict)
    metadata_place: Span | None = None
    map_place: Span | None = None
    problems: list[Problem] = field(default_factory=list)
    broken: int = -1
    has_escapes: bool = False

    def name(self, number: int) -> str:
        """The name of an entry."""
        return text_of(self.names[number])

    def span(self, number: int) -> Span:
        """The bytes of an entry."""
        return Span(self.starts[number], self.stops[number])


def read_index(data: bytes, progress: Progress) -> IndexText:
    """All that an index says, up to where it breaks. Raises CancelledError only."""
    found = IndexText()
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError as failure:
            place = Span(failure.start, failure.start + 1)
            found.problems.append(error("set-index-utf-8", place, offset=failure.start))
    reader = _Reader(data, found, progress)
    try:
        reader.run()
    except JsonError as failure:
        at = min(failure.at, len(data))
        found.broken = at
        facts = {"offset": at, "expected": failure.expected, "count": len(found.names)}
        found.problems.append(error("set-index-json", Span(at, min(at + 1, len(data))), **facts))
    found.file_names = [text_of(raw) for raw in reader.file_numbers]
    join_files(found)
    return found


def join_files(found: IndexText) -> None:
    """One number for a file whose name is spelt in two ways."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(found.file_names))}
    if len(numbers) < len(found.file_names):
        same = [numbers[name] for name in found.file_names]
        found.files = array("q", [same[number] for number in found.files])
        found.file_names = list(numbers)


class _Reader(JsonText):
    def __init__(self, data: bytes, found: IndexText, progress: Progress) -> None:
        super().__init__(data, progress)
        self.found = found
        self.file_numbers = Numbers()

    def run(self) -> None:
        """The object, and only spaces behind it."""
        at = self.space(len(BOM) if self.data.startswith(BOM) else 0)
        if self.data[at : at + 1] != b"{":
            raise JsonError(at, "{")
        at = self.space(at + 1)
        while self.data[at : at + 1] != b"}":
            at = self.next(self._part(at))
        left = self.space(at + 1)
        if left < len(self.data):
            raise JsonError(left, phrase("json-nothing"))

    def _part(self, start: int) -> int:
        """One part of the index; gives the place behind it."""
        key, at = self.string(start)
        at = self.expect(at, b":")
        is_object = self.data[at : at + 1] == b"{"
        if key == METADATA and is_object:
            stop = self._metadata(at)
            self.found.metadata_place = Span(start, stop)
            return stop
        if key != MAP:
            return self.value(at)[1]
        if self.found.map_place is not None:
            self.found.problems.append(warning("set-index-map-twice", Span(start, at)))
            self._forget()
        if not is_object:
            stop = self.value(at)[1]
            self.found.problems.append(error("set-index-map", Span(start, stop)))
            return stop
        # Where it breaks, what was read of it counts.
        self.found.map_place = Span(start, len(self.data))
        stop = self._map(at)
        self.found.map_place = Span(start, stop)
        return stop

    def _forget(self) -> None:
        """Of two maps the last one counts."""
        found = self.found
        found.names = []
        found.starts, found.stops, found.lengths, found.files = array("q"), array("q"), array("q"), array("q")
        self.file_numbers.clear()

    def _metadata(self, at: int) -> int:
        at = self.space(at + 1)
        while self.data[at : at + 1] != b"}":
            key, middle = self.string(at)
            value, stop = self.value(self.expect(middle, b":"))
            self.found.metadata[key] = Stated(value, Span(at, stop))
            at = self.next(stop)
        return at + 1

    def _map(self, at: int) -> int:
        """The entries; gives the place behind the closing brace."""
        at = self.space(at + 1)
        slowly = 0
        while self.data[at : at + 1] != b"}":
            if not slowly:
                at = self.next(self._blocks(at))
                slowly = SLOWLY
                continue
            at = self.next(self._member(at))
            slowly -= 1
        return at + 1

    def _member(self, start: int) -> int:
        """One entry of any form; gives the place behind it."""
        self.step(start)
        name, behind = self.string(start)
        at = self.expect(behind, b":")
        value, stop = self.value(at)
        if not isinstance(value, str):
            shown = phrase("json-nested") if value is NESTED else json.dumps(value)
            self.found.problems.append(error("set-index-entry", Span(start, stop), name=name, found=shown))
            return stop
        raw = self.data[at + 1 : stop - 1]
        self.found.has_escapes |= b"\\" in self.data[start:behind]
        self._add([self.data[start + 1 : behind - 1]], [raw], (start,), (behind,), (stop,))
        return stop

    def _blocks(self, at: int) -> int:
        """Entries of the common form, a block at a time, at least one of any form; gives the place behind the last."""
        end = self.data.find(b"}", at)
        end = end if end >= 0 else len(self.data)
        first = True
        while True:
            stop = min(at + BLOCK, end)
            read = self._block(self.data[at:stop], at, first)
            if not read:
                break
            at += read
            first = False
            self.progress.step("opening", at, len(self.data))
        # Before the first entry there is nothing to go on from.
        return self._member(at) if first else at

    def _block(self, block: bytes, base: int, is_first: bool) -> int:
        """The whole entries of a block of text; gives how many bytes they take, 0 where it has another form.

        Between the quotes stand by turns: a name, a colon, a file, a comma.
        """
        if b"\\" in block:
            return 0
        quotes = quotes_of(block, QUOTES)
        if not len(quotes):
            return 0
        names, ends, files, stops = quotes.T + np.array([[1], [0], [1], [0]])
        if is_first and block[: quotes[0, 0]].strip(b" \t\n\r"):
            return 0
        commas = texts_at(block, stops[:-1] + 1, quotes[1:, 0]) | (set() if is_first else {block[: quotes[0, 0]]})
        if not all_match(COMMA, commas) or not all_match(COLON, texts_at(block, ends + 1, quotes[:, 2])):
            return 0
        name_texts, file_texts = cut(block, names, ends), cut(block, files, stops)
        if has_control(name_texts) or has_control(set(file_texts)):
            return 0
        self._add(name_texts, file_texts, names - 1 + base, ends + 1 + base, stops + 1 + base)
        return int(stops[-1]) + 1

    def _add(
        self,
        names: list[bytes],
        values: list[bytes],
        starts: Places,
        behind: Places,
        stops: Places,
    ) -> None:
        """Entries: where each begins, where its name ends, where it ends."""
        found = self.found
        first = np.array(starts, dtype=np.int64)
        found.names += names
        found.files.extend(map(self.file_numbers.__getitem__, values))
        found.starts.frombytes(first.tobytes())
        found.lengths.frombytes((np.array(behind, dtype=np.int64) - first).tobytes())
        found.stops.frombytes(np.array(stops, dtype=np.int64).tobytes())


def quotes_of(text: bytes, each: int) -> Column:
    """Where the quotes of a text without escapes stand, so many a row; quotes that make no whole row are left out."""
    found = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == QUOTE)
    return found[: len(found) // each * each].reshape(-1, each)


def cut(text: bytes, starts: Column, stops: Column) -> list[bytes]:
    """The parts of a text from each start to its stop."""
    return [text[start:stop] for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)]


def texts_at(text: bytes, starts: Column, stops: Column) -> set[bytes]:
    """The texts between some starts and stops, each once; quick where they are all the same."""
    lengths = stops - starts
    if len(starts) and lengths[0] <= SHORT and (lengths == lengths[0]).all():
        signs = np.frombuffer(text, dtype=np.uint8)[starts[:, None] + np.arange(lengths[0])]
        if (signs == signs[0]).all():
            return {text[starts[0] : stops[0]]}
    return set(cut(text, starts, stops))


def all_match(pattern: re.Pattern[bytes], texts: Iterable[bytes]) -> bool:
    """Whether each text is as a pattern says."""
    return all(pattern.fullmatch(text) for text in texts)


def has_control(texts: Iterable[bytes]) -> bool:
    """Whether a character stands in one of the texts that no JSON text may hold."""
    joined = b"".join(texts)
    return len(joined.translate(None, CONTROL)) != len(joined)


def column(values: array[int]) -> Column:
    """A column as numpy has it, without a copy."""
    return np.frombuffer(values, dtype=np.int64)
