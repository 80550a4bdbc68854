"""A plane with more cells than pixels, none of them missed: each pixel is the mean of its cells, NaN where one is.

Read in strips of a bounded number of cells.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from viewer.core.progress import Progress
from viewer.core.tensors.sheet import Plane, Sheet

STRIP: Final = 128 * 1024
"""Cells that are read at once."""


def cells_of(sheet: Sheet, rows: range, columns: range) -> int:
    """How many cells the pixels stand for."""
    return len(_all(rows, sheet.rows)) * len(_all(columns, sheet.columns))


def reduced(sheet: Sheet, rows: range, columns: range, progress: Progress) -> Plane:
    """A number for each of the rows and columns: the mean of its cells and of those up to the next of the range.

    Raises what reading the file does, and CancelledError.
    """
    whole = _all(columns, sheet.columns)
    per = max(1, STRIP // max(1, rows.step) // columns.step) * columns.step
    tall = max(1, STRIP // max(1, min(per, len(whole))))
    found = np.zeros((len(rows), len(columns)))
    for number, row in enumerate(rows):
        cells = range(row, min(row + rows.step, sheet.rows))
        for left in range(whole.start, whole.stop, per):
            part = range(left, min(left + per, whole.stop))
            first = (left - columns.start) // columns.step
            starts = np.arange(0, len(part), columns.step)
            sums = np.zeros(len(starts))
            for top in range(cells.start, cells.stop, tall):
                progress.check()
                plane = sheet.read(range(top, min(top + tall, cells.stop)), part)
                with np.errstate(invalid="ignore", over="ignore"):
                    sums += np.add.reduceat(plane.sum(axis=0), starts)
            widths = np.diff(np.append(starts, len(part)))
            found[number, first : first + len(starts)] = sums / (widths * len(cells))
    return found


def _all(pixels: range, count: int) -> range:
    return range(pixels.start, min(count, pixels[-1] + pixels.step)) if pixels else range(0)
