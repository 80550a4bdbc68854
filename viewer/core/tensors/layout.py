"""Arithmetic of shapes and strides: which elements of a storage a tensor uses. Strides count elements."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Final

Shape = tuple[int, ...]
STEPS: Final = 200_000


def row_major(shape: Sequence[int]) -> Shape:
    """The strides of a contiguous tensor, in torch's way: sizes of 0 count as 1."""
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * max(1, shape[axis + 1])
    return tuple(strides)


def column_major(shape: Sequence[int]) -> Shape:
    """The strides of an array in Fortran order."""
    return tuple(reversed(row_major(tuple(reversed(shape)))))


def is_row_major(shape: Sequence[int], stride: Sequence[int]) -> bool:
    """Whether the elements follow one another in the order of their index; axes of one element do not count."""
    expected = 1
    if 0 in shape:
        return True
    for size, step in zip(reversed(shape), reversed(stride), strict=True):
        if size != 1:
            if step != expected:
                return False
            expected *= size
    return True


def plane_axes(shape: Sequence[int]) -> tuple[int, int]:
    """The two axes whose plane shows most at once: the last two of more than one element, else the last two.

    Where only one axis has more, its neighbour in front (behind the first axis: the next) is the other. -1: none.
    """
    rank = len(shape)
    if rank < 2:
        return rank - 1, rank - 1
    long = [axis for axis, size in enumerate(shape) if size > 1]
    if 0 in shape or not long or (long[-1] >= rank - 2 and len(long) == 1):
        return rank - 2, rank - 1
    if len(long) >= 2:
        return long[-2], long[-1]
    return (long[0], long[0] + 1) if long[0] == 0 else (long[0] - 1, long[0])


def reach(shape: Sequence[int], stride: Sequence[int]) -> tuple[int, int]:
    """Lowest and highest element used, counted from the first; (0, -1) when there is none."""
    low = high = 0
    for size, step in zip(shape, stride, strict=True):
        if size == 0:
            return 0, -1
        if step < 0:
            low += (size - 1) * step
        else:
            high += (size - 1) * step
    return low, high


def place(stride: Sequence[int], index: Sequence[int]) -> int:
    """Where an element stands, counted in elements from the first."""
    return sum(step * at for step, at in zip(stride, index, strict=True))


def unravel(shape: Sequence[int], flat: int) -> Shape:
    """The index of the element with this number in row-major order."""
    index = []
    for size in reversed(shape):
        flat, at = divmod(flat, size)
        index.append(at)
    return tuple(reversed(index))


def index_of(shape: Sequence[int], stride: Sequence[int], target: int) -> Shape | None:
    """The smallest index whose element stands `target` elements from the first; None where there is none.

    Smallest: first in row-major order, where several share the place. Gives up after 200,000 steps, which
    takes a tensor of three or more axes that overlap in odd steps.
    """
    if 0 in shape:
        return None
    index = [0] * len(shape)
    axes = [axis for axis, size in enumerate(shape) if size > 1 and stride[axis] != 0]
    if not axes:
        return tuple(index) if target == 0 else None
    # A falling axis counts from its far end, so that all steps rise.
    for axis in axes:
        if stride[axis] < 0:
            target -= stride[axis] * (shape[axis] - 1)
    sizes = [shape[axis] for axis in axes]
    steps = [abs(stride[axis]) for axis in axes]
    falling = [stride[axis] < 0 for axis in axes]
    found = _search(sizes, steps, falling, target)
    if found is None:
        return None
    for axis, at, falls in zip(axes, found, falling, strict=True):
        index[axis] = shape[axis] - 1 - at if falls else at
    return tuple(index)


def _search(sizes: list[int], steps: list[int], falling: list[bool], target: int) -> list[int] | None:
    """Indices with sum(index * step) == target: per axis only those that the axes behind it can complete."""
    count = len(sizes)
    rest_reach, rest_gcd = [0] * count, [0] * count
    for axis in range(count - 2, -1, -1):
        rest_reach[axis] = rest_reach[axis + 1] + (sizes[axis + 1] - 1) * steps[axis + 1]
        rest_gcd[axis] = gcd(rest_gcd[axis + 1], steps[axis + 1])
    chosen: list[int] = []
    open_axes = [_choices(sizes[0], steps[0], rest_reach[0], rest_gcd[0], target, falling[0])]
    targets = [target]
    for _ in range(STEPS):
        axis = len(open_axes) - 1
        choices = open_axes[axis]
        if not choices:
            open_axes.pop()
            targets.pop()
            if not chosen:
                return None
            chosen.pop()
            continue
        at = choices[0]
        open_axes[axis] = choices[1:]
        if axis == count - 1:
            return [*chosen, at]
        left = targets[axis] - at * steps[axis]
        chosen.append(at)
        targets.append(left)
        behind = axis + 1
        open_axes.append(
            _choices(sizes[behind], steps[behind], rest_reach[behind], rest_gcd[behind], left, falling[behind])
        )
    return None


def _choices(size: int, step: int, rest_reach: int, rest_gcd: int, target: int, falls: bool) -> range:
    """The indices of one axis that leave a remainder in reach of the axes behind it, smallest real index first."""
    low = max(0, -(-(target - rest_reach) // step))
    high = min(size - 1, target // step)
    if low > high:
        return range(0)
    if rest_gcd == 0:
        return range(low, low + 1) if low * step == target else range(0)
    common = gcd(step, rest_gcd)
    if target % common:
        return range(0)
    modulus = rest_gcd // common
    solution = (target // common) * pow(step // common, -1, modulus) % modulus if modulus > 1 else 0
    first = low + (solution - low) % modulus
    found = range(first, high + 1, modulus)
    return found[::-1] if falls else found


def distinct(shape: Sequence[int], stride: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Shape and stride of the same elements, each once where axes repeat them: expanded, or windows that overlap."""
    found: list[tuple[int, int]] = []
    for step, size in sorted((step, size) for size, step in zip(shape, stride, strict=True) if step and size != 1):
        inner, count = found[-1] if found else (0, 0)
        if inner > 0 and step % inner == 0 and step // inner <= count:
            found[-1] = inner, count + (size - 1) * (step // inner)
        else:
            found.append((step, size))
    if 0 in shape:
        return (0,), (1,)
    return tuple(size for _, size in reversed(found)), tuple(step for step, _ in reversed(found))
