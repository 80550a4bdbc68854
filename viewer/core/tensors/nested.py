"""Nested tensors: the tensors that one holds, each as a view of its values.

    nested   values: a flat buffer; sizes, strides [n, axes], offsets [n]: a view of it each
    jagged   values: all of them along one axis; offsets [n + 1]: where each begins there; lengths [n], where stated

Source: torch 2.13, `torch/nested/_internal/nested_tensor.py` and NestedTensorImpl.h.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import overload

from typing_extensions import override

from viewer.core.tensors.elements import holds_integers
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import NoValuesError, name_of, read

NESTED = "nested"
JAGGED = "jagged"
COUNTED = ("sizes", "strides", "offsets", "lengths")


@dataclass(frozen=True, slots=True)
class Held(Sequence[Tensor]):
    """The tensors of a nested one, made when they are asked for.

    To ask for one raises NoValuesError where what the file states is no view of the values, and IncompleteError.
    """

    tensor: Tensor
    parts: dict[str, Tensor]
    total: int

    @override
    def __len__(self) -> int:
        return self.total

    @overload
    def __getitem__(self, number: int) -> Tensor: ...

    @overload
    def __getitem__(self, number: slice) -> list[Tensor]: ...

    @override
    def __getitem__(self, number: int | slice) -> Tensor | list[Tensor]:
        if isinstance(number, slice):
            return [self[at] for at in range(*number.indices(self.total))]
        if not 0 <= number < self.total:
            raise IndexError(number)
        return self._jagged(number) if self.tensor.layout == JAGGED else self._nested(number)

    def _nested(self, number: int) -> Tensor:
        shape, stride = (tuple(read(self.parts[role], (number,)).tolist()) for role in ("sizes", "strides"))
        offset = int(read(self.parts["offsets"], (number,)))
        return self._view(number, shape, stride, offset)

    def _jagged(self, number: int) -> Tensor:
        values, axis = self.parts["values"], self._axis
        first = int(read(self.parts["offsets"], (number,)))
        if "lengths" in self.parts:
            length = int(read(self.parts["lengths"], (number,)))
        else:
            length = int(read(self.parts["offsets"], (number + 1,))) - first
        if first < 0 or length < 0 or first + length > values.shape[axis]:
            raise NoValuesError(self.tensor)
        shape = (*values.shape[:axis], length, *values.shape[axis + 1 :])
        return self._view(number, shape, values.stride, first * values.stride[axis])

    @property
    def _axis(self) -> int:
        """The axis of the values that the tensors stand along."""
        return self.tensor.ragged - 1

    def _view(self, number: int, shape: Sequence[int], stride: Sequence[int], offset: int) -> Tensor:
        """A part of the values."""
        if len(shape) != len(stride) or min((offset, *shape, *stride)) < 0:
            raise NoValuesError(self.tensor)
        values = self.parts["values"]
        at = values.storage_offset + offset
        name = f"{name_of(self.tensor)}[{number}]"
        return replace(values, path=(), name=name, shape=tuple(shape), stride=tuple(stride), storage_offset=at)


def held(tensor: Tensor) -> Held | None:
    """The tensors of a nested one; None for what is none, and where a part is missing, misshapen or no integers."""
    parts = dict(tensor.parts)
    if tensor.layout not in (NESTED, JAGGED) or any(part.storage is None for part in parts.values()):
        return None
    needed = ("values", "sizes", "strides", "offsets") if tensor.layout == NESTED else ("values", "offsets")
    if any(role not in parts for role in needed) or len(parts["offsets"].shape) != 1:
        return None
    if not all(holds_integers(part) for role, part in parts.items() if role in COUNTED):
        return None
    count = parts["offsets"].shape[0]
    if tensor.layout == NESTED:
        shapes = {parts[role].shape for role in ("sizes", "strides")}
        fits = len(shapes) == 1 and all(len(shape) == 2 and shape[0] == count for shape in shapes)
        return Held(tensor, parts, count) if fits else None
    count -= 1
    fits = 0 < tensor.ragged <= len(parts["values"].shape) and count >= 0
    if "lengths" in parts:
        fits = fits and parts["lengths"].shape == (count,)
    return Held(tensor, parts, count) if fits else None
