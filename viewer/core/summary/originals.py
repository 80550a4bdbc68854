"""The Python that the code of TorchScript was made from: by line, and as text where whole functions are kept.

Beside each code file stands a debug pickle (`code/debug_ranges.py` reads it). A scripted function brings its own text
with it, so that a class can be shown as it was written, method by method; a traced one brings the calls that led to
each operation.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from viewer.core.code.debug_ranges import DebugRange, DebugReader, PythonText, range_at
from viewer.core.code.embedded import EmbeddedSource
from viewer.core.code.script_text import PYTHON
from viewer.core.code.texts import ORIGINAL
from viewer.core.document import Document, Pickle
from viewer.core.progress import Progress
from viewer.core.summary.classes import Classes, Text
from viewer.core.tensors.tensor import ValueRef

ROLE: Final = "debug ranges"
MOST_RANGES: Final = 50_000
MOST_LETTERS: Final = 16 * 1024 * 1024
GAP: Final = 30
"""Lines between two functions of a file that are left blank; further apart they are texts of their own."""

_FUNCTION: Final = re.compile(r"\s*(?:@[^\n]*\n\s*)*(?:async +)?(?:def|class)\b")


@dataclass(frozen=True, slots=True)
class Origin:
    """What a piece of stored code was made from: a line of a file, and that line's text, "" where it is not kept.

    `calls`: of traced code, innermost first: `/x/net.py(12): forward`. `entry`: the value that says so.
    """

    file: str
    line: int
    text: str
    calls: tuple[str, ...]
    entry: ValueRef


@dataclass(frozen=True, slots=True)
class _Part:
    """A stored source within its code file: the file's ranges, and its bytes there."""

    pickle: int
    reader: DebugReader
    start: int
    stop: int


class Originals:
    """Of one document. Lines count from 1; those of stored code within its own text, those of files as in the file."""

    def __init__(self, sources: Sequence[EmbeddedSource] = ()) -> None:
        self._sources = sources
        self._parts: dict[int, _Part] = {}
        self._starts: dict[int, list[int]] = {}
        self._texts: dict[int, tuple[Text, ...]] = {}

    def __bool__(self) -> bool:
        return bool(self._parts)

    def add(self, code: int, part: _Part) -> None:
        """Tell of a stored source."""
        self._parts[code] = part

    def known(self, code: int | None) -> bool:
        """True when there is anything to tell of a stored source."""
        return code in self._parts

    def at(self, code: int, line: int, column: int = 0) -> Origin | None:
        """Where the code at a column of a line was made from, else the first piece of that line that says so.

        A piece that began on a line above counts last.
        """
        part, starts = self._parts.get(code), self._line_starts(code)
        if part is None or not 1 <= line < len(starts):
            return None
        letters = self._line(code, line)[:column]
        here = range_at(part.reader.ranges, starts[line - 1] + len(letters.encode("utf-8", "surrogateescape")))
        pieces = [*self._ranges(part, starts[line - 1], starts[line])]
        pieces.sort(key=lambda one: (one.offset < starts[line - 1], one is not here))
        return next((self._origin(part, one) for one in pieces if one.file), None)

    def lines_made_from(self, code: int, file: str, line: int) -> list[int]:
        """The lines of a stored source that were made from a line of a file."""
        part, starts = self._parts.get(code), self._line_starts(code)
        if part is None:
            return []
        ranges = self._ranges(part, starts[0], starts[-1])
        found = {bisect_right(starts, one.offset) for one in ranges if (one.file, one.line) == (file, line)}
        return sorted(found)

    def texts(self, code: int) -> tuple[Text, ...]:
        """The functions that a stored source was made from, those of one file that stand close together as one text.

        What lies between them is not kept: blank lines stand in its place, so that all lines have their number.
        """
        if code not in self._texts:
            part = self._parts.get(code)
            self._texts[code] = tuple(_joined(self._functions(part))) if part is not None else ()
        return self._texts[code]

    def files(self, code: int) -> list[str]:
        """The Python files that a stored source was made from, in the order of its code."""
        part = self._parts.get(code)
        if part is None:
            return []
        return list(dict.fromkeys(one.file for one in self._ranges(part, part.start, part.stop) if one.file))

    def _functions(self, part: _Part) -> list[PythonText]:
        ranges = self._ranges(part, part.start, part.stop)
        distinct = {one.source: one for one in ranges if one.file}
        kept = (one for one in distinct.values() if not part.reader.is_trace(one))
        texts = dict.fromkeys(map(part.reader.text_of, kept))
        whole = (text for text in texts if text is not None and _FUNCTION.match(text.text))
        files = {one.file: number for number, one in reversed([*enumerate(ranges)])}
        return sorted(whole, key=lambda text: (files[text.file], text.first, -len(text.text)))

    def _origin(self, part: _Part, found: DebugRange) -> Origin:
        text = part.reader.text_of(found)
        line, entry = found.line or 0, ValueRef(part.pickle, found.entry)
        if text is not None and text.is_trace:
            return Origin(text.file, text.first, "", tuple(text.text.splitlines()), entry)
        lines = text.text.split("\n") if text is not None else []
        number = line - text.first if text is not None else -1
        return Origin(found.file or "", line, lines[number] if 0 <= number < len(lines) else "", (), entry)

    def _ranges(self, part: _Part, start: int, stop: int) -> Sequence[DebugRange]:
        """Those that begin within some bytes of the code file, and the one that reaches into them."""
        ranges = part.reader.ranges
        first = bisect_right(ranges, start, key=lambda one: one.offset) - 1
        last = bisect_left(ranges, stop, key=lambda one: one.offset)
        return ranges[max(0, first) : last]

    def _line_starts(self, code: int) -> list[int]:
        """Where the lines of a stored source begin in its code file, in bytes, and where it ends."""
        if code not in self._starts:
            part, text = self._parts.get(code), self._sources[code].text if code in self._parts else None
            at = part.start if part is not None else 0
            found = [at]
            for line in (text or "").split("\n"):
                at += len(line.encode("utf-8", "surrogateescape")) + 1
                found.append(at)
            self._starts[code] = found
        return self._starts[code]

    def _line(self, code: int, line: int) -> str:
        return (self._sources[code].text or "").split("\n")[line - 1]


def find_originals(document: Document, progress: Progress) -> Originals:
    """What the debug pickles of a document tell, their texts made; past 50,000 ranges no more are read.

    Raises CancelledError.
    """
    found = Originals(document.sources)
    pickles = {pickle.record: pickle for pickle in document.pickles if pickle.role == ROLE}
    readers: dict[str, DebugReader] = {}
    ends: dict[str, int] = {}
    ranges = 0
    for code, source in enumerate(document.sources):
        pickle = _beside(source.record, pickles)
        if pickle is None or source.text is None or not source.qualname:
            continue
        if source.record not in readers:
            progress.check()
            if ranges > MOST_RANGES:
                break
            readers[source.record] = DebugReader(pickle.values)
            ranges += len(readers[source.record].ranges)
        start = ends.get(source.record, 0)
        ends[source.record] = stop = start + len(source.text.encode("utf-8", "surrogateescape"))
        found.add(code, _Part(pickle.index, readers[source.record], start, stop))
        found.texts(code)
    return found


def _beside(record: str, pickles: dict[str, Pickle]) -> Pickle | None:
    """The debug pickle of a code file: `x.py.debug_pkl`; of torch 1.2 `debug/x.pkl` for `code/x.py`."""
    if not record:
        return None
    known = pickles.get(f"{record}.debug_pkl")
    folder, _, name = record.rpartition("/code/")
    return known or pickles.get(f"{folder}/debug/{name.removesuffix(PYTHON)}.pkl")


def _joined(functions: Sequence[PythonText]) -> Iterator[Text]:
    file, first, lines, letters = "", 0, list[str](), 0
    for one in functions:
        letters += len(one.text)
        if letters > MOST_LETTERS:
            break
        own = one.text.removesuffix("\n").split("\n")
        between = one.first - first - len(lines)
        if one.file == file and between < 0 and lines[one.first - first :][: len(own)] == own:
            continue
        if one.file != file or not 0 <= between <= GAP:
            if lines:
                yield Text("\n".join(lines) + "\n", ORIGINAL, file=file, line=first)
            file, first, lines, between = one.file, one.first, [], 0
        lines += [""] * between + own
    if lines:
        yield Text("\n".join(lines) + "\n", ORIGINAL, file=file, line=first)


def with_originals(classes: Classes, originals: Originals) -> Classes:
    """The same classes with the Python that they were made from, behind their stored texts."""
    if not originals:
        return classes
    rows = list(classes.rows)
    for at, row in enumerate(rows):
        more = dict.fromkeys(text for code in row.codes for text in originals.texts(code))
        rows[at] = replace(row, texts=(*row.texts, *more)) if more else row
    return replace(classes, rows=tuple(rows))
