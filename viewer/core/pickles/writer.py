"""Protocol 2 pickles, opcode for opcode as CPython's C pickler writes them, which torch.save uses.

Plain Python values stand for themselves; what a reader must look up or call is said by the classes here.
Objects are shared by identity, as pickle does it: the same object twice is written once and fetched from the
memo after that. Nothing recurses, so depth is bounded by memory only; a container that holds itself is refused.
"""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from viewer.core.progress import Progress

BATCH: Final = 1000
CHECK_EVERY: Final = 20_000
LONGEST_TEXT: Final = 0xFFFFFFFF
LONGEST_INT: Final = 255  # bytes of LONG1; torch's weights_only reader knows no LONG4


@dataclass(frozen=True, slots=True)
class Global:
    """A name of a module, as protocol 2 spells it (`__builtin__`, not `builtins`). Equal names are written once."""

    module: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """`function(*arguments)`; then pairs by SETITEMS and a state by BUILD, where given."""

    function: object
    arguments: tuple[object, ...] = ()
    pairs: Sequence[tuple[object, object]] = ()
    state: object = None


@dataclass(frozen=True, slots=True, eq=False)
class Persistent:
    """What the reader finds outside of the pickle, by this id."""

    id: object


ENCODE: Final = Global("_codecs", "encode")
ORDERED_DICT: Final = Global("collections", "OrderedDict")
COMPLEX: Final = Global("__builtin__", "complex")
SET: Final = Global("__builtin__", "set")
BYTEARRAY: Final = Global("__builtin__", "bytearray")
LATIN1: Final = "latin1"


class _Opcode(bytes):
    """An opcode that stands between values which are still to be written."""

    __slots__ = ()


class _Made:
    """The value on top of the stack is this object: keep it in the memo."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value


MARK, TUPLE, STOP, REDUCE, BUILD, BINPERSID = (_Opcode(byte) for byte in (b"(", b"t", b".", b"R", b"b", b"Q"))
APPEND, APPENDS, SETITEM, SETITEMS = (_Opcode(byte) for byte in (b"a", b"e", b"s", b"u"))
EMPTY_TUPLE, EMPTY_LIST, EMPTY_DICT = b")", b"]", b"}"
SHORT_TUPLES: Final = {1: _Opcode(b"\x85"), 2: _Opcode(b"\x86"), 3: _Opcode(b"\x87")}


class PickleWriter:
    """Writes one value. Raises TypeError for a value of another kind, ValueError for one that no opcode can hold."""

    def __init__(self) -> None:
        self._out = bytearray()
        self._slots: dict[object, int] = {}
        self._kept: list[object] = []
        self._todo: list[object] = []
        self._open: set[int] = set()
        self._save: dict[type, Callable[..., None]] = {
            _Opcode: self._out.extend,
            _Made: self._leave,
            type(None): lambda _: self._out.extend(b"N"),
            bool: lambda value: self._out.extend(b"\x88" if value else b"\x89"),
            int: self._save_int,
            float: lambda value: self._out.extend(b"G" + struct.pack(">d", value)),
            str: self._save_text,
            bytes: self._save_bytes,
            bytearray: lambda value: self._save_call(Call(BYTEARRAY, (bytes(value),) if value else ()), value),
            complex: lambda value: self._save_call(Call(COMPLEX, (value.real, value.imag)), value),
            tuple: self._save_tuple,
            list: self._save_list,
            set: lambda value: self._save_call(Call(SET, (list(value),)), value),
            dict: self._save_dict,
            OrderedDict: self._save_ordered,
            Global: self._save_global,
            Call: lambda call: self._save_call(call, call),
            Persistent: lambda value: self._push(value.id, BINPERSID),
        }

    def dumps(self, value: object, progress: Progress) -> bytes:
        """The whole stream, PROTO to STOP."""
        self._out += b"\x80\x02"
        self._push(value, STOP)
        while self._todo:
            progress.check()
            self._save_some()
        return bytes(self._out)

    def _save_some(self) -> None:
        """As much as is written between two looks at the progress."""
        todo, slots, save = self._todo, self._slots, self._save
        for _ in range(CHECK_EVERY):
            if not todo:
                return
            item = todo.pop()
            slot = slots.get(id(item))
            if slot is not None:
                self._get(slot)
                continue
            writer = save.get(type(item))
            if writer is None:
                raise TypeError(f"no way to write a {type(item).__name__}")
            writer(item)

    def _push(self, *items: object) -> None:
        self._todo += reversed(items)

    def _memoize(self, key: object, kept: object) -> None:
        """Keep the top of the stack; `kept` lives as long as its identity is a key."""
        slot = len(self._kept)
        self._kept.append(kept)
        self._slots[key] = slot
        self._out += b"q%c" % slot if slot <= 0xFF else b"r" + slot.to_bytes(4, "little")

    def _get(self, slot: int) -> None:
        self._out += b"h%c" % slot if slot <= 0xFF else b"j" + slot.to_bytes(4, "little")

    def _save_int(self, value: int) -> None:
        if 0 <= value <= 0xFF:
            self._out += b"K%c" % value
        elif 0 <= value <= 0xFFFF:
            self._out += b"M" + value.to_bytes(2, "little")
        elif -0x80000000 <= value <= 0x7FFFFFFF:
            self._out += b"J" + value.to_bytes(4, "little", signed=True)
        else:
            data = signed_bytes(value)
            if len(data) > LONGEST_INT:
                raise ValueError(f"an int of {len(data)} bytes")
            self._out += b"\x8a%c" % len(data) + data

    def _save_text(self, value: str) -> None:
        data = value.encode("utf-8", "surrogatepass")
        if len(data) > LONGEST_TEXT:
            raise ValueError(f"a text of {len(data)} bytes")
        self._out += b"X" + len(data).to_bytes(4, "little") + data
        self._memoize(id(value), value)

    def _save_bytes(self, value: bytes) -> None:
        """CPython writes empty bytes as a call of `bytes`, which torch's weights_only reader refuses."""
        self._save_call(Call(ENCODE, (value.decode(LATIN1), LATIN1)), value)

    def _save_tuple(self, value: tuple[object, ...]) -> None:
        if not value:
            self._out += EMPTY_TUPLE
            return
        self._enter(value)
        closing = SHORT_TUPLES.get(len(value))
        if closing is None:
            self._out += MARK
        self._push(*value, closing or TUPLE, _Made(value))

    def _enter(self, value: object) -> None:
        """Tuples and calls get their memo slot behind their parts, so one that holds itself would never end."""
        if id(value) in self._open:
            raise ValueError(f"a {type(value).__name__} that holds itself")
        self._open.add(id(value))

    def _leave(self, made: _Made) -> None:
        self._open.discard(id(made.value))
        self._memoize(id(made.value), made.value)

    def _save_list(self, value: list[object]) -> None:
        self._out += EMPTY_LIST
        self._memoize(id(value), value)
        if len(value) == 1:
            self._push(value[0], APPEND)
            return
        for start in reversed(range(0, len(value), BATCH)):
            self._push(MARK, *value[start : start + BATCH], APPENDS)

    def _save_dict(self, value: dict[object, object]) -> None:
        self._out += EMPTY_DICT
        self._memoize(id(value), value)
        self._push_pairs(value.items(), exact=len(value))

    def _save_ordered(self, value: OrderedDict[object, object]) -> None:
        self._save_call(Call(ORDERED_DICT, (), tuple(value.items()), vars(value) or None), value)

    def _save_global(self, value: Global) -> None:
        slot = self._slots.get(value)
        if slot is not None:
            self._get(slot)
            return
        self._out += f"c{value.module}\n{value.name}\n".encode()
        self._memoize(value, value)

    def _save_call(self, call: Call, value: object) -> None:
        """The call takes the memo slot of the object that it stands for."""
        self._enter(value)
        if call.state is not None:
            self._push(call.state, BUILD)
        self._push_pairs(call.pairs, exact=None)
        self._push(call.function, call.arguments, REDUCE, _Made(value))

    def _push_pairs(self, pairs: Iterable[tuple[object, object]], exact: int | None) -> None:
        """Batches by SETITEMS. `exact`: length of a plain dict; None: of other mappings a single last pair has no MARK.

        CPython closes a plain dict of a multiple of 1000 pairs by an empty batch.
        """
        batches: list[list[object]] = []
        rest = iter(pairs)
        while batch := list(islice(rest, BATCH)):
            flat = [part for pair in batch for part in pair]
            if len(batch) == 1 and exact in (None, 1):
                batches.append([*flat, SETITEM])
            else:
                batches.append([MARK, *flat, SETITEMS])
        if exact and exact % BATCH == 0:
            batches.append([MARK, SETITEMS])
        for items in reversed(batches):
            self._push(*items)


def signed_bytes(number: int) -> bytes:
    """The shortest two's complement form, little-endian; empty for 0."""
    if number == 0:
        return b""
    length = (number.bit_length() >> 3) + 1
    data = number.to_bytes(length, "little", signed=True)
    if number < 0 and length > 1 and data[-1] == 0xFF and data[-2] & 0x80:
        return data[:-1]
    return data
