"""How tensors lie on their storages: expanded ones, ones that overlap themselves, storages kept whole for a part.

Only sizes and strides are looked at, no element. Tensors of one shape and stride are judged once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final, NamedTuple

import numpy as np

from viewer.core.problem import Problem, note
from viewer.core.tensors import window
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.layout import Shape
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor, inner_tensors
from viewer.wording.told import Told

NAMED: Final = 3
MOST_PLACES: Final = 64 * 1024
"""Elements of one layout whose places are counted."""
MOST_COUNTED: Final = 1024 * 1024
"""Places that are counted for one document."""


class Form(NamedTuple):
    """A size and stride: places that are used, the lowest and the highest of them, and what is odd about it."""

    places: int
    low: int
    high: int
    expanded: bool = False
    overlaps: bool = False


class Used(NamedTuple):
    """What one tensor uses of its storage, in bytes: from `start` to `stop`, and how many of these."""

    start: int
    stop: int
    nbytes: int
    tensor: Tensor


@dataclass(slots=True)
class Uses:
    """What all tensors of a document use."""

    left: int = MOST_COUNTED
    forms: dict[tuple[Shape, Shape], Form] = field(default_factory=dict)
    whole: set[int] = field(default_factory=set)
    indices: set[int] = field(default_factory=set)
    parts: dict[int, tuple[Storage, list[Used]]] = field(default_factory=dict)
    expanded: list[Tensor] = field(default_factory=list)
    overlapping: list[Tensor] = field(default_factory=list)

    def add(self, tensor: Tensor) -> bool:
        """One tensor over a storage, or a bare storage. True when it fills its storage, and nothing is odd about it."""
        storage = tensor.storage
        if storage is None or tensor.kind == "array":
            return False
        key = id(storage)
        kind = DTYPES.get(tensor.dtype)
        if tensor.kind == "storage" or kind is None or kind.packed > 1 or len(tensor.shape) != len(tensor.stride):
            self.whole.add(key)
            return False
        layout = (tensor.shape, tensor.stride)
        form = self.forms.get(layout)
        if form is None:
            form = self.forms[layout] = self._form(*layout)
        if form.expanded:
            self.expanded.append(tensor)
        if form.overlaps:
            self.overlapping.append(tensor)
        size = kind.itemsize if not tensor.numpy_dtype else window.itemsize(tensor)
        nbytes = form.places * size
        if nbytes == storage.nbytes:
            self.whole.add(key)
            return not (form.expanded or form.overlaps or tensor.numpy_dtype)
        if key in self.whole:
            return False
        start = (tensor.storage_offset + form.low) * size
        used = Used(start, (tensor.storage_offset + form.high + 1) * size, nbytes, tensor)
        self.parts.setdefault(key, (storage, []))[1].append(used)
        return False

    def _form(self, shape: Shape, stride: Shape) -> Form:
        if 0 in shape:
            return Form(0, 0, -1)
        axes = sorted((abs(step), size) for size, step in zip(shape, stride, strict=True) if size > 1)
        moving = [(step, size) for step, size in axes if step]
        count, reach, is_doubtful = 1, 0, False
        for step, size in moving:
            is_doubtful = is_doubtful or step <= reach
            reach += step * (size - 1)
            count *= size
        low = sum(step * (size - 1) for size, step in zip(shape, stride, strict=True) if step < 0)
        distinct = self._distinct(moving, count, reach) if is_doubtful else count
        return Form(distinct, low, low + reach, len(moving) < len(axes), distinct < count)

    def _distinct(self, axes: list[tuple[int, int]], count: int, reach: int) -> int:
        """How many places are used, counted where they are few; else at most as many as there are."""
        if count > min(MOST_PLACES, self.left):
            return min(count, reach + 1)
        self.left -= count
        places = np.zeros(1, dtype=np.int64)
        for step, size in axes:
            places = (places[:, np.newaxis] + np.arange(size, dtype=np.int64) * step).reshape(-1)
        return len(np.unique(places))

    def add_indices(self, tensor: Tensor) -> None:
        """Storages of the indices of a sparse tensor: torch makes compressed ones as a row of a pair and keeps both."""
        if tensor.layout.startswith("sparse"):
            parts = (part.storage for role, part in tensor.parts if role.endswith("indices"))
            self.indices.update(id(storage) for storage in parts if storage is not None)

    def unused(self) -> list[tuple[int, Storage, list[Used]]]:
        """Storages that are not used to their last byte, with the bytes that no tensor uses, most first."""
        found = []
        for key, (storage, parts) in self.parts.items():
            if key in self.whole or key in self.indices:
                continue
            used = min(covered(parts, storage.nbytes), sum(part.nbytes for part in parts))
            if used < storage.nbytes:
                found.append((storage.nbytes - used, storage, parts))
        return sorted(found, key=lambda one: -one[0])


def covered(parts: Iterable[Used], size: int) -> int:
    """Bytes of [0, size) between the first and the last byte of any part."""
    total = reached = 0
    for part in sorted(parts, key=itemgetter(0, 1)):
        start, stop = max(part.start, reached), min(part.stop, size)
        if stop > start:
            total += stop - start
            reached = stop
    return total


def use_problems(tensors: Iterable[Tensor], are_all: bool = True) -> list[Problem]:
    """At most one note of a kind. `are_all`: no tensor is missing from the list, so that what is unused is known."""
    uses = Uses()
    plain: dict[tuple[str, Shape, Shape], int] = {}
    for tensor in tensors:
        storage = tensor.storage
        # almost all tensors have a storage of their own, which they fill
        if storage is not None and plain.get((tensor.dtype, tensor.shape, tensor.stride)) == storage.nbytes:
            uses.whole.add(id(storage))
        elif uses.add(tensor) and storage is not None:
            plain[tensor.dtype, tensor.shape, tensor.stride] = storage.nbytes
        for part in inner_tensors(tensor) if tensor.parts else ():
            uses.add(part)
        uses.add_indices(tensor)
    found = []
    if uses.expanded:
        found.append(note("tensor-expanded", window.span(uses.expanded[0]), **named(uses.expanded)))
    if uses.overlapping:
        found.append(note("tensor-overlap", window.span(uses.overlapping[0]), **named(uses.overlapping)))
    unused = uses.unused() if are_all else []
    if unused:
        _, storage, parts = unused[0]
        sizes = {"nbytes": sum(one[0] for one in unused), "size": sum(one[1].nbytes for one in unused)}
        names = named([part.tensor for part in parts])["names"]
        found.append(note("storage-part-used", storage.span, count=len(unused), key=storage.key, names=names, **sizes))
    return found


def named(tensors: list[Tensor]) -> dict[str, object]:
    """How many there are, and what the first ones are called."""
    names = list(dict.fromkeys(window.name_of(tensor) for tensor in tensors[: 2 * NAMED]))[:NAMED]
    first, more = ", ".join(names), len(tensors) - len(names)
    return {"count": len(tensors), "names": Told(first, " (+", more, ")") if more > 0 else first}
