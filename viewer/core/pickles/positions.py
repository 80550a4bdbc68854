"""Where each opcode of a stream starts: the scan that everything else is computed from.

The stream is read in windows. One loop over a window finds the offsets; it is the only loop over single
opcodes of the whole decoder, so it does nothing else.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.arguments import ArgumentError, read_argument
from viewer.core.pickles.lanes import COUNT1, COUNT4, OTHER, Lanes
from viewer.core.pickles.numbers import NUMBERS
from viewer.core.pickles.opcodes import OPCODES, Form, code, codes
from viewer.core.source import ByteSource
from viewer.wording.phrases import phrase

FIRST_WINDOW: Final = 64 * 1024
# Small enough that nothing that is done with a whole window at once stops other threads for long.
WINDOW: Final = 128 * 1024
LONGEST_HEADER: Final = 9
STOP: Final = code("STOP")
# Behind the bytes of a window, so that the scan need not ask for the end at each opcode.
PADDING: Final = bytes([STOP]) * (LONGEST_HEADER + 1)

# Length of a fixed opcode, or how it is counted.
_SIZES: Final[list[int]] = [OTHER] * 256
_SIGNED: Final = codes("LONG4")
for _opcode in OPCODES.values():
    if _opcode.form is Form.FIXED and _opcode.code != STOP:
        _SIZES[_opcode.code] = _opcode.size
    elif _opcode.form is Form.COUNT4 and _opcode.code not in _SIGNED:
        _SIZES[_opcode.code] = COUNT4
    elif _opcode.form is Form.COUNT1:
        _SIZES[_opcode.code] = COUNT1
_SIZE_BYTES: Final = np.array(_SIZES, dtype=np.int8).tobytes()
_CHECKED: Final = codes("INT LONG FLOAT STRING UNICODE PERSID GET PUT")
# Fixed ones that do not take every number.
_BOUNDED: Final = np.zeros(256, dtype=np.bool_)
_BOUNDED[list(codes("EXT1 EXT2 EXT4 FRAME"))] = True
_COUNT4: Final = struct.Struct("<I")

HEADS: Final = np.ones(256, dtype=np.int64)
"""Bytes of an opcode before its argument: its own, and of counted ones those of the length."""
for _opcode in OPCODES.values():
    if _opcode.form in (Form.COUNT1, Form.COUNT4, Form.COUNT8):
        HEADS[_opcode.code] += int(_opcode.form)


# Lines that need no closer look: short, and as picklers write them. All of FLOAT's are finite.
_LINE: Final = {
    "INT": rb"(?:-?(?:0|[1-9]\d{0,4000})|0[01])\n",
    "LONG": rb"-?(?:0|[1-9]\d{0,4000})L\n",
    "FLOAT": rb"-?(?:\d{1,40}(?:\.\d{0,40})?|\d(?:\.\d{0,40})?e(?:[+-]?\d\d?|-\d{3}|\+[12]\d\d))\n",
    "GET": rb"\d{1,4000}\n",
    "PUT": rb"\d{1,4000}\n",
    "STRING": rb"(?:'[^\n\\]{0,4000}'|\"[^\n\\]{0,4000}\")\n",
    "UNICODE": rb"[^\n\\]{0,4000}\n",
    "PERSID": rb"[\0-\x09\x0b-\x7f]{0,4000}\n",
    "GLOBAL": rb"[!-~]{1,1000}\n[!-~]{1,1000}\n",
}


def _fixed() -> Iterator[bytes]:
    """The opcodes of each length that a table tells, as an expression."""
    for size in sorted(set(_SIZES)):
        if size > 0:
            group = b"".join(re.escape(bytes([byte])) for byte in range(256) if _SIZES[byte] == size)
            yield b"[%b]" % group + (b"(?s:.{%d})" % (size - 1) if size > 1 else b"")


PLAIN_LINE: Final = re.compile(b"|".join(re.escape(bytes([code(name)])) + line for name, line in _LINE.items()))
# Opcodes one behind the other, and all that is left where they end.
PLAIN: Final = re.compile(b"|".join([*_fixed(), PLAIN_LINE.pattern, b"(?s:.+)"]))
# More than the longest plain line.
AT_ONCE: Final = 8 * 1024
# So much of a window tells what it is like: bytes an opcode, and opcodes to one with a line.
SAMPLE: Final = 4 * 1024
CLOSE: Final = 4
FEW_LINES: Final = 64


@dataclass(frozen=True, slots=True)
class Break:
    """Where and why a stream cannot be read on. `code` is a Problem code; `missing` counts bytes beyond the end."""

    code: str
    offset: int
    detail: str = ""
    missing: int = 0


@dataclass(slots=True)
class Window:
    """The opcodes found in one window: `offsets` in the source, `codes`, and the bytes they were read from.

    `odd`: the offsets of numbers as text that no pickler writes so.
    """

    base: int
    data: bytes
    offsets: npt.NDArray[np.int64]
    codes: npt.NDArray[np.uint8]
    next: int
    stopped: bool = False
    broken: Break | None = None
    odd: list[int] = field(default_factory=list)


def windows(source: ByteSource, start: int, length: int = FIRST_WINDOW) -> Iterator[Window]:
    """Scan from `start` to STOP or to the break, a window at a time. `length`: of the first; each is twice as long."""
    at = start
    while True:
        window = _scan(source.read(at, length), at)
        if not window.stopped and window.broken is None and window.next == at < source.size:
            window = _large(source, at)
        elif not window.stopped and window.broken is None and window.next >= source.size:
            window.broken = Break("pickle-no-stop", source.size)
        yield window
        if window.stopped or window.broken is not None:
            return
        at, length = window.next, min(2 * length, WINDOW)


def _scan(data: bytes, base: int) -> Window:
    """The opcodes that lie wholly in `data`."""
    found: list[int] = []
    odd: list[int] = []
    padded = data + PADDING
    end = len(data)
    pos = _sample(data, found) if end > 2 * SAMPLE else 0
    lanes = Lanes(padded, pos, end, _SIZE_BYTES) if _are_close(data, found) else None
    stopped, broken = False, None
    while not stopped:
        pos = _run(padded, pos, end, found) if lanes is None else _follow(lanes, padded, pos, end, found)
        if pos > end:
            pos = found.pop()
            break
        after, broken = _one(data, pos, base) if pos < end else (-1, None)
        if after < 0 or broken is not None:
            break
        found.append(pos)
        if data[pos] in NUMBERS:
            odd.append(base + pos)
        stopped = data[pos] == STOP
        pos = after
    positions = np.array(found, dtype=np.int64)
    if lanes is not None:
        positions = _merged(positions, lanes.starts())
    codes = np.frombuffer(data, dtype=np.uint8)[positions]
    return _bounded(Window(base, data, positions + base, codes, base + pos, stopped, broken, odd))


def _sample(data: bytes, found: list[int]) -> int:
    """Find the first opcodes of a window; gives where they end."""
    pos = _run(data[:SAMPLE] + PADDING, 0, SAMPLE, found)
    return pos if pos <= SAMPLE else found.pop()


def _are_close(data: bytes, found: list[int]) -> bool:
    """Whether opcodes are so close, and so few of them have lines, that stepping through lanes takes less time."""
    if not found or found[-1] < SAMPLE // 2 or found[-1] > CLOSE * len(found):
        return False
    kinds = bytes(map(data.__getitem__, found)).translate(_SIZE_BYTES)
    return kinds.count(OTHER & 0xFF) * FEW_LINES <= len(found)


def _merged(first: npt.NDArray[np.int64], second: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Both in ascending order: mostly all of the first come before the second."""
    both = np.concatenate((first, second))
    return both if (both[1:] > both[:-1]).all() else np.sort(both)


def _follow(lanes: Lanes, padded: bytes, pos: int, end: int, found: list[int]) -> int:
    """As `_run`; what has plain lines goes to `found`, all else stays with the lanes."""
    while True:
        pos = lanes.follow(pos)
        line = PLAIN_LINE.match(padded, pos, end)
        if line is None:
            return pos
        found.append(pos)
        pos = line.end()


def _bounded(window: Window) -> Window:
    """The window up to the first extension code or frame that no unpickler takes."""
    rows = np.flatnonzero(_BOUNDED[window.codes])
    for row in rows.tolist() if len(rows) else ():
        at = int(window.offsets[row])
        opcode = OPCODES[int(window.codes[row])]
        raw = window.data[at + 1 - window.base : at + opcode.size - window.base]
        failure = _failure(opcode.code, raw)
        if failure:
            broken = Break("pickle-bad-argument", at, failure)
            return Window(window.base, window.data, window.offsets[:row], window.codes[:row], at, False, broken)
    return window


def _run(padded: bytes, pos: int, end: int, found: list[int]) -> int:
    """Find opcodes up to one that needs a closer look, or to the end; gives where that is.

    Inlined: this loop takes most of the time of decoding. Beyond `end`: the last one found is not whole.
    """
    append = found.append
    sizes, count4 = _SIZES, _COUNT4.unpack_from
    while True:
        size = sizes[padded[pos]]
        if size > 0:
            append(pos)
            pos += size
            continue
        if size == 0:
            after = pos + 5 + count4(padded, pos + 1)[0]
        elif size == -1:
            after = pos + 2 + padded[pos + 1]
        else:
            after = _lines(padded, pos, end, found)
            if after == pos:
                return pos
            pos = after
            continue
        if after > end:
            return pos
        append(pos)
        pos = after


def _lines(padded: bytes, pos: int, end: int, found: list[int]) -> int:
    """Find opcodes from one with a line on, as far as they are plain; gives where they end."""
    parts = PLAIN.findall(padded, pos, min(pos + AT_ONCE, end))
    # The last one is all that is left, mostly: whether it is plain too shows when it is looked at again.
    if len(parts) < 2 and (not parts or PLAIN_LINE.fullmatch(parts[0]) is None):
        return pos
    ends = list(accumulate(map(len, parts), initial=pos))
    if len(parts) > 1:
        ends.pop()
    found += ends[:-1]
    return ends[-1]


def _one(data: bytes, pos: int, base: int) -> tuple[int, Break | None]:
    """The end of one opcode by every rule; -1 when more bytes are needed."""
    opcode = OPCODES.get(data[pos])
    if opcode is None:
        return -1, Break("pickle-unknown-opcode", base + pos, f"0x{data[pos]:02X}")
    after = _end(data, pos, opcode.form, opcode.size)
    if after < -1:
        return -1, Break("pickle-bad-argument", base + pos, phrase("argument-length"))
    if after < 0 or after > len(data):
        return -1, None
    if opcode.form is Form.LINES2 or opcode.code in _CHECKED:
        failure = _failure(opcode.code, data[pos + 1 : after])
        if failure:
            return -1, Break("pickle-bad-argument", base + pos, failure)
    return after, None


def _failure(opcode: int, raw: bytes) -> str:
    """Why no unpickler takes an argument; "" where one does."""
    try:
        read_argument(opcode, raw)
    except ArgumentError as failure:
        return str(failure)
    return ""


def _end(data: bytes, pos: int, form: Form, size: int) -> int:
    """Where the opcode at `pos` ends; -1: the bytes do not tell; -2: a negative length."""
    if form is Form.FIXED:
        return pos + size
    if form is Form.LINE:
        line = data.find(b"\n", pos + 1)
        return line + 1 if line >= 0 else -1
    if form is Form.LINES2:
        first = data.find(b"\n", pos + 1)
        second = data.find(b"\n", first + 1) if first >= 0 else -1
        return second + 1 if second >= 0 else -1
    width = int(form)
    if pos + 1 + width > len(data):
        return -1
    count = int.from_bytes(data[pos + 1 : pos + 1 + width], "little", signed=data[pos] in _SIGNED)
    return pos + 1 + width + count if count >= 0 else -2


def _large(source: ByteSource, at: int) -> Window:
    """One opcode whose argument is longer than a window: counted ones are stepped over, lines are read."""
    head = source.read(at, 1 + 8)
    opcode = OPCODES[head[0] if head else STOP]
    if opcode.form in (Form.LINE, Form.LINES2):
        return _long_line(source, at)
    after = _end(head, 0, opcode.form, opcode.size)
    offsets = np.array([at], dtype=np.int64)
    codes = np.array([opcode.code], dtype=np.uint8)
    if after < 0 or at + after > source.size:
        missing = at + after - source.size if after > 0 else 0
        window = Window(at, head, offsets[:0], codes[:0], at)
        window.broken = Break("pickle-cut", at, opcode.name, max(missing, 0))
        return window
    return Window(at, head, offsets, codes, at + after)


def _long_line(source: ByteSource, at: int) -> Window:
    """A text argument of more than a window, looked for in growing blocks."""
    length = WINDOW
    while True:
        data = source.read(at, length) or b"."
        after, broken = _one(data, 0, at)
        if after >= 0 or broken is not None:
            break
        if len(data) < length:
            broken = Break("pickle-cut", at, OPCODES[data[0]].name)
            break
        length *= 2
    positions = np.zeros(int(after >= 0), dtype=np.int64)
    codes = np.frombuffer(data, dtype=np.uint8)[positions]
    odd = [at] if data[0] in NUMBERS and after >= 0 else []
    return Window(at, data, positions + at, codes, at + max(after, 0), broken=broken, odd=odd)
