"""Pickles as joblib writes them: raw arrays between the opcodes, right after the BUILD of their wrapper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tests.builders.pickles import Stream

MODULE: Final = "joblib.numpy_pickle"
ALIGNMENT: Final = 16


def put_dtype(stream: Stream, code: str, order: str = "<", size: int = -1, flags: int = 0) -> int:
    """A numpy dtype with its state, on the stack and in the memo; gives the memo slot.

    `code`: a code like `f4`, or module and name of a class.
    """
    stream.op("GLOBAL", "numpy dtype")
    stream = stream.op("GLOBAL", code) if " " in code else stream.text(code)
    stream.ops("NEWFALSE NEWTRUE TUPLE3 REDUCE")
    slot = stream.put()
    stream.op("MARK").number(3).text(order).ops("NONE NONE NONE").number(size).number(size).number(flags)
    stream.ops("TUPLE BUILD")
    return slot


def put_array(
    stream: Stream,
    shape: Sequence[int],
    data: bytes,
    *,
    dtype: str | int = "f4",
    order: str = "C",
    aligned: bool = True,
    objects: bool = False,
    module: str = MODULE,
) -> int | None:
    """One array on the stack, its bytes behind it. `dtype`: a code, or the memo slot of an earlier one.

    `aligned`: as joblib 1.2 and later write it, with the byte of padding; arrays of objects have none.
    """
    stream.op("GLOBAL", f"{module} NumpyArrayWrapper").ops("EMPTY_TUPLE NEWOBJ EMPTY_DICT MARK")
    stream.text("subclass").op("GLOBAL", "numpy ndarray").text("shape").op("MARK")
    for size in shape:
        stream.number(size)
    stream.op("TUPLE").text("order").text(order).text("dtype")
    slot = None
    if isinstance(dtype, int):
        stream.get(dtype)
    else:
        slot = put_dtype(stream, dtype, "|" if objects else "<", flags=63 if objects else 0)
    stream.text("allow_mmap").truth(not objects)
    if aligned:
        stream.text("numpy_array_alignment_bytes").number(ALIGNMENT)
    stream.ops("SETITEMS BUILD")
    if aligned and not objects:
        padding = -(len(stream) + 1) % ALIGNMENT
        stream.raw(bytes([padding]) + b"\xff" * padding)
    stream.raw(data)
    return slot


def joblib_dict(arrays: Mapping[str, tuple[Sequence[int], bytes]], protocol: int = 4, aligned: bool = True) -> bytes:
    """A mapping of float32 arrays in row-major order."""
    stream = Stream(protocol).start().ops("EMPTY_DICT MARK")
    slot: int | None = None
    for name, (shape, data) in arrays.items():
        stream.text(name)
        slot = put_array(stream, shape, data, dtype="f4" if slot is None else slot, aligned=aligned) or slot
    return stream.ops("SETITEMS STOP").data
