"""The header of a npy file: versions 1 to 3, read as a literal, and its dtype made without numpy's text parsers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from viewer.core.source import ByteSource
from viewer.core.tensors.literal import Literal, LiteralError, parse_literal

MAGIC: Final = b"\x93NUMPY"
LONGEST: Final = 1024 * 1024
LARGEST: Final = 2**63 - 1
_SIMPLE: Final = re.compile(r"[<>|=]?[?bBhHiIlLqQefdgFDGSauUVOmMct]\d{0,9}(\[\d{0,9}[a-zA-Zμ]{1,3}\])?")
_KEYS: Final = frozenset({"descr", "fortran_order", "shape"})

NumpyType = np.dtype[Any]


class NpyHeaderError(ValueError):
    """A header that cannot be read: a Problem code and its parameters."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


@dataclass(frozen=True, slots=True)
class NpyHeader:
    """`size`: bytes from the magic to the first element. `shape` in elements."""

    size: int
    dtype: NumpyType
    fortran: bool
    shape: tuple[int, ...]

    @property
    def elements(self) -> int:
        """Number of elements."""
        count = 1
        for length in self.shape:
            count *= length
        return count

    @property
    def nbytes(self) -> int:
        """Bytes of all elements; 0 for Python objects, which stand in a pickle instead."""
        return 0 if self.dtype.hasobject else self.elements * self.dtype.itemsize


def read_npy_header(source: ByteSource, start: int = 0) -> NpyHeader:
    """The header of the array that begins at an offset of the source. Raises NpyHeaderError."""
    head = source.read(start, 12)
    if head[: len(MAGIC)] != MAGIC or len(head) < 10:
        raise NpyHeaderError("npy-header-cut", present=len(head))
    version = (head[6], head[7])
    if version not in ((1, 0), (2, 0), (3, 0)):
        raise NpyHeaderError("npy-version", version=f"{version[0]}.{version[1]}")
    width = 2 if version == (1, 0) else 4
    length = int.from_bytes(head[8 : 8 + width], "little")
    raw = source.read(start + 8 + width, min(length, LONGEST))
    if len(raw) < length:
        code = "npy-header-cut" if length <= LONGEST else "npy-header-long"
        raise NpyHeaderError(code, present=len(raw), stated=length)
    shape, fortran, descr = _facts(raw.decode("utf-8" if version == (3, 0) else "latin-1", "replace"))
    header = NpyHeader(8 + width + length, _dtype(descr), fortran, shape)
    if max(header.nbytes, header.elements) > LARGEST:
        raise NpyHeaderError("npy-shape", shape=repr(shape)[:80])
    return header


def _facts(text: str) -> tuple[tuple[int, ...], bool, Literal]:
    try:
        found = parse_literal(text)
    except LiteralError as failure:
        raise NpyHeaderError("npy-header-broken", text=text.strip()[:80]) from failure
    if not isinstance(found, dict) or not found.keys() >= _KEYS:
        raise NpyHeaderError("npy-header-broken", text=text.strip()[:80])
    shape, fortran = found["shape"], found["fortran_order"]
    sizes = shape if isinstance(shape, tuple | list) else (shape,)
    if not all(isinstance(size, int) and not isinstance(size, bool) and size >= 0 for size in sizes):
        raise NpyHeaderError("npy-shape", shape=repr(shape)[:80])
    return tuple(size for size in sizes if isinstance(size, int)), bool(fortran), found["descr"]


def _dtype(descr: Literal) -> NumpyType:
    try:
        return make_dtype(descr)
    except (TypeError, ValueError, OverflowError, RecursionError) as failure:
        raise NpyHeaderError("npy-dtype", dtype=repr(descr)[:80]) from failure


def make_dtype(descr: Literal) -> NumpyType:
    """The numpy dtype of a header's `descr`: a text, a (descr, shape) pair, or a list of fields.

    Raises TypeError or ValueError for what no dtype can be.
    """
    if isinstance(descr, str):
        if not _SIMPLE.fullmatch(descr):
            raise ValueError(descr)
        return np.dtype(descr.replace("a", "S") if "[" not in descr else descr)
    if isinstance(descr, tuple) and len(descr) == 2:
        return np.dtype((make_dtype(descr[0]), _shape(descr[1])))
    if not isinstance(descr, list):
        raise TypeError("a dtype is a text or a list of fields")
    return _fields(descr)


def _fields(fields: list[Literal]) -> NumpyType:
    """A structured dtype; fields without a name are padding, as numpy writes it."""
    names: list[str] = []
    titles: list[str | None] = []
    formats: list[NumpyType] = []
    offsets: list[int] = []
    at = 0
    for field in fields:
        if not isinstance(field, tuple) or len(field) not in (2, 3):
            raise TypeError("a field is a name, a dtype and a shape")
        inner = make_dtype(field[1])
        made = np.dtype((inner, _shape(field[2]))) if len(field) == 3 else inner
        title, name = field[0] if isinstance(field[0], tuple) and len(field[0]) == 2 else (None, field[0])
        if not isinstance(name, str) or not isinstance(title, str | None):
            raise TypeError("the name of a field is a text")
        if name or inner.type is not np.void:
            names.append(name or f"f{len(names)}")
            titles.append(title)
            formats.append(made)
            offsets.append(at)
        at += made.itemsize
    return np.dtype({"names": names, "formats": formats, "titles": titles, "offsets": offsets, "itemsize": at})


def _shape(shape: Literal) -> tuple[int, ...]:
    sizes = shape if isinstance(shape, tuple | list) else (shape,)
    if not all(isinstance(size, int) and size >= 0 for size in sizes):
        raise TypeError("a shape is made of integers")
    return tuple(size for size in sizes if isinstance(size, int))
