"""Whole pickles behind a break: looked for by the opcode that they begin with, in a time that is bounded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from viewer.core.pickles.checks import check_stream
from viewer.core.pickles.disassembly import Disassembly, disassemble
from viewer.core.progress import Progress
from viewer.core.source import ByteSource

MOST_SEARCHED: Final = 64 * 1024 * 1024
"""Bytes behind a break, or behind a pickle that was found, in which the next one has to begin."""
MOST_TRIED: Final = 1000
"""Places that may turn out to be no pickle."""
MOST_DECODED: Final = 4 * 1024 * 1024
"""Bytes that such places may have taken in all: none is begun beyond them."""
SHORTEST: Final = 10
"""Bytes of a pickle that is no accident among numbers; at the end of a file a shorter one is none either."""
STEP: Final = 64 * 1024
_BEGIN: Final = re.compile(rb"\x80[\x02-\x05]")


class Behind(NamedTuple):
    """A whole pickle: where it begins, and its stream, whose offsets count from there."""

    start: int
    code: Disassembly


def pickles_behind(source: ByteSource, start: int, progress: Progress | None = None) -> Iterator[Behind]:
    """The whole pickles of protocol 2 and later from an offset on, in order. Raises CancelledError."""
    at = start
    tried = decoded = 0
    while tried < MOST_TRIED and decoded < MOST_DECODED:
        at = _next_begin(source, at, min(source.size, start + MOST_SEARCHED), progress)
        if at < 0:
            return
        code = disassemble(source.slice(at, source.size), 0, progress)
        if _is_whole(code):
            yield Behind(at, code)
            at = start = at + code.stop
        else:
            tried += 1
            decoded += code.scanned
            at += 1


def _next_begin(source: ByteSource, at: int, stop: int, progress: Progress | None) -> int:
    """The next place where a PROTO may stand; -1: none before `stop`."""
    while at < stop:
        if progress is not None:
            progress.check()
        found = _BEGIN.search(source.read(at, min(STEP, stop - at) + 1))
        if found is not None:
            return at + found.start()
        at += STEP
    return -1


def _is_whole(code: Disassembly) -> bool:
    """True for a stream that a pickler can have written: it ends with one value, and nothing in it is odd."""
    if not code.complete or code.depth_before(len(code) - 1) != 1:
        return False
    return (code.stop >= SHORTEST or code.stop == code.source.size) and not check_stream(code)
