"""Optimizers in checkpoints."""

from __future__ import annotations

import pytest

from tests.builders.torch_values import adam_state_dict, full
from tests.builders.values import Global, Instance
from tests.core.objects.streams import written
from viewer.core.objects.optimizer import is_optimizer, names_optimizer, optimizer, words
from viewer.core.tensors.path import Attribute, Part


def adam() -> dict[str, object]:
    tensors = (full("float32", (), [1]), full("float32", (2,), [0, 0]), full("float32", (2,), [0, 0]))
    return adam_state_dict([tensors, tensors])


def test_the_state_dict_of_an_optimizer() -> None:
    values = written(adam())
    found = optimizer(values, values.root)
    assert found is not None
    assert (found.name, found.parameters, found.groups) == ("", 2, 1)
    assert found.kept == ("step", "exp_avg", "exp_avg_sq")


def test_a_whole_optimizer() -> None:
    values = written(Instance(Global("torch.optim.adam", "Adam"), (), {"defaults": {}, **adam()}))
    found = optimizer(values, values.root)
    assert found is not None
    assert (found.name, found.parameters) == ("torch.optim.adam.Adam", 2)


@pytest.mark.parametrize("value", [{"state": {}}, {"param_groups": []}, [], 5, {"state_dict": {}}])
def test_what_is_none(value: object) -> None:
    values = written(value)
    assert not is_optimizer(values, values.root)
    assert optimizer(values, values.root) is None


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("optimizer", True),
        ("optimizer_state_dict", True),
        ("optim0", True),
        ("optimizerG_state_dict", True),
        ("netG_optimizer", True),
        (Attribute("opt"), True),
        ("options", False),
        ("adopted", False),
        ("model", False),
        (0, False),
    ],
)
def test_keys_that_name_one(part: Part, expected: bool) -> None:
    assert names_optimizer(part) is expected


def test_words_of_a_key() -> None:
    assert words("netG_state-dict2.EMA") == ["net", "g", "state", "dict", "ema"]
