"""Modules whose state_dict may have other entries than their pickle shows."""

from __future__ import annotations

from collections import OrderedDict

import pytest

from tests.builders.torch_values import ModuleClass, full, module, parameter
from tests.builders.values import Call, Global, Instance
from tests.core.objects.streams import values_of, written
from viewer.core.objects.doubts import Doubt, doubts

LINEAR = ModuleClass("torch.nn.modules.linear", "Linear")


def layer(**attributes: object) -> Instance:
    return module(LINEAR, attributes, {"weight": parameter(full("float32", (1,), [1]))})


def reasons(value: object, protocol: int = 2) -> list[tuple[str, tuple[str, ...]]]:
    return [(doubt.reason, doubt.names) for doubt in doubts(written(value, protocol))]


@pytest.mark.parametrize("protocol", [2, 4])
@pytest.mark.parametrize("name", ["_state_dict_hooks", "_state_dict_pre_hooks"])
def test_hooks(name: str, protocol: int) -> None:
    hooked = layer(**{name: OrderedDict({0: Global("nets", "rename"), 1: Call(Global("nets", "Hook"))})})
    assert reasons([layer(), hooked], protocol) == [("hooks", ("nets.rename", "nets.Hook"))]


def test_hooks_that_do_nothing_to_entries() -> None:
    harmless = Call(Global("torch.nn.utils.spectral_norm", "SpectralNormStateDictHook"))
    assert reasons(layer(_state_dict_hooks=OrderedDict({0: harmless}))) == []
    assert reasons(layer(_forward_hooks=OrderedDict({0: Global("nets", "log")}))) == []


def test_hooks_as_python_2_wrote_them() -> None:
    """An OrderedDict that is called with a list of pairs."""
    hooks = b"ccollections\nOrderedDict\n](](K\x00cnets\nrename\nee\x85R"
    state = b"}(U\x0b_parameters}U\x08_modules}U\x11_state_dict_hooks" + hooks + b"u"
    values = values_of(b"\x80\x02cnets\nNet\n)\x81" + state + b"b.")
    assert [(doubt.reason, doubt.names) for doubt in doubts(values)] == [("hooks", ("nets.rename",))]


def test_a_class_of_torch_with_entries_of_its_own() -> None:
    name = "torch.ao.nn.quantized.reference.modules.linear"
    assert reasons(module(ModuleClass(name, "Linear"))) == [("own", (f"{name}.Linear",))]


def test_a_compiled_module() -> None:
    compiled = Global("torch._dynamo.eval_frame", "OptimizedModule")
    assert reasons({"model": Call(compiled, (layer(), None))}) == [
        ("compiled", ("torch._dynamo.eval_frame.OptimizedModule",))
    ]
    assert reasons(Call(compiled, (5, None))) == []


def test_the_module_is_told() -> None:
    values = written([layer(), layer(_state_dict_hooks=OrderedDict({0: Global("nets", "rename")}))])
    (found,) = doubts(values)
    assert isinstance(found, Doubt)
    assert found.value == values.items(values.root)[1]


@pytest.mark.parametrize("value", [{}, [], {"_state_dict_hooks": {0: Global("nets", "rename")}}, layer()])
def test_nothing_to_say(value: object) -> None:
    assert reasons(value) == []
