"""Single numbers of training states: plain ones, and tensors of one element, whose bytes are read when asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from viewer.core.errors import ViewerError
from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors import window
from viewer.core.tensors.meaning import read_meant
from viewer.core.tensors.tensor import Tensor
from viewer.wording.told import Told

TensorOf = Callable[[int], Tensor | None]
"""The tensor that a value is, or None."""
_LONGEST: Final = 64
_DIGITS: Final = 7


def number(values: Values, value: int, tensor_of: TensorOf) -> int | float | None:
    """An int or float, or the element of a tensor of one; None for all else."""
    plain = values.plain(value)
    if isinstance(plain, int | float) and not isinstance(plain, bool):
        return plain if not isinstance(plain, int) or plain.bit_length() <= _LONGEST else None
    tensor = tensor_of(value) if values.kind(value) is Kind.CALL else None
    return None if tensor is None else element(tensor)


def element(tensor: Tensor) -> int | float | None:
    """The element of a real tensor of one that is stored plainly; None for all else, and where it cannot be read."""
    storage = tensor.storage
    if tensor.elements != 1 or storage is None or storage.span is None or tensor.kind == "storage":
        return None
    try:
        if not window.complete(tensor):
            return None
        found = read_meant(tensor)
    except ViewerError:
        return None
    if found.dtype.names is not None or found.dtype.kind in "bcO":
        return None
    return int(found.reshape(-1)[0]) if found.dtype.kind in "iu" else float(found.reshape(-1)[0])


def written(plain: int | float) -> Told:
    """A number as people read it: whole ones grouped in thousands, others with at most seven digits."""
    if isinstance(plain, float) and plain.is_integer() and abs(plain) < 2**53:
        plain = int(plain)
    return Told(plain if isinstance(plain, int) else f"{plain:.{_DIGITS}g}")
