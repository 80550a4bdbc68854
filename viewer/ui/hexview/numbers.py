"""Cells that show elements instead of bytes: which types there are, their bytes as numbers, the numbers as letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from viewer.core.tensors.dtypes import DTYPES
from viewer.ui.words import MINUS, float_text

NO_BYTE: Final = 256
"""From here on a value is no byte: the cell is beyond the end, or the byte could not be read."""

LETTERS: Final[dict[str, int]] = {
    "int8": 4,
    "int16": 6,
    "int32": 11,
    "int64": 20,
    "uint8": 3,
    "uint16": 5,
    "uint32": 10,
    "uint64": 20,
    "float16": 10,
    "bfloat16": 10,
    "float32": 10,
    "float64": 11,
    "float8_e4m3fn": 9,
    "float8_e5m2": 10,
    "float8_e4m3fnuz": 10,
    "float8_e5m2fnuz": 10,
    "float8_e8m0fnu": 9,
}
"""The types that cells may show, by torch's names, and the letters of the longest number of each."""

SMALL: Final = 2
"""Bytes of an element up to which the letters of all numbers are kept."""

BLANK: Final = ord(" ")
ZERO: Final = 1
PART: Final = 2
GLYPHS: Final = tuple(
    {0: " ", ZERO: "0", PART: "\u2026", ord("-"): MINUS}.get(code, chr(code) if 32 <= code < 127 else " ")
    for code in range(256)
)
"""What each letter code looks like. The zero of its own is that of a number that is 0: it is dimmed."""

Flags = npt.NDArray[np.bool_]
Glyphs = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Cells:
    """What one cell of the hex column shows: an element of `dtype` (a name of LETTERS), or with "" a byte's digits.

    `big`: the byte of most weight comes first.
    """

    dtype: str = ""
    big: bool = False

    @property
    def unit(self) -> int:
        """Bytes in a cell."""
        return DTYPES[self.dtype].itemsize if self.dtype else 1

    @property
    def letters(self) -> int:
        """Letters of a cell with the blank before it; 0 for bytes."""
        return LETTERS[self.dtype] + 1 if self.dtype else 0


BYTES: Final = Cells()


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """Elements of a window, one a cell. `raw`: their bits; `whole`: all bytes are there; `odd`: NaN or infinite.

    `some`: a part of the bytes is there.
    """

    dtype: str
    raw: npt.NDArray[Any]
    whole: Flags
    some: Flags
    odd: Flags


def decoded(cells: Cells, values: npt.NDArray[np.int32]) -> Numbers:
    """The elements in bytes of a window that begins at the edge of a cell; NO_BYTE where none is."""
    unit = cells.unit
    apart = values.reshape(-1, unit)
    present = apart < NO_BYTE
    data = np.where(present, apart, 0).astype(np.uint8)
    if cells.big:
        data = data[:, ::-1]
    raw = np.ascontiguousarray(data).view(f"<u{unit}").reshape(-1)
    whole: Flags = np.logical_and.reduce(present, axis=1)
    some: Flags = np.logical_or.reduce(present, axis=1) & ~whole
    odd = np.zeros(len(raw), np.bool_)
    if "float" in cells.dtype:
        odd = whole & ~np.isfinite(_floats(cells.dtype, raw))
    return Numbers(cells.dtype, raw, whole, some, odd)


def lettered(numbers: Numbers, part: slice | npt.NDArray[np.integer]) -> Glyphs:
    """Letter codes of some numbers, a slice or indexes: shape (n, letters of a cell), aligned right, behind a blank."""
    raw = numbers.raw[part]
    if raw.itemsize <= SMALL:
        found = _kept(numbers.dtype, raw)
    else:
        different, place = np.unique(raw, return_inverse=True)
        found = _letters(numbers.dtype, different)[place.reshape(-1)]
    found[~numbers.whole[part]] = 0
    found[numbers.some[part], -1] = PART
    return found


def exact(cells: Cells, data: bytes) -> list[str]:
    """Every digit of the whole elements in some bytes, as Python writes them: `0.1`, `-7`, `nan`."""
    whole = len(data) // cells.unit * cells.unit
    raw = decoded(cells, np.frombuffer(data[:whole], np.uint8).astype(np.int32)).raw
    kind = DTYPES[cells.dtype or "uint8"].numpy
    assert kind is not None
    if kind.kind == "f":
        # Shortest digits that give the same element back: of 4 bytes 0.1, and not 0.10000000149011612.
        return [str(number) for number in raw.view(kind)]
    numbers = _floats(cells.dtype, raw) if "float" in cells.dtype else raw.view(kind)
    return [str(number) for number in numbers.tolist()]


def _kept(dtype: str, raw: npt.NDArray[Any]) -> Glyphs:
    """Letter codes of a small type, each number's made once: on a screen the same ones stand again and again."""
    if dtype not in _KEPT:
        _KEPT[dtype] = np.full((256**raw.itemsize, LETTERS[dtype] + 1), UNKNOWN, np.uint8)
    kept = _KEPT[dtype]
    new = raw[kept[raw, 0] == UNKNOWN]
    if new.size:
        new = np.unique(new)
        kept[new] = _letters(dtype, new)
    found: Glyphs = kept[raw]
    return found


_KEPT: Final[dict[str, Glyphs]] = {}
"""By type, a row for all bits: less than a MiB each."""

UNKNOWN: Final = 255
"""In place of the blank before a number: its letters are not made yet."""


def _letters(dtype: str, raw: npt.NDArray[Any]) -> Glyphs:
    """Letter codes of numbers: shape (n, letters of a cell)."""
    width = LETTERS[dtype] + 1
    line = "".join([text.rjust(width) for text in _texts(dtype, raw)]).replace(MINUS, "-").encode("ascii")
    made = np.frombuffer(line, np.uint8).reshape(-1, width).copy()
    made[made == BLANK] = 0
    zeros = (made[:, -1] == ord("0")) & (made[:, -2] == 0)
    made[zeros, -1] = ZERO
    return made


def _texts(dtype: str, raw: npt.NDArray[Any]) -> list[str]:
    if "float" not in dtype:
        signed = raw.view(raw.dtype.str.replace("u", "i")) if dtype.startswith("int") else raw
        return [str(number) for number in signed.tolist()]
    numbers = _floats(dtype, raw)
    texts = [float_text(number) for number in numbers.tolist()]
    for at in np.flatnonzero((numbers == 0) & np.signbit(numbers)):
        texts[at] = MINUS + "0"
    return texts


def _floats(dtype: str, raw: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    kind = DTYPES[dtype].numpy
    assert kind is not None
    # A signalling NaN says so when it is widened.
    with np.errstate(invalid="ignore"):
        return raw.view(kind).astype(np.float64)
