"""The line of numpy code that reads exactly one tensor from its file."""

from __future__ import annotations

from viewer.core.tensors.dtypes import COMPLEX32, ML_TYPE_NAMES, NumpyType, type_text
from viewer.core.tensors.elements import Elements, elements
from viewer.core.tensors.layout import is_row_major, reach
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import complete, extent


def numpy_line(tensor: Tensor, file_name: str) -> str | None:
    """An expression of `np` (numpy) and, for bfloat16 and float8, `ml_dtypes` that gives the tensor.

    None where its bytes do not stand in the outermost file as they are, or not all of them.
    """
    kind, used = elements(tensor), extent(tensor)
    if kind is None or used is None or not kind.itemsize or not complete(tensor):
        return None
    if not tensor.elements:
        return f"np.empty({tensor.shape!r}, dtype={_type(kind.native)})"
    source = tensor.storage.source if tensor.storage is not None else None
    offset = source.to_outer(used.start) if source is not None else None
    if offset is None or (kind.conj and kind.native == COMPLEX32):
        return None
    stored, after = _stored(kind)
    line = _mapped(tensor, f"np.memmap({file_name!r}, dtype={stored}, mode='r', offset={offset}", kind.itemsize) + after
    if tensor.kind == "tensor" and tensor.numpy_dtype:  # torch converts it when it loads it
        line += f".astype({_type(kind.native)})"
    line = f"np.conj({line})" if kind.conj else line
    return f"np.negative({line})" if kind.neg else line


def _mapped(tensor: Tensor, head: str, itemsize: int) -> str:
    """A memmap of the stored elements in the tensor's shape."""
    shape, stride = tensor.shape, tensor.stride
    if is_row_major(shape, stride):
        return f"{head}, shape={shape!r})"
    if is_row_major(shape[::-1], stride[::-1]):
        return f"{head}, shape={shape!r}, order='F')"
    low, high = reach(shape, stride)
    flat = f"{head}, shape=({high - low + 1},))" + (f"[{-low}:]" if low else "")
    steps = tuple(step * itemsize for step in stride)
    return f"np.lib.stride_tricks.as_strided({flat}, {shape!r}, {steps!r})"


def _stored(kind: Elements) -> tuple[str, str]:
    """The dtype of the bytes in the file, and what turns it into the native one."""
    if not kind.swap:
        return _type(kind.stored), ""
    if kind.native.name in ML_TYPE_NAMES:
        return f"'>u{kind.swap}'", f".astype('<u{kind.swap}').view({_type(kind.native)})"
    return _type(kind.native.newbyteorder(">")), ""


def _type(kind: NumpyType) -> str:
    text = type_text(kind)
    if text in ML_TYPE_NAMES:
        return f"ml_dtypes.{text}"
    return text if text.startswith("[") else repr(text)
