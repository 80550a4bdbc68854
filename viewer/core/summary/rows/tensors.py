"""Tensors as rows of JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, Final, NamedTuple

import numpy as np

from viewer.core.document import Document, Pickle
from viewer.core.errors import SourceError, ViewerError
from viewer.core.objects.describe import class_name
from viewer.core.progress import Progress
from viewer.core.summary.rows.opcodes import int_text
from viewer.core.summary.rows.places import between
from viewer.core.tensors import hashing, meaning, window
from viewer.core.tensors.many import ManyTensors
from viewer.core.tensors.path import key_part, to_json
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Parameters, Quantizer, Tensor

Row = dict[str, Any]
STEP: Final = "rows"
BLOCK: Final = 4096
"""Tensors whose columns are read at once."""
LONGEST: Final = 128
MOST_REPEATED: Final = 8 * 1024**3
"""Bytes of a tensor that repeats the elements of a smaller storage, of which a digest is still made."""


def tensor_rows(root: Document, hashes: bool, progress: Progress | None = None) -> Iterator[Row]:
    """All tensors; `shared_with` names others by their place in this list. Those of a set stand for its files'.

    Raises CancelledError.
    """
    progress = progress or Progress()
    first, total = 0, sum(len(document.tensors) for document in root.holders())
    files = {file.name: number for number, file in enumerate(root.files)}
    for document in root.holders():
        place = _Counting(document.index, document.source.to_outer(0), files, first, document.pickles)
        for number, row in enumerate(_rows(place, document.tensors, hashes), first):
            progress.step(STEP, number, total)
            yield row
        first += len(document.tensors)


def _rows(place: _Counting, tensors: Sequence[Tensor], hashes: bool) -> Iterator[Row]:
    """A row for each; of those that are known by columns, which may be millions, none is made for it."""
    many = tensors if isinstance(tensors, ManyTensors) and not hashes else None
    stored, alike = (many.stored(), many.alike()) if many is not None else (None, None)
    if many is None or stored is None or alike is None:
        yield from (_tensor_row(place, tensor, hashes) for tensor in tensors)
        return
    samples: dict[int, Row] = {}
    for first in range(0, len(many), BLOCK):
        stop = min(first + BLOCK, len(many))
        low, high = np.searchsorted(stored.numbers, (first, stop)).tolist()
        spans = zip(stored.starts[low:high].tolist(), stored.stops[low:high].tolist(), strict=True)
        places = dict(zip(stored.numbers[low:high].tolist(), spans, strict=True))
        names, sorts = many.names(first, stop), alike.sorts[first:stop].tolist()
        for number, name, sort in zip(range(first, stop), names, sorts, strict=True):
            if number not in places:
                yield _tensor_row(place, many[number], hashes)
                continue
            if sort not in samples:
                samples[sort] = _tensor_row(place, alike.examples[sort], hashes)
            yield _row_like(samples[sort], name, *places[number])


def _row_like(sample: Row, name: str, start: int, stop: int) -> Row:
    """The row of a tensor that differs from another in its name and its place in the file only."""
    at = between(0, start, stop)
    return {
        **sample,
        "name": name,
        "path": to_json((key_part(name),)),
        "storage": {**sample["storage"], "key": name, **at},
        **at,
    }


class _Counting(NamedTuple):
    """What tensors are counted in. `shift`: of byte 0 of the document in the outermost file. `first`: in the list."""

    document: int
    shift: int | None
    files: Mapping[str, int]
    first: int
    pickles: Sequence[Pickle]


def _class_of(place: _Counting, tensor: Tensor) -> str | None:
    """The qualified type of the object that a pickle makes; None where no pickle makes it."""
    made = tensor.value
    return None if made is None else class_name(place.pickles[made.pickle].values, made.value)


def _tensor_row(place: _Counting, tensor: Tensor, hashes: bool) -> Row:
    storage, used = tensor.storage, window.extent(tensor)
    # Spans of a file of a set count in that file.
    shift = 0 if tensor.member else place.shift
    length = available = 0
    at: Row = {"start": None, "stop": None}
    if storage is not None and used is not None:
        length = used.length
        available = max(0, min(used.stop, storage.available) - used.start)
        if storage.span is not None:
            at = between(shift, storage.span.start + used.start, storage.span.start + used.stop)
    return {
        "document": place.document,
        "name": tensor.name,
        "path": to_json(tensor.path),
        "kind": tensor.kind,
        "class": _class_of(place, tensor),
        "dtype": tensor.dtype,
        "shape": tensor.shape,
        "stride": tensor.stride,
        "storage_offset": tensor.storage_offset,
        "layout": tensor.layout,
        "quantizer": _quantizer_row(tensor.quantizer),
        "parts": [{"role": role, **_tensor_row(place, part, hashes)} for role, part in tensor.parts],
        "storage": _storage_row(shift, storage),
        **at,
        **_member_row(place.files, tensor),
        "nbytes": number(window.nbytes(tensor)),
        "available": available,
        "complete": available == length,
        "requires_grad": tensor.requires_grad,
        "shared_with": [place.first + other for other in tensor.shared_with],
        "sha256": tensor_hash(tensor) if hashes else None,
    }


def _member_row(files: Mapping[str, int], tensor: Tensor) -> Row:
    """Of a set: the number of the file that the bytes stand in, null where in several; of a piece its place."""
    if not files:
        return {}
    is_split = not tensor.member and tensor.offsets is None and any(role == "piece" for role, _ in tensor.parts)
    row: Row = {"file": None if is_split else files.get(tensor.member, 0)}
    return row if tensor.offsets is None else {**row, "offsets": tensor.offsets}


def _quantizer_row(quantizer: Quantizer | None) -> Row | None:
    if quantizer is None:
        return None
    return {
        "scheme": quantizer.scheme,
        "scale": _numbers(quantizer.scale),
        "zero_point": _numbers(quantizer.zero_point),
        "axis": quantizer.axis,
    }


def _numbers(given: Parameters) -> object:
    """Scales or zero points as one number or a list; None where their bytes cannot be had."""
    try:
        found = meaning.numbers(given).tolist()
    except ViewerError:
        return None
    return [_finite(value) for value in found] if isinstance(found, list) else _finite(found)


def _finite(value: float) -> object:
    return value if isfinite(value) else {"float": repr(value)}


def number(value: int) -> int | dict[str, str]:
    """A count as it is; as text where a file states more than any reader can hold."""
    return value if value.bit_length() <= LONGEST else {"int": int_text(value)}


def tensor_hash(tensor: Tensor) -> str | None:
    """The digest, None also where the bytes cannot be had, or where a few repeat for hours."""
    held = tensor.storage.nbytes if tensor.storage is not None else 0
    if window.nbytes(tensor) > max(held, MOST_REPEATED):
        return None
    try:
        return hashing.sha256(tensor)
    except SourceError:
        return None


def _storage_row(shift: int | None, storage: Storage | None) -> Row | None:
    if storage is None:
        return None
    span = storage.span
    return {
        "key": storage.key,
        "location": storage.location,
        "record": storage.record,
        **({"start": None, "stop": None} if span is None else between(shift, span.start, span.stop)),
    }
