"""The calls by which torch of today makes tensors again that are more than plain elements.

    _rebuild_qtensor(S, offset, size, stride, (scheme, scale, zero_point[, axis]), requires_grad, hooks)
    _rebuild_sparse_tensor(_get_layout(name), (indices, values, size[, is_coalesced]))            COO
    _rebuild_sparse_tensor(_get_layout(name), (compressed indices, plain indices, values, size))  CSR, CSC, BSR, BSC
    _rebuild_nested_tensor(buffer, sizes, strides, offsets)
    _rebuild_meta_tensor_no_storage(dtype, size, stride, requires_grad)

All of them are names that loading with weights_only accepts.
"""

from __future__ import annotations

from typing import Final

from viewer.core.export.plan import Item
from viewer.core.export.special import META, NESTED, QUANTISED_KIND, SPARSE, quantizer_parts
from viewer.core.pickles.writer import ORDERED_DICT, Call, Global, Persistent
from viewer.core.tensors.special import SPARSE_ROLES
from viewer.core.tensors.tensor import Quantizer, Tensor

UTILS: Final = "torch._utils"
QTENSOR: Final = Global(UTILS, "_rebuild_qtensor")
SPARSE_TENSOR: Final = Global(UTILS, "_rebuild_sparse_tensor")
NESTED_TENSOR: Final = Global(UTILS, "_rebuild_nested_tensor")
META_TENSOR: Final = Global(UTILS, "_rebuild_meta_tensor_no_storage")
GET_LAYOUT: Final = Global("torch.serialization", "_get_layout")
PARAMETER: Final = Global("torch._utils", "_rebuild_parameter")
SIZE: Final = Global("torch", "Size")
NO_STORAGE: Final = frozenset({SPARSE, NESTED, META})
"""Kinds that have no storage of their own."""
COO: Final = "sparse_coo"
PER_TENSOR: Final = Global("torch", "per_tensor_affine")
PER_CHANNEL: Final = Global("torch", "per_channel_affine")
"""Also of float zero points: torch tells these by their type."""
COALESCED_SINCE: Final = (2, 1)
COMPRESSED_SINCE: Final = (2, 0)
NESTED_SINCE: Final = (2, 2)
META_SINCE: Final = (1, 10)
PACKED_SINCE: Final = {"quint4x2": (1, 8), "quint2x4": (1, 12)}


def parts_of(tensor: Tensor, kind: str) -> list[tuple[str, Tensor]]:
    """The tensors in the call of one, in the order of its arguments."""
    if kind == QUANTISED_KIND and tensor.quantizer is not None:
        return quantizer_parts(tensor.quantizer)
    if kind == SPARSE:
        held = dict(tensor.parts)
        return [(role, held[role]) for role in SPARSE_ROLES[tensor.layout]]
    return list(tensor.parts) if kind == NESTED else []


def keeps_grad(item: Item) -> bool:
    """True for a tensor that requires a gradient and can: torch refuses that of integers, also of quantised ones."""
    return item.kind != QUANTISED_KIND and bool(item.tensor.requires_grad)


def special_call(item: Item, storage: Persistent | None, parts: tuple[Call, ...], needs_grad: bool = False) -> Call:
    """The call for an item that is not plain. `storage`: its own, where it has one; `parts`: the calls of its parts.

    Only parameters can say of tensors without a storage that they require a gradient.
    """
    if item.kind in (SPARSE, NESTED) and needs_grad:
        return Call(PARAMETER, (special_call(item, storage, parts), True, Call(ORDERED_DICT)))
    tensor = item.tensor
    if item.kind == QUANTISED_KIND and tensor.quantizer is not None:
        place = (storage, 0 if item.copied else tensor.storage_offset, tensor.shape, item.stride)
        return Call(QTENSOR, (*place, quantizer_of(tensor.quantizer, parts), False, Call(ORDERED_DICT)))
    if item.kind == SPARSE:
        known = tensor.layout == COO and tensor.coalesced is not None
        data = (*parts, Call(SIZE, (tensor.shape,)), *((tensor.coalesced,) if known else ()))
        return Call(SPARSE_TENSOR, (Call(GET_LAYOUT, (f"torch.{tensor.layout}",)), data))
    if item.kind == NESTED:
        return Call(NESTED_TENSOR, parts)
    return Call(META_TENSOR, (Global("torch", item.dtype), tensor.shape, item.stride, needs_grad))


def quantizer_of(quantizer: Quantizer, parts: tuple[Call, ...]) -> tuple[object, ...]:
    """The quantizer as an argument."""
    if quantizer.axis is not None:
        return (PER_CHANNEL, *parts, quantizer.axis)
    assert isinstance(quantizer.scale, int | float)
    return (PER_TENSOR, float(quantizer.scale), quantizer.zero_point)


def special_since(item: Item) -> tuple[int, int]:
    """The first torch that has what makes an item; (0, 0) for any."""
    if item.kind == SPARSE and item.tensor.layout != COO:
        return COMPRESSED_SINCE
    if item.kind == SPARSE and item.tensor.coalesced is not None:
        return COALESCED_SINCE
    if item.kind == NESTED:
        return NESTED_SINCE
    return META_SINCE if item.kind == META else PACKED_SINCE.get(item.dtype, (0, 0))
