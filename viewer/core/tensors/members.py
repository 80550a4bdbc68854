"""The elements of a bar of a histogram, some at a time: their places in row-major order.

Of elements that repeat along an axis the first is named: all others are the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from viewer.core.progress import Progress
from viewer.core.tensors.histogram import all_numbers, numbers_per_element
from viewer.core.tensors.layout import Shape, is_row_major, unravel
from viewer.core.tensors.repeated import distinct
from viewer.core.tensors.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Bar:
    """The numbers of one bar: `low` is among them, `high` only in the `last` bar."""

    low: float
    high: float
    last: bool = False


@dataclass(frozen=True, slots=True)
class Members:
    """Some elements. `places`: in the distinct elements, whose shape is `shape`. `more`: others stand behind them."""

    places: tuple[int, ...]
    shape: Shape
    more: bool

    def index(self, number: int) -> Shape:
        """The index of one of them in the tensor."""
        return unravel(self.shape, self.places[number])


def members(tensor: Tensor, bar: Bar, start: int, most: int, progress: Progress | None = None) -> Members:
    """The first `most` elements of a bar from the place `start` on. Raises what `histogram` does."""
    once, _ = distinct(tensor)
    places: list[int] = []
    per = numbers_per_element(once)
    begin = start if _can_begin_inside(once) and start < once.elements else 0
    read = _from(once, begin) if begin else once
    at = begin * per
    for numbers in all_numbers(read, progress):
        if at + len(numbers) > start * per:
            within = (numbers >= bar.low) & ((numbers <= bar.high) if bar.last else (numbers < bar.high))
            within[: max(0, start * per - at)] = False
            found = np.unique((np.flatnonzero(within) + at) // per)
            places += [place for place in found[: most + 2 - len(places)].tolist() if place not in places[-1:]]
        if len(places) > most:
            break
        at += len(numbers)
    return Members(tuple(places[:most]), once.shape, len(places) > most)


def _can_begin_inside(tensor: Tensor) -> bool:
    """Whether the numbers from a place on are those of a tensor too."""
    return tensor.quantizer is None and is_row_major(tensor.shape, tensor.stride)


def _from(tensor: Tensor, place: int) -> Tensor:
    shape = (tensor.elements - place,)
    return replace(tensor, shape=shape, stride=(1,), storage_offset=tensor.storage_offset + place)
