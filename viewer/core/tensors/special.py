"""Tensors that are more than a view of one storage: what their call plainly states, without their values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.dtypes import dtype

Part = Callable[[int], tuple[str, tuple[int, ...]] | None]


@dataclass(frozen=True, slots=True)
class Stated:
    """What a call says. "" and () where it says nothing of the kind."""

    dtype: str = ""
    shape: tuple[int, ...] = ()
    stride: tuple[int, ...] = ()
    offset: int = 0
    layout: str = "strided"
    requires_grad: bool | None = None


MOST_AXES: Final = 1000
"""Sizes of a shape that are read; numpy has 64 at most, torch a few more."""


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


def _quantised(values: Values, args: list[int], part: Part) -> Stated | None:
    stored, offset = part(args[0]), values.integer(args[1])
    shape, stride = integers(values, args[2]), integers(values, args[3])
    if offset is None or shape is None or stride is None:
        return None
    grad = truth(values, args[5])
    return Stated("" if stored is None else stored[0], shape, stride, offset, requires_grad=grad)


def _sparse(values: Values, args: list[int], part: Part) -> Stated | None:
    if values.kind(args[1]) is not Kind.TUPLE:
        return None
    data, layout = values.items(args[1]), stated_layout(values, args[0])
    numbers = 1 if layout == "sparse_coo" else 2
    if len(data) < numbers + 2:
        return None
    held, shape = part(data[numbers]), integers(values, data[numbers + 1])
    return Stated("" if held is None else held[0], shape or (), layout=layout)


def _nested(values: Values, args: list[int], part: Part) -> Stated | None:
    del values
    held = part(args[0])
    return Stated("" if held is None else held[0], layout="nested")


def _jagged(values: Values, args: list[int], part: Part) -> Stated | None:
    """A mapping of parts; its `values` tell the type."""
    if values.kind(args[0]) is not Kind.DICT:
        return None
    for key, value in values.pairs(args[0]):
        if values.text(key) in ("values", "_values"):
            held = part(value)
            return Stated("" if held is None else held[0], layout="jagged")
    return Stated(layout="jagged")


def _meta(values: Values, args: list[int], part: Part) -> Stated | None:
    del part
    shape, stride = integers(values, args[1]), integers(values, args[2])
    if shape is None or stride is None:
        return None
    return Stated(stated_type(values, args[0]), shape, stride, requires_grad=truth(values, args[3]))


def _from_host(values: Values, args: list[int], part: Part) -> Stated | None:
    held = part(args[0])
    shape = () if held is None else held[1]
    return Stated(stated_type(values, args[1]), shape, requires_grad=truth(values, args[3]))


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


Reader = Callable[[Values, list[int], Part], Stated | None]
_UTILS: Final = "torch._utils"
SPECIAL: Final[dict[tuple[str, str], tuple[Reader, int]]] = {
    (_UTILS, "_rebuild_qtensor"): (_quantised, 6),
    (_UTILS, "_rebuild_sparse_tensor"): (_sparse, 2),
    (_UTILS, "_rebuild_sparse_csr_tensor"): (_sparse, 2),
    (_UTILS, "_rebuild_nested_tensor"): (_nested, 1),
    ("torch.nested._internal.nested_tensor", "_rebuild_njt"): (_jagged, 1),
    (_UTILS, "_rebuild_meta_tensor_no_storage"): (_meta, 4),
    (_UTILS, "_rebuild_device_tensor_from_numpy"): (_from_host, 4),
    (_UTILS, "_rebuild_xla_tensor"): (_from_host, 4),
    (_UTILS, "_rebuild_mlc_tensor"): (_from_host, 4),
    (_UTILS, "_rebuild_device_tensor_from_cpu_tensor"): (_from_host, 4),
    (_UTILS, "_rebuild_wrapper_subclass"): (_wrapper, 8),
    ("torch.nn.parameter", "UninitializedParameter"): (_uninitialised, 0),
    ("torch.nn.parameter", "UninitializedBuffer"): (_uninitialised, 0),
}
"""Functions whose results are no plain elements -> reader, number of arguments that it needs."""
