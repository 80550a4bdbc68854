"""Which elements of other tensors stand in the bytes of one element: tensors that share a storage."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.core.tensors.layout import Shape
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import element_at, element_offset


def elements_beside(tensors: Sequence[Tensor], tensor: Tensor, index: Shape, most: int) -> list[tuple[Tensor, Shape]]:
    """Other tensors that have the first byte of an element, with their index there, at most so many.

    `tensors`: all of the document, of which `shared_with` has the numbers.
    """
    place = element_offset(tensor, index)
    found: list[tuple[Tensor, Shape]] = []
    for number in tensor.shared_with if place is not None else ():
        other = tensors[number]
        at = element_at(other, place.start) if place is not None and other.member == tensor.member else None
        if at is not None:
            found.append((other, at))
        if len(found) == most:
            break
    return found
