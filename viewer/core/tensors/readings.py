"""What the bytes at one place would be as numbers and text: the rows of the inspector."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any, Final

import ml_dtypes
import numpy as np

LONGEST: Final = 16


@dataclass(frozen=True, slots=True)
class Reading:
    """One row: `little` and `big` are Python or numpy scalars, or texts; None where bytes are missing.

    `size`: bytes that it takes. Rows without a byte order have the same value twice.
    """

    name: str
    size: int
    little: Any
    big: Any


_DTYPES: Final[dict[str, np.dtype[Any]]] = {
    "uint8": np.dtype(np.uint8),
    "int8": np.dtype(np.int8),
    "uint16": np.dtype(np.uint16),
    "int16": np.dtype(np.int16),
    "uint32": np.dtype(np.uint32),
    "int32": np.dtype(np.int32),
    "uint64": np.dtype(np.uint64),
    "int64": np.dtype(np.int64),
    "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "float32": np.dtype(np.float32),
    "float64": np.dtype(np.float64),
    "fp8 e4m3": np.dtype(ml_dtypes.float8_e4m3fn),
    "fp8 e5m2": np.dtype(ml_dtypes.float8_e5m2),
}
# Two columns of nine: in each, what is looked for most stands first.
_LEFT: Final = ("uint8", "int16", "int32", "int64")
_LEFT_MORE: Final = ("int8", "uint16", "uint32", "uint64")
_RIGHT: Final = ("float16", "bfloat16", "float32", "float64")
_RIGHT_MORE: Final = ("fp8 e4m3", "fp8 e5m2")


def readings(data: bytes) -> list[Reading]:
    """All rows for the bytes at a place; the first 16 are looked at, fewer are enough."""

    def numbers(names: tuple[str, ...]) -> list[Reading]:
        return [_number(name, _DTYPES[name], data) for name in names]

    rows = [*numbers(_LEFT), _leb128("LEB128", data, signed=False), *numbers(_LEFT_MORE)]
    rows += [*numbers(_RIGHT), _utf8(data), *numbers(_RIGHT_MORE)]
    rows += [_leb128("signed LEB", data, signed=True), _bits(data)]
    return rows


def of_length(data: bytes, length: int) -> list[Reading]:
    """So many bytes (at most LONGEST) as one integer, for lengths that no type has; none for others."""
    if length > LONGEST or length in (0, 1, 2, 4, 8):
        return []

    def value(*, signed: bool, big: bool) -> int | None:
        part = data[:length]
        return int.from_bytes(part, "big" if big else "little", signed=signed) if len(part) == length else None

    return [
        Reading(
            f"{sign}int{8 * length}",
            length,
            value(signed=not sign, big=False),
            value(signed=not sign, big=True),
        )
        for sign in ("u", "")
    ]


def _number(name: str, dtype: np.dtype[Any], data: bytes) -> Reading:
    size = dtype.itemsize
    if len(data) < size:
        return Reading(name, size, None, None)
    little = np.frombuffer(data[:size], dtype=dtype)[0]
    big = np.frombuffer(data[:size][::-1], dtype=dtype)[0]
    return Reading(name, size, little, big)


def _leb128(name: str, data: bytes, *, signed: bool) -> Reading:
    """A number of 7 bits a byte, lowest first; the last byte has its highest bit clear. At most 10 bytes."""
    value = 0
    for at, byte in enumerate(data[:10]):
        value |= (byte & 0x7F) << (7 * at)
        if not byte & 0x80:
            if signed and byte & 0x40:
                value -= 1 << (7 * (at + 1))
            return Reading(name, at + 1, value, value)
    return Reading(name, 0, None, None)


def _utf8(data: bytes) -> Reading:
    """The first letter, with its code point and name."""
    for size in range(1, 5):
        try:
            letter = data[:size].decode("utf-8")
        except UnicodeDecodeError:
            continue
        if len(letter) != 1:
            break
        shown = letter if letter.isprintable() else repr(letter)[1:-1]
        text = f"{shown} U+{ord(letter):04X} {unicodedata.name(letter, '')}".rstrip()
        return Reading("UTF-8", size, text, text)
    return Reading("UTF-8", 0, None, None)


def _bits(data: bytes) -> Reading:
    text = f"{data[0]:08b}" if data else None
    return Reading("binary", 1, text, text)
