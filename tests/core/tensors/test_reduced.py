"""Planes with more cells than pixels: every cell counts."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.tensors.test_sheet import of
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.tensors import reduced as module
from viewer.core.tensors.reduced import cells_of, reduced
from viewer.core.tensors.sheet import TensorSheet, kernels


def by_hand(plane: np.ndarray, rows: range, columns: range) -> np.ndarray:
    return np.array([[plane[r : r + rows.step, c : c + columns.step].mean(dtype="f8") for c in columns] for r in rows])


@pytest.mark.parametrize("strip", [1, 7, 64, 1 << 18])
def test_a_pixel_is_the_mean_of_its_cells(strip: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STRIP", strip)
    plane = np.random.default_rng(0).standard_normal((23, 31)).astype("<f4")
    sheet = TensorSheet(of(plane), (0,), (1,), (0, 0))
    for rows, columns in ((range(0, 23, 4), range(0, 31, 5)), (range(3, 20, 1), range(10, 31, 10))):
        found = reduced(sheet, rows, columns, Progress())
        assert np.allclose(found, by_hand(plane, rows, columns), rtol=1e-12, atol=1e-15)
    assert cells_of(sheet, range(0, 23, 4), range(0, 31, 5)) == 23 * 31


def test_no_nan_and_no_infinity_is_missed() -> None:
    plane = np.ones((40, 40), "<f4")
    plane[13, 27], plane[38, 1] = np.nan, np.inf
    sheet = TensorSheet(of(plane), (0,), (1,), (0, 0))
    found = reduced(sheet, range(0, 40, 10), range(0, 40, 10), Progress())
    assert np.argwhere(np.isnan(found)).tolist() == [[1, 2]]
    assert np.argwhere(np.isinf(found)).tolist() == [[3, 0]]
    assert np.count_nonzero(found == 1) == 14


def test_kernels_are_reduced_by_whole_kernels() -> None:
    weight = np.arange(6 * 4 * 3 * 3, dtype="<f4").reshape(6, 4, 3, 3)
    sheet = kernels(of(weight))
    assert sheet is not None
    whole = weight.transpose(1, 2, 0, 3).reshape(12, 18)
    rows, columns = range(0, 12, 6), range(0, 18, 9)
    assert np.allclose(reduced(sheet, rows, columns, Progress()), by_hand(whole, rows, columns))


def test_reducing_is_cancelled() -> None:
    progress = Progress()
    progress.cancel()
    sheet = TensorSheet(of(np.ones((8, 8), "<f4")), (0,), (1,), (0, 0))
    with pytest.raises(CancelledError):
        reduced(sheet, range(0, 8, 2), range(0, 8, 2), progress)
