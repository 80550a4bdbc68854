"""Which parameter of the model each state of an optimizer belongs to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tests.builders.torch_values import full, storage, tensor
from tests.builders.values import Call, Global, Instance
from tests.core.objects.streams import tensors_of, written
from viewer.core.objects.optimizer_names import Joined, joined, parameters_of

SHAPES = {"a.weight": (2, 3), "a.bias": (2,), "bn.weight": (2,), "bn.running_mean": (2,), "b.weight": (2, 3)}


def of(shape: Sequence[int], dtype: str = "float32") -> Call:
    size = 1
    for length in shape:
        size *= length
    return full(dtype, shape, [0] * size)


def join(model: Mapping[str, object], optimizer: object) -> list[Joined]:
    values = written({"model": model, "optimizer": optimizer})
    tensors = tensors_of(values)
    weights = [(str(found.path[1]), found) for found in tensors if found.path[0] == "model"]
    by_value = {found.value.value: found for found in tensors if found.value is not None}
    (value,) = [child for key, child in values.pairs(values.root) if values.text(key) == "optimizer"]
    return joined(values, value, weights, by_value.get)


def names(rows: Sequence[Joined]) -> list[tuple[str | None, str]]:
    return [(row.name, row.by) for row in rows]


def state(shapes: Sequence[Sequence[int] | None], keys: Sequence[object] | None = None) -> dict[object, object]:
    given = keys or range(len(shapes))
    return {key: {"exp_avg": of(shape)} for key, shape in zip(given, shapes, strict=True) if shape is not None}


def model() -> dict[str, object]:
    return {**{name: of(shape) for name, shape in SHAPES.items()}, "bn.num_batches_tracked": of((), "int64")}


FITTING = [(2, 3), (2,), (2,), (2, 3)]
IN_ORDER = ["a.weight", "a.bias", "bn.weight", "b.weight"]


@pytest.mark.parametrize("shapes", [FITTING, [None, (2,), None, (2, 3)]])
@pytest.mark.parametrize("keys", [range(4), [140_000_000_000_001, 140_000_000_000_700, 7, 140_000_000_000_002]])
def test_in_order(keys: Sequence[int], shapes: list[Sequence[int] | None]) -> None:
    rows = join(model(), {"state": state(shapes, keys), "param_groups": [{"params": list(keys)}]})
    assert names(rows) == [(name, "order") for name in IN_ORDER]
    assert [row.shape for row in rows] == shapes
    assert [row.state >= 0 for row in rows] == [shape is not None for shape in shapes]


def test_groups_go_by_shape() -> None:
    optimizer = {
        "state": state([(2, 3), (2, 3), (2,), (2,)]),
        "param_groups": [{"params": [0, 1]}, {"params": [2, 3]}],
    }
    rows = join(model(), optimizer)
    expected = ["a.weight", "b.weight", "a.bias", "bn.weight"]
    assert names(rows) == [(name, "shape") for name in expected]
    assert [row.group for row in rows] == [0, 0, 1, 1]


def test_frozen_parameters_go_by_shape() -> None:
    assert names(join(model(), {"state": state([(2,), (2, 3)]), "param_groups": [{"params": [0, 1]}]})) == [
        ("a.bias", "shape"),
        ("a.weight", "shape"),
    ]


def test_what_fits_nothing_has_no_name() -> None:
    optimizer = {"state": state([(9,), None]), "param_groups": [{"params": [0, 1]}]}
    assert names(join(model(), optimizer)) == [(None, ""), (None, "")]
    assert join(model(), {"state": {}, "param_groups": []}) == []


def test_names_of_the_optimizer_itself() -> None:
    group = {"params": [0, 1], "param_names": ["x", "y"]}
    assert names(join(model(), {"state": state([(2,), (2,)]), "param_groups": [group]})) == [
        ("x", "names"),
        ("y", "names"),
    ]
    by_name = {"state": state([(2,)], ["a.bias"]), "param_groups": [{"params": ["a.bias"]}]}
    assert names(join(model(), by_name)) == [("a.bias", "names")]


def test_whole_optimizers_share_storages() -> None:
    memory = storage("float32", [1, 2, 3, 4])
    weights = {"w": tensor(memory, (2,)), "v": tensor(memory, (2,), offset=2), "unused": of((2,))}
    keys = [tensor(memory, (2,), offset=2), tensor(memory, (2,))]
    optimizer = Instance(
        Global("torch.optim.adam", "Adam"), (), {"state": {}, "param_groups": [{"params": [*keys, of((2,))]}]}
    )
    assert names(join(weights, optimizer)) == [("v", "identity"), ("w", "identity"), (None, "")]


def test_tied_weights_are_one_parameter() -> None:
    shared = of((2, 2))
    values = written({"a": shared, "b": shared, "n": of((), "int64"), "c.running_var": of((2,)), "d": of((1,))})
    entries = [(str(found.path[0]), found) for found in tensors_of(values)]
    assert [name for name, _ in parameters_of(entries)] == ["a", "d"]
