"""What stands under a value as rows: elements, entries, attributes; of a module what it is made of.

A module shows its parameters, buffers and submodules as its own, then the attributes that its `__init__` set;
hooks and other machinery only where there are some, under `internals`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

import numpy as np

from viewer.core.objects.content import Form, Role, Section, mapping, octets, sections, states
from viewer.core.objects.describe import REDUCED, class_name, count_of, describe
from viewer.core.objects.modules import BUFFERS, MACHINERY, MODULES, PARAMETERS, attributes, is_module
from viewer.core.objects.names import module_class, named, persistent_parts
from viewer.core.objects.runs import Run
from viewer.core.objects.stored_code import stored_code
from viewer.core.pickles.values import Kind, Values
from viewer.core.summary.part import Say, data
from viewer.core.tensors.path import Attribute, Part, Path, key_part
from viewer.core.tensors.rows import texts_of
from viewer.wording import rows as words

PREVIEW: Final = 80
_FEW: Final = 16
_FOLDED: Final = (PARAMETERS, BUFFERS, MODULES)
_CONTAINERS: Final = frozenset({Kind.DICT, Kind.LIST, Kind.TUPLE, Kind.SET, Kind.FROZENSET})
_ICONS: Final[dict[Kind, str]] = {
    Kind.NONE: "none",
    Kind.BOOL: "bool",
    Kind.INT: "number",
    Kind.FLOAT: "number",
    Kind.TEXT: "text",
    Kind.STRING: "text",
    Kind.BYTES: "bytes",
    Kind.BYTEARRAY: "bytes",
    Kind.TUPLE: "tuple",
    Kind.LIST: "list",
    Kind.DICT: "dict",
    Kind.SET: "set",
    Kind.FROZENSET: "set",
    Kind.GLOBAL: "class",
    Kind.PERSISTENT: "persistent",
    Kind.CALL: "object",
}
_CALL_ICONS: Final = {
    "collections.OrderedDict": "dict",
    "collections.defaultdict": "dict",
    "collections.Counter": "dict",
    "dict": "dict",
    "list": "list",
    "tuple": "tuple",
    "torch.Size": "tuple",
    "set": "set",
    "frozenset": "set",
    "bytes": "bytes",
    "bytearray": "bytes",
    "complex": "number",
}

CODE_MAKERS: Final = frozenset(
    {
        *(f"dill._dill.{name}" for name in ("_create_code", "_create_function", "_create_type")),
        *(f"dill.dill.{name}" for name in ("_create_code", "_create_function", "_create_type")),
        *(
            f"cloudpickle.{module}.{name}"
            for module in ("cloudpickle", "cloudpickle_fast")
            for name in ("_fill_function", "_make_function", "_make_skel_func", "_make_skeleton_class")
        ),
        *("builtins.compile", "marshal.loads", "types.CodeType", "types.FunctionType"),
    }
)
"""What turns values of a stream into code that can run."""

SCRIPT: Final = "torch.jit._script.unpackage_script_module"
FUNCTION: Final = 2
MOST_SHOWN: Final = 8


class Entry(NamedTuple):
    """One row to be: its value, and what its path goes on with behind that of the row above."""

    value: int
    parts: Path


class Stretch(Protocol):
    """Neighbouring rows under a value."""

    @property
    def count(self) -> int:
        """Number of rows."""
        ...

    def read(self, first: int, stop: int, encoding: str) -> list[Entry]:
        """The rows first..stop-1."""
        ...

    def find(self, opcode: int) -> int:
        """Number of the row whose key or value an opcode built; -1: none."""
        ...


@dataclass(slots=True)
class All:
    """All entries of a section. `above`: parts of the path between the value and the section."""

    section: Section
    above: Path = ()

    @property
    def count(self) -> int:
        """Number of rows."""
        return self.section.count

    def read(self, first: int, stop: int, encoding: str) -> list[Entry]:
        """The rows first..stop-1."""
        section, entries = self.section, self.section.read(first, stop)
        if section.role is Role.ITEM:
            return [Entry(value, (*self.above, at)) for at, (_, value) in enumerate(entries, section.number + first)]
        many = len(entries) > _FEW and section.role in (Role.KEY, Role.ATTRIBUTE)
        # Texts of many keys are read at once: one by one they hold up a jump into a page of a thousand.
        texts = texts_of(section.slots.values, (key for key, _ in entries), encoding) if many else {}
        make: Callable[[str], Part] = key_part if section.role is Role.KEY else Attribute
        found = []
        for number, (key, value) in enumerate(entries, first):
            text = texts.get(key)
            part = section.part(key, number, encoding) if text is None else make(text)
            found.append(Entry(value, (*self.above, part)))
        return found

    def find(self, opcode: int) -> int:
        """Number of the row whose key or value an opcode built; -1: none."""
        return find_entry(self.section, opcode)


@dataclass(slots=True)
class Some:
    """Chosen entries of a section, by their numbers in it."""

    section: Section
    numbers: list[int]
    above: Path = ()

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.numbers)

    def read(self, first: int, stop: int, encoding: str) -> list[Entry]:
        """The rows first..stop-1."""
        found: list[Entry] = []
        for number in self.numbers[first:stop]:
            key, value = self.section.read(number, number + 1)[0]
            found.append(Entry(value, (*self.above, self.section.part(key, number, encoding))))
        return found

    def find(self, opcode: int) -> int:
        """Number of the row whose key or value an opcode built; -1: none."""
        number = find_entry(self.section, opcode)
        return self.numbers.index(number) if number in self.numbers else -1


def find_entry(section: Section, opcode: int) -> int:
    """The number of the entry whose key or value lies around an opcode, among those of a section; -1: none."""
    values = section.slots.values
    width = 2 if section.form is Form.PAIR else 1
    for run, start in zip(section.slots.runs, section.slots.starts, strict=True):
        if opcode >= run.opcode or opcode < _run_start(values, run):
            continue
        # Nothing goes below the slot that an entry is built in until all of them are taken.
        lowest = int(np.min(values.code.depths[opcode : run.opcode]))
        slot = lowest - run.first
        number = (start + slot) // width
        return number if 0 <= slot < run.size and number < section.count else -1
    return -1


def _run_start(values: Values, run: Run) -> int:
    """The first opcode that belongs to the values of a run."""
    if run.marked:
        return values.writer(run.opcode, run.first - 1)
    writer = values.writer(run.opcode, run.first)
    return values.first(writer) if writer >= 0 else run.opcode


# -- stretches ---------------------------------------------------------------------------------------


def stretches(values: Values, value: int, encoding: str) -> list[Stretch]:
    """The rows under a value, internals apart. [] for atoms, names, storages and classes."""
    kind = values.kind(value)
    if kind is Kind.CALL and is_module(values, value, encoding):
        return _module_rows(values, value, encoding)
    if kind is Kind.PERSISTENT and known_persistent(values, value, encoding):
        return []
    if kind in _CONTAINERS or kind in (Kind.CALL, Kind.PERSISTENT):
        return [All(section) for section in sections(values, value)]
    return []


def internals(values: Values, value: int, encoding: str) -> list[Stretch]:
    """The machinery of a module that holds something: hooks, names of buffers that are not saved."""
    found: list[Stretch] = []
    for section in _attribute_sections(values, value):
        names = _names(section, encoding)
        entries = section.read(0, section.count)
        numbers = [
            number
            for number, name in enumerate(names)
            if name in MACHINERY and name != "_backend" and _holds(values, entries[number][1])
        ]
        if numbers:
            found.append(Some(section, numbers))
    return found


def known_persistent(values: Values, value: int, encoding: str) -> bool:
    """True for the ids of storages and of classes with their source: rows that have their own words."""
    parts = persistent_parts(values, value)
    is_storage = bool(parts) and values.text(parts[0], encoding) == "storage"
    return is_storage or module_class(values, value, encoding) >= 0


def _module_rows(values: Values, value: int, encoding: str) -> list[Stretch]:
    held = attributes(values, value, encoding)
    found: list[Stretch] = [
        All(section, (Attribute(name),)) for name in _FOLDED for section in mapping(values, held.get(name, -1))
    ]
    for section in _attribute_sections(values, value):
        names = _names(section, encoding)
        found.append(
            Some(section, [at for at, name in enumerate(names) if name not in _FOLDED and name not in MACHINERY])
        )
    found += [All(section) for section in sections(values, value) if section.role is not Role.ATTRIBUTE]
    return [stretch for stretch in found if stretch.count]


def _attribute_sections(values: Values, value: int) -> list[Section]:
    return [section for section in states(values, value) if section.role is Role.ATTRIBUTE]


def _names(section: Section, encoding: str) -> list[str | None]:
    values = section.slots.values
    return [values.text(key, encoding) for key, _ in section.read(0, section.count)]


def _holds(values: Values, value: int) -> bool:
    """False for None, False and empty containers."""
    kind = values.kind(value)
    if kind is Kind.NONE or (kind is Kind.BOOL and values.plain(value) is False):
        return False
    is_container = kind in _CONTAINERS or (kind is Kind.CALL and class_name(values, value) in _CALL_ICONS)
    return not is_container or count_of(values, value) > 0 or bool(sections(values, value))


# -- words -------------------------------------------------------------------------------------------


def label_of(parts: Sequence[Part]) -> str:
    """What a row is called: the last part of its path, attributes by their bare name."""
    last = parts[-1] if parts else ""
    if isinstance(last, Attribute):
        return last.name
    return last if isinstance(last, str) else str(last) if isinstance(last, int) else last.repr


def icon_of(values: Values, value: int, encoding: str) -> str:
    """The icon of a value that is no tensor."""
    kind = values.kind(value)
    if kind is Kind.CALL:
        if is_module(values, value, encoding):
            return "module"
        name = class_name(values, value, encoding)
        is_code = name in CODE_MAKERS or stored_code(values, value, encoding) is not None
        return "function" if is_code else _CALL_ICONS.get(name, "object")
    if kind is Kind.PERSISTENT:
        if module_class(values, value, encoding) >= 0:
            return "class"
        return "storage" if known_persistent(values, value, encoding) else "persistent"
    return _ICONS.get(kind, "bytes")


def details_of(values: Values, value: int, encoding: str, *, is_root: bool = False) -> tuple[Say, ...]:
    """What stands beside the name of a row: type and size of a container, class of an object, else the value."""
    kind = values.kind(value)
    name = class_name(values, value, encoding)
    short = name.rpartition(".")[2]
    if kind is Kind.CALL and is_module(values, value, encoding):
        return (data(name.rpartition(".")[0] if is_root else short),)
    if kind is Kind.PERSISTENT and module_class(values, value, encoding) >= 0:
        return (data(named(values, module_class(values, value, encoding), encoding)),)
    if kind is Kind.PERSISTENT and (asked := package_call(values, value, encoding)):
        return asked
    is_call = kind is Kind.CALL and _CALL_ICONS.get(name) in ("dict", "list", "set", "tuple")
    if kind in (Kind.DICT, Kind.LIST, Kind.SET, Kind.FROZENSET) or is_call:
        is_dict = kind is Kind.DICT or _CALL_ICONS.get(name) == "dict"
        count = Say(words.ENTRIES if is_dict else words.ITEMS, {"count": count_of(values, value)})
        return (count,) if is_root else (data(short), count)
    code = stored_code(values, value, encoding)
    if code is not None:
        what = words.FUNCTION if code.is_function else words.CODE_OBJECT
        told = (data(text) for text in (code.name, code.place) if text)
        return (*told, Say(what), Say(words.PROGRAM_CODE))
    if kind is Kind.CALL and name in CODE_MAKERS:
        return (data(describe(values, value, PREVIEW, encoding)), Say(words.PROGRAM_CODE))
    if kind is Kind.CALL and octets(values, value) is None:
        return (data(describe(values, value, PREVIEW, encoding)),) if not is_root else ()
    return (data(describe(values, value, PREVIEW, encoding)),)


def package_call(values: Values, value: int, encoding: str) -> tuple[Say, ...]:
    """What an id of torch.package asks for: a call with its arguments, of a script the place of its module."""
    parts = persistent_parts(values, value)
    if len(parts) <= FUNCTION or values.text(parts[0], encoding) != REDUCED:
        return ()
    name = named(values, parts[FUNCTION], encoding)
    given = [one for part in parts[FUNCTION + 1 :] for one in _spread(values, part)]
    shown = ", ".join(describe(values, one, PREVIEW, encoding) for one in given[:MOST_SHOWN])
    call = data(f"{name.rpartition('.')[2]}({shown})"[:PREVIEW])
    entry = values.text(given[0], encoding) if given else None
    if name != SCRIPT or entry is None:
        return (call, Say(words.MADE_BY_PACKAGE))
    return (call, Say(words.SCRIPT_MODULE, {"record": f".data/ts_code/{entry}"[:PREVIEW]}))


def _spread(values: Values, value: int) -> list[int]:
    """The items of a tuple of arguments; a single argument as it is."""
    return values.items(value) if values.kind(value) is Kind.TUPLE else [value]


def root_label(values: Values, value: int, encoding: str) -> str:
    """What the row of a stream's outermost value is called: its class."""
    return class_name(values, value, encoding).rpartition(".")[2]
