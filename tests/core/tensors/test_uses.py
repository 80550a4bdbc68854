"""What tensors use of their storages, by their sizes and strides."""

from __future__ import annotations

from collections import OrderedDict
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders.torch_values import Storage, full, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.core.tensors.streams import over
from tests.opened import codes, opened
from viewer.core.problem import Problem
from viewer.core.tensors.uses import Uses, use_problems

SIX = storage("float32", [0, 1, 2, 3, 4, 5])


def found(value: object) -> list[Problem]:
    return use_problems(opened(torch_zip({"w": value})).tensors)


def only(problems: list[Problem]) -> dict[str, Any]:
    (problem,) = problems
    return {"code": problem.code, **problem.params}


@pytest.mark.parametrize(
    "value",
    [
        full("float32", (2, 3), range(6)),
        tensor(SIX, (3, 2), (1, 3)),
        tensor(SIX, (1, 6), (999, 1)),
        [tensor(SIX, (3,), (1,)), tensor(SIX, (3,), (1,), 3)],
        [tensor(SIX, (3,), (2,)), tensor(SIX, (3,), (2,), 1)],
        [tensor(SIX, (2,), (1,)), SIX],
        tensor(Storage("float32", b""), (0, 3), (3, 1), 500),
        tensor(Storage("uint16", bytes(4)), (2,)),
        tensor(storage("float32", range(12)), (2, 2, 3), (6, 3, 1)),
    ],
)
def test_all_bytes_are_used(value: object) -> None:
    assert found(value) == []


def test_a_slice_keeps_its_whole_storage() -> None:
    document = opened(torch_zip({"w": tensor(SIX, (2,), (1,), 1)}))
    (problem,) = use_problems(document.tensors)
    (used,) = document.tensors
    assert used.storage is not None
    assert (problem.code, problem.severity, problem.span) == ("storage-part-used", "note", used.storage.span)
    assert problem.params == {"count": 1, "key": "0", "names": "w", "nbytes": 16, "size": 24}
    assert problem.text.startswith(
        "Storages of which tensors use only a part: 1. 16 of their 24 bytes belong to no tensor."
    )


def test_elements_between_those_of_a_column_are_not_used() -> None:
    assert only(found(tensor(SIX, (2,), (3,), 1)))["nbytes"] == 16


def test_parts_that_share_bytes_are_not_counted_twice() -> None:
    parts = [tensor(SIX, (3,), (1,), 0), tensor(SIX, (3,), (1,), 1), tensor(SIX, (2,), (1,), 2)]
    assert only(found(parts))["nbytes"] == 8


def test_the_largest_waste_is_named() -> None:
    many = storage("float32", range(100))
    small = [(f"s{row}", tensor(storage("float32", [1, 2]), (1,), (1,))) for row in range(20)]
    facts = only(found(OrderedDict([*small, ("big", tensor(many, (1,), (1,)))])))
    assert (facts["count"], facts["nbytes"], facts["size"], facts["key"]) == (21, 20 * 4 + 396, 560, "20")


def test_nothing_is_said_of_what_is_unused_when_tensors_are_unread() -> None:
    assert use_problems([over(bytes(8), "float32", (1,))], are_all=False) == []


def test_a_stride_of_zero() -> None:
    facts = only(found(tensor(storage("float32", [1, 2, 3]), (4, 3), (0, 1))))
    assert facts == {"code": "tensor-expanded", "count": 1, "names": "w"}
    # of an axis of one element the stride does not matter
    assert found(tensor(storage("float32", [1, 2, 3]), (1, 3), (0, 1))) == []


def test_elements_that_overlap() -> None:
    facts = only(found(tensor(SIX, (4, 3), (1, 1))))
    assert facts == {"code": "tensor-overlap", "count": 1, "names": "w"}


def test_strides_that_interleave_do_not_overlap() -> None:
    # 0 2 4 and 3 5 7
    assert only(found(tensor(storage("float32", range(8)), (2, 3), (3, 2))))["code"] == "storage-part-used"


def test_a_hundred_thousand_are_one_problem() -> None:
    data = bytes(4)
    tensors = [over(data, "float32", (2, row + 2), (0, 0)) for row in range(2000)] * 50
    (problem,) = use_problems(tensors)
    assert (problem.params["count"], problem.params["names"]) == (100_000, "w (+99,999)")


def test_large_layouts_are_not_counted_place_by_place() -> None:
    wide = over(bytes(4 * 40_000), "float32", (20_000, 20_000), (1, 1))
    uses = Uses()
    uses.add(wide)
    assert (uses.left, uses.overlapping) == (1024 * 1024, [wide])


def test_what_tensors_are_made_of_uses_storages_too() -> None:
    values = over(bytes(8), "float32", (2,))
    outer = over(bytes(0), "float32", (0,))
    outer.parts = (("values", values), ("indices", over(bytes(32), "int64", (2,), itemsize=8)))
    assert only(use_problems([outer]))["nbytes"] == 16


def test_indices_of_a_sparse_tensor_are_half_of_a_pair() -> None:
    pair, values = over(bytes(32), "int64", (2,), itemsize=8), over(bytes(8), "float32", (2,))
    sparse = over(bytes(0), "float32", (2, 2))
    sparse.layout, sparse.storage = "sparse_csr", None
    sparse.parts = (("col_indices", pair), ("values", values))
    assert use_problems([sparse]) == []
    sparse.parts = (("col_indices", pair), ("values", over(bytes(80), "float32", (2,))))
    assert only(use_problems([sparse]))["nbytes"] == 72


def test_packed_types_and_arrays_are_left_out() -> None:
    packed = over(bytes(8), "quint4x2", (2,), itemsize=1)
    array = over(bytes(8), "float32", (1,))
    array.kind = "array"
    assert use_problems([packed, array]) == []


layouts = st.lists(st.tuples(st.integers(0, 5), st.integers(-7, 7)), max_size=4)


@given(layouts)
def test_forms_are_those_of_their_places(axes: list[tuple[int, int]]) -> None:
    shape, stride = tuple(size for size, _ in axes), tuple(step for _, step in axes)
    places = {sum(at * step for at, step in zip(index, stride, strict=True)) for index in product(*map(range, shape))}
    form = Uses()._form(shape, stride)
    assert form.places == len(places)
    assert (form.low, form.high) == ((min(places), max(places)) if places else (0, -1))
    moving = [size for size, step in axes if step and size > 1]
    assert form.overlaps is (bool(places) and len(places) < int(np.prod(moving)))
    assert form.expanded is (bool(places) and any(size > 1 and not step for size, step in axes))


def test_a_file_says_so() -> None:
    assert codes(opened(torch_zip({"a": tensor(SIX, (2,), (1,))}))) == ["storage-part-used"]
    assert codes(opened(torch_zip({"a": full("float32", (2,), [1, 2])}))) == []
