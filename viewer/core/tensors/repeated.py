"""Axes along which one element stands at every index: an expanded tensor of 2^64 elements may be a single stored one.

What is counted over all elements is counted over the distinct ones, and multiplied.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Final

from viewer.core.tensors.layout import Shape, reach
from viewer.core.tensors.tensor import Tensor

MOST_OFTEN: Final = 256
"""How often windows that overlap may read a stored element again: an FFT's are read 4 to 16 times."""
FEW: Final = 2**28
"""Elements that are read whatever overlaps: a second's work."""


def distinct(tensor: Tensor) -> tuple[Tensor, int]:
    """The tensor with one index of each axis along which elements repeat, and how often each of its elements comes.

    The first index of an element is the same in both. The axis of a quantizer stays: its scales differ.
    """
    kept = tensor.quantizer.axis if tensor.quantizer is not None else None
    if len(tensor.stride) != len(tensor.shape) or 0 in tensor.shape:
        return tensor, 1
    repeats = [
        axis
        for axis, (size, step) in enumerate(zip(tensor.shape, tensor.stride, strict=True))
        if step == 0 and size > 1 and axis != kept
    ]
    if not repeats:
        return tensor, 1
    shape: Shape = tuple(1 if axis in repeats else size for axis, size in enumerate(tensor.shape))
    return replace(tensor, shape=shape), prod(tensor.shape[axis] for axis in repeats)


def stored_places(tensor: Tensor) -> int:
    """Places of its storage between the first and the last that a tensor uses."""
    low, high = reach(tensor.shape, tensor.stride)
    return high - low + 1


def is_endless(tensor: Tensor) -> bool:
    """Whether elements overlap so often that a pass over all of them would not end, though its bytes are few."""
    if tensor.storage is None or len(tensor.stride) != len(tensor.shape):
        return False
    once, _ = distinct(tensor)
    return once.elements > FEW and once.elements > MOST_OFTEN * stored_places(once)
