"""Where the kit keeps each tensor: under its name in the state_dict, or exactly as stored in an npz of its own."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, Final

import numpy as np

from viewer.core.archive.zip_writer import NpzWriter
from viewer.core.code.derived.plain import TRAINED
from viewer.core.export.elements import Written, raw, truths
from viewer.core.export.npz import header, member_bytes
from viewer.core.export.npz_names import SUFFIX
from viewer.core.progress import Progress
from viewer.core.tensors.dtypes import DTYPES, ML_TYPE_NAMES, DType
from viewer.core.tensors.elements import elements
from viewer.core.tensors.layout import is_row_major, row_major
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import blocks, complete

Json = dict[str, object]
# numpy's types that every torch takes as they are; all others travel as integers of their size.
EXACT: Final = frozenset(
    {
        *("float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool"),
        *("complex128", "complex64"),
    }
)
LONGEST_SCALAR: Final = 64


@dataclass(slots=True)
class KeptTensors:
    """The tensors of one stream by the number of their value, and what became of each that was asked for.

    `names`: those in the state_dict that is written. `extras`: what goes into the npz, by member name.
    """

    tensors: Mapping[int, Tensor]
    names: Mapping[int, str]
    extras: dict[str, Written] = field(default_factory=dict)

    def record(self, value: int, is_parameter: bool) -> Json | None:
        """What model.json says of a tensor or array; None where the value is none."""
        tensor = self.tensors.get(value)
        if tensor is None or tensor.kind == "storage":
            return None
        if tensor.kind == "array":
            return self._array(value, tensor)
        known = DTYPES.get(tensor.dtype)
        facts: Json = {
            "type": "tensor",
            "parameter": is_parameter,
            "requires_grad": trained(known)
            and (is_parameter if tensor.requires_grad is None else tensor.requires_grad),
        }
        if value in self.names:
            return {**facts, "weights": self.names[value]}
        if known is None or not readable(tensor) or known.group in ("quantised", "packed"):
            shape = [size for size in tensor.shape if size >= 0]
            return {**facts, "dtype": tensor.dtype, "shape": shape, "missing": tensor.note or "bytes of it are missing"}
        facts |= {"dtype": known.name, "extra": self._extra(value, exact(tensor, known))}
        if not is_row_major(tensor.shape, tensor.stride) and is_dense(tensor):
            facts |= {"shape": list(tensor.shape), "stride": list(tensor.stride)}
        return facts

    def _array(self, value: int, tensor: Tensor) -> Json | None:
        kind = elements(tensor)
        if kind is None or not readable(tensor) or tensor.dtype in ML_TYPE_NAMES or not str(kind.native).isascii():
            return None
        written = Written(tensor, tensor.dtype, kind.native, truths if tensor.dtype == "bool" else None)
        if tensor.shape == () and kind.native.names is None and kind.native.itemsize <= LONGEST_SCALAR:
            data = b"".join(bytes(raw(numbers)) for numbers in blocks(tensor))
            return {"type": "scalar", "dtype": kind.native.str, "base64": base64.b64encode(data).decode()}
        return {"type": "array", "extra": self._extra(value, written)}

    def _extra(self, value: int, written: Written) -> str:
        name = f"tensor_{value}"
        self.extras[name] = written
        return name


def trained(known: DType | None) -> bool:
    """Whether torch lets elements of this type have a gradient."""
    return known is not None and known.group in TRAINED


def readable(tensor: Tensor) -> bool:
    """True where all elements are there."""
    return not tensor.note and (tensor.storage is not None or not tensor.elements) and complete(tensor)


def exact(tensor: Tensor, known: DType) -> Written:
    """The elements bit for bit, as a type that numpy and every torch have."""
    if known.name == "bool":
        return Written(tensor, known.name, np.dtype("|b1"), truths)
    name = known.name if known.name in EXACT else "uint8" if known.itemsize == 1 else f"int{8 * known.itemsize}"
    return Written(tensor, name, np.dtype(name).newbyteorder("<"), None)


def is_dense(tensor: Tensor) -> bool:
    """True where the axes only stand in another order than C's, with no gap and no overlap."""
    order = sorted(range(len(tensor.shape)), key=lambda axis: -tensor.stride[axis])
    shape = tuple(tensor.shape[axis] for axis in order)
    return tuple(tensor.stride[axis] for axis in order) == row_major(shape)


def write_extras(extras: Mapping[str, Written], file: BinaryIO, progress: Progress) -> None:
    """The npz. Raises ExportError, SourceError, CancelledError."""
    total = sum(written.nbytes for written in extras.values())
    done = 0
    with NpzWriter(file) as archive:
        for name, written in extras.items():
            head = header(written)
            pieces = member_bytes(head, written, progress, done, total)
            archive.add_stream(name + SUFFIX, len(head) + written.nbytes, pieces)
            done += written.nbytes


def packed_tensors(extras: Mapping[str, Written]) -> Sequence[Tensor]:
    """The tensors that the npz is made of."""
    return [written.tensor for written in extras.values()]
