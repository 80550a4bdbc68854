"""What `torch.load(weights_only=True)` refuses in a stream, and whether its lists can be extended so far.

The rules are those of torch's own reader: a fixed set of opcodes, names, ids of storages only, entries only into
dict, OrderedDict and Counter, elements only into lists. What a name stands for is told by how it is written.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from viewer.core.code.python_text import is_plain_name
from viewer.core.objects.describe import class_name
from viewer.core.objects.instances import Rows, callees, grouped, looks_like_class
from viewer.core.pickles.opcodes import OPCODES, codes
from viewer.core.pickles.references import distinct
from viewer.core.pickles.values import KIND_OF, Kind, Values
from viewer.core.safety.accepted import is_accepted
from viewer.core.safety.imports import mapped_name
from viewer.core.safety.names import HOLDERS, reaches_out
from viewer.core.tensors.dtypes import STORAGE_CLASSES

_OPCODES: Final = codes(
    "PROTO GLOBAL NEWOBJ REDUCE BUILD APPEND APPENDS SETITEM SETITEMS MARK TUPLE TUPLE1 TUPLE2 TUPLE3 EMPTY_TUPLE "
    "EMPTY_LIST EMPTY_DICT EMPTY_SET NONE NEWTRUE NEWFALSE BININT BININT1 BININT2 BINFLOAT BINUNICODE "
    "SHORT_BINSTRING LONG1 BINPERSID BINGET LONG_BINGET BINPUT LONG_BINPUT STOP"
)
_APPENDERS: Final = sorted(codes("APPEND APPENDS"))
_SETTERS: Final = sorted(codes("SETITEM SETITEMS"))
_FILLED: Final = frozenset({"collections.OrderedDict", "collections.Counter"})
_MADE_BY_TORCH: Final = ("torch.nn.", "torch.optim.", "torch.ao.nn.")
LONGEST: Final = 300
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
    `filled`: classes whose objects are given entries or elements. `computed`: a name or callable is computed.
    `reaching`: names that run text, or reach files, processes and the like. `allowed`: the names with which the
    stream can be loaded after all; None where that is not so. `numpy_types`: the element types in it.
    """

    names: list[str] = field(default_factory=list)
    opcodes: list[str] = field(default_factory=list)
    stored: list[str] = field(default_factory=list)
    filled: list[str] = field(default_factory=list)
    computed: bool = False
    reaching: list[str] = field(default_factory=list)
    allowed: list[Allowed] | None = None
    numpy_types: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        """True when anything is refused."""
        return bool(self.names or self.opcodes or self.stored or self.filled or self.computed)


def find_refusals(values: Values, stored: Iterable[str] = (), encoding: str = "utf-8") -> Refusals:
    """What it refuses in a stream; `stored`: the classes that stand there in ids of the kind 'module'."""
    return _Reading(values, encoding).read(list(dict.fromkeys(stored)))


class _Reading:
    def __init__(self, values: Values, encoding: str) -> None:
        self.values, self.encoding = values, encoding
        self.found = Refusals()
        self.calls = np.array(values.calls(), dtype=np.int64)
        self.callees, self.which = grouped(callees(values, self.calls))
        self.full_names = [self._full(row) for row in self.callees.tolist()]
        self.called = set(self.full_names)

    def read(self, stored: list[str]) -> Refusals:
        found = self.found
        found.stored = stored
        used = np.flatnonzero(np.bincount(self.values.code.codes, minlength=256)).tolist()
        found.opcodes = [OPCODES[byte].name for byte in used if byte not in _OPCODES]
        refused = self._refused_names()
        found.names = [full.removeprefix("builtins.") for full in refused]
        found.reaching = [full.removeprefix("builtins.") for full in refused if reaches_out(full)]
        found.computed |= self._calls_results()
        found.filled = self._filled()
        found.numpy_types = self._numpy_types()
        if refused and not (found.opcodes or found.stored or found.computed or found.filled):
            found.allowed = self._allowed(refused)
        return found

    def _full(self, row: int) -> str:
        """The name of a global as Python 3 knows it, builtins with their module; "" for all else."""
        written = self.values.global_name(row)
        return (mapped_name(written, 2) or "") if written is not None else ""

    def _refused_names(self) -> list[str]:
        found: dict[str, None] = {}
        for row in self.values.globals():
            written = self.values.global_name(row)
            if written is None:
                self.found.computed = True
            elif not is_accepted(*written):
                found[self._full(row)] = None
        return list(found)

    def _calls_results(self) -> bool:
        """True when something is called that a call gave."""
        rows = zip(self.callees.tolist(), self.full_names, strict=True)
        return any(self.values.kind(row) is Kind.CALL and not full for row, full in rows)

    def _filled(self) -> list[str]:
        """What gets entries or elements that it adds to plain containers only."""
        kinds = KIND_OF[self.values.code.codes]
        setters, appenders = self._targets(_SETTERS), self._targets(_APPENDERS)
        takes = np.array([full in _FILLED for full in self.full_names], dtype=np.bool_)
        calls = setters[kinds[setters] == Kind.CALL]
        odd = calls[~takes[self.which[np.searchsorted(self.calls, calls)]]] if len(calls) else calls
        odd = np.concatenate((odd, appenders[kinds[appenders] == Kind.CALL]))
        names = (class_name(self.values, row, self.encoding) for row in odd.tolist())
        return list(dict.fromkeys(names))

    def _targets(self, opcodes: list[int]) -> Rows:
        values = self.values
        rows = np.flatnonzero(np.isin(values.code.codes, opcodes))
        return distinct(values.resolve_all(values.writers(rows, values.code.depths[rows]))) if len(rows) else rows

    def _numpy_types(self) -> list[str]:
        """The texts that numpy.dtype is called with."""
        is_dtype = np.array([full == "numpy.dtype" for full in self.full_names], dtype=np.bool_)
        calls = self.calls[is_dtype[self.which]].tolist() if len(self.calls) else []
        given = (self.values.arguments(row)[:1] for row in calls)
        return list(dict.fromkeys(self.values.text(row) or "" for rows in given for row in rows))

    def _allowed(self, refused: list[str]) -> list[Allowed] | None:
        if not all(_NUMPY_TYPE.fullmatch(text) for text in self.found.numpy_types):
            return None
        found = [self._allow(full) for full in refused]
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
