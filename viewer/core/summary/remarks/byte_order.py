"""Numbers that look swapped, in a file that does not state its byte order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from viewer.core.archive.inflated import InflatedSource
from viewer.core.archive.zip_reader import names_of
from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.problem import Problem, warning
from viewer.core.tensors import window
from viewer.core.tensors.dtypes import AnyArray, DType, dtype
from viewer.core.tensors.tensor import Tensor

FORMATS: Final = frozenset({"torch-zip", "torchscript", "torch-mobile"})
RECORD: Final = "byteorder"
MOST_TENSORS: Final = 64
SAMPLE: Final = 64
"""Elements of one tensor that are looked at: its first ones."""
FEWEST: Final = 4
# Numbers of trained weights lie in here; those of the other order hardly ever do.
ORDINARY: Final = {
    "float64": 1e12,
    "float32": 1e12,
    "float16": 1e3,
    "bfloat16": 1e12,
    "int64": 2.0**40,
    "int32": 2.0**24,
}
SURE, HARDLY = 0.9, 0.1


def is_unstated(document: Document) -> bool:
    """True for a zip of torch without a record that says how its numbers are stored."""
    names = names_of(document.records) if document.format in FORMATS else []
    return bool(names) and all(name.rpartition("/")[2] != RECORD for name in names)


def byte_order(document: Document) -> Iterator[Problem]:
    """A warning where the first numbers of the tensors are ordinary only in the other order."""
    if not is_unstated(document):
        return
    here = swapped = count = 0
    for tensor in document.tensors[:MOST_TENSORS]:
        kind = dtype(tensor.dtype)
        if kind is not None and kind.name in ORDINARY:
            numbers = first_numbers(tensor, kind)
            here += ordinary(numbers, ORDINARY[kind.name])
            swapped += ordinary(numbers.byteswap(), ORDINARY[kind.name])
            count += len(numbers)
    if count >= FEWEST and swapped >= SURE * count and here <= HARDLY * count:
        yield warning("torch-byteorder-swapped", None, count=count)


def first_numbers(tensor: Tensor, kind: DType) -> AnyArray:
    """The first elements of a tensor's storage that are not zero; none where they are not to be had at once."""
    storage = tensor.storage
    if storage is None or storage.source is None or kind.numpy is None or isinstance(storage.source, InflatedSource):
        return np.zeros(0, dtype=np.uint8)
    used = window.extent(tensor)
    start = used.start if used is not None else 0
    size = min(SAMPLE * kind.itemsize, used.length if used is not None else 0)
    try:
        data = storage.source.read(start, size)
    except SourceError:
        data = b""
    found: AnyArray = np.frombuffer(data[: len(data) // kind.itemsize * kind.itemsize], dtype=kind.numpy)
    nonzero: AnyArray = found[found != 0]
    return nonzero


def ordinary(numbers: AnyArray, limit: float) -> int:
    """How many of these numbers are neither very large nor very small."""
    with np.errstate(invalid="ignore", over="ignore"):
        sizes = np.abs(numbers.astype(np.float64))
    smallest = 1 / limit if numbers.dtype.kind != "i" else 1
    return int(((sizes >= smallest) & (sizes <= limit)).sum())
