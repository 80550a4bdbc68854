"""The arguments of a stream that may hold a file: told by their first bytes, which are read in as few reads as can be.

Nothing is decoded here but a few first bytes. Of a gigabyte in a million arguments some dozen bytes of each are looked
at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from viewer.core.formats.held import heads
from viewer.core.formats.held.heads import SHORTEST, WIDTH, Bytes, Mask
from viewer.core.pickles.among import among
from viewer.core.pickles.disassembly import Disassembly
from viewer.core.pickles.escapes import unescaped
from viewer.core.pickles.opcodes import OPCODES, Form, code, codes
from viewer.core.pickles.references import distinct
from viewer.core.progress import Progress
from viewer.core.source import ByteSource

Rows = npt.NDArray[np.int64]
BLOCK: Final = 4 * 1024 * 1024
# Further apart than this, a read for each takes less time than reading what lies between.
FAR: Final = 8 * 1024
# So much of an argument is looked at for the name that a stream without PROTO asks for.
SEARCHED: Final = 64 * 1024
# An escape takes up to six bytes, a character two.
WRITTEN: Final = 6 * WIDTH
STRING, UNICODE, STOP = code("STRING"), code("UNICODE"), code("STOP")
_TEXTS: Final = "UNICODE BINUNICODE SHORT_BINUNICODE BINUNICODE8"
_HELD: Final = _TEXTS + " STRING BINSTRING SHORT_BINSTRING BINBYTES SHORT_BINBYTES BINBYTES8 BYTEARRAY8"
# Bytes between an opcode and its argument (0: it holds none), and behind it.
_BEFORE: Final = np.zeros(256, dtype=np.int64)
_BEHIND: Final = np.zeros(256, dtype=np.int64)
for _byte in codes(_HELD):
    _form = OPCODES[_byte].form
    _BEFORE[_byte] = 1 + (0 if _form is Form.LINE else int(_form))
_BEFORE[STRING] = 2
_BEHIND[[STRING, UNICODE]] = 2, 1
_HOLDERS: Final = codes(_HELD)
_IS_UTF8: Final = np.zeros(256, dtype=np.bool_)
_IS_UTF8[list(codes(_TEXTS) - {UNICODE})] = True
_LINED: Final = frozenset({UNICODE, STRING})
BACKSLASH: Final = ord("\\")
TAR_MAGIC: Final = b"ustar"
TAR_PLACE: Final = 257
TAR_BLOCK: Final = 512
# The second line of GLOBAL or INST; a text that STACK_GLOBAL can take. Both begin with what is found fast.
LINES: Final = re.compile(rb"\n[A-Za-z_\x80-\xff][\w.\x80-\xff]*\n")
COUNTED: Final = re.compile(rb"\x8c[\x02-\x7f][A-Za-z_][\w.]")
FIRST_LINE: Final = re.compile(rb"[ci][A-Za-z_\x80-\xff][\w.\x80-\xff]*\n\Z")
NAME: Final = re.compile(rb"[A-Za-z_][\w.]*")
LONGEST_NAME: Final = 200
STACK_GLOBAL: Final = bytes([code("STACK_GLOBAL")])
LINE_END: Final = ord("\n")
# Bytes and whole escapes.
ESCAPED: Final = re.compile(rb"(?:[^\\]|\\(?:[^x]|x[0-9a-fA-F]{2}))*", re.DOTALL)


class Arguments(NamedTuple):
    """Arguments of a stream: their opcodes, where their bytes start, and how many they are."""

    rows: Rows
    starts: Rows
    lengths: Rows

    def chosen(self, which: slice | Mask | Rows) -> Arguments:
        """Some of them."""
        return Arguments(self.rows[which], self.starts[which], self.lengths[which])


def arguments_of(stream: Disassembly) -> Arguments:
    """All arguments of bytes and text that are long enough."""
    kinds = sorted(_HOLDERS & stream.used)
    rows = np.flatnonzero(among(stream.codes, kinds))
    # In most streams all texts are of one kind.
    which = kinds[0] if len(kinds) == 1 else stream.codes[rows]
    starts = stream.offsets[:-1][rows]
    starts += _BEFORE[which]
    lengths = stream.offsets[1:][rows]
    lengths -= starts
    lengths -= _BEHIND[which]
    every = Arguments(rows, starts, lengths)
    kept = lengths >= SHORTEST
    return every if kept.all() else every.chosen(kept)


def candidates(stream: Disassembly, progress: Progress) -> Iterator[int]:
    """The opcodes whose argument may hold a file, in the order of the stream. Raises SourceError, CancelledError."""
    every = arguments_of(stream)
    buffer = bytearray(min(BLOCK, stream.stop - stream.start + WIDTH) if len(every.rows) else 0)
    first = 0
    while first < len(every.rows):
        progress.check()
        stop = int(np.searchsorted(every.starts, every.starts[first] + BLOCK - WIDTH, side="right"))
        part = every.chosen(slice(first, stop))
        extent = int(part.starts[-1]) + WIDTH - int(part.starts[0])
        is_far = extent // len(part.rows) > FAR
        found = _far_apart(stream, part) if is_far else _in_block(stream, part, buffer, extent)
        tars = np.flatnonzero(part.lengths >= 2 * TAR_BLOCK)
        for row in tars[(part.lengths[tars] % TAR_BLOCK == 0) & ~found[tars]].tolist():
            found[row] = is_tar(stream.source, int(part.starts[row]))
        yield from part.rows[found].tolist()
        first = stop


def is_tar(source: ByteSource, start: int = 0) -> bool:
    """True where the header of a tar's first member begins."""
    return source.peek(start + TAR_PLACE, len(TAR_MAGIC)) == TAR_MAGIC


def _far_apart(stream: Disassembly, part: Arguments) -> Mask:
    """Which of a few pass; each is read alone."""
    rows = heads.columns([stream.source.peek(at, WIDTH) for at in part.starts.tolist()])
    found = heads.any_pass(rows, part.lengths)
    _mark_written(found, stream, part, heads.look(rows[0], rows[1]), rows)
    return found


def _in_block(stream: Disassembly, part: Arguments, buffer: bytearray, extent: int) -> Mask:
    """Which pass of those that stand close together: all that lies between is read at once, into a buffer."""
    there = stream.source.read_into(int(part.starts[0]), memoryview(buffer)[:extent])
    buffer[there:extent] = bytes(extent - there)
    data = np.frombuffer(buffer, dtype=np.uint8)[:extent]
    windows = np.lib.stride_tricks.sliding_window_view(data, WIDTH)
    at = part.starts - part.starts[0]
    found = np.zeros(len(at), dtype=np.bool_)
    seen = heads.look_at(data, at)
    chosen = np.flatnonzero(seen)
    if len(chosen):
        passed, plain = heads.passes(_upright(windows[at[chosen]]), part.lengths[chosen], seen[chosen])
        found[chosen[passed]] = True
        _mark_plain(found, buffer, data, at, part.lengths, chosen[plain])
    long = np.flatnonzero(part.lengths >= heads.SHORTEST_SAFETENSORS)
    likely = long[(data[at[long] + 8] == heads.BRACE) | (data[at[long] + 10] == ord("B"))]
    if len(likely):
        found[likely] |= heads.is_safetensors(_upright(windows[at[likely]]), part.lengths[likely])
    written = chosen[(seen[chosen] & heads.HIGH) != 0]
    written = written[_IS_UTF8[stream.codes[part.rows[written]]]]
    if stream.used & _LINED:
        written = distinct(np.concatenate((written, np.flatnonzero(among(stream.codes[part.rows], _LINED)))))
    if len(written):
        passed = found[written]
        _mark_written(passed, stream, part.chosen(written), seen[written], _upright(windows[at[written]]))
        found[written] = passed
    return found


def _upright(rows: Bytes) -> Bytes:
    return np.ascontiguousarray(rows.T)


def _mark_plain(found: Mask, buffer: bytearray, data: Bytes, at: Rows, lengths: Rows, chosen: Rows) -> None:
    """Streams without PROTO pass where they end as one, or spell a name."""
    starts, stops = at[chosen], at[chosen] + lengths[chosen]
    ends = (data[np.minimum(stops, len(data)) - 1] == STOP) | (stops > len(data))
    found[chosen[ends]] = True
    limits = np.minimum(stops, starts + SEARCHED)
    # A name is spelt with a line end or with STACK_GLOBAL: most texts hold neither.
    marks = np.flatnonzero((data == LINE_END) | (data == STACK_GLOBAL[0]))
    left = np.flatnonzero(~ends & (np.searchsorted(marks, starts) < np.searchsorted(marks, limits)))
    for row, start, stop in zip(chosen[left].tolist(), starts[left].tolist(), limits[left].tolist(), strict=True):
        if spells(buffer, start, stop):
            found[row] = True


def spells(data: bytes | bytearray, start: int, stop: int) -> bool:
    """Whether bytes spell a name as an opcode of a pickle does."""
    if data.find(b"\n", start, stop) >= 0:
        for match in LINES.finditer(data, start, stop):
            if FIRST_LINE.search(data, max(start, match.start() - LONGEST_NAME), match.start() + 1):
                return True
    if data.find(STACK_GLOBAL, start, stop) >= 0:
        for match in COUNTED.finditer(data, start, stop):
            first = match.start() + 2
            if NAME.fullmatch(data, first, min(first + data[first - 1], stop)):
                return True
    return False


def _mark_written(found: Mask, stream: Disassembly, part: Arguments, seen: Bytes, rows: Bytes) -> None:
    """Arguments whose bytes are written as characters beyond ASCII or as escapes pass where those bytes would."""
    kinds = stream.codes[part.rows]
    is_escaped = ((kinds == UNICODE) | (kinds == STRING)) & (rows == BACKSLASH).any(axis=0)
    written = np.flatnonzero((((seen & heads.HIGH) != 0) & _IS_UTF8[kinds]) | is_escaped)
    if len(written):
        lengths = np.minimum(part.lengths[written], WRITTEN)
        raw = zip(kinds[written].tolist(), part.starts[written].tolist(), lengths.tolist(), strict=True)
        texts = [first_meant(kind, stream.source.peek(start, length)) for kind, start, length in raw]
        found[written] = heads.any_pass(heads.columns(texts), part.lengths[written])


def first_meant(kind: int, raw: bytes) -> bytes:
    """The first bytes that the beginning of a text stands for, by the opcode that holds it."""
    if kind == STRING:
        # An escape may be cut where the reading ends.
        whole = ESCAPED.match(raw)
        return unescaped(whole[0]) if whole is not None else b""
    text = raw.decode("raw-unicode-escape" if kind == UNICODE else "utf-8", "ignore")
    return text.encode("latin-1", "replace")
