"""What `torch.load(weights_only=True)` refuses in a stream, and whether its lists can be extended so far.

The rules are those of torch's own reader: a fixed set of opcodes, names, ids of storages only, entries only into
dict, OrderedDict and Counter, elements only into lists. What a name stands for is told by how it is written.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from viewer.core.code.python_text import is_plain_name
from viewer.core.objects.content import shortened
from viewer.core.objects.describe import class_name, describe
from viewer.core.objects.instances import Rows, callees, grouped, looks_like_class
from viewer.core.objects.names import global_name, module_class
from viewer.core.pickles.opcodes import OPCODES, codes
from viewer.core.pickles.values import KIND_OF, Kind, Values
from viewer.core.progress import Progress
from viewer.core.safety.accepted import is_accepted
from viewer.core.safety.expressions import name_text
from viewer.core.safety.imports import mapped_name
from viewer.core.safety.names import HOLDERS, reaches_out
from viewer.core.summary.blockers import NOWHERE, Blocker
from viewer.core.tensors.dtypes import STORAGE_CLASSES

_OPCODES: Final = codes(
    "PROTO GLOBAL NEWOBJ REDUCE BUILD APPEND APPENDS SETITEM SETITEMS MARK TUPLE TUPLE1 TUPLE2 TUPLE3 EMPTY_TUPLE "
    "EMPTY_LIST EMPTY_DICT EMPTY_SET NONE NEWTRUE NEWFALSE BININT BININT1 BININT2 BINFLOAT BINUNICODE "
    "SHORT_BINSTRING LONG1 BINPERSID BINGET LONG_BINGET BINPUT LONG_BINPUT STOP"
)
_BUILDERS: Final = sorted(codes("BUILD"))
_APPENDERS: Final = sorted(codes("APPEND APPENDS"))
_SETTERS: Final = sorted(codes("SETITEM SETITEMS"))
_FILLED: Final = frozenset({"collections.OrderedDict", "collections.Counter"})
_MADE_BY_TORCH: Final = ("torch.nn.", "torch.optim.", "torch.ao.nn.")
LONGEST: Final = 300
MOST_BLOCKERS: Final = 10_000
MOST_PLACES: Final = 1000
NUMPY: Final = re.compile(r"numpy\.(ndarray|dtype|_?core\.multiarray\.(_reconstruct|scalar))")
_NUMPY_TYPE: Final = re.compile(r"[?biufcmMSU]\d{0,5}")


@dataclass(frozen=True, slots=True)
class Allowed:
    """A name that torch can be told to take. `module`, `name`: as Python 3 knows them, all parts identifiers."""

    module: str
    name: str
    is_class: bool

    @property
    def full(self) -> str:
        """Module and name."""
        return f"{self.module}.{self.name}"


@dataclass(slots=True)
class Refusals:
    """What is refused, in stream order.

    `names`: qualified, builtins bare. `opcodes`: their names. `stored`: classes that come with their source.
    `filled`: classes whose objects are given entries or elements. `built`: what is given a state and is no object of
    a name. `computed`: a name or callable is computed. `blockers`: all of it with places. `reaching`: names that run
    text, or reach files, processes and the like. `allowed`: the names with which the stream can be loaded after all;
    None where that is not so. `numpy_types`: the element types in it.
    """

    names: list[str] = field(default_factory=list)
    opcodes: list[str] = field(default_factory=list)
    stored: list[str] = field(default_factory=list)
    filled: list[str] = field(default_factory=list)
    built: list[str] = field(default_factory=list)
    computed: bool = False
    blockers: list[Blocker] = field(default_factory=list)
    reaching: list[str] = field(default_factory=list)
    allowed: list[Allowed] | None = None
    numpy_types: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        """True when anything is refused."""
        return bool(self.names or self.opcodes or self.stored or self.filled or self.built or self.computed)


def find_refusals(
    values: Values,
    stored: Mapping[str, int] | None = None,
    encoding: str = "utf-8",
    pickle: int = NOWHERE,
    progress: Progress | None = None,
) -> Refusals:
    """What it refuses in a stream. `stored`: the classes that stand there in ids of the kind 'module', and where.

    `pickle`: the stream's number in its document, for the places of the blockers. Raises CancelledError.
    """
    return _Reading(values, encoding, pickle, progress or Progress()).read(stored or {})


class _Reading:
    def __init__(self, values: Values, encoding: str, pickle: int, progress: Progress) -> None:
        self.values, self.encoding, self.pickle, self.progress = values, encoding, pickle, progress
        self.found = Refusals()
        self.calls = np.array(values.calls(), dtype=np.int64)
        self.callees, self.which = grouped(callees(values, self.calls))
        self.full_names = [self._full(row) for row in progress.each(self.callees.tolist())]
        self.called = set(self.full_names)

    def read(self, stored: Mapping[str, int]) -> Refusals:
        found = self.found
        found.stored = list(stored)
        for name, row in stored.items():
            self._block("stored", row, name=name)
        self._opcodes()
        refused = self._refused_names()
        found.names = [full.removeprefix("builtins.") for full in refused]
        reaching = (full for full in self.progress.each(refused) if reaches_out(full))
        found.reaching = [full.removeprefix("builtins.") for full in reaching]
        found.computed |= self._calls_others(stored)
        self._filled()
        self._built()
        found.numpy_types = self._numpy_types()
        if refused and not (found.opcodes or found.stored or found.computed or found.filled or found.built):
            found.allowed = self._allowed(refused)
        # As torch's reader meets them.
        found.blockers.sort(key=lambda blocker: blocker.opcode)
        return found

    def _block(self, code: str, row: int, count: int = 1, **params: object) -> None:
        if len(self.found.blockers) < MOST_BLOCKERS:
            self.found.blockers.append(Blocker(code, params, row, count, self.pickle))

    def _full(self, row: int) -> str:
        """The name of a global as Python 3 knows it, builtins with their module; "" for all else."""
        written = self.values.global_name(row)
        return (mapped_name(written, 2) or "") if written is not None else ""

    def _opcodes(self) -> None:
        codes_of = self.values.code.codes
        counts = np.bincount(codes_of, minlength=256)
        for byte in np.flatnonzero(counts).tolist():
            if byte not in _OPCODES:
                name = OPCODES[byte].name
                self.found.opcodes.append(name)
                self._block("opcode", int(np.argmax(codes_of == byte)), int(counts[byte]), name=name)

    def _refused_names(self) -> list[str]:
        found: dict[str, list[int]] = {}
        for row in self.progress.each(self.values.globals()):
            written = self.values.global_name(row)
            if written is None:
                self.found.computed = True
                self._block("computed", row, name=name_text(self.values, row, encoding=self.encoding))
            elif not is_accepted(*written):
                found.setdefault(self._full(row), []).append(row)
        for full, rows in self.progress.each(found.items()):
            self._block("name", rows[0], len(rows), name=shortened(full.removeprefix("builtins.")))
        return list(found)

    def _calls_others(self, stored: Mapping[str, int]) -> bool:
        """True when something is called that is no name: what a call gave, a text."""
        values = self.values
        others = [
            at
            for at, (row, full) in enumerate(zip(self.callees.tolist(), self.full_names, strict=True))
            if not full and values.kind(row) is not Kind.GLOBAL and not (stored and module_class(values, row) >= 0)
        ]
        for at in others[:MOST_PLACES]:
            calls = self.calls[self.which == at]
            name = describe(values, int(self.callees[at]), encoding=self.encoding)
            self._block("called", int(calls[0]), len(calls), name=shortened(name))
        return bool(others)

    def _filled(self) -> None:
        """What gets entries or elements that it adds to plain containers only."""
        kinds = KIND_OF[self.values.code.codes]
        takes = np.array([full in _FILLED for full in self.full_names], dtype=np.bool_)
        for opcodes, own in ((_SETTERS, Kind.DICT), (_APPENDERS, Kind.LIST)):
            rows, targets = self._changes(opcodes)
            is_odd = kinds[targets] != own
            if own is Kind.DICT and len(self.calls):
                at = np.minimum(np.searchsorted(self.calls, targets), len(self.calls) - 1)
                is_odd &= ~((self.calls[at] == targets) & takes[self.which[at]])
            for name, at_rows in self._named(rows[is_odd], targets[is_odd]):
                self.found.filled.append(name)
                self._block("filled", at_rows[0], len(at_rows), name=name, opcode=self.values.code.name(at_rows[0]))
        self.found.filled = list(dict.fromkeys(self.found.filled))

    def _built(self) -> None:
        """What gets a state and is neither what a name made nor a storage."""
        rows, targets = self._changes(_BUILDERS)
        is_odd = KIND_OF[self.values.code.codes[targets]] != Kind.CALL
        for name, at_rows in self._named(rows[is_odd], targets[is_odd]):
            self.found.built.append(name)
            self._block("built", at_rows[0], len(at_rows), name=name)

    def _changes(self, opcodes: list[int]) -> tuple[Rows, Rows]:
        """The opcodes that change something in one of some ways, and what each of them changes."""
        values = self.values
        rows = np.flatnonzero(np.isin(values.code.codes, opcodes)).astype(np.int64)
        return rows, values.resolve_all(values.writers(rows, values.code.depths[rows])) if len(rows) else rows

    def _named(self, rows: Rows, targets: Rows) -> list[tuple[str, list[int]]]:
        """Changes by the name of what they change."""
        found: dict[str, list[int]] = {}
        names: dict[int, str] = {}
        for row, target in zip(rows.tolist(), targets.tolist(), strict=True):
            if target not in names:
                names[target] = self._target_name(target)
            found.setdefault(names[target], []).append(row)
        return list(found.items())

    def _target_name(self, target: int) -> str:
        """The class of an object; of a name itself that it is one."""
        if self.values.kind(target) is Kind.GLOBAL:
            return global_name(self.values, target)
        return class_name(self.values, target, self.encoding)

    def _numpy_types(self) -> list[str]:
        """The texts that numpy.dtype is called with."""
        is_dtype = np.array([full == "numpy.dtype" for full in self.full_names], dtype=np.bool_)
        calls = self.calls[is_dtype[self.which]].tolist() if len(self.calls) else []
        given = (self.values.arguments(row)[:1] for row in calls)
        return list(dict.fromkeys(self.values.text(row) or "" for rows in given for row in rows))

    def _allowed(self, refused: list[str]) -> list[Allowed] | None:
        if not all(_NUMPY_TYPE.fullmatch(text) for text in self.found.numpy_types):
            return None
        found = [self._allow(full) for full in self.progress.each(refused)]
        return [name for name in found if name is not None] if None not in found else None

    def _allow(self, full: str) -> Allowed | None:
        """A name that only makes an object, or is only referred to; None where calling it may do anything."""
        parts = full.split(".")
        if len(full) > LONGEST or not all(map(is_plain_name, parts)) or reaches_out(full):
            return None
        module, name = ".".join(parts[:-1]), parts[-1]
        allowed = Allowed(module, name, looks_like_class(name))
        if parts[0] == "numpy":
            return allowed if NUMPY.fullmatch(full) else None
        if name in STORAGE_CLASSES:
            return None  # its own reader has no other way for these
        if full in HOLDERS:
            return Allowed(module, name, is_class=True)
        if full not in self.called:
            return allowed
        is_known = parts[0] != "torch" or full.startswith(_MADE_BY_TORCH)
        return allowed if is_known and allowed.is_class and parts[0] not in sys.stdlib_module_names else None
