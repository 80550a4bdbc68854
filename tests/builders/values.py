"""Whole values as pickle streams, opcode for opcode as CPython's C pickler writes them.

Plain Python values stand for themselves; what a pickle only asks for is said by the classes here:

    Global("torch", "FloatStorage")          a name
    Call(function, args, state, items)       REDUCE, then BUILD and SETITEMS where given
    Instance(cls, args, state)               NEWOBJ, then BUILD
    Persistent(id)                           a persistent id
    Fresh("cpu")                             a text that is written anew although an equal one has a memo slot

Texts and names are shared by value, containers and the other classes above by identity, tuples and bytes never.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

from tests.builders.pickles import BATCH, Stream

T = TypeVar("T")
FRAME: Final = 64 * 1024
PYTHON_2: Final = {"builtins": "__builtin__", "copyreg": "copy_reg"}
PYTHON_2_NAMES: Final = {("builtins", "range"): "xrange", ("builtins", "int"): "long", ("builtins", "str"): "unicode"}


class Fresh(str):
    """A text that is shared with itself only, not with equal ones."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Global:
    """A name of a module, in Python 3's spelling. Equal names share one memo slot."""

    module: str
    name: str


@dataclass(slots=True, eq=False)
class Call:
    """`function(*args)`, then the state by BUILD and the items by SETITEMS."""

    function: object
    args: tuple[object, ...] = ()
    state: object = None
    items: Iterable[tuple[object, object]] | None = None


@dataclass(slots=True, eq=False)
class Instance:
    """`cls.__new__(cls, *args)`, then the state by BUILD."""

    cls: object
    args: tuple[object, ...] = ()
    state: object = None


@dataclass(slots=True, eq=False)
class Persistent:
    """What the reader must find outside of the pickle."""

    id: object


ORDERED_DICT: Final = Global("collections", "OrderedDict")
ENCODE: Final = Global("_codecs", "encode")


def builtin(name: str) -> Global:
    """A name of the builtins."""
    return Global("builtins", name)


class Pickler:
    """Writes one value. `fix_imports` False keeps Python 3 names in protocols below 3, as torch.package does."""

    def __init__(self, protocol: int = 2, fix_imports: bool = True) -> None:
        self.protocol = protocol
        self.fix_imports = fix_imports and protocol < 3
        self.stream = Stream(protocol)
        self._slots: dict[object, int] = {}
        self._kept: list[object] = []

    def dumps(self, value: object) -> bytes:
        """The whole stream, PROTO to STOP."""
        self.save(value)
        self.stream.op("STOP")
        body = self.stream.data
        return Stream(self.protocol).start().data + (framed(body) if self.protocol >= 4 else body)

    def persistent_id(self, value: object) -> object:
        """The id to write in place of the value, or None. Subclasses know storages and classes."""
        return value.id if isinstance(value, Persistent) else None

    def stand_in(self, value: object) -> object:
        """What to write for a value that this class does not know; the value itself where it does."""
        return value

    def save(self, value: object) -> None:
        """One value on the stack."""
        identity = self.persistent_id(value)
        if identity is not None:
            self._save_persistent(identity)
        else:
            self._save_plain(value)

    def _save_persistent(self, identity: object) -> None:
        if self.protocol == 0:
            self.stream.op("PERSID", str(identity))
            return
        self._save_plain(identity)
        self.stream.op("BINPERSID")

    def _save_plain(self, value: object) -> None:
        value = self.stand_in(value)
        if self._save_atom(value):
            return
        slot = self._slots.get(key_of(value))
        if slot is not None:
            self.stream.get(slot)
        elif isinstance(value, str):
            self.stream.text(value)
            self._memoize(value)
        elif isinstance(value, (bytes, bytearray)):
            self._save_bytes(value)
        elif isinstance(value, tuple):
            self._save_tuple(value)
        elif isinstance(value, Global):
            self._save_global(value)
        else:
            self._save_container(value)

    def _save_atom(self, value: object) -> bool:
        if value is None:
            self.stream.op("NONE")
        elif isinstance(value, bool):
            self.stream.truth(value)
        elif isinstance(value, int):
            self.stream.number(value)
        elif isinstance(value, float):
            self.stream.real(value)
        else:
            return False
        return True

    def _save_container(self, value: object) -> None:
        if isinstance(value, OrderedDict):
            self._save_call(Call(ORDERED_DICT, (), vars(value) or None, value.items()), value)
        elif isinstance(value, dict):
            self._open("EMPTY_DICT", "DICT", value)
            self._set_items(value.items(), exact=len(value))
        elif isinstance(value, list):
            self._open("EMPTY_LIST", "LIST", value)
            self._append(value)
        elif isinstance(value, (set, frozenset)):
            self._save_set(value)
        elif isinstance(value, complex):
            self._save_call(Call(builtin("complex"), (value.real, value.imag)), value)
        elif isinstance(value, Call):
            self._save_call(value, value)
        elif isinstance(value, Instance):
            self._save_instance(value)
        else:
            raise TypeError(f"no way to write {value!r}")

    def _open(self, empty: str, marked: str, value: object) -> None:
        if self.protocol >= 1:
            self.stream.op(empty)
        else:
            self.stream.ops(f"MARK {marked}")
        self._memoize(value)

    def _memoize(self, value: object) -> None:
        self._kept.append(value)
        slot = self.stream.put()
        key = key_of(value)
        if key is not None:
            self._slots[key] = slot

    def _save_bytes(self, value: bytes | bytearray) -> None:
        if isinstance(value, bytearray):
            if self.protocol >= 5:
                self.stream.op("BYTEARRAY8", bytes(value))
                self._memoize(value)
            else:
                self._save_call(Call(builtin("bytearray"), (bytes(value),) if value else ()), value)
        elif self.protocol >= 3:
            self.stream.octets(value)
            self._memoize(value)
        elif value:
            self._save_call(Call(ENCODE, (Fresh(value.decode("latin-1")), "latin1")), value)
        else:
            self._save_call(Call(builtin("bytes")), value)

    def _save_tuple(self, value: tuple[object, ...]) -> None:
        if not value:
            self.stream.ops("EMPTY_TUPLE" if self.protocol >= 1 else "MARK TUPLE")
            return
        short = len(value) <= 3 and self.protocol >= 2
        if not short:
            self.stream.op("MARK")
        for item in value:
            self.save(item)
        self.stream.op(f"TUPLE{len(value)}" if short else "TUPLE")
        self._memoize(value)

    def _save_global(self, value: Global) -> None:
        module, name = value.module, value.name
        if self.protocol >= 4:
            self.save(module)
            self.save(name)
            self.stream.op("STACK_GLOBAL")
        else:
            if self.fix_imports:
                name = PYTHON_2_NAMES.get((module, name), name)
                module = PYTHON_2.get(module, module)
            self.stream.op("GLOBAL", f"{module} {name}")
        self._memoize(value)

    def _save_set(self, value: set[object] | frozenset[object]) -> None:
        if self.protocol < 4:
            kind = "set" if isinstance(value, set) else "frozenset"
            self._save_call(Call(builtin(kind), (list(value),)), value)
        elif isinstance(value, set):
            self.stream.op("EMPTY_SET")
            self._memoize(value)
            for batch in batches(value):
                self.stream.op("MARK")
                for item in batch:
                    self.save(item)
                self.stream.op("ADDITEMS")
        else:
            self.stream.op("MARK")
            for item in value:
                self.save(item)
            self.stream.op("FROZENSET")
            self._memoize(value)

    def _save_call(self, call: Call, value: object) -> None:
        self.save(call.function)
        self.save(call.args)
        self.stream.op("REDUCE")
        self._memoize(value)
        if call.items is not None:
            self._set_items(call.items)
        self._build(call.state)

    def _save_instance(self, value: Instance) -> None:
        if self.protocol >= 2:
            self.save(value.cls)
            self.save(value.args)
            self.stream.op("NEWOBJ")
        else:
            self.save(Global("copyreg", "_reconstructor"))
            self.save((value.cls, builtin("object"), None))
            self.stream.op("REDUCE")
        self._memoize(value)
        self._build(value.state)

    def _build(self, state: object) -> None:
        if state is not None:
            self.save(state)
            self.stream.op("BUILD")

    def _append(self, items: list[object]) -> None:
        if self.protocol == 0 or len(items) == 1:
            for item in items:
                self.save(item)
                self.stream.op("APPEND")
            return
        for batch in batches(items):
            self.stream.op("MARK")
            for item in batch:
                self.save(item)
            self.stream.op("APPENDS")

    def _set_items(self, items: Iterable[tuple[object, object]], exact: int = 0) -> None:
        """`exact`: length of a plain dict, whose last batch has a MARK even for one item; other mappings' has none."""
        for batch in [[item] for item in items] if self.protocol == 0 else batches(items):
            single = len(batch) == 1 and (self.protocol == 0 or exact <= 1)
            if not single:
                self.stream.op("MARK")
            for key, value in batch:
                self.save(key)
                self.save(value)
            self.stream.op("SETITEM" if single else "SETITEMS")


def key_of(value: object) -> object:
    """What the memo knows a value by; None for values that are never shared."""
    if isinstance(value, (str, Global)) and not isinstance(value, Fresh):
        return value
    if isinstance(value, (tuple, bytes)):
        return None
    return ("id", id(value))


def batches(items: Iterable[T]) -> Iterator[list[T]]:
    """Lists of 1000 items at most."""
    rest = iter(items)
    while batch := list(islice(rest, BATCH)):
        yield batch


def framed(body: bytes) -> bytes:
    """The opcodes of a stream of protocol 4 or later that fit in one frame."""
    if len(body) >= FRAME:
        raise ValueError("a body of several frames: write it with Stream")
    return Stream(4).op("FRAME", len(body)).data + body if len(body) >= 4 else body


def dumps(value: object, protocol: int = 2) -> bytes:
    """The value as one pickle."""
    return Pickler(protocol).dumps(value)
