"""What a tensor that is more than plain elements comes to in a form: kept, taken apart, or left out with the reason.

quantised   integers with a quantizer           meta     no values
sparse      indices and values                  jagged   nested: all rows one behind the other, and where each begins
nested      a buffer and where each tensor is   plain    all else: what stands below a subclass, arrays, storages
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from viewer.core.export.base import Draft
from viewer.core.export.elements import written
from viewer.core.export.plan import Content, Converted
from viewer.core.source import MemorySource
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.functions import FROM_HOST, FROM_TYPE, QUANTISED
from viewer.core.tensors.layout import is_row_major, row_major
from viewer.core.tensors.packed import per_byte
from viewer.core.tensors.quantised import FLOAT_SCHEME
from viewer.core.tensors.sharded import CLASS, SHARD
from viewer.core.tensors.special import SPARSE_ROLES, sparse_fault
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Parameters, Quantizer, Tensor
from viewer.core.tensors.window import complete, missing_bytes
from viewer.wording.phrases import phrase

PLAIN: Final = "plain"
QUANTISED_KIND: Final = "quantised"
SPARSE: Final = "sparse"
NESTED: Final = "nested"
JAGGED: Final = "jagged"
META: Final = "meta"

_META_FUNCTION: Final = "_rebuild_meta_tensor_no_storage"
_WRAPPER: Final = "_rebuild_wrapper_subclass"
_HOLDERS: Final = {_WRAPPER: "DTensor", CLASS: CLASS}
_HELD: Final = frozenset({"_local_tensor", f"{SHARD} 0"})
"""What the part of a distributed tensor is called that one process has; of several shards the first."""
_SUBCLASS: Final = frozenset(name for _, name in FROM_TYPE)
_ELEMENTS_BELOW: Final = _SUBCLASS | frozenset(name for _, name in FROM_HOST)
"""Functions whose tensors have plain elements all the same."""
_HAS_ELEMENTS: Final = _ELEMENTS_BELOW | {QUANTISED[1]}
_PARTS: Final = {NESTED: ("values", "sizes", "strides", "offsets"), JAGGED: ("values", "offsets")}
_PER_CHANNEL: Final = {"per_channel_affine": ("float64", "int64"), FLOAT_SCHEME: ("float32", "float32")}
"""Scheme -> the types that torch gives scales and zero points."""
_INTEGERS: Final = {"qint8": "int8", "quint8": "uint8", "qint32": "int32"}
PLANNING: Final = "planning"
"""The step of progress."""
MASK: Final = "mask"
"""What the part of a masked array is called that says which elements count as absent."""
SIZE: Final = "size"
"""What the shape of a sparse tensor is called beside its parts."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a form can hold. `kinds`: those that it keeps together, of all others their parts.

    `lacks`: the type of a tensor's elements where it has none for them, else "". `form`: what it is called then.
    """

    kinds: Container[str]
    lacks: Callable[[Tensor], str]
    form: str


OF_NUMPY: Final = Held((), lambda tensor: tensor.dtype if written(tensor) is None else "", "numpy")


def kind_of(tensor: Tensor) -> str:
    """What it is more than plain elements."""
    return _kind(tensor.layout, tensor.note, tensor.dtype)


@lru_cache(maxsize=1024)
def _kind(layout: str, note: str, dtype: str) -> str:
    if layout in SPARSE_ROLES:
        return SPARSE
    if layout in (NESTED, JAGGED):
        return layout
    if note == _META_FUNCTION:
        return META
    return QUANTISED_KIND if note == QUANTISED[1] or is_quantised(dtype) else PLAIN


def is_quantised(dtype: str) -> bool:
    """True for element types that need a quantizer."""
    known = DTYPES.get(dtype)
    return known is not None and (known.group == "quantised" or known.packed > 1)


def expanded(draft: Draft, content: Content, held: Held) -> Iterator[tuple[str, Tensor, str]]:
    """The entries that a form can write: name, tensor, and the name of the entry that it is a part of, or "".

    Others are left out, also those that come as parts of which the form has no type for one: the draft says so. Types
    of tensors that come as they are are left to the form.
    """
    taken = set(content.order)
    for number, (name, given) in enumerate(content.entries):
        draft.progress.step(PLANNING, number, len(content.entries))
        tensor = below(draft, name, given)
        if tensor is None:
            continue
        kind = kind_of(tensor)
        if kind not in held.kinds and kind not in (PLAIN, QUANTISED_KIND):
            yield from taken_apart(draft, name, tensor, held, taken)
        elif is_whole(draft, name, tensor):
            if any(role == MASK for role, _ in tensor.parts):
                draft.drop(f"{name}.{MASK}", "mask")
            yield name, tensor, ""


def below(draft: Draft, name: str, tensor: Tensor) -> Tensor | None:
    """The tensor that is written for one of a subclass, or for one without its quantizer; None where there is none."""
    if tensor.note in (_WRAPPER, CLASS):
        local = next((part for role, part in tensor.parts if role in _HELD), None)
        if local is None:
            draft.drop(name, "wrapper")
            return None
        if local.shape != tensor.shape:
            draft.drop(name, "local-part", found=list(local.shape), whole=list(tensor.shape))
            return None
        draft.converted.append(Converted(name, _HOLDERS[tensor.note], phrase("converted-local")))
        tensor = replace(local, path=tensor.path, name=tensor.name, value=tensor.value)
    if tensor.note in _SUBCLASS and tensor.storage is not None:
        draft.converted.append(
            Converted(name, phrase("converted-subclass"), phrase("converted-plain", dtype=tensor.dtype))
        )
    if kind_of(tensor) == QUANTISED_KIND and not fits(tensor):
        integers = _INTEGERS.get(tensor.dtype)
        if integers is None or tensor.storage is None:
            draft.drop(name, "quantizer")
            return None
        draft.converted.append(Converted(name, phrase("converted-unfit", dtype=tensor.dtype), integers))
        tensor = replace(tensor, dtype=integers, note="", quantizer=None, parts=())
    return tensor


def is_whole(draft: Draft, name: str, tensor: Tensor) -> bool:
    """False for a tensor without elements that can be read, or with bytes missing; the draft says so."""
    kind = kind_of(tensor)
    if kind == PLAIN:
        return has_elements(draft, name, tensor)
    if kind == META:
        return True
    roles = SPARSE_ROLES.get(tensor.layout) or _PARTS.get(kind, ())
    held = dict(tensor.parts)
    if not all(role in held for role in roles) or sparse_fault(tensor):
        draft.drop(name, "parts-misfit")
        return False
    own = () if roles else (tensor,)
    parts = tuple(held.values()) if roles or kind == QUANTISED_KIND else ()
    return all(has_elements(draft, name, part) for part in own + parts)


def is_typed(draft: Draft, name: str, tensor: Tensor, held: Held) -> bool:
    """False for an element type that the form has not; the draft says so. `name`: of the entry."""
    lacking = held.lacks(tensor)
    if lacking:
        draft.drop(name, "dtype", dtype=lacking, form=held.form)
    return not lacking


def has_elements(draft: Draft, name: str, tensor: Tensor) -> bool:
    """The same for elements that stand in one storage. `name`: of the entry."""
    if (tensor.note and tensor.note not in _HAS_ELEMENTS) or (tensor.storage is None and tensor.elements):
        draft.drop(name, "no-values", note=tensor.note or tensor.layout)
    elif not complete(tensor):
        missing, nbytes = missing_bytes(tensor)
        draft.drop(name, "missing-bytes", missing=missing, nbytes=nbytes)
    else:
        return True
    return False


def taken_apart(
    draft: Draft, name: str, tensor: Tensor, held: Held, taken: set[str]
) -> Iterator[tuple[str, Tensor, str]]:
    """The parts of an entry as entries of their own, where the form has no other place for them."""
    kind = kind_of(tensor)
    if kind == META:
        draft.drop(name, "meta")
        return
    if not is_whole(draft, name, tensor):
        return
    parts = [(f"{name}.{role}", part) for role, part in tensor.parts]
    if kind == SPARSE:
        size = listed(tensor.shape, "int64")
        if size is None:
            draft.drop(name, "parts-misfit")
            return
        parts.append((f"{name}.{SIZE}", size))
    if not all(is_typed(draft, name, part, held) for _, part in parts):
        return
    names = [part for part, _ in parts]
    if not taken.isdisjoint(names):
        draft.drop(name, "parts-names", names=", ".join(names))
        return
    taken.update(names)
    draft.converted.append(Converted(name, tensor.layout, ", ".join(names)))
    yield from ((part, inner, name) for part, inner in parts)


# -- quantizers -------------------------------------------------------------------------------------


def fits(tensor: Tensor) -> bool:
    """True where torch takes the quantizer of a tensor: its scheme, its numbers, one for each index of its axis.

    torch has no views of types whose elements share a byte.
    """
    quantizer = tensor.quantizer
    if quantizer is None:
        return False
    if per_byte(tensor) > 1 and (tensor.storage_offset or not is_row_major(tensor.shape, tensor.stride)):
        return False
    if quantizer.scheme == "per_tensor_affine":
        return isinstance(quantizer.scale, int | float) and isinstance(quantizer.zero_point, int)
    types = _PER_CHANNEL.get(quantizer.scheme)
    if types is None or quantizer.axis is None:
        return False
    found = [parameters(quantizer, quantizer.scale, 0), parameters(quantizer, quantizer.zero_point, 1)]
    shape = (tensor.shape[quantizer.axis],)
    return all(part is not None and part.shape == shape for part in found) and types == tuple(
        part.dtype for part in found if part is not None
    )


def quantizer_parts(quantizer: Quantizer) -> list[tuple[str, Tensor]]:
    """The scales and zero points of a quantizer that fits, as tensors; none where one number serves all."""
    if quantizer.axis is None:
        return []
    pairs = (("scale", quantizer.scale), ("zero_point", quantizer.zero_point))
    parts = ((role, parameters(quantizer, given, at)) for at, (role, given) in enumerate(pairs))
    return [(role, part) for role, part in parts if part is not None]


def parameters(quantizer: Quantizer, given: Parameters, at: int) -> Tensor | None:
    """Scales (0) or zero points (1) as the tensor that they are, or that torch makes of a list."""
    if isinstance(given, Tensor):
        return given
    if not isinstance(given, tuple):
        return None
    return listed(given, _PER_CHANNEL[quantizer.scheme][at])


def listed(numbers: tuple[float, ...], dtype: str) -> Tensor | None:
    """Numbers that stand in a pickle as a tensor of one axis; None where the type cannot hold them."""
    try:
        data = np.array(numbers, dtype=DTYPES[dtype].numpy).tobytes()
    except OverflowError:
        return None
    storage = Storage("", "cpu", dtype, False, len(numbers), len(data), None, MemorySource(data))
    shape = (len(numbers),)
    return Tensor(-1, (), None, "tensor", dtype, shape, row_major(shape), 0, storage)
