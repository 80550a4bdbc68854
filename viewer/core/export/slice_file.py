"""The slice of a tensor that a grid shows, as CSV or npy: one or two axes, the others at an index.

CSV has a line a row, no header, and numbers as the shortest text that reads back as the same. npy has the type of the
elements; bfloat16 and float8 become float32, complex32 complex64; of pairs both halves stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

from viewer.core.errors import ExportError
from viewer.core.export.atomic import FileId, check_target, whole_or_absent
from viewer.core.export.base import STEP
from viewer.core.export.csv import KINDS, words
from viewer.core.progress import Progress
from viewer.core.source import ByteSource, FileSource
from viewer.core.tensors.dtypes import COMPLEX32
from viewer.core.tensors.meaning import read_meant
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import read

AT_ONCE: Final = 4096
"""Elements that are read and written at once, at least a row: a few milliseconds of work."""
NPY: Final = ".npy"
Numbers = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Slice:
    """Axes of a tensor as rows and columns; None: there is no such axis. `fixed`: an index for every axis.

    `meant`: the numbers that quantised elements and pairs stand for, not those that are stored.
    """

    tensor: Tensor
    rows: int | None
    columns: int | None
    fixed: tuple[int, ...]
    meant: bool = True

    @property
    def height(self) -> int:
        """How many rows there are: none where another axis has no index to stand at."""
        shape = self.tensor.shape
        if any(not size for axis, size in enumerate(shape) if axis not in (self.rows, self.columns)):
            return 0
        return shape[self.rows] if self.rows is not None else 1

    def blocks(self, progress: Progress) -> Iterator[Numbers]:
        """Rows from first to last, some at a time, two axes each; without rows one block, which tells the type.

        Raises what reading the tensor does.
        """
        shape, height = self.tensor.shape, self.height
        width = shape[self.columns] if self.columns is not None else 1
        if not height:
            yield np.empty((0, width), plain(read_meant(self.tensor) if self.meant else read(self.tensor)).dtype)
            return
        step = max(1, AT_ONCE // max(1, width))
        for first in range(0, height, step):
            progress.step(STEP, first, height)
            key: list[int | slice] = list(self.fixed)
            if self.rows is not None:
                key[self.rows] = slice(first, min(first + step, height))
            if self.columns is not None:
                key[self.columns] = slice(None)
            numbers = plain(read_meant(self.tensor, key) if self.meant else read(self.tensor, key))
            if self.rows is not None and self.columns is not None and self.rows > self.columns:
                numbers = numbers.swapaxes(0, 1)
            yield numbers.reshape(min(step, height - first), -1)


def plain(numbers: Numbers) -> Numbers:
    """Numbers in a type that numpy itself has."""
    if numbers.dtype == COMPLEX32:
        found = np.empty(numbers.shape, np.complex64)
        found.real, found.imag = numbers["real"], numbers["imag"]
        return found
    if numbers.dtype.names == ("low", "high"):
        return np.stack((numbers["low"], numbers["high"]), axis=-1)
    if numbers.dtype.type.__module__ == "ml_dtypes":
        return numbers.astype(np.float32)
    return numbers


def csv_text(part: Slice, progress: Progress) -> str:
    """All of a slice as text, without a line end behind the last row. Raises ExportError for what are no numbers."""
    return "\n".join(line for rows in part.blocks(progress) for line in _lines(rows, part))


def write_slice(part: Slice, source: ByteSource | None, target: Path, progress: Progress) -> None:
    """Write a slice, whole or not at all, in the form of the target's suffix. `source`: the open file, never replaced.

    Raises ExportError, what reading the tensor does, and CancelledError.
    """
    kept = [FileId(source.identity.device, source.identity.inode)] if isinstance(source, FileSource) else []
    place = check_target(target, overwrite=True, kept=kept)
    with whole_or_absent(place, overwrite=True) as file:
        if target.suffix.lower() == NPY:
            _write_npy(part, file, progress)
            return
        for rows in part.blocks(progress):
            file.write("".join(f"{line}\n" for line in _lines(rows, part)).encode("ascii"))


def _lines(rows: Numbers, part: Slice) -> Iterator[str]:
    if rows.dtype.kind not in KINDS:
        raise ExportError("export-no-numbers", dtype=part.tensor.dtype)
    for row in rows:
        yield ",".join(words(np.ascontiguousarray(row)))


def _write_npy(part: Slice, file: BinaryIO, progress: Progress) -> None:
    start = 0
    for rows in part.blocks(progress):
        if rows.dtype.hasobject:
            raise ExportError("export-no-numbers", dtype=part.tensor.dtype)
        if not start:
            facts = {"descr": np.lib.format.dtype_to_descr(rows.dtype), "fortran_order": False}
            np.lib.format.write_array_header_1_0(file, {**facts, "shape": (part.height, rows.shape[1])})
            start = file.tell()
        file.write(np.ascontiguousarray(rows).tobytes())
