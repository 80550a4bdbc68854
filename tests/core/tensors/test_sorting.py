"""Sorting very many tensors in steps: as Python's own sort does it, and to be stopped."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders.sets import shard, write_set
from viewer.core.errors import CancelledError
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.tensors.columns import By, natural, natural_keys
from viewer.core.tensors.sorting import ordered
from viewer.core.tensors.tensor import Tensor

MANY = 10_000


def tensors() -> list[Tensor]:
    """Sizes that come back again and again."""
    return [Tensor(number, (), f"t{number}", "tensor", "uint8", (number % 7,), (1,), 0, None) for number in range(MANY)]


@pytest.mark.parametrize(("descending", "first", "last"), [(False, [0, 7, 14], 9995), (True, [6, 13, 20], 9996)])
def test_equal_rows_stay_as_they_stand(descending: bool, first: list[int], last: int) -> None:
    found = ordered(tensors(), By.SHAPE, descending, Progress())
    assert list(found[:3]) == first
    assert found[-1] == last
    assert sorted(found) == list(range(MANY))


def test_it_can_be_stopped() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        ordered(tensors(), By.SHAPE, False, progress)


@pytest.mark.parametrize("by", list(By))
@pytest.mark.parametrize("descending", [False, True])
def test_a_set_sorts_by_columns_as_by_its_tensors(by: By, descending: bool, tmp_path: Path) -> None:
    """Shards that are whole stand in columns, the one with an entry too many and the extra tensor do not."""
    files = {
        "b.safetensors": shard({"layer.10.w": ([2, 2], [1, 2, 3, 4]), "layer.9.w": ([3], [1, 2, 3])}),
        "a.safetensors": shard({"@odd": ([1], [5]), "layer.2.w": ([2], [1, 2]), "beside": ([4], [1, 2, 3, 4])}),
        "c.safetensors": shard({"": ([], [7]), "z\n1": ([2], [1, 2])}),
    }
    where = {"layer.10.w": "b", "layer.9.w": "b", "@odd": "a", "layer.2.w": "a", "": "c", "z\n1": "c"}
    path = write_set(tmp_path, files, {name: f"{file}.safetensors" for name, file in where.items()})
    tensors = open_document(path).tensors
    assert len(tensors) == 7
    assert tensors[6].name == "beside"
    one_by_one = ordered(list(tensors), by, descending, Progress())
    assert list(ordered(tensors, by, descending, Progress())) == list(one_by_one)


def test_numbers_in_names_sort_by_their_size() -> None:
    names = ["layer.10.w", "layer.2.w", "layer.2.a", "layer", "layer.x", "a10b2", "a10b1", "a9", "7", "10"]
    assert sorted(names, key=natural) == [
        *("7", "10", "a9", "a10b1", "a10b2", "layer", "layer.2.a", "layer.2.w", "layer.10.w", "layer.x")
    ]


@given(st.lists(st.text("ab.019\n\u00e9\ud800_", max_size=24), min_size=1, max_size=8))
def test_keys_of_many_names_are_those_of_each(names: list[str]) -> None:
    assert natural_keys(names) == [natural(name).encode("utf-8", "surrogatepass") for name in names]
