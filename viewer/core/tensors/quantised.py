"""The quantizer among the arguments of `_rebuild_qtensor`, and whether it fits its tensor.

    (torch.per_tensor_affine, scale, zero_point)
    (torch.per_channel_affine, scales, zero_points, axis)    lists in torch 1.3, tensors since

Quantizers with float zero points are written as per_channel_affine too; the type of the zero points tells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.dtypes import dtype
from viewer.core.tensors.tensor import Parameters, Quantizer, Tensor

FLOAT_SCHEME = "per_channel_affine_float_qparams"


def read_quantizer(values: Values, value: int, inner: Callable[[int], Tensor | None]) -> Quantizer | None:
    """The quantizer that a tuple states; None where its items are of a wrong kind. `inner`: the tensor of a value."""
    if values.kind(value) is not Kind.TUPLE:
        return None
    items = values.items(value)
    scheme = values.global_name(items[0]) if items else None
    if scheme is None or len(items) < 3:
        return None
    scale, zero = _parameters(values, items[1], inner), _parameters(values, items[2], inner)
    if scale is None or zero is None:
        return None
    if not scheme[1].startswith("per_channel"):
        return Quantizer(scheme[1], scale, zero)
    axis = values.integer(items[3]) if len(items) > 3 else None
    if axis is None:
        return None
    return Quantizer(FLOAT_SCHEME if _is_float(zero) else scheme[1], scale, zero, axis)


def fitted(tensor: Tensor, quantizer: Quantizer) -> tuple[Quantizer, dict[str, int]]:
    """The quantizer with its axis counted from the front, and what does not fit: axis, found, expected.

    A quantizer whose axis does not exist is left without one.
    """
    axis = quantizer.axis
    if axis is None:
        return quantizer, {}
    rank = len(tensor.shape)
    if not -rank <= axis < rank:
        return replace(quantizer, axis=None), {"axis": axis, "found": rank, "expected": axis + 1}
    axis %= rank
    counts = [_count(part) for part in (quantizer.scale, quantizer.zero_point)]
    wrong = [count for count in counts if count != tensor.shape[axis]]
    facts = {"axis": axis, "found": wrong[0], "expected": tensor.shape[axis]} if wrong else {}
    return replace(quantizer, axis=axis), facts


def _parameters(values: Values, value: int, inner: Callable[[int], Tensor | None]) -> Parameters | None:
    kind = values.kind(value)
    if kind is Kind.CALL:
        return inner(value)
    if kind in (Kind.LIST, Kind.TUPLE):
        found = [values.plain(item) for item in values.items(value)]
        listed = tuple(number for number in found if isinstance(number, int | float))
        return listed if len(listed) == len(found) else None
    number = values.plain(value)
    return number if isinstance(number, int | float) else None


def _count(given: Parameters) -> int:
    if isinstance(given, Tensor):
        return given.elements
    return len(given) if isinstance(given, tuple) else 1


def _is_float(given: Parameters) -> bool:
    if isinstance(given, Tensor):
        known = dtype(given.dtype)
        return known is not None and known.group in ("float", "half")
    return isinstance(given, tuple) and any(isinstance(number, float) for number in given)
