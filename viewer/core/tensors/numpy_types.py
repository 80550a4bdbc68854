"""numpy's dtypes as pickles hold them: REDUCE(numpy.dtype, (code, False, True)) and the state that BUILD gives.

State: (version, byte order, sub-array, field names, fields, item size, alignment, flags[, metadata]).
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.dtypes import ML_TYPE_NAMES, NumpyType, numpy_type
from viewer.core.tensors.special import integers

DEEPEST: Final = 16
# The classes that structured dtypes of record arrays name in place of a code.
RECORDS: Final = frozenset({("numpy", "record"), ("numpy.core.records", "record"), ("numpy.rec", "record")})
LARGEST: Final = 2**31 - 1
_CODE: Final = re.compile(r"[<>|=]?(?:[?bBhHiIlLqQefdgFDG]|[biufcSaUVmM]\d{1,10}|[OSUVmM]\d{0,10})")
_UNITS: Final = frozenset({"Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "generic"})


class TypeReader:
    """Reads the dtypes of one stream; each is kept, since many arrays share one."""

    def __init__(self, values: Values, encoding: str) -> None:
        self._values = values
        self._encoding = encoding
        self._read: dict[int, NumpyType | None] = {}

    def get(self, value: int, depth: int = 0) -> NumpyType | None:
        """The dtype that a value asks for; None where it asks for none that numpy has."""
        if value not in self._read:
            try:
                self._read[value] = self._dtype(value, depth) if depth <= DEEPEST else None
            except (TypeError, ValueError, OverflowError, MemoryError):
                self._read[value] = None
        return self._read[value]

    def _dtype(self, value: int, depth: int) -> NumpyType | None:
        values = self._values
        if values.kind(value) is not Kind.CALL or values.call_name(value) != ("numpy", "dtype"):
            return None
        args = values.arguments(value)
        kind = self._coded(args[0]) if args else None
        states = values.states(value)
        if kind is None or not states or values.kind(states[-1]) is not Kind.TUPLE:
            return kind
        state = values.items(states[-1])
        return self._completed(kind, state, depth) if len(state) >= 6 else kind

    def _coded(self, value: int) -> NumpyType | None:
        """The first argument: a code like `f4`, or the class of a record or of a type of ml_dtypes."""
        name = self._values.global_name(value)
        if name in RECORDS:
            return np.dtype("V")
        if name is not None:
            known = name[1] in ML_TYPE_NAMES and name[0].split(".")[0] == "ml_dtypes"
            return numpy_type(name[1]) if known else None
        code = self._values.text(value, self._encoding)
        if code is None or not _CODE.fullmatch(code):
            return None
        return np.dtype(code.replace("a", "S"))

    def _completed(self, kind: NumpyType, state: list[int], depth: int) -> NumpyType | None:
        """The dtype with what its state adds to the code."""
        values = self._values
        order = values.text(state[1], self._encoding) or "|"
        itemsize = values.integer(state[5])
        if values.kind(state[4]) is Kind.DICT:
            return self._structure(state, depth)
        if values.kind(state[2]) is Kind.TUPLE:
            return self._sub_array(values.items(state[2]), depth)
        if kind.kind in "SUV" and kind.names is None and itemsize is not None and itemsize >= 0:
            width = itemsize // 4 if kind.kind == "U" else itemsize
            if kind.name not in ML_TYPE_NAMES and width <= LARGEST:
                kind = np.dtype(f"{kind.kind}{width}")
        if kind.kind in "mM" and len(state) > 8:
            kind = np.dtype(f"{kind.kind}8{self._unit(state[8])}")
        return kind.newbyteorder(">") if order == ">" else kind

    def _unit(self, value: int) -> str:
        """The unit of a date from the metadata: (mapping, (unit, number, ...)) or that inner tuple."""
        items = self._values.items(value) if self._values.kind(value) is Kind.TUPLE else []
        if len(items) == 2 and self._values.kind(items[1]) is Kind.TUPLE:
            items = self._values.items(items[1])
        if len(items) < 2:
            return ""
        unit = self._unit_name(items[0])
        number = self._values.integer(items[1])
        if unit not in _UNITS or unit == "generic" or number is None:
            return ""
        return f"[{unit}]" if number == 1 else f"[{number}{unit}]"

    def _unit_name(self, value: int) -> str | None:
        """Bytes, which protocols below 3 write as `_codecs.encode(text, 'latin1')`; text of Python 2."""
        if self._values.kind(value) is Kind.CALL and self._values.call_name(value) == ("_codecs", "encode"):
            value = (self._values.arguments(value) or [-1])[0]
        raw = self._values.plain(value)
        return raw.decode("ascii", "replace") if isinstance(raw, bytes) else self._values.text(value, "ascii")

    def _structure(self, state: list[int], depth: int) -> NumpyType | None:
        values = self._values
        fields = {values.text(key, self._encoding): value for key, value in values.pairs(state[4])}
        names = [values.text(name, self._encoding) for name in values.items(state[3])]
        formats, offsets = [], []
        for name in names:
            items = values.items(fields[name]) if name in fields else []
            inner = self.get(items[0], depth + 1) if len(items) >= 2 else None
            offset = values.integer(items[1]) if len(items) >= 2 else None
            if name is None or inner is None or offset is None:
                return None
            formats.append(inner)
            offsets.append(offset)
        itemsize = values.integer(state[5])
        facts: Any = {
            "names": names,
            "formats": formats,
            "offsets": offsets,
        }  # numpy keeps the type of such a dict to itself
        if itemsize is not None and itemsize >= 0:
            facts["itemsize"] = itemsize
        made: NumpyType = np.dtype(facts)
        return made

    def _sub_array(self, items: list[int], depth: int) -> NumpyType | None:
        base = self.get(items[0], depth + 1) if len(items) == 2 else None
        shape = integers(self._values, items[1]) if len(items) == 2 else None
        return None if base is None or shape is None else np.dtype((base, shape))
