"""A number in an element type: exactly, within a tolerance, or in a range; where elements can stand, or anywhere."""

from __future__ import annotations

import math
import re
from typing import Any, Final, NamedTuple

import ml_dtypes
import numpy as np
import numpy.typing as npt
from typing_extensions import override

from viewer.core.search_bytes.base import Block, BlockQuery, Hits, QueryError

NUMBERS: Final[dict[str, np.dtype[Any]]] = {
    **{name: np.dtype(name) for name in ("float32", "float16")},
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "float64": np.dtype(np.float64),
    "float8_e4m3fn": np.dtype(ml_dtypes.float8_e4m3fn),
    "float8_e5m2": np.dtype(ml_dtypes.float8_e5m2),
    **{f"{sign}int{bits}": np.dtype(f"{sign}int{bits}") for bits in (64, 32, 16, 8) for sign in ("", "u")},
}
"""Element types by torch's name, in the order in which people want them."""

RANGE: Final = re.compile(r"(.+?)\s*(\.\.|\+-|\+/-|±)\s*(.+)")


class Bounds(NamedTuple):
    """Both ends belong to it; both NaN: NaN is looked for."""

    low: float
    high: float


class Number(BlockQuery):
    """Elements of a type within bounds. `aligned`: only at multiples of its size from where the search begins."""

    def __init__(self, dtype: np.dtype[Any], bounds: Bounds, *, big: bool, aligned: bool) -> None:
        self.length = self.reach = dtype.itemsize
        self._bounds = bounds
        self._aligned = aligned
        self._stored = np.dtype(f"{'>' if big else '<'}u{dtype.itemsize}")
        self._dtype = dtype
        # The few values of small types are decided once.
        self._table = (
            self._within(np.arange(256**dtype.itemsize, dtype=f"u{dtype.itemsize}")) if dtype.itemsize < 3 else None
        )

    @override
    def find(self, data: Block, count: int, base: int, limit: int) -> Hits:
        size = self.length
        phases = [-base % size] if self._aligned else range(size)
        found = []
        for phase in phases:
            room = min((limit - phase + size - 1) // size, (count - phase) // size)
            if room <= 0:
                continue
            bits = np.frombuffer(data, self._stored, room, phase)
            inside = self._table[bits] if self._table is not None else self._within(bits)
            found.append(np.flatnonzero(inside) * size + phase)
        starts = np.concatenate(found) if found else np.zeros(0, np.int64)
        return Hits(np.sort(starts) if len(found) > 1 else starts)

    def _within(self, bits: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        low, high = self._bounds
        native = bits if bits.dtype.isnative else bits.astype(bits.dtype.newbyteorder("="))
        values = native.view(self._dtype)
        if values.dtype.kind not in "iuf":
            values = values.astype(np.float32)
        inside: npt.NDArray[np.bool_]
        if low != low:
            inside = np.isnan(values)
            return inside
        # NaN in the data compares false without a word.
        with np.errstate(invalid="ignore", over="ignore"):
            inside = (values >= values.dtype.type(low)) & (values <= values.dtype.type(high))
        return inside


def number_query(text: str, name: str, *, big: bool = False, aligned: bool = True) -> BlockQuery:
    """`0.5`, `0.5 +- 0.01`, `0.4..0.6`, `nan`, `inf`, `0x1F`; a float without tolerance is the nearest of its type."""
    if not text.strip():
        raise QueryError("empty")
    dtype = NUMBERS[name]
    match = RANGE.fullmatch(text.strip())
    whole = dtype.kind in "iu"
    first = _number(match[1] if match else text, whole=whole)
    if match is None:
        low = high = first
    elif match[2] == "..":
        low, high = first, _number(match[3], whole=whole)
    else:
        spread = _number(match[3], whole=whole)
        low, high = first - spread, first + spread
    if low > high or (match and (low != low or high != high)):
        raise QueryError("reversed")
    return Number(dtype, _fitting(dtype, low, high, exact=match is None), big=big, aligned=aligned)


def _number(text: str, *, whole: bool) -> float:
    """An int where whole numbers are looked for."""
    text = text.strip().replace("−", "-").replace("_", "").replace(",", "")
    try:
        if whole or text.lower().lstrip("+-").startswith("0x"):
            return int(text, 0) if not text.lstrip("+-").isdecimal() else int(text)
        return float(text)
    except ValueError as failure:
        raise QueryError("whole" if whole else "number") from failure


def _fitting(dtype: np.dtype[Any], low: float, high: float, *, exact: bool) -> Bounds:
    """The bounds as values that the type can hold. Raises QueryError where it holds none of them."""
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if low > limits.max or high < limits.min:
            raise QueryError("range", low=int(limits.min), high=int(limits.max))
        return Bounds(max(int(low), int(limits.min)), min(int(high), int(limits.max)))
    low, high, most = _as_float(low), _as_float(high), _largest(dtype)
    if exact:
        asked = low
        with np.errstate(over="ignore"):
            low = high = float(np.array(asked).astype(dtype).astype(np.float64))
        is_held = math.isfinite(low) or low == asked or math.isnan(asked)
    else:
        # Rounded to the type a finite bound beyond its largest number would take in infinity.
        low = max(low, -most) if math.isfinite(low) else low
        high = min(high, most) if math.isfinite(high) else high
        is_held = low <= high
    if not is_held:
        raise QueryError("range", low=-most, high=most)
    return Bounds(low, high)


def _largest(dtype: np.dtype[Any]) -> float:
    """The largest finite number of a float type: the bits below those of infinity or NaN."""
    if dtype.itemsize > 2:
        return float(np.finfo(dtype).max)
    bits = np.arange(2**15, dtype=np.uint16) if dtype.itemsize == 2 else np.arange(2**7, dtype=np.uint8)
    # Signalling NaN are among them.
    with np.errstate(invalid="ignore"):
        values = bits.view(dtype).astype(np.float64)
    return float(values[np.isfinite(values)].max())


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError as failure:
        raise QueryError("number") from failure
