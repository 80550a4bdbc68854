"""What is wrong with the values of tensors: booleans that are none, indices of sparse tensors out of place.

When a file is opened, at most 1 MiB of one tensor and 8 MiB of the file are looked at; `large_value_problems` looks at
the rest, as work for a thread. Nothing is inflated for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.errors import CancelledError, SourceError, ViewerError
from viewer.core.problem import Problem, error, warning
from viewer.core.progress import Progress
from viewer.core.tensors import window
from viewer.core.tensors.tensor import Tensor

Numbers = npt.NDArray[np.int64]
LARGEST: Final = 1024 * 1024
MOST: Final = 8 * 1024 * 1024
LARGEST_SPARSE: Final = 64 * 1024 * 1024
POINTERS: Final = frozenset({"crow_indices", "ccol_indices"})
BLOCKED: Final = frozenset({"sparse_bsr", "sparse_bsc"})


def value_problems(tensors: Iterable[Tensor]) -> Iterator[Problem]:
    """The problems of the tensors that are small enough, in their order."""
    for tensor in _chosen(tensors, True):
        yield from _problems(tensor, None)


def large_value_problems(tensors: Iterable[Tensor], progress: Progress) -> Iterator[Problem]:
    """The problems of the tensors that `value_problems` leaves out; of sparse ones only up to 64 MiB of indices.

    Raises CancelledError when stopped.
    """
    for tensor in _chosen(tensors, False):
        if tensor.storage is not None or _size(tensor) <= LARGEST_SPARSE:
            progress.check()
            yield from _problems(tensor, progress)


def large_values(tensors: Iterable[Tensor]) -> int:
    """Bytes that `large_value_problems` reads, about."""
    sizes = ((tensor.storage is not None, _size(tensor)) for tensor in _chosen(tensors, False))
    return sum(size for is_plain, size in sizes if is_plain or size <= LARGEST_SPARSE)


def _chosen(tensors: Iterable[Tensor], are_small: bool) -> Iterator[Tensor]:
    """The tensors whose values are looked at on opening, or all others that have such values; each place once."""
    left = MOST
    seen: set[tuple[int, int]] = set()
    for tensor in tensors:
        if tensor.kind != "tensor" or (tensor.dtype != "bool" and not tensor.layout.startswith("sparse")):
            continue
        size, place = _size(tensor), (id(tensor.storage), tensor.storage_offset)
        if tensor.storage is not None and place in seen:
            continue
        is_small = size <= min(left, LARGEST)
        if is_small:
            seen.add(place)
            left -= size
        if is_small is are_small:
            seen.add(place)
            yield tensor


def _size(tensor: Tensor) -> int:
    """Bytes of the values that are looked at: of a sparse tensor its indices."""
    looked = [tensor, *(part for role, part in tensor.parts if role != "values")]
    used = [window.extent(part) for part in looked]
    return sum(span.length for span in used if span is not None)


def _problems(tensor: Tensor, progress: Progress | None) -> Iterator[Problem]:
    try:
        yield from _of_sparse(tensor) if tensor.storage is None else _of_bool(tensor, progress)
    except CancelledError:
        raise
    except (ViewerError, SourceError):
        return


def _of_bool(tensor: Tensor, progress: Progress | None) -> Iterator[Problem]:
    if window.span(tensor) is None or not window.complete(tensor):
        return
    count, found = 0, -1
    for numbers in window.blocks(tensor, progress):
        odd = numbers.view(np.uint8)
        odd = odd[odd > 1]
        if len(odd) and found < 0:
            found = int(odd[0])
        count += len(odd)
    if count:
        yield warning("tensor-bool-bytes", window.span(tensor), name=window.name_of(tensor), count=count, found=found)


def _of_sparse(tensor: Tensor) -> Iterator[Problem]:
    """Indices that are out of range or out of order; parts whose shapes do not fit are told of elsewhere."""
    parts = dict(tensor.parts)
    held = parts.get("values")
    for role, part in tensor.parts:
        if held is None or role == "values" or window.span(part) is None or not window.complete(part):
            continue
        stored = window.read(part)
        if stored.dtype.kind not in "iu" or not stored.size:
            continue
        numbers = stored.astype(np.int64)
        if role in POINTERS:
            yield from _pointers(tensor, role, part, numbers)
        elif role == "indices":
            yield from _coordinates(tensor, part, numbers)
        else:
            yield from _in_range(tensor, role, part, numbers, _plain_size(tensor, role, held))


def _plain_size(tensor: Tensor, role: str, held: Tensor) -> int:
    """How many columns or rows the plain indices of a compressed tensor may name: blocks count as one."""
    batches = len(dict(tensor.parts)[role].shape) - 1
    axis = 1 if role == "col_indices" else 0
    if len(tensor.shape) < batches + 2:
        return 0
    size = tensor.shape[batches + axis]
    at = batches + 1 + axis
    return size // max(1, held.shape[at]) if tensor.layout in BLOCKED and at < len(held.shape) else size


def _in_range(tensor: Tensor, role: str, part: Tensor, numbers: Numbers, size: int) -> Iterator[Problem]:
    wrong = numbers[(numbers < 0) | (numbers >= size)]
    if wrong.size:
        facts = {"name": window.name_of(tensor), "role": role, "found": int(wrong.flat[0]), "size": size}
        yield error("tensor-sparse-index", window.span(part), **facts)


def _coordinates(tensor: Tensor, part: Tensor, numbers: Numbers) -> Iterator[Problem]:
    if numbers.ndim != 2 or len(numbers) > len(tensor.shape):
        return
    found = [
        problem
        for row, size in zip(numbers, tensor.shape, strict=False)
        for problem in _in_range(tensor, "indices", part, row, size)
    ]
    yield from found[:1]
    if tensor.coalesced and not found and numbers.shape[1] > 1:
        order = np.lexsort(numbers[::-1])
        ascends = np.array_equal(order, np.arange(len(order)))
        if not ascends or bool((numbers[:, 1:] == numbers[:, :-1]).all(axis=0).any()):
            yield warning("tensor-sparse-order", window.span(part), name=window.name_of(tensor))


def _pointers(tensor: Tensor, role: str, part: Tensor, numbers: Numbers) -> Iterator[Problem]:
    """Compressed indices rise from 0 to the number of values, in each batch."""
    other = next((held for name, held in tensor.parts if name in ("col_indices", "row_indices")), None)
    if other is None or not other.shape:
        return
    count, rows = other.shape[-1], numbers.reshape(-1, numbers.shape[-1])
    wrong = (rows[:, 0] != 0) | (rows[:, -1] != count) | (np.diff(rows, axis=1) < 0).any(axis=1)
    if wrong.any():
        row = rows[int(wrong.argmax())]
        facts = {"name": window.name_of(tensor), "role": role, "first": int(row[0]), "last": int(row[-1])}
        yield error("tensor-sparse-pointers", window.span(part), count=count, **facts)
