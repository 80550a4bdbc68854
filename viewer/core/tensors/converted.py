"""Floating-point tensors in another type: their storages are turned into it, element by element, as they are read.

Rounding is to the nearest, ties to even, and equal to torch's but for float64 as float16: torch rounds to float32
between (8 of 2,000,000 random numbers differ by one step). Strides, offsets and sharing stay as they are.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import Final

import numpy as np
from typing_extensions import override

from viewer.core.source import ByteSource
from viewer.core.tensors.dtypes import DTYPES, AnyArray, NumpyType
from viewer.core.tensors.elements import Elements, elements
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor

FLOATING: Final = frozenset({"float", "half", "float8"})
"""Groups of types that are turned into each other."""
TARGETS: Final = ("float32", "float16", "bfloat16")


class Seen:
    """Which of a run of numbers were seen: stretches of them, in order, none next to another."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._stops: list[int] = []

    def add(self, start: int, stop: int) -> list[tuple[int, int]]:
        """See some; gives the stretches of them that are new."""
        fresh: list[tuple[int, int]] = []
        low, high = bisect_left(self._stops, start), bisect_right(self._starts, stop)
        at = start
        for begun, ended in zip(self._starts[low:high], self._stops[low:high], strict=True):
            if at < begun:
                fresh.append((at, begun))
            at = ended
        if at < stop:
            fresh.append((at, stop))
        self._starts[low:high] = [min(start, *self._starts[low : low + 1])] if low < high else [start]
        self._stops[low:high] = [max(stop, at)]
        return fresh


class ConvertedSource(ByteSource):
    """The elements of a storage in another type. What is left of a cut element at its end is left out.

    `lost`: finite numbers that became infinite, and `vanished`: numbers that became zero, of all elements that were
    read up to now, each counted once.
    """

    def __init__(self, parent: ByteSource, kind: Elements, target: NumpyType, count: int) -> None:
        self.parent, self.kind, self.target = parent, kind, target
        self._count = count
        self.lost = self.vanished = 0
        self._seen = Seen()
        self.settle()

    def settle(self) -> None:
        """Take the size anew: that of a deflated parent is known only when it is unpacked."""
        self.size = min(self._count, self.parent.size // self.kind.itemsize) * self.target.itemsize

    @override
    def read(self, offset: int, length: int) -> bytes:
        length = min(length, self.size - offset)
        if offset < 0 or length <= 0:
            return b""
        width = self.target.itemsize
        first, stop = offset // width, -(-(offset + length) // width)
        skipped = offset - first * width
        return self._numbers(first, stop).tobytes()[skipped : skipped + length]

    def _numbers(self, first: int, stop: int) -> AnyArray:
        """Some elements in the new type; fewer where bytes are missing."""
        raw = np.frombuffer(
            bytearray(self.parent.read(first * self.kind.itemsize, (stop - first) * self.kind.itemsize)), np.uint8
        )
        numbers = self.kind.decode(raw[: len(raw) - len(raw) % self.kind.itemsize])
        with np.errstate(all="ignore"):
            found: AnyArray = numbers.astype(self.target)
        # Tensors of one storage are written in any order, and read again to be compared.
        for start, stop in self._seen.add(first, first + len(found)) if len(found) else ():
            self._tally(numbers[start - first : stop - first], found[start - first : stop - first])
        return found

    def _tally(self, numbers: AnyArray, found: AnyArray) -> None:
        infinite = ~np.isfinite(found)
        if infinite.any():
            self.lost += int(np.count_nonzero(infinite & np.isfinite(numbers)))
        zeros = np.count_nonzero(found)
        if zeros < len(found):
            self.vanished += int(np.count_nonzero(numbers)) - int(zeros)


class Conversion:
    """One target type for the tensors of an export; storages that were shared stay so."""

    def __init__(self, target: str) -> None:
        self.target = target
        self._sources: list[ConvertedSource] = []
        self._made: dict[tuple[int, str, str], Storage] = {}

    @property
    def lost(self) -> int:
        """Finite numbers that became infinite, of all that was read up to now."""
        return sum(source.lost for source in self._sources)

    @property
    def vanished(self) -> int:
        """Numbers that became zero."""
        return sum(source.vanished for source in self._sources)

    def settle(self) -> None:
        """Take the sizes of unpacked storages as they are now."""
        for source in self._sources:
            source.settle()

    def __call__(self, tensor: Tensor) -> Tensor:
        """The tensor in the target type; itself where it is no floating-point tensor, or has that type already."""
        if tensor.quantizer is not None:
            return tensor
        parts = tuple((role, self(part)) for role, part in tensor.parts)
        if any(new is not old for (_, new), (_, old) in zip(parts, tensor.parts, strict=True)):
            tensor = replace(tensor, parts=parts)
        known = DTYPES.get(tensor.dtype)
        if known is None or known.group not in FLOATING or known.name == self.target:
            return tensor
        storage = tensor.storage
        if storage is None:
            return replace(tensor, dtype=self.target)
        kind = elements(replace(tensor, neg=False))
        if kind is None:
            return tensor
        made = self._storage(storage, kind, (id(storage), tensor.dtype, tensor.numpy_dtype))
        return replace(tensor, dtype=self.target, storage=made, numpy_dtype="")

    def _storage(self, storage: Storage, kind: Elements, key: tuple[int, str, str]) -> Storage:
        found = self._made.get(key)
        if found is not None:
            return found
        target = DTYPES[self.target]
        assert target.numpy is not None
        count = storage.nbytes // kind.itemsize
        source = None
        if storage.source is not None:
            source = ConvertedSource(storage.source, kind, target.numpy, count)
            self._sources.append(source)
        absent = storage.absent // kind.itemsize * target.itemsize
        found = Storage(
            storage.key,
            storage.location,
            self.target,
            False,
            count,
            count * target.itemsize,
            None,
            source,
            storage.record,
            absent=absent,
        )
        self._made[key] = found
        return found
