"""The opcodes of a stream whose bytes hold a text, a number or a run of bytes. Read in blocks, each looked at once."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.disassembly import Disassembly
from viewer.core.pickles.opcodes import OPCODES, Form, Group, code
from viewer.core.pickles.positions import HEADS
from viewer.core.pickles.references import Rows, distinct
from viewer.core.pickles.values import Values
from viewer.core.progress import Progress
from viewer.core.source import BLOCK

STACK_GLOBAL, BINFLOAT, FLOAT = code("STACK_GLOBAL"), code("BINFLOAT"), code("FLOAT")
FLOAT_BYTES: Final = 9
"""BINFLOAT with its argument."""

_LINES: Final = (Form.LINE, Form.LINES2)
_MOST_DOTS: Final = 16
_STEP: Final = 1024
_INTEGERS: Final = (("<B", "BININT1", 0, 1 << 8), ("<H", "BININT2", 0, 1 << 16), ("<i", "BININT", -(1 << 31), 1 << 31))
_HAS_TEXT: Final = np.zeros(256, dtype=np.bool_)
_HAS_TEXT[[info.code for info in OPCODES.values() if info.group is Group.TEXT or info.form in _LINES]] = True


class _Block(NamedTuple):
    """Some bytes of the source, and the opcodes that own them. Row `first` owns the byte at `at`."""

    at: int
    data: bytes
    first: int
    stop: int


def by_text(values: Values, text: str, progress: Progress) -> Rows:
    """The opcodes whose text holds another, letters A to Z in any case; globals also by `module.name`."""
    wanted = {text.encode("utf-8", "surrogatepass").lower(), text.encode("raw_unicode_escape").lower()}
    for plain in tuple(wanted):
        # GLOBAL and INST write a line end where people write a dot.
        dots = [at for at, byte in enumerate(plain) if byte == ord(".")][:_MOST_DOTS]
        wanted |= {plain[:at] + b"\n" + plain[at + 1 :] for at in dots}
    found = _scanned(values.code, sorted(wanted), progress, texts=True)
    named = _stack_globals(values, text.casefold(), progress)
    return distinct(np.concatenate((found, named))) if len(named) else found


def by_bytes(code: Disassembly, wanted: bytes, progress: Progress) -> Rows:
    """The opcodes that hold a run of bytes, their own byte among them."""
    return _scanned(code, [wanted], progress, texts=False)


def by_number(code: Disassembly, text: str, progress: Progress) -> Rows:
    """The opcodes that put a number of this value, in any form that a pickler writes; of `nan` whatever its bits."""
    if math.isnan(float(text)):
        return _not_numbers(code, progress)
    forms = [*_forms(text)]
    longest = max(map(len, forms))
    hits: list[Rows] = []
    for block in _blocks(code, longest, progress):
        data = np.frombuffer(block.data, dtype=np.uint8)
        starts = code.offsets[block.first : block.stop] - block.at
        lengths = code.offsets[block.first + 1 : block.stop + 1] - code.offsets[block.first : block.stop]
        which = code.codes[block.first : block.stop]
        for form in forms:
            rows = np.flatnonzero((which == form[0]) & (lengths == len(form)) & (starts >= 0))
            rows = rows[starts[rows] + len(form) <= len(data)]
            for at in range(1, len(form)):
                rows = rows[data[starts[rows] + at] == form[at]]
            hits.append(rows + block.first)
    return distinct(np.concatenate(hits)) if hits else np.zeros(0, dtype=np.int64)


def _not_numbers(code: Disassembly, progress: Progress) -> Rows:
    """The floats that are no number: any sign, all bits of the exponent, any of the fraction."""
    hits = [np.zeros(0, dtype=np.int64)]
    for block in _blocks(code, FLOAT_BYTES, progress):
        which = code.codes[block.first : block.stop]
        rows = np.flatnonzero(which == BINFLOAT) + block.first
        starts = code.offsets[rows] - block.at
        is_whole = (starts >= 0) & (starts + FLOAT_BYTES <= len(block.data))
        rows, starts = rows[is_whole], starts[is_whole]
        data = np.frombuffer(block.data, dtype=np.uint8)
        held = data[starts[:, None] + np.arange(1, FLOAT_BYTES)].view(">f8").ravel()
        written = np.flatnonzero(which == FLOAT) + block.first
        hits += [rows[np.isnan(held)], written[[_is_nan(code.argument(row)) for row in written.tolist()]]]
    return distinct(np.concatenate(hits))


def _is_nan(argument: object) -> bool:
    return isinstance(argument, float) and math.isnan(argument)


def _forms(text: str) -> Iterator[bytes]:
    """An opcode with the number as its argument, in all forms."""
    real = float(text)
    exact = text.lstrip("-").isdigit()
    number = int(text) if exact else 0
    if exact:
        for form, name, low, high in _INTEGERS:
            if low <= number < high:
                yield bytes([code(name)]) + struct.pack(form, number)
        packed = number.to_bytes(number.bit_length() // 8 + 1, "little", signed=True) if number else b""
        if number and packed[-1] == 0xFF and len(packed) > 1 and packed[-2] & 0x80:
            packed = packed[:-1]
        if len(packed) < 256:
            yield bytes([code("LONG1"), len(packed)]) + packed
        yield bytes([code("LONG4")]) + len(packed).to_bytes(4, "little") + packed
        yield b"I%d\n" % number
        yield from (b"L%dL\n" % number, b"L%d\n" % number)
    # An int beyond all floats has become infinity, which it is not equal to.
    if not exact or real == number:
        for same in (0.0, -0.0) if real == 0 else (real,):
            yield bytes([BINFLOAT]) + struct.pack(">d", same)
            yield b"F%s\n" % repr(same).encode("ascii")


def _scanned(code: Disassembly, wanted: Sequence[bytes], progress: Progress, *, texts: bool) -> Rows:
    """The opcodes that hold one of some runs of bytes; `texts`: in their text, where letters count as small ones."""
    longest = max(map(len, wanted))
    found: list[Rows] = [np.zeros(0, dtype=np.int64)]
    for block in _blocks(code, longest, progress):
        data = block.data.lower() if texts else block.data
        for one in wanted:
            hits = _hits(data, one, progress)
            if len(hits):
                found.append(_owners(code, block, hits, len(one), texts=texts))
    return distinct(np.concatenate(found))


def _blocks(code: Disassembly, longest: int, progress: Progress) -> Iterator[_Block]:
    """The bytes of the stream, each block with enough of the next that a run across the border is whole."""
    at, stop = code.start, code.stop
    while at < stop:
        progress.step("finding", at - code.start, stop - code.start)
        end = min(at + BLOCK, stop)
        data = code.source.read(at, min(end + longest - 1, stop) - at)
        yield _Block(at, data, code.at(at), code.at(end - 1) + 1)
        at = end


def _hits(data: bytes, wanted: bytes, progress: Progress) -> Rows:
    """Where a run of bytes stands in others."""
    if len(wanted) == 1:
        return np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == wanted[0])
    hits: list[int] = []
    at = data.find(wanted)
    while at >= 0:
        hits.append(at)
        if len(hits) % _STEP == 0:
            progress.check()
        at = data.find(wanted, at + 1)
    return np.array(hits, dtype=np.int64)


def _owners(code: Disassembly, block: _Block, hits: Rows, length: int, *, texts: bool) -> Rows:
    """The opcodes that hold the whole hits."""
    offsets: npt.NDArray[np.int64] = code.offsets[block.first : block.stop + 1]
    places = hits + block.at
    rows = np.minimum(np.searchsorted(offsets, places, side="right") - 1, block.stop - block.first - 1)
    which = code.codes[rows + block.first]
    whole = (places >= offsets[rows] + (HEADS[which] if texts else 0)) & (places + length <= offsets[rows + 1])
    if texts:
        whole &= _HAS_TEXT[which]
    found: Rows = rows[whole] + block.first
    return found


def _stack_globals(values: Values, text: str, progress: Progress) -> Rows:
    """The STACK_GLOBALs whose `module.name` holds a text: their names stand in other opcodes."""
    rows = np.flatnonzero(values.code.codes == STACK_GLOBAL).tolist()
    found: list[int] = []
    for at, row in enumerate(rows):
        if at % _STEP == 0:
            progress.step("finding", at, len(rows))
        name = values.global_name(row)
        if name is not None and text in ".".join(name).casefold():
            found.append(row)
    return np.array(found, dtype=np.int64)
