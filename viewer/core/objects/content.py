"""What stands in a value: elements, entries, attributes, arguments, in slots that are read when asked for.

A value's content is a list of sections. Nothing here depends on the number of entries but what is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from viewer.core.objects.names import MAPPING_CALLS, called
from viewer.core.objects.runs import Run, Slots, change_run, item_runs, operand_run, pair_runs, pending_state, read_run
from viewer.core.pickles.opcodes import code, codes
from viewer.core.pickles.values import KIND_OF, Kind, Values
from viewer.core.tensors.path import Attribute, Key, Part, key_part

_NEW: Final = codes("NEWOBJ NEWOBJ_EX")
NEWOBJ_EX, REDUCE, BUILD = (code(name) for name in ("NEWOBJ_EX", "REDUCE", "BUILD"))
SEQUENCES: Final = frozenset({Kind.TUPLE, Kind.LIST, Kind.SET, Kind.FROZENSET})
# Calls whose first argument is their content, and which add nothing to it.
SEQUENCE_CALLS: Final = frozenset({"set", "frozenset", "list", "tuple", "collections.deque", "torch.Size"})
# TorchScript's marks of typed lists and dictionaries: what is marked is the first argument.
TAGS: Final = frozenset(
    f"torch.jit._pickle.{name}"
    for name in ("build_boollist", "build_doublelist", "build_intlist", "build_tensorlist", "restore_type_tag")
)
ENCODE: Final = "_codecs.encode"
BYTES: Final = "bytes"
RECONSTRUCTOR: Final = "copyreg._reconstructor"
# Functions of torch.fx that make a module of its attributes and the code of its forward().
GRAPHS: Final = frozenset(
    f"torch.fx.graph_module.{name}" for name in ("reduce_graph_module", "reduce_package_graph_module")
)
LONGEST_KEY: Final = 200
_KEY_ITEMS: Final = 16
# Tables and plain names for the inner loops: members of an enum are looked up slowly.
KINDS: Final = bytes(KIND_OF)
_TUPLE, _LIST, _DICT, _CALL, _PERSISTENT = Kind.TUPLE, Kind.LIST, Kind.DICT, Kind.CALL, Kind.PERSISTENT


class Role(IntEnum):
    """What the entries of a section are to the value."""

    ITEM = 0
    KEY = 1
    ATTRIBUTE = 2
    ARGUMENT = 3
    KEYWORD = 4
    CALLABLE = 5
    STATE = 6


_ITEM, _KEY, _ATTRIBUTE, _ARGUMENT = Role.ITEM, Role.KEY, Role.ATTRIBUTE, Role.ARGUMENT


class Form(IntEnum):
    """How entries lie in the slots: one each, a key and a value, or a sequence of both."""

    SINGLE = 0
    PAIR = 1
    NESTED = 2


_SINGLE, _PAIR, _NESTED = Form.SINGLE, Form.PAIR, Form.NESTED


@dataclass(slots=True)
class Section:
    """Entries of one kind. `number`: of the first, among all of the same role in the value."""

    role: Role
    form: Form
    slots: Slots
    number: int = 0

    @property
    def count(self) -> int:
        """Number of entries."""
        return self.slots.count // 2 if self.form is _PAIR else self.slots.count

    def read(self, first: int, stop: int) -> list[tuple[int, int]]:
        """Key (-1: none) and value of the entries first..stop-1."""
        if self.form is _PAIR:
            flat = self.slots.read(2 * first, 2 * stop)
            return list(zip(flat[::2], flat[1::2], strict=False))
        single = self.slots.read(first, stop)
        if self.form is _SINGLE:
            return [(-1, value) for value in single]
        return [pair_of(self.slots.values, value) for value in single]

    def part(self, key: int, number: int, encoding: str) -> Part:
        """The part of a path for an entry: its key as read, and its number in the section."""
        values = self.slots.values
        if self.role is _ITEM:
            return self.number + number
        if self.role is _KEY:
            return part_of_key(values, key, self.number + number, encoding)
        if self.role is _ATTRIBUTE:
            name = values.text(key, encoding)
            return Attribute(name) if name is not None else part_of_key(values, key, number, encoding)
        if self.role is Role.KEYWORD:
            return Key(f"arguments[{values.text(key, encoding)!r}]")
        if self.role is _ARGUMENT:
            return Key(f"arguments[{self.number + number}]")
        if self.role is Role.CALLABLE:
            return Key("callable")
        return Key(f"state[{self.number + number}]" if self.number + number else "state")


def pair_of(values: Values, value: int) -> tuple[int, int]:
    """Key and value of one `[key, value]` of a call's argument; (-1, value) for anything else."""
    if values.kind(value) in (_TUPLE, _LIST):
        items = values.items(value)
        if len(items) == 2:
            return items[0], items[1]
    return -1, value


def part_of_key(values: Values, key: int, number: int, encoding: str) -> Part:
    """The part for a mapping's key. Keys that hold other values are `<key 3>`, tuples of atoms their repr."""
    text = values.text(key, encoding)
    if text is not None:
        return key_part(text)
    kind = values.kind(key)
    if kind is _TUPLE:
        items = values.items(key)
        if len(items) <= _KEY_ITEMS and all(values.is_atom(item) for item in items):
            return Key(shortened(repr(tuple(atom(values, item, encoding) for item in items))))
    elif kind is Kind.GLOBAL:
        written = values.global_name(key)
        return Key(".".join(written)) if written is not None else Key(f"<key {number}>")
    elif values.is_atom(key):
        plain = values.plain(key)
        return key_part(plain) if isinstance(plain, int) else Key(shortened(repr(plain)))
    elif (raw := octets(values, key)) is not None:
        return Key(shortened(repr(raw)))
    return Key(f"<key {number}>")


def atom(values: Values, value: int, encoding: str) -> object:
    """An atom's Python value, with Python 2 strings as text."""
    text = values.text(value, encoding)
    plain = values.plain(value) if text is None else text
    return key_part(plain) if isinstance(plain, int) and not isinstance(plain, bool) else plain


def shortened(text: str) -> str:
    """A repr that is short enough to be shown."""
    return text if len(text) <= LONGEST_KEY else text[: LONGEST_KEY - 1] + "…"


def octets(values: Values, value: int) -> bytes | None:
    """Bytes, also as protocols below 3 write them: `_codecs.encode(text, 'latin1')`, `bytes()`; else None."""
    kind = values.kind(value)
    if kind in (Kind.BYTES, Kind.BYTEARRAY):
        plain = values.plain(value)
        return plain if isinstance(plain, bytes) else None
    name = called(values, value) if kind is _CALL else ""
    if name not in (ENCODE, BYTES):
        return None
    arguments = values.arguments(value)
    if name == BYTES:
        return b"" if not arguments else None
    text = values.plain(arguments[0]) if len(arguments) == 2 else None
    if not isinstance(text, str) or values.text(arguments[1]) not in ("latin1", "latin-1"):
        return None
    return text.encode("latin-1", "replace")


# -- sections ----------------------------------------------------------------------------------------


def sections(values: Values, value: int) -> list[Section]:
    """All that a value holds, in the order: arguments, elements, entries, attributes. [] for atoms and names."""
    kind = values.kind(value)
    if kind in SEQUENCES:
        return _filled([Section(_ITEM, _SINGLE, Slots(values, item_runs(values, value)))])
    if kind is _DICT:
        return _filled([Section(_KEY, _PAIR, Slots(values, pair_runs(values, value)))])
    if kind is _PERSISTENT:
        identity = values.persistent(value)
        return _arguments(values, identity, _ARGUMENT) if identity >= 0 else []
    return _call(values, value) if kind is _CALL else []


def states(values: Values, value: int) -> list[Section]:
    """What BUILD gave to a value: attributes of dicts and of (dict, slots) pairs; other states as they are."""
    found: list[Section] = []
    others = 0
    if values.code.codes[value] == REDUCE and called(values, value) in GRAPHS:
        found += [part for given in values.arguments(value)[:1] for part in mapping(values, given, _ATTRIBUTE)]
    runs = [change_run(values, change) for change in values.changes(value) if values.code.codes[change] == BUILD]
    for run in [*runs, *pending_state(values, value)]:
        state = read_run(values, run, 0, 1)[0]
        attributes = [part for half in _halves(values, state) for part in mapping(values, half, _ATTRIBUTE)]
        if attributes or is_mapping(values, state):
            found += attributes
        else:
            found.append(Section(Role.STATE, _SINGLE, Slots(values, [run]), others))
            others += 1
    return _filled(found)


def elements(values: Values, value: int) -> list[Section]:
    """The elements of a numpy array of Python objects, in the order of its list; [] for all else."""
    state = (values.states(value) or [-1])[-1]
    items = values.items(state) if state >= 0 and values.kind(state) is _TUPLE else []
    return sections(values, items[-1]) if items and values.kind(items[-1]) is Kind.LIST else []


def mapping(values: Values, value: int, role: Role = _KEY) -> list[Section]:
    """The entries of a dict, or of a call that makes one."""
    if values.kind(value) is _CALL:
        name = called(values, value)
        if name in TAGS:
            return mapping(values, tagged(values, value), role)
        found = _first_argument(values, value, role) if name in MAPPING_CALLS else []
        return [*found, Section(role, _PAIR, Slots(values, pair_runs(values, value)))]
    if values.kind(value) is _DICT:
        return [Section(role, _PAIR, Slots(values, pair_runs(values, value)))]
    return []


def tagged(values: Values, value: int) -> int:
    """The plain container that a mark of TorchScript stands around; -1 where there is none."""
    arguments = values.arguments(value)
    found = arguments[0] if arguments else -1
    return found if values.kind(found) is _DICT or values.kind(found) in SEQUENCES else -1


def is_mapping(values: Values, value: int) -> bool:
    """True for a dict and for calls that make one (OrderedDict, defaultdict, Counter)."""
    kind = values.kind(value)
    if kind is _CALL:
        name = called(values, value)
        return name in MAPPING_CALLS or (name in TAGS and values.kind(tagged(values, value)) is _DICT)
    return kind is _DICT


def _halves(values: Values, state: int) -> list[int]:
    """The mappings in a state: itself, or those of a (dict, slots) pair."""
    if values.kind(state) is not _TUPLE:
        return [state]
    run = operand_run(values, state)
    halves = values.items(state) if run.size == 2 else []
    fits = all(values.kind(half) in (_DICT, Kind.NONE) for half in halves)
    return halves if fits else []


def _call(values: Values, value: int) -> list[Section]:
    byte = int(values.code.codes[value])
    name = called(values, value) if byte == REDUCE else ""
    if name == ENCODE and octets(values, value) is not None:
        return []
    if name in MAPPING_CALLS or name in SEQUENCE_CALLS or name in TAGS or name == RECONSTRUCTOR:
        found = _first_argument(values, value, _KEY)
    else:
        found = _call_arguments(values, value)
        if name in GRAPHS:
            found = [Section(_ARGUMENT, _SINGLE, Slots(values, _without_first(found)), 1)]
    found.append(Section(_ITEM, _SINGLE, Slots(values, item_runs(values, value)), _length(found, _ITEM)))
    found.append(Section(_KEY, _PAIR, Slots(values, pair_runs(values, value)), _length(found, _KEY)))
    return _filled(found) + states(values, value)


def _first_argument(values: Values, value: int, role: Role) -> list[Section]:
    """The content that a known call takes from its first argument (its third for `_reconstructor`)."""
    arguments = values.arguments(value)
    name = called(values, value)
    at = 2 if name == RECONSTRUCTOR else 0
    given = arguments[at] if len(arguments) > at else -1
    if values.kind(given) is _DICT:
        return [Section(role, _PAIR, Slots(values, pair_runs(values, given)))]
    if values.kind(given) not in SEQUENCES:
        return []
    slots = Slots(values, item_runs(values, given))
    is_pairs = name in MAPPING_CALLS
    return [Section(role if is_pairs else _ITEM, _NESTED if is_pairs else _SINGLE, slots)]


def _call_arguments(values: Values, value: int) -> list[Section]:
    """What an unknown call is given. `__new__` of a named tuple takes its elements, so those count as items."""
    byte = int(values.code.codes[value])
    operands = values.operands(value)
    found: list[Section] = []
    callee = values.callee(value)
    if callee != value and values.kind(callee) is _CALL:
        run = Run(value, int(values.code.depths[value]) + (not _takes_pair(byte)), 1, False)
        found.append(Section(Role.CALLABLE, _SINGLE, Slots(values, [run])))
    if _takes_pair(byte):
        found += _arguments(values, operands[1], _ITEM if byte in _NEW else _ARGUMENT)
        if byte == NEWOBJ_EX:
            found += mapping(values, operands[2], Role.KEYWORD)
        return found
    run = operand_run(values, value)
    skipped = int(callee != value)
    run = Run(value, run.first + skipped, run.size - skipped, False)
    return [*found, Section(_ARGUMENT, _SINGLE, Slots(values, [run] if run.size > 0 else []))]


def _takes_pair(byte: int) -> bool:
    """True for REDUCE, NEWOBJ and NEWOBJ_EX: a callable and a tuple. INST and OBJ take their arguments one by one."""
    return byte == REDUCE or byte in _NEW


def _arguments(values: Values, given: int, role: Role) -> list[Section]:
    if values.kind(given) is not _TUPLE:
        return []
    return [Section(role, _SINGLE, Slots(values, item_runs(values, given)))]


def _without_first(found: list[Section]) -> list[Run]:
    """The runs of some arguments but for the first argument, which is told of elsewhere."""
    runs = [run for section in found for run in section.slots.runs]
    return [run._replace(first=run.first + 1, size=run.size - 1) for run in runs[:1]] + runs[1:]


def _length(found: list[Section], role: Role) -> int:
    return sum(section.count for section in found if section.role is role)


def _filled(found: list[Section]) -> list[Section]:
    return [section for section in found if section.count]
