"""What quantised modules keep beside their parameters, as torch pickles them."""

from __future__ import annotations

import pytest

from tests.builders.torch_values import ModuleClass, full, module
from tests.builders.values import Call, Global, Instance
from tests.core.objects.streams import found, tensors_of, written
from viewer.core.objects.modules import state_dict
from viewer.core.objects.state_dict import branch_at
from viewer.core.tensors.path import Attribute, Key

SCRIPT = Global("torch._C", "ScriptObject")


def packed(*state: object) -> Instance:
    """An object of TorchScript with its state and the name of its class."""
    return Instance(SCRIPT, (), (tuple(state[0]) if isinstance(state[0], list) else state[0], "__torch__.Packed"))


def linear(package: str = "torch.ao.nn.quantized") -> Instance:
    pair = [full("int8", (2, 2), [1, 2, 3, 4]), full("float32", (2,), [5, 6])]
    inner = module(
        ModuleClass(f"{package}.modules.linear", "LinearPackedParams"),
        {"dtype": Global("torch", "qint8"), "_packed_params": packed(pair)},
    )
    outer = ModuleClass(f"{package}.modules.linear", "Linear")
    return module(outer, {"scale": 0.5, "zero_point": 3}, children={"_packed_params": inner})


def convolution(bias: object) -> Instance:
    weight = full("int8", (1, 1), [7])
    head = (1, 1, (1,), (1,), (0,), (1,), False, (0,), 1, "zeros")
    return Instance(Global("torch.ao.nn.quantized.modules.conv", "Conv1d"), (), (*head, weight, bias, 0.25, 4, True))


def names(value: object) -> list[str]:
    values = written(value)
    return [entry.name for entry in state_dict(values, values.root).entries]


@pytest.mark.parametrize("package", ["torch.ao.nn.quantized", "torch.nn.quantized"])
def test_a_linear_layer(package: str) -> None:
    assert names(linear(package)) == [
        "scale",
        "zero_point",
        "_packed_params.dtype",
        "_packed_params._packed_params.0",
        "_packed_params._packed_params.1",
    ]


def test_a_convolution_and_its_place() -> None:
    value = module(ModuleClass("nets", "Net"), children={"conv": convolution(full("float32", (1,), [8]))})
    assert names(value) == ["conv.weight", "conv.bias", "conv.scale", "conv.zero_point"]
    tensors = found(value)
    assert [(tensor.name, tensor.path) for tensor in tensors] == [
        ("conv.weight", (Attribute("_modules"), "conv", Key("state"), 10)),
        ("conv.bias", (Attribute("_modules"), "conv", Key("state"), 11)),
    ]


def test_a_convolution_alone() -> None:
    values = written(convolution(None))
    branch = branch_at(values, tensors_of(values), ())
    assert branch is not None
    assert (branch.kind, [name for name, _ in branch.entries]) == ("module", ["weight"])
    assert [name for name, _ in branch.other] == ["bias", "scale", "zero_point"]


def test_an_embedding() -> None:
    weight = packed([1, [full("uint8", (2,), [1, 2])], [], [8]])
    cls = ModuleClass("torch.ao.nn.quantized.modules.embedding_ops", "EmbeddingPackedParams")
    assert names(module(cls, {"dtype": Global("torch", "quint8"), "_packed_weight": weight})) == [
        "dtype",
        "_packed_weight",
    ]


@pytest.mark.parametrize("state", [5, (), [1, 2, 3], [1, 5], [1, []]])
def test_packed_objects_of_another_kind(state: object) -> None:
    cls = ModuleClass("torch.ao.nn.quantized.modules.embedding_ops", "EmbeddingPackedParams")
    assert names(module(cls, {"_packed_weight": packed(state)})) == []
    cls = ModuleClass("torch.ao.nn.quantized.modules.linear", "LinearPackedParams")
    given = [entry for entry in names(module(cls, {"_packed_params": packed(state)})) if state != [1, 5]]
    assert len(given) == (2 if state == [1, []] else 0)


def test_the_same_names_in_another_class_mean_nothing() -> None:
    assert names(module(ModuleClass("nets", "Linear"), {"scale": 0.5, "zero_point": 3})) == []


def test_a_traced_module_is_its_attributes() -> None:
    state = {
        "training": True,
        "_parameters": {"w": full("float32", (1,), [1])},
        "_buffers": {},
        "_modules": {"0": linear()},
    }
    value = Call(Global("torch.fx.graph_module", "reduce_graph_module"), (state, "import torch"))
    assert names(value)[:3] == ["w", "0.scale", "0.zero_point"]
    assert found(value)[0].path == (Attribute("_parameters"), "w")
