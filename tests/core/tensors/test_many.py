"""Tensors that are made when they are looked at: one object for each index, sums without making them."""

from __future__ import annotations

import gc
from collections.abc import Sequence

import pytest
from typing_extensions import override

from viewer.core.source import MemorySource
from viewer.core.span import Span
from viewer.core.tensors.many import Counted, ManyTensors, Totals, totals_of
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor


def made(number: int, storage: Storage | None, shape: tuple[int, ...] = (2,), dtype: str = "float32") -> Tensor:
    return Tensor(number, (number,), None, "tensor", dtype, shape, (1,) * len(shape), 0, storage)


def stored(data: bytes = bytes(8), count: int = 2, location: str = "cpu") -> Storage:
    return Storage("0", location, "float32", False, count, count * 4, Span(0, count * 4), MemorySource(data))


class Counting(ManyTensors):
    """Keeps the numbers that were made."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.numbers: list[int] = []

    @override
    def make(self, number: int) -> Tensor:
        self.numbers.append(number)
        return made(number, None)

    @override
    def totals(self) -> Totals:
        return Totals(count=len(self))


def test_one_object_while_it_is_held() -> None:
    many = Counting(5)
    held = many[3]
    assert many[3] is held
    assert many[-2] is held
    assert many.numbers == [3]
    del held
    gc.collect()
    assert many[3].index == 3
    assert many.numbers == [3, 3]


def test_nothing_is_made_before_it_is_asked_for() -> None:
    many = Counting(10**12)
    assert len(many) == 10**12
    assert totals_of(many).count == 10**12
    assert many.stated_at(0) == -1
    assert many.numbers == []
    assert [tensor.index for tensor in many[7:20:5]] == [7, 12, 17]


@pytest.mark.parametrize("index", [5, -6])
def test_indexes_outside(index: int) -> None:
    with pytest.raises(IndexError):
        Counting(5)[index]


def test_iteration_makes_each_once() -> None:
    many = Counting(4)
    assert [tensor.index for tensor in many] == [0, 1, 2, 3]
    assert isinstance(many, Sequence)
    assert many.numbers == [0, 1, 2, 3]


def test_sums_count_shared_elements_once() -> None:
    shared = stored()
    tensors = [made(0, shared), made(1, shared), made(2, stored(bytes(4), location="cuda:0")), made(3, None, (3,))]
    found = totals_of(tensors)
    assert (found.count, found.whole, found.elements, found.nbytes) == (4, 2, 9, 36)
    assert (found.unique_elements, found.unique_nbytes) == (7, 28)
    assert found.dtypes == {"float32": Counted(4, 36)}
    assert found.locations == {"cpu": Counted(1, 8), "cuda:0": Counted(1, 8)}


def test_sums_of_sums() -> None:
    first, second = totals_of([made(0, stored())]), totals_of([made(0, stored()), made(1, None, (4,), "int64")])
    first.add(second)
    assert (first.count, first.whole, first.elements, first.nbytes) == (3, 2, 8, 48)
    assert first.dtypes == {"float32": Counted(2, 16), "int64": Counted(1, 32)}
    assert first.locations == {"cpu": Counted(2, 16)}
