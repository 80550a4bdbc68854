"""How the stored bytes of a tensor become numbers: byte order, the conj and neg bits, the numpy type."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.tensors.dtypes import DTYPES, AnyArray, NumpyType, dtype, numpy_type
from viewer.core.tensors.tensor import Tensor

RawBytes = npt.NDArray[np.uint8]
_WORDS: Final = {1: "|u1", 2: "<u2", 4: "<u4", 8: "<u8"}


@dataclass(frozen=True, slots=True)
class Elements:
    """The elements of one tensor. `itemsize`: bytes of one.

    `stored`: their numpy type as they stand in the file, `native`: the little-endian type they are given as.
    `swap`: bytes of a unit that is turned round, 0 for none. `sign`: bytes of a unit whose sign bit negates it,
    0 where there is none; `conj` and `neg` as the tensor states them.
    """

    itemsize: int
    stored: NumpyType
    native: NumpyType
    swap: int = 0
    sign: int = 0
    conj: bool = False
    neg: bool = False

    @property
    def plain(self) -> bool:
        """Whether the stored bytes are the native elements already."""
        return not (self.swap or self.conj or self.neg) and self.stored == self.native

    def decode(self, raw: RawBytes) -> AnyArray:
        """The numbers of a flat run of stored bytes, which may be changed in place."""
        if not self.itemsize:
            return np.zeros(0, dtype=self.native)
        if self.swap:
            raw.view(_WORDS[self.swap]).byteswap(inplace=True)
        if self.stored != self.native:
            return raw.view(self.stored).astype(self.native)
        numbers: AnyArray = raw.view(self.native)
        if self.conj:
            raw.view(_WORDS[self.sign])[1::2] ^= self._sign_bit()
        if self.neg and self.sign:
            raw.view(_WORDS[self.sign])[:] ^= self._sign_bit()
        elif self.neg:
            np.negative(numbers, out=numbers)
        return numbers

    def _sign_bit(self) -> AnyArray:
        return np.array(1 << (8 * self.sign - 1), dtype=_WORDS[self.sign])


def elements(tensor: Tensor) -> Elements | None:
    """The elements of a tensor; None where they have no numpy type: objects, types that only have a name."""
    order = tensor.storage.byteorder if tensor.storage is not None else "little"
    return _elements(tensor.kind, tensor.dtype, tensor.numpy_dtype, order, tensor.conj, tensor.neg)


@lru_cache(maxsize=1024)
def _elements(kind: str, name: str, numpy_name: str, order: str, conj: bool, neg: bool) -> Elements | None:
    if kind == "array" or (numpy_name and dtype(name) is None):
        return _of_array(numpy_name or name, order)
    known = dtype(name)
    if known is None or known.numpy is None or (known.packed > 1 and kind != "storage"):
        return None
    if numpy_name:
        return _converted(numpy_name, known.numpy, order)
    swap = known.unit if order == "big" and known.unit > 1 else 0
    sign = known.unit if known.group in ("float", "half", "complex") else 0
    conj = conj and known.group == "complex"
    neg = neg and (bool(sign) or known.group == "integer")
    return Elements(known.itemsize, known.numpy, known.numpy, swap, sign, conj, neg)


def _converted(stored_name: str, native: NumpyType, order: str) -> Elements | None:
    """Elements that torch converts when it loads them."""
    stored = _of_array(stored_name, order)
    return None if stored is None else Elements(stored.itemsize, stored.stored, native)


def _of_array(name: str, order: str) -> Elements | None:
    """The elements of a numpy type. The order of the storage decides; fields of structures keep their own."""
    try:
        stored = DTYPES["complex32"].numpy if name == "complex32" else numpy_type(name)
    except (TypeError, ValueError):
        return None
    if stored is None or stored.hasobject:
        return None
    if stored.names is None or order == "big":
        stored = stored.newbyteorder(">" if order == "big" else "<")
    native = stored.newbyteorder("<") if stored.kind != "V" or stored.names is not None else stored
    return Elements(stored.itemsize, stored, native)


def holds_integers(tensor: Tensor) -> bool:
    """Whether its elements can be offsets and sizes; a damaged file may state any other type for them."""
    kind = elements(tensor)
    return kind is not None and kind.native.names is None and kind.native.kind in "iu"
