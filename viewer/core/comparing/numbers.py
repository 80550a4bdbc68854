"""The elements of two tensors as numbers that can be subtracted, block by block and side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from math import prod
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.comparing.meter import Meter
from viewer.core.tensors.dtypes import COMPLEX32, AnyArray, NumpyType, dtype
from viewer.core.tensors.elements import elements
from viewer.core.tensors.packed import per_byte
from viewer.core.tensors.tensor import Parameters, Quantizer, Tensor
from viewer.core.tensors.window import NoValuesError, blocks

CHUNK: Final = 64 * 1024
"""Elements that are held against each other at once."""
Doubles = npt.NDArray[np.float64]


class Kind(Enum):
    """What the elements can be taken as. RAW: only equal or not, as texts and packed bits of other meaning."""

    INTEGER = "integer"
    REAL = "real"
    COMPLEX = "complex"
    RAW = "raw"


@dataclass(frozen=True, slots=True)
class Numbers:
    """How the elements of one tensor are read. `native`: their numpy type, None for elements that share a byte.

    `quantizer`: what the stored integers stand for.
    """

    kind: Kind
    native: NumpyType | None
    quantizer: Quantizer | None = None


def numbers_of(tensor: Tensor) -> Numbers | None:
    """How elements are read; None where they have no values of their own."""
    if tensor.storage is None:
        return None
    if per_byte(tensor) > 1:
        return Numbers(Kind.INTEGER if tensor.quantizer is None else Kind.REAL, None, tensor.quantizer)
    found = elements(tensor)
    if found is None:
        return None
    native, known = found.native, dtype(tensor.dtype)
    if tensor.quantizer is not None and native.kind in "iu":
        return Numbers(Kind.REAL, native, tensor.quantizer)
    if known is not None and known.group in ("packed", "bits") and tensor.kind == "tensor":
        return Numbers(Kind.RAW, native)
    if native.kind == "c" or native == COMPLEX32:
        return Numbers(Kind.COMPLEX, native)
    if native.kind in "biu" and native.names is None:
        return Numbers(Kind.INTEGER, native)
    is_small = native.type.__module__ == "ml_dtypes"
    if (native.kind == "f" and native.itemsize <= np.dtype(np.float64).itemsize) or is_small:
        return Numbers(Kind.REAL, native)
    return Numbers(Kind.RAW, native)


def values(tensor: Tensor, how: Numbers, meter: Meter) -> Iterator[AnyArray]:
    """All elements in row-major order: as they are, dequantised ones as float64, complex ones as complex128.

    Raises NoValuesError, IncompleteError and CancelledError.
    """
    scales = Scales(tensor, how.quantizer) if how.quantizer is not None else None
    at = 0
    for block in blocks(tensor, None):
        meter.add(block.nbytes)
        for start in range(0, len(block), CHUNK):
            part = block[start : start + CHUNK]
            yield _plain(part, how) if scales is None else scales.applied(part, at)
            at += len(part)


def _plain(part: AnyArray, how: Numbers) -> AnyArray:
    if part.dtype.kind == "b" and how.kind is not Kind.RAW:
        return np.asarray(part.view(np.uint8) != 0)
    if how.kind is not Kind.COMPLEX:
        return part
    if part.dtype == COMPLEX32:
        made = np.empty(len(part), dtype=np.complex128)
        halves = part.view(np.float16).reshape(-1, 2)
        made.real, made.imag = halves[:, 0], halves[:, 1]
        return made
    return part.astype(np.complex128)


class Scales:
    """What the stored integers of a quantised tensor stand for: (integer - zero point) x scale, in float64."""

    def __init__(self, tensor: Tensor, quantizer: Quantizer) -> None:
        self._scale, self._zero = parameters(quantizer.scale), parameters(quantizer.zero_point)
        self._inner = self._channels = 1
        if quantizer.axis is not None:
            self._channels = tensor.shape[quantizer.axis]
            self._inner = prod(tensor.shape[quantizer.axis + 1 :])
        if any(len(each) not in (1, self._channels) for each in (self._scale, self._zero)):
            raise NoValuesError(tensor)

    def applied(self, part: AnyArray, at: int) -> Doubles:
        """The numbers of a run whose first element has the place `at`."""
        scale, zero = self._scale, self._zero
        if self._channels > 1:
            channel = np.arange(at, at + len(part), dtype=np.int64) // self._inner % self._channels
            scale, zero = (each[channel] if len(each) > 1 else each for each in (scale, zero))
        return (part.astype(np.float64) - zero) * scale


def parameters(given: Parameters) -> Doubles:
    """Scales or zero points as an array. Raises NoValuesError and IncompleteError."""
    if isinstance(given, Tensor):
        found = [block.astype(np.float64) for block in blocks(given)]
        return np.concatenate(found) if found else np.zeros(0)
    return np.array(given if isinstance(given, tuple) else (given,), dtype=np.float64)


def paired(first: Iterator[AnyArray], second: Iterator[AnyArray]) -> Iterator[tuple[AnyArray, AnyArray]]:
    """Runs of equal length of both, as long as both have some."""
    left: AnyArray = np.zeros(0)
    right: AnyArray = left
    while True:
        if not len(left):
            left = next(first, left)
        if not len(right):
            right = next(second, right)
        length = min(len(left), len(right))
        if not length:
            return
        yield left[:length], right[:length]
        left, right = left[length:], right[length:]
