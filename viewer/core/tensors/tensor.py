"""Tensor: a view of a storage, or a numpy array, with where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from viewer.core.span import Span
from viewer.core.tensors.path import Path
from viewer.core.tensors.storage import Storage


class ValueRef(NamedTuple):
    """A value of a document: number of the pickle in it, number of the value (its creating opcode)."""

    pickle: int
    value: int


@dataclass(frozen=True, slots=True, eq=False)
class Quantizer:
    """How stored integers stand for numbers: (integer - zero point) x scale.

    `scheme`: torch's name without `torch.`. `scale`, `zero_point`: one number, or one for each index of `axis` (None:
    one for all), as numbers or as a tensor of the file that holds them.
    """

    scheme: str
    scale: Parameters
    zero_point: Parameters
    axis: int | None = None


@dataclass(slots=True, eq=False, weakref_slot=True)
class Tensor:
    """One tensor, array or bare storage of a document; compared by identity.

    `index`: place in the document's list. `kind`: tensor, array, storage. `dtype`: torch's name without
    `torch.`; for arrays numpy's name. Shape, stride and storage_offset in elements; a stride is never
    negative for torch and may be for arrays. `name`: the key in the state_dict that it belongs to, or None.
    `value`: the value that it was made from; None where no pickle made it (npy, safetensors).
    `byteorder`: of the elements in the file. `note`: the rebuild function or class of what is more than plain
    elements (quantised, sparse, nested, meta, subclass). `storage` is then None where it has none of its own;
    that of quantised tensors holds their integers, that of subclasses the elements below. `conj`, `neg`:
    the stored numbers are to be conjugated, negated. `numpy_dtype`: for arrays the type of the stored elements,
    with its byte order, as `dtypes.numpy_type` reads it; of tensors that torch converts when it loads them, the stored
    type. `stated`: the bytes of the document's source that state a tensor which no pickle made: its entry in a
    header. `parts`: the tensors that it is made of, by torch's names of them. `coalesced`: as a sparse tensor states.
    `member`: the file of a set that its storage's span counts in, "" = the document's own source. `offsets`: of a piece
    of another tensor, the index of its first element there. `ragged`: of a jagged tensor, the axis along which the
    tensors in it have sizes of their own.
    """

    index: int
    path: Path
    name: str | None
    kind: str
    dtype: str
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    storage_offset: int
    storage: Storage | None
    requires_grad: bool | None = None
    value: ValueRef | None = None
    layout: str = "strided"
    note: str = ""
    shared_with: list[int] = field(default_factory=list)
    numpy_dtype: str = ""
    conj: bool = False
    neg: bool = False
    stated: Span | None = None
    parts: tuple[tuple[str, Tensor], ...] = ()
    quantizer: Quantizer | None = None
    coalesced: bool | None = None
    member: str = ""
    offsets: tuple[int, ...] | None = None
    ragged: int = 1

    @property
    def elements(self) -> int:
        """Number of elements."""
        count = 1
        for size in self.shape:
            count *= size
        return count


Parameters = float | tuple[float, ...] | Tensor
"""Scales or zero points: one number, numbers that stand in the pickle, or a tensor of them."""


def inner_tensors(tensor: Tensor) -> Iterator[Tensor]:
    """The tensors that one is made of, and those that these are made of."""
    for _, part in tensor.parts:
        yield part
        yield from inner_tensors(part)
