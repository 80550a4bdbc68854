"""Branches that can be exported, what state_dict() of a module would give, and which branch is meant."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

import pytest
from typing_extensions import override

from tests.builders.torch_values import ModuleClass, adam_state_dict, full, module, parameter, state_dict
from tests.builders.values import Call, Global, Instance
from tests.core.objects.streams import tensors_of, written
from viewer.core.objects import state_dict as state_dicts_of
from viewer.core.objects.state_dict import Branch, branch_at, default_branch, flat_branch, state_dicts, unique

NORM = ModuleClass("torch.nn.modules.batchnorm", "BatchNorm1d")


def one(shape: tuple[int, ...] = (1,)) -> Call:
    return full("float32", shape, [1] * (shape[0] if shape else 1))


def branches(value: object, protocol: int = 2) -> list[Branch]:
    values = written(value, protocol)
    return state_dicts(values, tensors_of(values))


def usual(value: object) -> list[str]:
    return [branch.title for branch in default_branch(branches(value))]


def names(branch: Branch) -> list[str]:
    return [name for name, _ in branch.entries]


def net() -> Instance:
    norm = module(
        NORM,
        {"eps": 1e-5},
        {"weight": parameter(one()), "bias": None},
        {"running_mean": one(), "num_batches_tracked": full("int64", (), [3])},
    )
    return module(
        ModuleClass("nets", "Net"),
        {"plain": one()},
        {"scale": parameter(one())},
        {"table": one()},
        {"norm": norm, "nothing": None},
    )


def test_a_state_dict_at_the_root() -> None:
    (branch,) = branches(state_dict({"b.w": one(), "a": one()}, {"": 1, "b": 2}))
    assert (branch.path, branch.kind) == ((), "state_dict")
    assert names(branch) == ["b.w", "a"]
    assert branch.metadata == {"": {"version": 1}, "b": {"version": 2}}


def test_the_tensors_are_those_of_the_document() -> None:
    values = written({"model": {"a": one()}})
    tensors = tensors_of(values)
    (branch,) = state_dicts(values, tensors)
    assert branch.entries[0][1] is tensors[0]


def test_entries_that_are_no_tensors_are_named() -> None:
    values = written(OrderedDict({"w": one(), "format": "row", "amax": None}))
    (branch,) = state_dicts(values, tensors_of(values))
    assert names(branch) == ["w"]
    assert [(name, values.plain(value)) for name, value in branch.other] == [("format", "row"), ("amax", None)]
    assert branch.metadata is None


def test_a_whole_module_gives_its_state_dict_in_the_order_of_torch() -> None:
    (branch,) = branches(net())
    assert branch.kind == "module"
    assert names(branch) == ["scale", "table", "norm.weight", "norm.running_mean", "norm.num_batches_tracked"]
    assert branch.metadata == {"": {"version": 1}, "norm": {"version": 2}}


def test_a_norm_that_counts_no_batches_is_of_the_first_version() -> None:
    (branch,) = branches(module(NORM, {}, {"weight": parameter(one())}))
    assert branch.metadata == {"": {"version": 1}}


def test_tied_weights_have_both_names() -> None:
    weight = parameter(one())
    outer = module(
        ModuleClass("nets", "A"),
        {},
        {},
        {},
        {name: module(ModuleClass("nets", "B"), {}, {"w": weight}) for name in ("first", "second")},
    )
    (branch,) = branches(outer)
    assert names(branch) == ["first.w", "second.w"]
    assert branch.entries[0][1] is not branch.entries[1][1]


def test_a_parameter_that_is_no_tensor_is_named() -> None:
    odd = Call(Global("torch.nn.parameter", "make"), (True,))
    (branch,) = branches(module(ModuleClass("nets", "A"), {}, {"w": parameter(one()), "odd": odd}))
    assert names(branch) == ["w"]
    assert [name for name, _ in branch.other] == ["odd"]


def test_a_module_inside_itself_ends() -> None:
    made = net()
    assert isinstance(made.state, dict)
    made.state["_modules"]["me"] = made
    (branch,) = branches(made)
    assert len(branch.entries) == 5


def test_a_training_checkpoint() -> None:
    value = {
        "epoch": 1,
        "model": state_dict({"w": one((2,))}),
        "optimizer": adam_state_dict([(full("float32", (), [1]), one(), one())]),
        "best": full("float32", (), [0.5]),
    }
    found = branches(value)
    assert [(branch.title, branch.kind) for branch in found] == [("model", "state_dict"), ("optimizer", "optimizer")]
    assert names(found[1]) == ["state.0.step", "state.0.exp_avg", "state.0.exp_avg_sq"]
    assert usual(value) == ["model"]


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        (["model", "ema"], ["model"]),
        (["state_dict_ema", "state_dict"], ["state_dict"]),
        (["ema_model_state_dict"], ["ema_model_state_dict"]),
        (["generator", "discriminator"], ["generator", "discriminator"]),
        (["model", "optimizer_state_dict"], ["model"]),
        (["net", "opt"], ["net"]),
        (["net", "optimizerG"], ["net"]),
        (["model", "rng_state"], ["model"]),
        (["callbacks", "state_dict"], ["state_dict"]),
        (["optim0"], []),
    ],
)
def test_the_branch_that_is_meant(keys: list[str], chosen: list[str]) -> None:
    value = {"epoch": 1, **{key: {"w": one((2,)), "b": one((3,))} for key in keys}}
    assert usual(value) == chosen


def test_numbers_of_a_metric_are_no_weights() -> None:
    value = {"net": {"w": one((2,))}, "losses_seen": {"loss": full("float32", (), [1])}, "epoch": 1}
    assert usual(value) == ["net"]


def test_a_model_without_a_state_dict_is_its_module() -> None:
    value = {"epoch": 1, "model": net(), "ema": None, "optimizer": None}
    (branch,) = default_branch(branches(value))
    assert (branch.title, branch.kind) == ("model", "module")
    assert names(branch)[0] == "scale"


def test_a_nested_state_dict_is_one_branch_and_equal_names_are_told_apart() -> None:
    value = {"model": {"a.b": one(), "a": {"b": one()}}}
    (branch,) = branches(value)
    assert branch.title == "model"
    assert names(branch) == ["a.b", "a.b#2"]


def test_an_optimizer_alone_has_no_default() -> None:
    value = adam_state_dict([(full("float32", (), [1]), one(), one())])
    assert [branch.kind for branch in branches(value)] == ["optimizer"]
    assert usual(value) == []


def test_a_whole_optimizer() -> None:
    weight = parameter(one())
    held = {"defaults": {}, "state": {weight: {"step": one()}}, "param_groups": [{"params": [weight]}]}
    (branch,) = branches(Instance(Global("torch.optim.sgd", "SGD"), (), held))
    assert branch.kind == "optimizer"


def test_lists_of_tensors_are_no_branch() -> None:
    assert branches([one(), one()]) == []
    assert branches({0: one(), 1: one()}) == []


def test_a_mapping_with_keys_of_other_kinds_is_no_state_dict() -> None:
    assert branches({"m": {1: one(), "1": one()}}) == []


def test_any_place_can_be_asked_for() -> None:
    values = written({"a": {"x": [one(), {"y": one()}]}, "model": net(), "w": one()})
    tensors = tensors_of(values)
    branch = branch_at(values, tensors, ("a",))
    assert branch is not None
    assert (branch.kind, names(branch)) == ("tensors", ["x.0", "x.1.y"])
    whole = branch_at(values, tensors, ("model",))
    assert whole is not None
    assert names(whole)[-1] == "norm.num_batches_tracked"
    alone = branch_at(values, tensors, ("w",))
    assert alone is not None
    assert names(alone) == ["w"]
    assert branch_at(values, tensors, ("b",)) is None


def test_all_tensors_under_their_paths() -> None:
    values = written({"a": [one(), one()], "a.0": one()})
    assert names(flat_branch(tensors_of(values))) == ["a.0", "a.1", "a.0#2"]


def test_names_are_made_unique() -> None:
    (tensor,) = tensors_of(written(one()))
    assert [name for name, _ in unique([("a", tensor), ("a#2", tensor), ("a", tensor)])] == ["a", "a#2", "a#3"]


def test_a_dict_subclass_holds_a_state_dict() -> None:
    held = Call(Global("easydict", "EasyDict"), (), None, [("fc.weight", one((2,))), ("note", 1)])
    assert usual({"cfg_of_run": 1, "state_dict": held}) == ["state_dict"]


class Walked(dict[int, list[int]]):
    """What stands where, and how often all of it was gone through."""

    walks = 0

    @override
    def __iter__(self) -> Iterator[int]:
        self.walks += 1
        return super().__iter__()


def test_a_whole_object_of_many_mappings_is_gone_through_once_for_all_of_them() -> None:
    values = written({"state": {number: {"step": number, "average": one()} for number in range(50)}})
    made = state_dicts_of._Branches(values, tensors_of(values), 0, "utf-8")
    made.held = held = Walked(made.held)
    found = made.whole()
    assert found is not None
    assert (len(found.entries), len(found.other), len(found.holders)) == (50, 50, 52)
    assert held.walks == 1
