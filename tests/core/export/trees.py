"""Random trees of tensors: types, shapes, strides and sharing as they come, with the arrays that they are."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from tests.builders.torch_values import DTYPES, Storage, tensor
from viewer.core.tensors.dtypes import DTYPES as KNOWN

TYPES: Final = sorted(name for name in DTYPES if not name.startswith(("q", "float4")))
NAMES: Final = st.text(st.characters(exclude_categories=("Cs",)), max_size=6)
Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class View:
    """One tensor: which storage, and how it lies there."""

    storage: int
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int

    @property
    def last(self) -> int:
        """The last element used."""
        if 0 in self.shape:
            return -1
        return self.offset + sum((size - 1) * step for size, step in zip(self.shape, self.stride, strict=True))


@dataclass(frozen=True)
class Tree:
    """A state_dict for the builders, and what stands in it by name. `big`: the storages' bytes are turned round.

    `types`: of the storages.
    """

    value: OrderedDict[str, object]
    views: dict[str, View]
    arrays: dict[str, Array]
    big: bool
    deflated: bool
    types: tuple[str, ...]


@st.composite
def views(draw: st.DrawFn, storages: int) -> View:
    """A view of one of so many storages."""
    shape = tuple(draw(st.lists(st.integers(0, 4), max_size=4)))
    stride = tuple(draw(st.integers(0, 6)) for _ in shape)
    return View(draw(st.integers(0, storages - 1)), shape, stride, draw(st.integers(0, 3)))


@st.composite
def trees(draw: st.DrawFn, known: Sequence[str] = TYPES) -> Tree:
    """A whole tree. `known`: the element types that it may have."""
    types = draw(st.lists(st.sampled_from(known), min_size=1, max_size=3))
    named = draw(st.dictionaries(NAMES, views(len(types)), min_size=1, max_size=6))
    big, deflated = draw(st.booleans()), draw(st.booleans())
    storages, flat = [], []
    for number, name in enumerate(types):
        # torch makes a storage of no bytes anew at each use, so that none is shared: each has one element at least
        count = 1 + max((view.last for view in named.values() if view.storage == number and view.last >= 0), default=0)
        item = DTYPES[name][1]
        data = draw(st.binary(min_size=count * item, max_size=count * item))
        storages.append(Storage(name, turned(data, name) if big else data))
        flat.append(data)
    value = OrderedDict((name, tensor(storages[v.storage], v.shape, v.stride, v.offset)) for name, v in named.items())
    arrays = {name: strided(flat[view.storage], types[view.storage], view) for name, view in named.items()}
    return Tree(value, named, arrays, big, deflated, tuple(types))


def turned(data: bytes, dtype: str) -> bytes:
    """The bytes with every number turned round, the halves of complex ones each for themselves."""
    unit = DTYPES[dtype][1] // (2 if dtype.startswith("complex") else 1)
    return b"".join(data[at : at + unit][::-1] for at in range(0, len(data), unit))


def strided(data: bytes, dtype: str, view: View) -> Array:
    """The array that a view is, made element by element."""
    kind = KNOWN[dtype].numpy
    assert kind is not None
    if dtype == "bool":  # numpy would make every true byte 1
        return strided(data, "uint8", view).view(np.bool_)
    flat = np.frombuffer(data, kind)
    found = np.zeros(view.shape, kind)
    for index in np.ndindex(view.shape):
        found[index] = flat[view.offset + sum(at * step for at, step in zip(index, view.stride, strict=True))]
    return found
