"""Nested tensors of damaged files: what cannot say where a tensor begins is told, and no error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.core.tensors.streams import over
from viewer.core.tensors.nested import held
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import read


def of(array: np.ndarray[Any, Any]) -> Tensor:
    steps = tuple(step // array.itemsize for step in array.strides)
    return over(array.tobytes(), array.dtype.name, array.shape, steps, itemsize=array.itemsize)


def jagged(offsets: np.ndarray[Any, Any]) -> Tensor:
    parts = (("values", of(np.array([1, 2, 5], "<f4"))), ("offsets", of(offsets)))
    return Tensor(0, ("w",), "w", "tensor", "float32", (2, 0), (), 0, None, layout="jagged", parts=parts)


@pytest.mark.parametrize("kind", ["<i8", "<i4"])
def test_each_tensor_is_a_part_of_the_values(kind: str) -> None:
    found = held(jagged(np.array([0, 1, 3], kind)))
    assert found is not None
    assert [read(one).tolist() for one in found] == [[1], [2, 5]]


@pytest.mark.parametrize(("kind", "bad"), [("<f4", np.nan), ("<f4", np.inf), ("<c8", 1), ("?", 1)])
def test_offsets_that_are_no_integers_tell_nothing(kind: str, bad: float) -> None:
    assert held(jagged(np.array([0, bad, 3], kind))) is None
