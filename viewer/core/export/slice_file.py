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

from viewer.core.document import Document
from viewer.core.errors import ExportError
from viewer.core.export.atomic import check_target, whole_or_absent
from viewer.core.export.base import STEP
from viewer.core.export.csv import KINDS, words
from viewer.core.export.protected import kept_of
from viewer.core.progress import Progress
from viewer.core.tensors.dtypes import COMPLEX32
from viewer.core.tensors.meaning import read_meant
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import itemsize, read

AT_ONCE: Final = 4096
"""Elements that are read and written at once: a few milliseconds of work."""
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
    def size(self) -> tuple[int, int]:
        """Rows and columns; no rows where another axis has no index to stand at."""
        shape = self.tensor.shape
        width = shape[self.columns] if self.columns is not None else 1
        if any(not size for axis, size in enumerate(shape) if axis not in (self.rows, self.columns)):
            return 0, width
        return shape[self.rows] if self.rows is not None else 1, width

    def blocks(self, progress: Progress) -> Iterator[tuple[Numbers, bool]]:
        """Numbers of two axes from first to last, and whether a row ends with them: some rows, or a part of one.

        Without elements it is one block, which tells the type. Raises what reading the tensor does.
        """
        height, width = self.size
        if not height or not width:
            kind = plain(read_meant(self.tensor) if self.meant else read(self.tensor)).dtype
            yield np.empty((height, width), kind), True
            return
        rows, columns, unit = max(1, AT_ONCE // width), min(width, AT_ONCE), itemsize(self.tensor)
        for first in range(0, height, rows):
            for left in range(0, width, columns):
                progress.step(STEP, (first * width + left) * unit, height * width * unit)
                row, column = slice(first, min(first + rows, height)), slice(left, min(left + columns, width))
                yield self._part(row, column), column.stop == width

    def _part(self, row: slice, column: slice) -> Numbers:
        key: list[int | slice] = list(self.fixed)
        if self.rows is not None:
            key[self.rows] = row
        if self.columns is not None:
            key[self.columns] = column
        numbers = plain(read_meant(self.tensor, key) if self.meant else read(self.tensor, key))
        if self.rows is not None and self.columns is not None and self.rows > self.columns:
            numbers = numbers.swapaxes(0, 1)
        return numbers.reshape(row.stop - row.start, -1)


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
    return "".join(texts(part, progress)).removesuffix("\n")


def write_slice(part: Slice, opened: Document | None, target: Path, progress: Progress, overwrite: bool = True) -> None:
    """Write a slice, whole or not at all, in the form of the target's suffix.

    `opened`: the document that is open; no file that it is made of is replaced. Raises ExportError, what reading the
    tensor does, and CancelledError.
    """
    place = check_target(target, overwrite, kept_of(opened))
    with whole_or_absent(place, overwrite, progress) as file:
        if target.suffix.lower() == NPY:
            _write_npy(part, file, progress)
            return
        for text in texts(part, progress):
            file.write(text.encode("ascii"))


def texts(part: Slice, progress: Progress) -> Iterator[str]:
    """The text, in pieces; each row ends its line."""
    for numbers, is_end in part.blocks(progress):
        if numbers.dtype.kind not in KINDS:
            raise ExportError("export-no-numbers", dtype=part.tensor.dtype)
        rows = [",".join(words(np.ascontiguousarray(row))) for row in numbers]
        yield "\n".join(rows) + ("\n" if rows and is_end else "," if rows else "")


def _write_npy(part: Slice, file: BinaryIO, progress: Progress) -> None:
    start = 0
    height, width = part.size
    for numbers, _ in part.blocks(progress):
        if numbers.dtype.hasobject:
            raise ExportError("export-no-numbers", dtype=part.tensor.dtype)
        if not start:
            halves = numbers.shape[1] // min(width, AT_ONCE) if numbers.size else 1
            facts = {"descr": np.lib.format.dtype_to_descr(numbers.dtype), "fortran_order": False}
            np.lib.format.write_array_header_1_0(file, {**facts, "shape": (height, width * halves)})
            start = file.tell()
        file.write(np.ascontiguousarray(numbers).tobytes())
