"""Calls of _rebuild_tensor_v2 and _v3 of the shape that torch writes, read column by column.

All other calls, and those here whose arguments are of a wrong kind, are left to the reader of single values.
"""

from __future__ import annotations

import re
from itertools import compress
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.opcodes import code
from viewer.core.tensors.dtypes import dtype
from viewer.core.tensors.identifiers import GLOBAL, IDENTIFIER_INSIDE, INTEGER, PUT, REFERENCE, one_of
from viewer.core.tensors.layout import Shape
from viewer.core.tensors.rows import Flags, Numbers, Rows

MARK, NEWTRUE = code("MARK"), code("NEWTRUE")
_MARK, _TUPLE, _EMPTY = one_of("MARK"), one_of("TUPLE"), one_of("EMPTY_TUPLE")
_REDUCE, _NONE, _READ = one_of("REDUCE"), one_of("NONE"), one_of(REFERENCE)
_ONE, _TWO, _THREE = one_of("TUPLE1"), one_of("TUPLE2"), one_of("TUPLE3")
_SIZES: Final = b"|".join(
    (
        _MARK + INTEGER + b"*" + _TUPLE,
        INTEGER + _ONE,
        INTEGER * 2 + _TWO,
        INTEGER * 3 + _THREE,
        _EMPTY,
    )
)
# No hooks, a mapping from the memo, or a new OrderedDict: called with (), or with ([],) by Python 2.
_EMPTY_LIST: Final = one_of("EMPTY_LIST") + PUT
_NO_ITEMS: Final = b"(?:" + b"|".join((_EMPTY, _MARK + _TUPLE, _EMPTY_LIST + _ONE + PUT)) + b")"
_HOOKS: Final = b"(?:" + b"|".join((GLOBAL + PUT + _NO_ITEMS + _REDUCE + PUT, _READ, _NONE)) + b")"
_CALL: Final = re.compile(
    b"".join(
        (
            *(b"(", GLOBAL, b")", PUT, _MARK, IDENTIFIER_INSIDE, b"()", PUT, b"(", INTEGER, b")"),
            *(b"(", _SIZES, b")", PUT, b"(", _SIZES, b")", PUT, b"(", one_of("NEWTRUE NEWFALSE"), b")"),
            *(_HOOKS, b"(?:(", GLOBAL, b")", PUT, b")?", _TUPLE, PUT, _REDUCE),
        )
    )
)
_PLAIN: Final = ("torch._utils", "_rebuild_tensor_v2")
_TYPED: Final = ("torch._utils", "_rebuild_tensor_v3")
# Below these no sum of sizes times strides leaves 63 bits; beyond, a call is read value by value.
_UNSTATED: Final = "*"
LONGEST_STEP: Final = 2**31
FARTHEST: Final = 2**55
MOST_AXES: Final = 64


PlainCall = tuple[int, str, int, Shape, Shape, bool, int]
"""One call: the persistent value of its storage, the dtype that _v3 states (else ""), storage offset, size, stride,
requires_grad, and the highest element of the storage that is used (-1: none). The layout is sound."""


class PlainCalls:
    """The calls of one stream, by the number of their REDUCE."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._facts: dict[int, tuple[int, str, int, int, int, bool, int]] = {}
        self._sizes: list[int] = []
        self._strides: list[int] = []
        places = rows.matches(_CALL)
        if len(places):
            self._read(places)

    def __len__(self) -> int:
        return len(self._facts)

    def get(self, value: int) -> PlainCall | None:
        """The call that a value is made by; None where it is none of this shape."""
        facts = self._facts.get(value)
        if facts is None:
            return None
        identifier, kind, offset, low, high, grad, last = facts
        return identifier, kind, offset, tuple(self._sizes[low:high]), tuple(self._strides[low:high]), grad, last

    def _read(self, places: Numbers) -> None:
        """Take the columns of all matches: [call, group, start and end]."""
        rows = self._rows
        types = self._stated_types(places)
        axes = self._axes(places[:, 4])
        usable = (types != "") & (axes == self._axes(places[:, 5])) & (axes <= MOST_AXES)
        places, types, axes = places[usable], types[usable], axes[usable]
        offsets, offsets_valid = rows.integers(places[:, 3, 0])
        bounds = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(axes)))
        sizes, sizes_valid = self._tuples(places[:, 4], axes, bounds)
        strides, strides_valid = self._tuples(places[:, 5], axes, bounds)
        steps = np.maximum(sizes - 1, 0) * strides
        wrong = ~(sizes_valid & strides_valid & (sizes >= 0) & (strides >= 0))
        wrong |= (sizes > LONGEST_STEP) | (strides > LONGEST_STEP) | (steps > FARTHEST)
        lasts = np.where(_sums(sizes == 0, bounds) > 0, -1, offsets + _sums(steps, bounds))
        sound = offsets_valid & (offsets >= 0) & (offsets < FARTHEST) & (_sums(wrong, bounds) == 0)
        self._sizes, self._strides = sizes.tolist(), strides.tolist()
        columns = (
            *((places[:, 2, 0] - 1).tolist(), [kind if kind != _UNSTATED else "" for kind in types.tolist()]),
            *(offsets.tolist(), bounds[:-1].tolist(), bounds[1:].tolist()),
            *((rows.code.codes[places[:, 6, 0]] == NEWTRUE).tolist(), lasts.tolist()),
        )
        facts = compress(zip(*columns, strict=True), sound.tolist())
        reduces = (places[:, 0, 1] - 1)[sound].tolist()
        # One by one: no other thread could run during dict(zip()).
        for reduce, call in zip(reduces, facts, strict=True):
            self._facts[reduce] = call

    def _axes(self, regions: Numbers) -> Numbers:
        """How many ints each of the tuples has."""
        counts: Numbers = regions[:, 1] - 1 - regions[:, 0] - (self._rows.code.codes[regions[:, 0]] == MARK)
        return counts

    def _tuples(self, regions: Numbers, axes: Numbers, bounds: Numbers) -> tuple[Numbers, Flags]:
        """The ints of all these tuples one behind another, and which of them are ints."""
        first = regions[:, 1] - 1 - axes
        return self._rows.integers(np.repeat(first - bounds[:-1], axes) + np.arange(bounds[-1], dtype=np.int64))

    def _stated_types(self, places: Numbers) -> npt.NDArray[np.str_]:
        """The dtype that each call states, `*` where it is that of the storage, "" where the call is none of these.

        A last argument of _v2 is the metadata, so those are left out.
        """
        starts = places[:, 7, 0]
        stating = np.flatnonzero(starts >= 0)
        named = dict(zip(stating.tolist(), self._rows.names(starts[stating]), strict=True))
        found = []
        for at, function in enumerate(self._rows.names(places[:, 1, 0])):
            if at not in named:
                found.append(_UNSTATED if function == _PLAIN else "")
                continue
            name = named[at] if function == _TYPED else None
            known = dtype(name[1]) if name is not None and name[0] == "torch" else None
            found.append(known.name if known is not None else "")
        return np.array(found)


def _sums(numbers: Numbers | Flags, bounds: Numbers) -> Numbers:
    """The sum over each run of numbers that the bounds mark."""
    total: Numbers = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(numbers, dtype=np.int64)))
    sums: Numbers = np.subtract(total[bounds[1:]], total[bounds[:-1]])
    return sums
