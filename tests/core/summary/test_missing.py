"""Classes and functions that torch does not bring."""

from __future__ import annotations

import pytest

from tests.builders.torch_values import ModuleClass, full, module
from tests.builders.values import Call, Global, Instance
from tests.core.objects.streams import values_of, written
from viewer.core.summary.missing import find_missing, is_there
from viewer.core.tensors.path import Attribute, Path

Rows = list[tuple[str, list[Path]]]


def rows(value: object, protocol: int = 2) -> Rows:
    return [(entry.name, [place.path for place in entry.places]) for entry in find_missing(written(value, protocol))]


def thing(name: str, state: object = None) -> Instance:
    return Instance(Global("app", name), (), state)


def test_all_objects_of_a_class_in_their_places() -> None:
    shared = thing("A")
    value = {"a": [shared, shared, thing("A")], "b": thing("B", {"inner": thing("A")})}
    assert rows(value) == [("app.A", [("a", 0), ("a", 2), ("b", Attribute("inner"))]), ("app.B", [("b",)])]


def test_what_an_installation_has_is_not_missing() -> None:
    value = {
        "tensor": full("float32", (1,), [1]),
        "linear": module(ModuleClass("torch.nn.modules.linear", "Linear"), {}, {}),
        "args": Instance(Global("argparse", "Namespace"), (), {"lr": 1}),
        "type": Call(Global("numpy", "dtype"), ("f4", False, True)),
        "set": {1},
        "old": Call(Global("copy_reg", "_reconstructor"), (Global("builtins", "object"), Global("builtins", "object"))),
    }
    assert rows(value) == []


def test_functions_and_names_that_are_only_referred_to() -> None:
    value = {"made": Call(Global("app", "make"), (1,)), "activation": Global("app", "swish")}
    assert rows(value) == [("app.make", [("made",)]), ("app.swish", [("activation",)])]


def test_the_class_of_a_tensor_stands_where_the_tensor_stands() -> None:
    plain = full("float32", (1,), [1])
    wrapped = Call(
        Global("torch._tensor", "_rebuild_from_type_v2"), (plain.function, Global("app", "Image"), plain.args, {})
    )
    assert rows({"w": wrapped}) == [("app.Image", [("w",)])]


def test_a_nested_class_has_its_whole_name() -> None:
    nested = Call(Global("builtins", "getattr"), (Global("app", "Outer"), "Inner"))
    assert rows([Instance(nested, (), {"x": 1})]) == [("app.Outer.Inner", [(0,)])]
    assert rows([Instance(nested, (), {"x": 1}), thing("Outer")]) == [
        ("app.Outer", [(1,)]),
        ("app.Outer.Inner", [(0,)]),
    ]


def test_a_name_that_leads_to_nothing_is_missing_too() -> None:
    data = b"\x80\x02capp\nA\n0N."
    assert [(entry.name, entry.count) for entry in find_missing(values_of(data))] == [("app.A", 0)]


def test_classes_of_protocol_0() -> None:
    data = b"(lp0\nccopy_reg\n_reconstructor\n(capp\nA\nc__builtin__\nobject\nNtRp1\na(iapp\nB\na."
    assert [(entry.name, [place.path for place in entry.places]) for entry in find_missing(values_of(data))] == [
        ("app.A", [(0,)]),
        ("app.B", [(1,)]),
    ]


def test_a_class_with_its_source() -> None:
    assert rows([module(ModuleClass("nets", "Net", "n.py", "class Net: pass\n"), {}, {})]) == [("nets.Net", [(0,)])]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dict", True),
        ("torch.nn.modules.linear.Linear", True),
        ("torchvision.models.ResNet", False),
        ("__main__.A", False),
    ],
)
def test_what_is_there(name: str, expected: bool) -> None:
    assert is_there(name) is expected
