"""The objects of a stream that calls of classes make, each with its first place: modules, helpers, settings.

Tensors, numpy's values and plain containers are none, and neither is what a function gives. Whether a name
that REDUCE calls is a class is told by how it is written, as nothing is looked up: `Colour("red")` is one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.objects.content import GRAPHS, RECONSTRUCTOR, Role, part_of_key, sections
from viewer.core.objects.describe import class_name
from viewer.core.objects.interest import Interest
from viewer.core.objects.modules import MODULES, is_module
from viewer.core.objects.names import COMPUTED, called, named
from viewer.core.objects.naming import text_key
from viewer.core.objects.places import DEEPEST
from viewer.core.pickles.opcodes import code, codes
from viewer.core.pickles.references import distinct
from viewer.core.pickles.values import LAST_ATOM, Kind, Values
from viewer.core.progress import Progress
from viewer.core.tensors.dtypes import STORAGE_CLASSES, TENSOR_CLASSES
from viewer.core.tensors.path import Attribute, Key, Part, Path

_REDUCE: Final = code("REDUCE")
_REPLACING: Final = sorted(codes("REDUCE NEWOBJ NEWOBJ_EX"))
_VISITS: Final = 256
MAKERS: Final = frozenset({RECONSTRUCTOR, "copyreg.__newobj__", "copyreg.__newobj_ex__"})
"""Functions that make an object of the class in their first argument."""
_PLAIN: Final = frozenset(
    {
        "torch.Size",
        "torch.Tensor",
        "torch.device",
        "torch.dtype",
        "torch.nn.parameter.Buffer",
        "torch.nn.parameter.Parameter",
        "torch.autograd.variable.Variable",
    }
)
_PLAIN_PACKAGES: Final = ("collections.", "numpy.", "torch._utils.", "torch.storage.")
_TYPED: Final = STORAGE_CLASSES.keys() | TENSOR_CLASSES.keys()

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Instance:
    """One object. `value`: its number. `name`: the qualified name of its class.

    `path`: its first place below the root. `module`: its dotted name among the modules of the outermost one ("" =
    that one itself); None for all other objects, and for modules that stand in no `_modules`.
    """

    value: int
    name: str
    path: Path
    module: str | None


def find_instances(values: Values, encoding: str = "utf-8", progress: Progress | None = None) -> list[Instance]:
    """The objects below the root of a stream, parents first, in the order of their containers; each value once.

    An object deeper than 500 containers has the path `value N`. Raises CancelledError.
    """
    walk = _Walk(values, instance_calls(values, encoding), encoding, progress or Progress())
    walk.run()
    return walk.instances


def find_placed(
    values: Values, wanted: Rows, encoding: str = "utf-8", progress: Progress | None = None
) -> list[Instance]:
    """As `find_instances`, for the values that are wanted: calls by the name of their class, globals by their own.

    `module` is None in all.
    """
    walk = _Walk(values, wanted, encoding, progress or Progress(), modules=False)
    walk.run()
    return walk.instances


def instance_calls(values: Values, encoding: str = "utf-8") -> Rows:
    """The calls of a stream that make objects, in its order, also where the object is dropped later."""
    calls = np.array(values.calls(), dtype=np.int64)
    if not len(calls):
        return calls
    kinds, which = grouped(callees(values, calls))
    names = [named(values, callee, encoding) for callee in kinds.tolist()]
    by_function = values.code.codes[calls] == _REDUCE
    as_class = np.array([bool(name) and not is_plain(name) for name in names])[which]
    as_call = np.array([looks_like_class(name) for name in names])[which]
    found = as_class & (~by_function | as_call)
    makers = np.array([name in MAKERS or name in GRAPHS for name in names])[which]
    for row in np.flatnonzero(makers & by_function).tolist():
        name = class_name(values, int(calls[row]), encoding)
        found[row] = name not in MAKERS and name != COMPUTED and not is_plain(name)
    wanted: Rows = calls[found]
    return wanted


def is_plain(name: str) -> bool:
    """True for classes whose objects are plain data: builtins, containers, tensors and what they are made of."""
    module, _, last = name.rpartition(".")
    if not module or name in _PLAIN or name.startswith(_PLAIN_PACKAGES):
        return True
    return last in _TYPED and module in ("torch", "torch.cuda")


def looks_like_class(name: str) -> bool:
    """True for a name that is written as classes are."""
    return name.rpartition(".")[2].lstrip("_")[:1].isupper()


def class_of(values: Values, value: int) -> int:
    """The class that a call makes an object of: what is called, or the first argument of Python's own makers."""
    callee = values.callee(value)
    if callee != value and called(values, value) in MAKERS:
        arguments = values.arguments(value)
        return arguments[0] if arguments else -1
    return callee


def callees(values: Values, calls: Rows) -> Rows:
    """What each of some calls calls."""
    plain = np.isin(values.code.codes[calls], _REPLACING)
    rows = calls[plain]
    found = calls.copy()
    # Such a call puts its result where the callable stood.
    found[plain] = values.resolve_all(values.writers(rows, values.code.depths[rows]))
    found[~plain] = [values.callee(value) for value in calls[~plain].tolist()]
    return found


def grouped(rows: Rows) -> tuple[Rows, Rows]:
    """The different numbers in ascending order, and which of them each one is."""
    kinds = distinct(rows)
    return kinds, np.searchsorted(kinds, rows)


@dataclass(slots=True)
class _Places:
    """Columns of what was walked. `modules`: dotted names of modules. `inside`: a module stands there or above."""

    parents: list[int] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    modules: list[str | None] = field(default_factory=list)
    inside: list[bool] = field(default_factory=list)

    def add(self, parent: int, part: Part) -> int:
        self.parents.append(parent)
        self.parts.append(part)
        self.depths.append(self.depths[parent] + 1 if parent >= 0 else 0)
        self.modules.append(None)
        self.inside.append(parent >= 0 and self.inside[parent])
        return len(self.parents) - 1

    def path(self, place: int) -> Path:
        parts: list[Part] = []
        while place > 0:
            parts.append(self.parts[place])
            place = self.parents[place]
        return tuple(reversed(parts))


class _Walk:
    def __init__(
        self, values: Values, wanted: Rows, encoding: str, progress: Progress, *, modules: bool = True
    ) -> None:
        self.values, self.encoding, self.progress, self.modules = values, encoding, progress, modules
        self.interest = Interest(values, wanted)
        self.wanted = frozenset(wanted.tolist())
        self.seen: set[int] = set()
        self.places = _Places()
        self.instances: list[Instance] = []

    def run(self) -> None:
        waiting: list[tuple[int, int, Part]] = [(self.values.root, -1, Key(""))] if self.wanted else []
        visits = 0
        while waiting:
            value, holder, part = waiting.pop()
            visits += 1
            if not visits % _VISITS:
                self.progress.step("objects", visits)
            if value < 0 or value in self.seen or self.values.kind(value) <= LAST_ATOM:
                continue
            leads = self.interest.inside(value)
            if value not in self.wanted and not leads:
                continue
            self.seen.add(value)
            place = self.places.add(holder, part)
            if value in self.wanted:
                self._add(value, place)
            if leads:
                waiting += reversed(self._children(value, place))

    def _leads(self, key: int) -> bool:
        return not self.values.is_atom(key) and (key in self.wanted or self.interest.inside(key))

    def _add(self, value: int, place: int) -> None:
        places = self.places
        if places.depths[place] >= DEEPEST:
            path: Path = (Key(f"value {value}"),)
        else:
            path = places.path(place)
            places.modules[place] = self._module_name(value, place) if self.modules else None
        places.inside[place] |= places.modules[place] is not None
        is_name = self.values.kind(value) is Kind.GLOBAL
        name = (named if is_name else class_name)(self.values, value, self.encoding)
        self.instances.append(Instance(value, name, path, places.modules[place]))

    def _module_name(self, value: int, place: int) -> str | None:
        """The dotted name of a module; None for other objects, and for modules that only an attribute keeps."""
        places = self.places
        if not is_module(self.values, value, self.encoding):
            return None
        if not places.inside[place]:
            return ""
        holder = places.parents[place]
        above = places.parents[holder]
        if above < 0 or places.parts[holder] != Attribute(MODULES) or places.modules[above] is None:
            return None
        text, outer = text_key(places.parts[place]), places.modules[above]
        return f"{outer}.{text}" if outer else text

    def _children(self, value: int, place: int) -> list[tuple[int, int, Part]]:
        """What leads on from a container; where a part is set twice the later value stands. Keys come last."""
        children: dict[Part, int] = {}
        keys: list[tuple[int, int, Part]] = []
        for section in sections(self.values, value):
            for number, key, child in self.interest.leading(section):
                part = section.part(key, number, self.encoding)
                if part in children and section.role is Role.ARGUMENT:
                    part = Key(f"{part} {number}")
                children[part] = child
                if key >= 0 and self._leads(key):
                    shown = part_of_key(self.values, key, number, self.encoding)
                    keys.append((key, self.places.add(place, shown), Key("key")))
        return [(child, place, part) for part, child in children.items()] + keys
