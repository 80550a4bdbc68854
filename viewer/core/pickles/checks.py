"""What Python's two unpicklers make of a stream in different ways, and what no pickler writes.

The one in C is what `pickle.load` uses, the one in Python is `pickle._Unpickler`. A stream with a fault of this kind
is decoded here all the same; what ends a stream for both is its `broken`.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from viewer.core.pickles.disassembly import Disassembly
from viewer.core.pickles.opcodes import OPCODES, code
from viewer.core.problem import Problem, note, warning
from viewer.core.span import Span

FRAME, PROTO, INT, FLOAT = code("FRAME"), code("PROTO"), code("INT"), code("FLOAT")
MOST_ROWS: Final = 4096
"""Frames and numbers as text that are looked at in one stream."""
FREE_SLOTS: Final = 1 << 20
"""Memo slots that may be made room for without a word: 8 MiB."""
# A zero in front makes it octal in C and no number at all in Python.
_OCTAL: Final = re.compile(rb"\s*[+-]?0[0-7]*[1-7][0-7]*")


def check_stream(stream: Disassembly) -> list[Problem]:
    """The faults of one stream, at most one Problem of a kind. Spans count in the stream's source."""
    if not len(stream):
        return []
    used = np.flatnonzero(np.bincount(stream.codes, minlength=256)).tolist()
    found: list[Problem] = []
    if PROTO in used:
        found += _protocols(stream, used)
    if FRAME in used:
        found += _frames(stream)
    if INT in used or FLOAT in used:
        found += _numbers(stream)
    return [*found, *_memo(stream)]


def _protocols(stream: Disassembly, used: list[int]) -> list[Problem]:
    """Opcodes that the stated protocol does not have, and a protocol that is stated again."""
    found: list[Problem] = []
    newer = [byte for byte in used if OPCODES[byte].protocol > stream.protocol]
    if newer:
        rows = np.flatnonzero(np.isin(stream.codes, newer))
        row = int(rows[0])
        facts = {"count": len(rows), "protocol": stream.protocol, "name": stream.name(row)}
        needed = max(OPCODES[byte].protocol for byte in newer)
        found.append(note("pickle-opcode-newer", stream.span(row), needed=needed, **facts))
    again = np.flatnonzero(stream.codes == PROTO)
    again = again[again > 0]
    if len(again):
        row = int(again[0])
        found.append(note("pickle-second-proto", stream.span(row), count=len(again), offset=stream.offset(row)))
    return found


def _frames(stream: Disassembly) -> list[Problem]:
    """Frames that opcodes cross, that begin within another, that reach beyond the end."""
    found: dict[str, Problem] = {}
    reached = 0
    for row in np.flatnonzero(stream.codes == FRAME)[:MOST_ROWS].tolist():
        offset, start = stream.offset(row), stream.offset(row + 1)
        length = stream.argument(row)
        stop = start + (length if isinstance(length, int) else 0)
        kind = ""
        if start < reached:
            kind = "pickle-frame-inside"
        elif stop > stream.stop:
            kind = "pickle-frame-long" if stream.complete else ""
        elif _crossed(stream, stop):
            kind = "pickle-frame-crossed"
        if kind and kind not in found:
            facts = {"count": stop - stream.stop} if kind == "pickle-frame-long" else {}
            found[kind] = warning(kind, stream.span(row), offset=offset, **facts)
        reached = max(reached, stop)
    return list(found.values())


def _crossed(stream: Disassembly, stop: int) -> bool:
    """Whether a frame ends within an opcode; behind its code, and before bytes that are counted, it may."""
    row = stream.at(stop)
    if row < 0 or stream.offset(row) == stop:
        return False
    return stop not in (stream.offset(row) + 1, stream.argument_span(row).start)


def _numbers(stream: Disassembly) -> list[Problem]:
    """Numbers as text that one of the unpicklers refuses."""
    count, first, text = 0, -1, ""
    rows = np.flatnonzero((stream.codes == INT) | (stream.codes == FLOAT))[:MOST_ROWS]
    for row in rows.tolist():
        raw = stream.bytes(stream.offset(row) + 1, stream.length(row) - 2)
        is_octal = stream.codes[row] == INT and raw != b"01" and _OCTAL.fullmatch(raw)
        if is_octal or (stream.codes[row] == FLOAT and (b"_" in raw or raw != raw.strip())):
            count += 1
            if first < 0:
                first, text = row, raw.decode("ascii", "backslashreplace")
    return [warning("pickle-number-form", stream.span(first), count=count, text=repr(text))] if count else []


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


def placed(problems: list[Problem], place: Span | None) -> list[Problem]:
    """The problems at another place: that of a record whose inflated bytes the stream's offsets count in."""
    if place is None:
        return problems
    return [Problem(problem.code, problem.severity, place, problem.params) for problem in problems]
