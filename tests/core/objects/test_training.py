"""What the parts of a training checkpoint are told to be."""

from __future__ import annotations

import argparse
import random
from typing import Any

import pytest

from tests.builders.torch_values import ModuleClass, adam_state_dict, full, module, parameter
from tests.builders.values import Global, Instance
from tests.core.objects.streams import pickled, tensors_of, written
from viewer.core.objects.scalars import TensorOf
from viewer.core.objects.scalars import written as number_text
from viewer.core.objects.training import Meaning, lightning, meaning, progress, training_parts
from viewer.core.objects.training_kinds import optimizer_kind, schedule_kind
from viewer.core.pickles.values import Values
from viewer.wording import fill
from viewer.wording.training import TRAINING, TRAINING_AT


def tensor_of(values: Values) -> TensorOf:
    return {tensor.value.value: tensor for tensor in tensors_of(values) if tensor.value is not None}.get


def said(found: Meaning | None) -> str:
    assert found is not None
    return fill(TRAINING[found.code], found.params)


def parts(value: object) -> dict[str, str]:
    values = written(value)
    return {".".join(map(str, path)): said(found) for path, _, found in training_parts(values, tensor_of(values))}


def adam(**extra: Any) -> dict[str, object]:
    one = full("float32", (), [1])
    return adam_state_dict([(one, one, one)], extra=extra)


def test_optimizers() -> None:
    text = "lr 0.001, betas (0.9, 0.999), weight_decay 0"
    found = parts({"a": adam(), "b": adam(decoupled_weight_decay=True), "c": {"state": {}, "param_groups": []}})
    assert found == {
        "a": f"Adam state of 1 parameter: {text}",
        "b": f"AdamW state of 1 parameter: {text}",
        "c": "Optimizer without parameters",
    }
    whole = Instance(
        Global("my.optim", "Lion"), (), {"state": {0: {"m": 1}, 1: {"m": 2}}, "param_groups": [{"lr": 2e-5}]}
    )
    assert parts([whole]) == {"0": "Lion state of 2 parameters: lr 2e-05"}


def test_groups_with_rates_of_their_own() -> None:
    groups = [{"lr": 0.1, "params": [0, 1]}, {"lr": 0.01, "params": [2]}, {"lr": 0.1, "params": []}]
    assert parts({"o": {"state": {}, "param_groups": groups}}) == {
        "o": "Optimizer that has no state yet, for 3 parameters: lr 0.1 / 0.01"
    }


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            {"step_size": 30, "gamma": 0.1, "base_lrs": [1], "last_epoch": 30, "_last_lr": [0.01]},
            "Learning-rate schedule StepLR: step 30, lr 0.01, step_size 30, gamma 0.1",
        ),
        ({"base_lrs": [1], "last_epoch": 4}, "Learning-rate schedule: step 4"),
        (
            Instance(Global("torch.optim.lr_scheduler", "StepLR"), (), {"last_epoch": 4, "gamma": 0.5}),
            "Learning-rate schedule StepLR: step 4, gamma 0.5",
        ),
        (
            {
                "scale": 65536.0,
                "growth_factor": 2.0,
                "backoff_factor": 0.5,
                "growth_interval": 2000,
                "_growth_tracker": 7,
            },
            "Gradient scaler: scale 65,536, growth_interval 2,000, growth_tracker 7",
        ),
        (argparse.Namespace(a=1, b=2), "Settings: 2"),
        (random.Random(5).getstate(), "Random-number state of Python: mt19937, place 624"),
    ],
)
def test_other_parts(value: object, expected: str) -> None:
    values = pickled(value) if not isinstance(value, Instance) else written(value)
    assert said(meaning(values, values.root, ())) == expected


@pytest.mark.parametrize(
    "value", [{}, [], 5, "x", {"state": {}}, {"lr": 0.1}, {"epoch": 3}, {"scale": 1.0}, {"a": [1, 2]}]
)
def test_what_is_no_part(value: object) -> None:
    values = pickled(value)
    assert meaning(values, values.root, ()) is None
    assert list(training_parts(values)) == []


def test_progress() -> None:
    values = written({"epoch": 3, "global_step": full("int64", (), [5]), "loss": 0.25, "name": 7, "best_loss": None})
    assert said(progress(values, tensor_of(values))) == "Progress: epoch 3, loss 0.25"
    assert progress(pickled([1]), lambda value: None) is None
    assert progress(pickled({"name": 1}), lambda value: None) is None


def test_lightning() -> None:
    assert said(lightning(pickled({"pytorch-lightning_version": "1.5.0"}))) == (
        "PyTorch Lightning checkpoint, version 1.5.0"
    )
    assert lightning(pickled({})) is None


def test_modules_are_not_looked_into_and_deep_places_are_left_out() -> None:
    net = module(ModuleClass("nets", "Net"), {"optimizer": adam()}, {"w": parameter(full("float32", (1,), [1]))})
    assert parts({"model": net}) == {}
    assert parts([[[[adam()]]]]).keys() == {"0.0.0.0"}
    assert parts([[[[[adam()]]]]]) == {}


def test_a_part_inside_itself_ends() -> None:
    values = pickled(loop())
    assert list(training_parts(values)) == []


def loop() -> list[object]:
    value: list[object] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    ("settings", "kept", "decoupled", "expected"),
    [
        ("lr betas eps weight_decay amsgrad", "", None, "Adam or AdamW"),
        ("lr betas eps weight_decay", "step exp_avg exp_avg_sq", None, "Adam-like"),
        ("lr betas eps weight_decay", "step exp_avg exp_inf", None, "Adamax"),
        ("lr", "momentum_buffer", None, "SGD"),
        ("lr", "step", None, ""),
        ("", "", None, ""),
    ],
)
def test_kinds_of_optimizers(settings: str, kept: str, decoupled: bool | None, expected: str) -> None:
    assert optimizer_kind(settings.split(), kept.split(), decoupled) == expected


def test_kinds_of_schedules() -> None:
    assert schedule_kind({"gamma", "base_lrs", "last_epoch"}) == "ExponentialLR"
    assert schedule_kind({"base_lrs", "last_epoch"}) == ""
    assert schedule_kind({"gamma"}) is None


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (3, "3"),
        (1875.0, "1,875"),
        (0.1, "0.1"),
        (1e-5, "1e-05"),
        (float("nan"), "nan"),
        (1e300, "1e+300"),
        (-2.5, "-2.5"),
    ],
)
def test_numbers(number: float, expected: str) -> None:
    assert number_text(number) == expected


def test_each_sentence_has_one_with_a_place() -> None:
    alone = {"lightning", "progress"}
    assert TRAINING.keys() - alone == TRAINING_AT.keys()


def test_large_values_are_not_read() -> None:
    many = dict.fromkeys(range(1000), 1)
    assert parts({"o": {"state": {0: many}, "param_groups": [many, {"lr": 0.5, "params": [0]}]}}) == {
        "o": "Optimizer state of 1 parameter: lr 0.5"
    }
    assert parts({"g": {"bit_generator": "X", "state": many}}) == {"g": "Random-number state of numpy: X"}
    assert parts({"t": (3, tuple(range(1000)), None), "m": many}) == {}
    wide = [[[1] for _ in range(60)] for _ in range(60)]
    assert parts({"w": wide, "o": adam()}).keys() == {"o"}
