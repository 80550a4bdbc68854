"""Tensors that are more than a view of one storage: what their call states, and the tensors that they are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.dtypes import dtype, numpy_type, type_text
from viewer.core.tensors.functions import FROM_TYPE, WITH_STATE
from viewer.core.tensors.tensor import Tensor

Part = Callable[[int], tuple[str, tuple[int, ...]] | None]


@dataclass(frozen=True, slots=True)
class Stated:
    """What a call says. "" and () where it says nothing of the kind. `parts`: role and value of each inner tensor."""

    dtype: str = ""
    shape: tuple[int, ...] = ()
    stride: tuple[int, ...] = ()
    offset: int = 0
    layout: str = "strided"
    requires_grad: bool | None = None
    parts: tuple[tuple[str, int], ...] = ()
    coalesced: bool | None = None
    ragged: int = 1


SPARSE_ROLES: Final = {
    "sparse_coo": ("indices", "values"),
    "sparse_csr": ("crow_indices", "col_indices", "values"),
    "sparse_bsr": ("crow_indices", "col_indices", "values"),
    "sparse_csc": ("ccol_indices", "row_indices", "values"),
    "sparse_bsc": ("ccol_indices", "row_indices", "values"),
}
"""Sparse layout -> what torch calls the tensors that it is made of, in the order of the arguments."""
Layout = tuple[int, tuple[int, ...], tuple[int, ...]]
MOST_AXES: Final = 200
"""Sizes of a shape that are read; numpy has 64 at most, torch a few more.

Python writes numbers of 4,300 digits, no more: so many sizes of 64 bits multiply to fewer.
"""


def integers(values: Values, value: int) -> tuple[int, ...] | None:
    """The ints of a tuple, a list or a torch.Size; None for all else."""
    if values.kind(value) is Kind.CALL and values.call_name(value) == ("torch", "Size"):
        args = values.arguments(value)
        if not args:
            return ()
        value = args[0]
    if values.kind(value) not in (Kind.TUPLE, Kind.LIST):
        return None
    items = values.items(value)
    if len(items) > MOST_AXES:
        return None
    numbers = [values.integer(item) for item in items]
    found = tuple(number for number in numbers if number is not None)
    return found if len(found) == len(numbers) else None


def truth(values: Values, value: int) -> bool | None:
    """A bool; None for all else."""
    found = values.plain(value)
    return found if isinstance(found, bool) else None


def layout_of(values: Values, args: list[int]) -> Layout | None:
    """Storage offset, size and stride; None where one of them is of a wrong kind."""
    if len(args) != 3:
        return None
    offset = values.integer(args[0])
    shape, stride = integers(values, args[1]), integers(values, args[2])
    return None if offset is None or shape is None or stride is None else (offset, shape, stride)


def apply_metadata(values: Values, tensor: Tensor, value: int) -> None:
    """Set the conj and neg bits that a mapping states."""
    if values.kind(value) is not Kind.DICT:
        return
    for key, flag in values.pairs(value):
        text = values.text(key)
        if text == "conj":
            tensor.conj = bool(truth(values, flag))
        elif text == "neg":
            tensor.neg = bool(truth(values, flag))


def state_items(values: Values, value: int) -> list[int]:
    """The items of the last state that BUILD gave, when it is a tuple."""
    states = values.states(value)
    if not states or values.kind(states[-1]) is not Kind.TUPLE:
        return []
    return values.items(states[-1])


def attributes(values: Values, state: int) -> list[tuple[str, int]]:
    """The attributes that a state gives: a mapping, or a pair of it and the slots."""
    given = values.items(state) if values.kind(state) is Kind.TUPLE else [state]
    mappings = [part for part in given if values.kind(part) is Kind.DICT]
    named = ((values.text(key), value) for part in mappings for key, value in values.pairs(part))
    return [(name, value) for name, value in named if name]


def own_attributes(values: Values, value: int) -> list[tuple[str, int]]:
    """The Python attributes that the call of a tensor gives it: of a subclass, of a parameter with state."""
    name = values.call_name(value) if values.kind(value) is Kind.CALL else None
    args = values.arguments(value) if name in FROM_TYPE or name == WITH_STATE else []
    return attributes(values, args[3]) if len(args) > 3 else []


def stated_type(values: Values, value: int) -> str:
    """The torch name of a dtype that a global names; "" for all else."""
    name = values.global_name(value)
    known = dtype(name[1]) if name is not None and name[0] == "torch" else None
    return known.name if known is not None else ""


def stated_layout(values: Values, value: int) -> str:
    """A layout by name: a global, or a call of _get_layout with its text."""
    name = values.global_name(value)
    if name is None and values.kind(value) is Kind.CALL:
        args = values.arguments(value)
        text = values.text(args[0]) if args else None
        return "" if text is None else text.removeprefix("torch.")
    return "" if name is None else name[1]


def describe(values: Values, name: tuple[str, str], args: list[int], part: Part) -> Stated | None:
    """What the call of a function of SPECIAL states; None where its arguments are of a wrong kind.

    `part(value)` gives dtype and shape of a tensor or storage among the arguments.
    """
    read, count = SPECIAL[name]
    return read(values, args, part) if len(args) >= count else None


def _sparse(values: Values, args: list[int], part: Part) -> Stated | None:
    if values.kind(args[1]) is not Kind.TUPLE:
        return None
    data, layout = values.items(args[1]), stated_layout(values, args[0])
    roles = SPARSE_ROLES.get(layout, SPARSE_ROLES["sparse_csr"])
    count = len(roles)
    if len(data) < count + 1:
        return None
    held, shape = part(data[count - 1]), integers(values, data[count])
    coalesced = truth(values, data[count + 1]) if len(data) > count + 1 and layout == "sparse_coo" else None
    found = tuple(zip(roles, data, strict=False))
    kind = "" if held is None else held[0]
    return Stated(kind, shape or (), layout=layout, requires_grad=False, parts=found, coalesced=coalesced)


def _nested(values: Values, args: list[int], part: Part) -> Stated | None:
    del values
    held = part(args[0])
    found = tuple(zip(("values", "sizes", "strides", "offsets"), args, strict=False))
    return Stated("" if held is None else held[0], layout="nested", requires_grad=False, parts=found)


def _jagged(values: Values, args: list[int], part: Part) -> Stated | None:
    """A mapping of parts; its `values` tell the type."""
    if values.kind(args[0]) is not Kind.DICT:
        return None
    kind, found, ragged = "", [], 1
    for key, value in values.pairs(args[0]):
        role = (values.text(key) or "").removeprefix("_")
        if role == "values":
            held = part(value)
            kind = "" if held is None else held[0]
        if role in ("values", "offsets", "lengths"):
            found.append((role, value))
        elif role == "ragged_idx":
            ragged = values.integer(value) or 0
    return Stated(kind, layout="jagged", parts=tuple(found), ragged=ragged)


def _meta(values: Values, args: list[int], part: Part) -> Stated | None:
    del part
    shape, stride = integers(values, args[1]), integers(values, args[2])
    if shape is None or stride is None:
        return None
    return Stated(stated_type(values, args[0]), shape, stride, requires_grad=truth(values, args[3]))


def _wrapper(values: Values, args: list[int], part: Part) -> Stated | None:
    del part
    shape, stride, offset = integers(values, args[2]), integers(values, args[3]), values.integer(args[4])
    if shape is None or stride is None:
        return None
    layout = stated_layout(values, args[5]) or "strided"
    return Stated(stated_type(values, args[1]), shape, stride, offset or 0, layout, truth(values, args[7]))


def _uninitialised(values: Values, args: list[int], part: Part) -> Stated | None:
    del part
    return Stated(requires_grad=truth(values, args[0]) if args else None)


def sparse_fault(tensor: Tensor) -> dict[str, object]:
    """Which part of a sparse tensor has a shape that does not fit the others, by their shapes alone; {} for none."""
    roles, parts = SPARSE_ROLES.get(tensor.layout, ()), dict(tensor.parts)
    if len(parts) < len(roles) or not roles:
        return {}
    held, first = parts["values"].shape, parts[roles[0]].shape
    count, rank = held[0] if held else -1, len(tensor.shape)
    if len(roles) == 2:
        rows = first[0] if len(first) == 2 else -1
        wrong = len(first) != 2 or first[1] != count or rows + len(held) - 1 != rank
        return {"role": roles[0], "shape": list(first), "values": list(held)} if wrong else {}
    batches = len(first) - 1
    second = parts[roles[1]].shape
    if len(first) < 1 or len(second) != len(first) or held[: len(second)] != second or rank < batches + 2:
        return {"role": roles[1], "shape": list(second), "values": list(held)}
    blocks = held[len(second) : len(second) + 2] if "bs" in tensor.layout else (1, 1)
    axis = 0 if roles[0] == "crow_indices" else 1
    size = tensor.shape[batches + axis] // max(1, blocks[axis]) if len(blocks) == 2 else -1
    return {} if first[-1] == size + 1 else {"role": roles[0], "shape": list(first), "values": list(held)}


def converted(tensor: Tensor, kind: str, function: str) -> Tensor:
    """An array or tensor as a tensor of this torch type; `numpy_dtype` and a note remain where torch converts it."""
    before, known = dtype(tensor.dtype), dtype(kind)
    stored = numpy_type(tensor.numpy_dtype).newbyteorder("<") if tensor.numpy_dtype else None
    if tensor.kind == "tensor" and before is not None and before.numpy is not None:
        stored = before.numpy
    if known is None or known.numpy is None or stored is None or known.numpy != stored:
        tensor.note = function
        tensor.numpy_dtype = type_text(stored) if stored is not None else tensor.numpy_dtype
    else:
        tensor.numpy_dtype = ""
    tensor.kind, tensor.dtype = "tensor", kind
    return tensor


Reader = Callable[[Values, list[int], Part], Stated | None]
_UTILS: Final = "torch._utils"
SPECIAL: Final[dict[tuple[str, str], tuple[Reader, int]]] = {
    (_UTILS, "_rebuild_sparse_tensor"): (_sparse, 2),
    (_UTILS, "_rebuild_sparse_csr_tensor"): (_sparse, 2),
    (_UTILS, "_rebuild_nested_tensor"): (_nested, 1),
    ("torch.nested._internal.nested_tensor", "_rebuild_njt"): (_jagged, 1),
    (_UTILS, "_rebuild_meta_tensor_no_storage"): (_meta, 4),
    (_UTILS, "_rebuild_wrapper_subclass"): (_wrapper, 8),
    ("torch.nn.parameter", "UninitializedParameter"): (_uninitialised, 0),
    ("torch.nn.parameter", "UninitializedBuffer"): (_uninitialised, 0),
}
"""Functions whose results are no plain elements -> reader, number of arguments that it needs."""
