"""What Python's two unpicklers make of a stream in different ways, and what no pickler writes.

The one in C is what `pickle.load` uses, the one in Python is `pickle._Unpickler`. A stream with a fault of this kind
is decoded here all the same; what ends a stream for both is its `broken`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.among import among
from viewer.core.pickles.disassembly import Disassembly
from viewer.core.pickles.numbers import Readings, readings
from viewer.core.pickles.opcodes import OPCODES, Form, code
from viewer.core.pickles.positions import HEADS
from viewer.core.problem import Problem, error, note, warning
from viewer.core.span import Span

FRAME, PROTO, BINSTRING = code("FRAME"), code("PROTO"), code("BINSTRING")
FREE_SLOTS: Final = 1 << 20
"""Memo slots that may be made room for without a word: 8 MiB."""
LONGEST: Final = 60
LAST_PROTOCOL: Final = 5
SIGNED: Final = 1 << 31
_FAR: Final = 1 << 62

Rows = npt.NDArray[np.int64]


def check_stream(stream: Disassembly) -> list[Problem]:
    """The faults of one stream, at most one Problem of a kind. Spans count in the stream's source."""
    if not len(stream):
        return []
    used = sorted(stream.used)
    found: list[Problem] = []
    if PROTO in used:
        found += _protocols(stream, used)
    if FRAME in used:
        found += _frames(stream)
    if BINSTRING in used:
        found += _long_strings(stream)
    return [*found, *_numbers(stream), *_memo(stream), *_texts(stream)]


def _protocols(stream: Disassembly, used: list[int]) -> list[Problem]:
    """A protocol that is unknown, opcodes that the stated one does not have, and one that is stated again."""
    found: list[Problem] = []
    stated = np.flatnonzero(stream.codes == PROTO)
    unknown = stated[stream.integers(stated, 1) > LAST_PROTOCOL]
    if len(unknown):
        found.append(error("pickle-protocol", stream.span(int(unknown[0])), protocol=stream.protocol))
    newer = [byte for byte in used if OPCODES[byte].protocol > stream.protocol]
    if newer:
        rows = np.flatnonzero(among(stream.codes, newer))
        row = int(rows[0])
        facts = {"count": len(rows), "protocol": stream.protocol, "name": stream.name(row)}
        needed = max(OPCODES[byte].protocol for byte in newer)
        found.append(note("pickle-opcode-newer", stream.span(row), needed=needed, **facts))
    again = stated[stated > 0]
    if len(again):
        row = int(again[0])
        found.append(note("pickle-second-proto", stream.span(row), count=len(again), offset=stream.offset(row)))
    return found


def _frames(stream: Disassembly) -> list[Problem]:
    """Frames that opcodes cross, that begin within another, that reach beyond the end."""
    rows = np.flatnonzero(stream.codes == FRAME)
    starts = stream.offsets[rows + 1]
    stops = starts + np.minimum(stream.integers(rows, 8), _FAR)
    reached = np.concatenate((np.zeros(1, dtype=np.int64), np.maximum.accumulate(stops)[:-1]))
    is_inside = starts < reached
    is_long = ~is_inside & (stops > stream.stop)
    found: list[Problem] = []
    for kind, which in (
        ("pickle-frame-inside", np.flatnonzero(is_inside)),
        ("pickle-frame-long", np.flatnonzero(is_long & stream.complete)),
        ("pickle-frame-crossed", _crossed(stream, stops, ~is_inside & ~is_long)),
    ):
        if len(which):
            row, stop = int(rows[which[0]]), int(stops[which[0]])
            facts = {"count": stop - stream.stop} if kind == "pickle-frame-long" else {}
            found.append(warning(kind, stream.span(row), offset=stream.offset(row), **facts))
    return found


def _crossed(stream: Disassembly, stops: Rows, is_looked_at: npt.NDArray[np.bool_]) -> Rows:
    """The first frame that ends within an opcode; behind its code, its length and its first line, it may."""
    within = np.searchsorted(stream.offsets, stops, side="right") - 1
    within = np.minimum(within, len(stream) - 1)
    behind = stops - stream.offsets[within]
    is_argument = (behind > 1) & (behind != HEADS[stream.codes[within]])
    is_crossed = is_looked_at & is_argument & (stops < stream.stop)
    for frame in np.flatnonzero(is_crossed).tolist():
        opcode, stop = int(within[frame]), int(stops[frame])
        has_two = OPCODES[int(stream.codes[opcode])].form is Form.LINES2
        if not has_two or stream.bytes(stop - 1, 1) != b"\n":
            return np.array([frame], dtype=np.int64)
    return np.zeros(0, dtype=np.int64)


def _long_strings(stream: Disassembly) -> list[Problem]:
    """Python 2 strings so long that the unpickler in Python takes their length for a negative one."""
    rows = np.flatnonzero(stream.codes == BINSTRING)
    lengths = stream.offsets[rows + 1] - stream.offsets[rows]
    rows = rows[lengths >= SIGNED]
    return [warning("pickle-string-long", stream.span(int(rows[0])), count=len(rows))] if len(rows) else []


def _numbers(stream: Disassembly) -> list[Problem]:
    """Numbers as text that one of the unpicklers refuses, or reads as another value."""
    count = {"pickle-number-form": 0, "pickle-number-value": 0}
    first: dict[str, tuple[int, bytes, Readings]] = {}
    for row in stream.odd.tolist():
        line = stream.bytes(stream.offset(row) + 1, stream.length(row) - 2)
        found = readings(int(stream.codes[row]), line)
        if found.differ:
            is_read = found.in_c is not None and found.in_python is not None
            kind = "pickle-number-value" if is_read else "pickle-number-form"
            count[kind] += 1
            first.setdefault(kind, (row, line, found))
    problems = []
    for kind, (row, line, found) in first.items():
        text = repr(line[:LONGEST].decode("ascii", "backslashreplace"))
        both = {"first": str(found.in_c), "second": str(found.in_python)} if kind == "pickle-number-value" else {}
        problems.append(warning(kind, stream.span(row), count=count[kind], text=text, **both))
    return problems


def _memo(stream: Disassembly) -> list[Problem]:
    """A memo slot with so high a number that the room for all below it matters."""
    keys = stream.memo.put_keys
    if not len(keys):
        return []
    at = int(keys.argmax())
    if keys[at] < max(FREE_SLOTS, 16 * len(keys)):
        return []
    row = int(stream.memo.puts[at])
    slot = stream.memo.index(row)
    return [warning("pickle-memo-index", stream.span(row), value=str(slot), count=len(keys))]


def _texts(stream: Disassembly) -> list[Problem]:
    """Texts that are not UTF-8, which both unpicklers refuse."""
    if not len(stream.spoilt):
        return []
    row = int(stream.spoilt[0])
    facts = {"offset": stream.offset(row), "count": len(stream.spoilt)}
    return [error("pickle-text-not-utf8", stream.span(row), **facts)]


def placed(problems: list[Problem], place: Span | None) -> list[Problem]:
    """The problems at another place: that of a record whose inflated bytes the stream's offsets count in."""
    if place is None:
        return problems
    return [Problem(problem.code, problem.severity, place, problem.params) for problem in problems]
