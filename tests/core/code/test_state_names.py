"""What is said of modules whose state_dict may have other entries than those that are listed."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, full, module, parameter
from tests.builders.values import Global, Instance
from tests.opened import opened

EXTRA = "class Net(nn.Module):\n    def get_extra_state(self):\n        return 5\n"
OWN = "class Other(nn.Module):\n    def state_dict(self, *args):\n        return {}\n"
CHILD = "class Child(Other):\n    def forward(self, x):\n        return x\n"
TALKS = "class Talks(nn.Module):\n    '''Not one:\n    def state_dict(self): ...\n    '''\n"


def net(name: str, source: str, children: dict[str, object] | None = None, **attributes: object) -> Instance:
    cls = ModuleClass("nets", name, "/nets.py", source)
    return module(cls, attributes, {"w": parameter(full("float32", (1,), [1]))}, children=children)


def told(value: object) -> list[tuple[str, dict[str, Any]]]:
    return [
        (problem.code, dict(problem.params))
        for problem in opened(legacy(value)).problems
        if problem.code.startswith("state-dict-")
    ]


def test_extra_state() -> None:
    inner = net("Net", EXTRA)
    assert told(net("Plain", "class Plain(nn.Module): pass\n", {"a": inner, "b": inner})) == [
        ("state-dict-extra", {"names": "nets.Net", "modules": "a", "count": 1, "methods": "get_extra_state"})
    ]


def test_a_state_dict_of_its_own_also_through_a_base() -> None:
    found = told([net("Other", OWN), net("Child", CHILD), net("Talks", TALKS)])
    assert found == [
        ("state-dict-text", {"names": "nets.Other", "modules": "the root", "count": 1, "methods": "state_dict"}),
        ("state-dict-text", {"names": "nets.Child", "modules": "the root", "count": 1, "methods": "state_dict"}),
    ]


def test_hooks_are_told_once_with_all_their_modules() -> None:
    hooks = OrderedDict({0: Global("nets", "rename")})
    cls = ModuleClass("torch.nn.modules.linear", "Linear")
    layers = {f"l{number}": module(cls, {"_state_dict_hooks": hooks}) for number in range(7)}
    found = told(module(ModuleClass("nets", "Net"), children=layers))
    expected = {"names": "nets.rename", "modules": "l0, l1, l2, l3, l4, … (7)", "count": 7, "methods": ""}
    assert found == [("state-dict-hooks", expected)]


def test_nothing_to_say() -> None:
    plain = "class Net(nn.Module):\n    def forward(self, x):\n        return x\n"
    assert told(net("Net", plain)) == []
    assert told({"state_dict": OrderedDict({"a": full("float32", (1,), [1])})}) == []
