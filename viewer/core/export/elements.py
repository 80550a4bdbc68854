"""Elements in a type that numpy has, C order, little-endian; widened where numpy has none that holds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np

from viewer.core.errors import ExportError
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.tensors.dtypes import DTYPES, ML_TYPE_NAMES, AnyArray, NumpyType, numpy_type
from viewer.core.tensors.elements import elements
from viewer.core.tensors.layout import is_row_major
from viewer.core.tensors.meaning import has_numbers, meant_blocks
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import blocks

Widen = Callable[[AnyArray], AnyArray]
BLOCK: Final = 256 * 1024
"""Bytes read and written at once: few enough to stay in a processor's second cache between the two."""
FLOAT: Final = np.dtype("<f4")
WIDENED: Final = {
    "bfloat16": "float32",
    "complex32": "complex64",
    **{name: "float32" for name, known in DTYPES.items() if known.group == "float8"},
}
RAW: Final = {"bits8": "uint8", "bits1x8": "uint8", "bits2x4": "uint8", "bits4x2": "uint8", "bits16": "uint16"}


@dataclass(frozen=True, slots=True)
class Written:
    """The elements of one tensor as numpy holds them. `name`: of the type, as people say it.

    `meant`: the numbers that quantised elements stand for.
    """

    tensor: Tensor
    name: str
    dtype: NumpyType
    widen: Widen | None
    meant: bool = False

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return prod(self.tensor.shape) * self.dtype.itemsize

    def blocks(self, progress: Progress) -> Iterator[memoryview]:
        """All elements, block by block; each block is good until the next is asked for. `progress`: only stops it."""
        tensor, storage = self.tensor, self.tensor.storage
        if self.meant:
            yield from (raw(numbers) for numbers in meant_blocks(tensor, BLOCK, progress.silent()))
            return
        kind = elements(tensor)
        if self.widen is None and kind is not None and kind.plain and is_row_major(tensor.shape, tensor.stride):
            if storage is not None and storage.source is not None:
                yield from stored(storage.source, tensor.storage_offset * kind.itemsize, self.nbytes, Buffer())
            return
        for numbers in blocks(tensor, progress.silent(), BLOCK):
            yield raw(numbers if self.widen is None else self.widen(numbers))


class Buffer:
    """One piece of memory for block after block, no larger than it has to be."""

    def __init__(self) -> None:
        self._memory = memoryview(b"")

    def room(self, size: int) -> memoryview:
        """That many bytes, at most BLOCK; what stood there is lost."""
        size = min(size, BLOCK)
        if len(self._memory) < size:
            self._memory = memoryview(bytearray(size))
        return self._memory[:size]


def stored(source: ByteSource, start: int, nbytes: int, buffer: Buffer) -> Iterator[memoryview]:
    """Bytes as they stand in the file, block by block in the same memory. Raises ExportError when some are gone."""
    stop = start + nbytes
    while start < stop:
        view = buffer.room(stop - start)
        if source.read_into(start, view) != len(view):
            raise ExportError("source-cut", offset=start)
        yield view
        start += len(view)


def raw(numbers: AnyArray) -> memoryview:
    """The bytes of a flat array."""
    return numbers.view(np.uint8).data


def written(tensor: Tensor) -> Written | None:
    """How the elements of a tensor are written; None where numpy has nothing that holds them."""
    known = DTYPES.get(tensor.dtype)
    if known is None:
        return array_written(tensor)
    if has_numbers(tensor):
        return Written(tensor, "float32", FLOAT, None, meant=True)
    if known.group in ("quantised", "packed"):
        return None
    name = WIDENED.get(known.name) or RAW.get(known.name) or known.name
    return Written(tensor, name, np.dtype(name).newbyteorder("<"), widener(known.name))


def array_written(tensor: Tensor) -> Written | None:
    """The same for an array of a type that torch has no name for: dates, texts, structures."""
    kind = elements(tensor)
    if kind is None:
        return None
    dtype = kind.native
    if dtype.name in ML_TYPE_NAMES:
        floating = "float" in dtype.name and dtype.itemsize == 1
        return Written(tensor, "float32", FLOAT, Table(dtype)) if floating else None
    # Headers in the form that every reader knows are ASCII.
    return Written(tensor, tensor.dtype, dtype, None) if str(dtype).isascii() else None


def widener(name: str) -> Widen | None:
    """What turns elements of a torch type into those that are written; None where they stay as they are."""
    if name == "bfloat16":
        return shifted
    if name == "complex32":
        return halves
    if name == "bool":
        return truths
    return Table(numpy_type(name)) if DTYPES[name].group == "float8" else None


def shifted(numbers: AnyArray) -> AnyArray:
    """A bfloat16 is the upper half of a float32."""
    wide: AnyArray = np.left_shift(numbers.view("<u2"), 16, dtype="<u4")
    return wide


def halves(numbers: AnyArray) -> AnyArray:
    """The two float16 of each number as two float32."""
    return numbers.view("<f2").astype(FLOAT)


def truths(numbers: AnyArray) -> AnyArray:
    """Whatever is not 0 is true; numpy wants it to be 1."""
    return np.not_equal(numbers.view(np.uint8), 0)


class Table:
    """The float32 of each of the 256 codes of a type of one byte."""

    def __init__(self, kind: NumpyType) -> None:
        codes = np.arange(256, dtype=np.uint8).view(kind)
        with np.errstate(all="ignore"):
            self._values = codes.astype(FLOAT)

    def __call__(self, numbers: AnyArray) -> AnyArray:
        """The values of some codes."""
        values: AnyArray = self._values[numbers.view(np.uint8)]
        return values
