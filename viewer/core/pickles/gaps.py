"""joblib's arrays: bytes that stand between the opcodes of a stream, which the decoder steps over.

    NEWOBJ NumpyArrayWrapper, BUILD {subclass, shape, order, dtype, allow_mmap[, numpy_array_alignment_bytes]}
    then, from joblib 1.2 on, one byte p and p bytes of padding; then the elements
    for arrays of objects: a whole pickle, without padding

How long an array is stands in its wrapper, so a small machine follows the stack for shapes, dtypes and the memo. It
makes nothing but numbers, texts, tuples and small mappings; all else is opaque.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from viewer.core.pickles.arguments import ArgumentError, read_argument
from viewer.core.pickles.opcodes import OPCODES, code, codes
from viewer.core.pickles.positions import FIRST_WINDOW, WINDOW, Break, Window, windows
from viewer.core.source import ByteSource
from viewer.core.span import Span

WRAPPER: Final = "NumpyArrayWrapper"
MODULE: Final = "joblib.numpy_pickle"
LONGEST: Final = 4096
# Another array may follow at once, and then all that was scanned behind it was scanned for nothing.
AFTER_GAP: Final = 512
MOST_ITEMS: Final = 64
MOST_ELEMENTS: Final = 2**62
HAS_OBJECTS: Final = 1
ITEM_SIZE, FLAGS = 5, 7
UNICODE_WIDTH: Final = 4
# All other types of ml_dtypes have elements of one byte.
EXTENSION_SIZES: Final = {"bfloat16": 2}


@dataclass(frozen=True, slots=True)
class Gap:
    """Bytes behind a BUILD that are no opcodes: `data`, elements or (`objects`) a pickle, behind the padding."""

    start: int
    data: Span
    objects: bool = False


@dataclass(slots=True)
class Node:
    """Something that a call makes: what is called, with what, and the state it was given."""

    callee: object
    arguments: object
    state: object = None


class Name(NamedTuple):
    """A global."""

    module: str
    name: str


class _Opaque:
    """Whatever does not matter here."""


OPAQUE: Final = _Opaque()
_ATOMS: Final = codes(
    "NONE NEWTRUE NEWFALSE INT LONG BININT BININT1 BININT2 LONG1 STRING BINSTRING SHORT_BINSTRING "
    "UNICODE BINUNICODE SHORT_BINUNICODE"
)
_CONSTANTS: Final[dict[int, object]] = {code("NONE"): None, code("NEWTRUE"): True, code("NEWFALSE"): False}
_TUPLES: Final = {code("EMPTY_TUPLE"): 0, code("TUPLE1"): 1, code("TUPLE2"): 2, code("TUPLE3"): 3}
_QUIET: Final = codes("PROTO FRAME STOP READONLY_BUFFER")
_KEEPERS: Final = codes("APPENDS ADDITEMS POP_MARK")
_PUTS: Final = codes("PUT BINPUT LONG_BINPUT")
_GETS: Final = codes("GET BINGET LONG_BINGET")
_CALLS: Final = codes("REDUCE NEWOBJ")
MARK, POP, DUP, BUILD = code("MARK"), code("POP"), code("DUP"), code("BUILD")
TUPLE, DICT, SETITEMS, SETITEM = code("TUPLE"), code("DICT"), code("SETITEMS"), code("SETITEM")
GLOBAL, STACK_GLOBAL, MEMOIZE = code("GLOBAL"), code("STACK_GLOBAL"), code("MEMOIZE")
APPEND, EMPTY_DICT = code("APPEND"), code("EMPTY_DICT")


@dataclass(slots=True)
class _Machine:
    """The stack and memo of a stream, as far as wrappers of arrays need them."""

    stack: list[object] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    memo: dict[int, object] = field(default_factory=dict)

    def step(self, byte: int, raw: bytes) -> dict[object, object] | None:
        """Follow one opcode; gives the state of a wrapper that was just built. Raises what a bad stream raises."""
        stack = self.stack
        if byte in _ATOMS:
            stack.append(_CONSTANTS[byte] if byte in _CONSTANTS else _atom(byte, raw))
        elif byte in _TUPLES:
            self._push_tuple(self._take(_TUPLES[byte]))
        elif byte in _PUTS:
            self.memo[_number(byte, raw)] = stack[-1]
        elif byte == MEMOIZE:
            self.memo[len(self.memo)] = stack[-1]
        elif byte in _GETS:
            stack.append(self.memo[_number(byte, raw)])
        elif byte in _CALLS:
            callee, arguments = self._take(2)
            stack.append(Node(callee, arguments))
        elif byte == BUILD:
            return self._build(stack.pop())
        elif byte == MARK:
            self.marks.append(len(stack))
        elif OPCODES[byte].closes:
            self._close(byte)
        elif byte not in _QUIET:
            self._other(byte, raw)
        return None

    def _take(self, count: int) -> list[object]:
        taken = self.stack[len(self.stack) - count :]
        del self.stack[len(self.stack) - count :]
        return taken

    def _push_tuple(self, items: list[object]) -> None:
        self.stack.append(tuple(items) if len(items) <= MOST_ITEMS else OPAQUE)

    def _close(self, byte: int) -> None:
        """An opcode that takes all above the last mark."""
        stack = self.stack
        items = self._take(len(stack) - self.marks.pop())
        if byte == TUPLE:
            self._push_tuple(items)
        elif byte == DICT:
            stack.append(OPAQUE if len(items) > MOST_ITEMS else _mapping(items))
        elif byte == SETITEMS:
            self._set(items)
        elif byte not in _KEEPERS:
            stack.append(OPAQUE)

    def _other(self, byte: int, raw: bytes) -> None:
        stack = self.stack
        if byte == POP:
            if self.marks and self.marks[-1] == len(stack):
                self.marks.pop()
            else:
                stack.pop()
        elif byte == DUP:
            stack.append(stack[-1])
        elif byte == EMPTY_DICT:
            stack.append({})
        elif byte == SETITEM:
            self._set(self._take(2))
        elif byte == APPEND:
            stack.pop()
        elif byte == GLOBAL:
            module, _, name = raw[:-1].decode("utf-8", "replace").partition("\n")
            stack.append(Name(module, name))
        elif byte == STACK_GLOBAL:
            module, name = (str(part) for part in self._take(2))
            stack.append(Name(module, name))
        else:
            self._take(OPCODES[byte].need)
            stack.extend([OPAQUE] * OPCODES[byte].out)

    def _set(self, items: list[object]) -> None:
        target = self.stack[-1]
        if isinstance(target, dict) and len(target) + len(items) <= MOST_ITEMS:
            target.update(_mapping(items))

    def _build(self, state: object) -> dict[object, object] | None:
        node = self.stack[-1]
        if not isinstance(node, Node):
            return None
        node.state = state
        callee = node.callee
        return state if isinstance(callee, Name) and is_wrapper(*callee) and isinstance(state, dict) else None


class GapFinder:
    """Follows the windows of one stream and collects its gaps: `gaps[n]` stands behind the opcode n.

    `objects(offset)`: where the pickle that begins at an offset ends, and whether it is whole.
    """

    def __init__(self, source: ByteSource, objects: Callable[[int], tuple[int, bool]]) -> None:
        self.gaps: dict[int, Gap] = {}
        self._source = source
        self._objects = objects
        self._machine: _Machine | None = _Machine()
        self._count = 0

    def windows(self, start: int) -> Iterator[Window]:
        """The windows of the stream, without the bytes of arrays. Those between small arrays are put together."""
        held: list[Window] = []
        for window in self._pieces(start):
            if held and window.next - held[0].base > WINDOW:
                yield self._joined(held)
                held = []
            held.append(window)
        if held:
            yield self._joined(held)

    def _pieces(self, start: int) -> Iterator[Window]:
        """The windows of the stream, each cut where an array follows."""
        at: int | None = start
        while at is not None:
            at = yield from self._until_gap(at)

    def _joined(self, parts: list[Window]) -> Window:
        """Several windows as one, whose bytes have the arrays between them."""
        if len(parts) == 1:
            return parts[0]
        base, last = parts[0].base, parts[-1]
        offsets = np.concatenate([part.offsets for part in parts])
        opcodes = np.concatenate([part.codes for part in parts])
        data = self._source.read(base, last.next - base)
        odd = [offset for part in parts for offset in part.odd]
        return Window(base, data, offsets, opcodes, last.next, last.stopped, last.broken, odd)

    def _until_gap(self, start: int) -> Generator[Window, None, int | None]:
        """Windows up to the next array; returns the offset behind it, None at the end of the stream."""
        for window in windows(self._source, start, AFTER_GAP if self.gaps else FIRST_WINDOW):
            found = self._follow(window)
            if found is None:
                self._count += len(window.codes)
                yield window
                continue
            row, gap = found
            self.gaps[self._count + row] = gap
            self._count += row + 1
            size, stop = self._source.size, gap.data.stop
            offsets, opcodes = window.offsets[: row + 1], window.codes[: row + 1]
            broken = Break("pickle-cut", int(offsets[-1]), "BUILD", stop - size) if stop > size else None
            odd = [offset for offset in window.odd if offset < gap.start]
            yield Window(window.base, window.data, offsets, opcodes, min(stop, size), broken=broken, odd=odd)
            return stop if broken is None else None
        return None

    def _follow(self, window: Window) -> tuple[int, Gap] | None:
        """The first array of a window: the row of its BUILD."""
        machine, base, data = self._machine, window.base, window.data
        if machine is None:
            return None
        starts = window.offsets.tolist()
        stops = [*starts[1:], window.next]
        try:
            for row, (byte, start, stop) in enumerate(zip(window.codes.tolist(), starts, stops, strict=True)):
                raw = data[start + 1 - base : stop - base] if stop - start <= LONGEST else b""
                state = machine.step(byte, raw)
                gap = None if state is None else self._gap(state, start + 1)
                if gap is not None:
                    return row, gap
        except (ArgumentError, IndexError, KeyError, ValueError):
            # The stream breaks here for every reader; where, the decoder says.
            self._machine = None
        return None

    def _gap(self, state: Mapping[object, object], at: int) -> Gap | None:
        """Where the array of a wrapper stands; None where its wrapper does not say."""
        count, size = _elements(state.get("shape")), _item_size(state.get("dtype"))
        if count is None or size is None:
            return None
        if size < 0:
            stop, is_whole = self._objects(at)
            if not is_whole:
                # joblib stops here; to look into more of them would be to read the same bytes again and again.
                self._machine = None
            return Gap(at, Span(at, max(stop, at)), True)
        padding = self._source.read(at, 1) if state.get("numpy_array_alignment_bytes") is not None else b""
        start = at + 1 + padding[0] if padding else at
        return Gap(at, Span(start, start + count * size))


def is_wrapper(module: str, name: str) -> bool:
    """Whether a class is the wrapper that joblib writes in place of an array."""
    return name == WRAPPER and (module == MODULE or module.endswith("." + MODULE))


def _atom(byte: int, raw: bytes) -> object:
    """An int, or a text of up to a few thousand bytes."""
    if not raw:
        return OPAQUE
    found = read_argument(byte, raw)
    return found.decode("latin-1") if isinstance(found, bytes) else found


def _number(byte: int, raw: bytes) -> int:
    found = read_argument(byte, raw)
    return found if isinstance(found, int) else int(str(found))


def _mapping(items: list[object]) -> dict[object, object]:
    """Keys and values in turn; keys that are no texts do not matter here."""
    return {key: value for key, value in zip(items[::2], items[1::2], strict=False) if isinstance(key, str)}


def _elements(shape: object) -> int | None:
    """How many elements a shape has."""
    if not isinstance(shape, tuple):
        return None
    count = 1
    for size in shape:
        if not isinstance(size, int) or size < 0:
            return None
        count *= size
    return count if count <= MOST_ELEMENTS else None


def _item_size(dtype: object) -> int | None:
    """Bytes of an element by a pickled numpy dtype; -1: Python objects; None: no dtype."""
    if not isinstance(dtype, Node) or dtype.callee != ("numpy", "dtype"):
        return None
    given, state = dtype.arguments, dtype.state if isinstance(dtype.state, tuple) else ()
    first = given[0] if isinstance(given, tuple) and given else None
    flags = state[FLAGS] if len(state) > FLAGS else 0
    if isinstance(flags, int) and flags & HAS_OBJECTS:
        return -1
    size = state[ITEM_SIZE] if len(state) > ITEM_SIZE else -1
    if isinstance(size, int) and size >= 0:
        return size
    if isinstance(first, Name):
        return EXTENSION_SIZES.get(first.name, 1) if first.module.startswith("ml_dtypes") else None
    return _size_by_code(first) if isinstance(first, str) else None


def _size_by_code(text: str) -> int | None:
    """The size that a code like `f4`, `U3` or `O8` states."""
    code_of, digits = text.lstrip("<>|=")[:1], text.lstrip("<>|=")[1:]
    if code_of == "O":
        return -1
    if not digits.isdecimal():
        return None
    return int(digits) * (UNICODE_WIDTH if code_of == "U" else 1)
