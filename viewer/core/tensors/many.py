"""Tensors that are made when they are looked at, and what can be told of all of them without making one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, overload
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from viewer.core.tensors import window
from viewer.core.tensors.columns import By, Ranks, name_of
from viewer.core.tensors.tensor import Tensor

if TYPE_CHECKING:
    from viewer.core.progress import Progress
    from viewer.core.tensors.path import Path


@dataclass(slots=True)
class Counted:
    """How many there are, and their bytes."""

    count: int = 0
    nbytes: int = 0

    def add(self, nbytes: int, count: int = 1) -> None:
        """More of them."""
        self.count += count
        self.nbytes += nbytes


@dataclass(slots=True)
class Totals:
    """Sums over tensors. `whole`: those that have a storage and miss no byte.

    `unique_elements`, `unique_nbytes`: what several tensors share counts once. `dtypes`: tensors by dtype;
    `locations`: storages by location, each once.
    """

    count: int = 0
    whole: int = 0
    elements: int = 0
    nbytes: int = 0
    unique_elements: int = 0
    unique_nbytes: int = 0
    dtypes: dict[str, Counted] = field(default_factory=dict)
    locations: dict[str, Counted] = field(default_factory=dict)

    def add(self, other: Totals) -> None:
        """Those of other tensors, which share nothing with these."""
        self.count += other.count
        self.whole += other.whole
        self.elements += other.elements
        self.nbytes += other.nbytes
        self.unique_elements += other.unique_elements
        self.unique_nbytes += other.unique_nbytes
        for mine, others in ((self.dtypes, other.dtypes), (self.locations, other.locations)):
            for name, found in others.items():
                mine.setdefault(name, Counted()).add(found.nbytes, found.count)


class Alike(NamedTuple):
    """One tensor of each sort, and by tensor the number of its sort. Those of a sort differ in name and place only.

    They have type, shape and file in common, what is missing of them, and with how many they share their elements.
    """

    examples: list[Tensor]
    sorts: npt.NDArray[np.int64]


class Stored(NamedTuple):
    """Tensors that are whole, lie in one run and have a storage of their own, by columns: numbers, and where they are.

    `files`: number in `names`; `starts`, `stops`: their bytes in that file.
    """

    numbers: npt.NDArray[np.int64]
    files: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    stops: npt.NDArray[np.int64]
    names: Sequence[str]


class ManyTensors(Sequence[Tensor], ABC):
    """A document's tensors, made one by one. An index gives the same object while somebody holds it."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._held: WeakValueDictionary[int, Tensor] = WeakValueDictionary()
        self._lock = Lock()

    @abstractmethod
    def make(self, number: int) -> Tensor:
        """The tensor of an index; its own `index` is that."""

    @abstractmethod
    def totals(self) -> Totals:
        """Sums over all of them, without making each."""

    def paths(self) -> Sequence[Path] | None:
        """Where each stands in the object that they are parts of; None where they stand side by side."""
        return None

    def names(self, first: int, stop: int) -> list[str]:
        """What some of them are called, as `name_of` says it; without making each where that can be done."""
        return [name_of(self[number]) for number in range(first, stop)]

    def ranks(self, by: By, progress: Progress) -> Ranks | None:
        """A key for each of them in the order of a column; None where each has to be looked at for it."""
        del by, progress
        return None

    def stored(self) -> Stored | None:
        """Those of which it is known without a look that they are whole and share nothing; None: that is not known."""
        return None

    def alike(self) -> Alike | None:
        """Their sorts; None where each has to be looked at for it."""
        return None

    def stated_at(self, offset: int) -> int:
        """The number of the tensor that a byte of the document's source states; -1: none."""
        del offset
        return -1

    @override
    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Tensor: ...
    @overload
    def __getitem__(self, index: slice) -> list[Tensor]: ...
    @override
    def __getitem__(self, index: int | slice) -> Tensor | list[Tensor]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(self._count))]
        number = index + self._count if index < 0 else index
        if not 0 <= number < self._count:
            raise IndexError(index)
        with self._lock:
            found = self._held.get(number)
            if found is None:
                found = self._held[number] = self.make(number)
        return found

    @override
    def __iter__(self) -> Iterator[Tensor]:
        return (self[number] for number in range(self._count))


def of_values(tensors: Sequence[Tensor]) -> Iterator[Tensor]:
    """Those that were made from values of a pickle; no tensor that is made when it is looked at is one of them."""
    if not isinstance(tensors, ManyTensors):
        yield from (tensor for tensor in tensors if tensor.value is not None)


def totals_of(tensors: Iterable[Tensor]) -> Totals:
    """The sums over tensors that are there."""
    if isinstance(tensors, ManyTensors):
        return tensors.totals()
    found = Totals()
    unique: dict[tuple[object, ...], Tensor] = {}
    storages = {}
    for tensor in tensors:
        nbytes = window.nbytes(tensor)
        found.count += 1
        found.whole += window.complete(tensor) and tensor.storage is not None
        found.elements += tensor.elements
        found.nbytes += nbytes
        found.dtypes.setdefault(tensor.dtype, Counted()).add(nbytes)
        unique[identity(tensor)] = tensor
        if tensor.storage is not None and tensor.kind != "array":
            storages[id(tensor.storage)] = tensor.storage
    for tensor in unique.values():
        found.unique_elements += tensor.elements
        found.unique_nbytes += window.nbytes(tensor)
    for storage in storages.values():
        found.locations.setdefault(storage.location, Counted()).add(storage.nbytes)
    return found


def identity(tensor: Tensor) -> tuple[object, ...]:
    """What two names of the same elements have in common."""
    if tensor.storage is None:
        return (id(tensor),)
    return (id(tensor.storage), tensor.storage_offset, tensor.shape, tensor.stride)
