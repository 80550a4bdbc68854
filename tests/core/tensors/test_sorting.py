"""Sorting very many tensors in steps: as Python's own sort does it, and to be stopped."""

from __future__ import annotations

import pytest

from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.tensors.sorting import ordered
from viewer.core.tensors.tensor import Tensor

MANY = 10_000


def tensors() -> list[Tensor]:
    """Sizes that come back again and again."""
    return [Tensor(number, (), f"t{number}", "tensor", "uint8", (number % 7,), (1,), 0, None) for number in range(MANY)]


@pytest.mark.parametrize(("descending", "first", "last"), [(False, [0, 7, 14], 9995), (True, [6, 13, 20], 9996)])
def test_equal_rows_stay_as_they_stand(descending: bool, first: list[int], last: int) -> None:
    found = ordered(tensors(), lambda tensor: tensor.shape, descending, Progress())
    assert list(found[:3]) == first
    assert found[-1] == last
    assert sorted(found) == list(range(MANY))


def test_it_can_be_stopped() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        ordered(tensors(), lambda tensor: tensor.shape, False, progress)
