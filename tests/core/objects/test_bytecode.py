"""The outline of mobile bytecode: version, operators, methods with their instructions; both forms, and odd ones."""

from __future__ import annotations

import pytest

from tests.core.objects.streams import pickled
from viewer.core.objects.bytecode import bytecode_outline
from viewer.core.objects.outline import Outline

METHOD = (
    "__torch__.Net.forward",
    (
        ("instructions", (("LOAD", 1, 0), ("OP", 1, 0), ("OP", 7, 0), ("RET", 0, 0))),
        ("operators", (("aten::add", "Tensor", 2), ("aten::relu", ""))),
        ("constants", (1, None, 2.5, "text")),
        ("types", ("List[float]",)),
        ("register_size", 4),
    ),
    (("arguments", ()), ("returns", ())),
)
OTHER = ("__torch__.Net.other", (("instructions", (("RET", 0, 0),)), ("operators", (("aten::add", "Tensor"),))))


def lists(outline: Outline) -> dict[str, Outline]:
    return {row.label: row for row in outline.rows}


def test_version_operators_and_methods() -> None:
    found = lists(bytecode_outline(pickled((8, METHOD, OTHER))))
    assert found["bytecode-version"].value == "8"
    assert [(row.label, row.count) for row in found["operators"].rows] == [("aten::add.Tensor", 2), ("aten::relu", 1)]
    assert [row.label for row in found["methods"].rows] == ["__torch__.Net.forward", "__torch__.Net.other"]
    assert found["methods"].count == 2


def test_a_method() -> None:
    [method] = lists(bytecode_outline(pickled((8, METHOD))))["methods"].rows
    found = lists(method)
    assert [(row.label, row.value) for row in found["instructions"].rows] == [
        ("LOAD", "1 0"),
        ("OP", "1 0  aten::relu"),
        ("OP", "7 0"),
        ("RET", "0 0"),
    ]
    assert [row.label for row in found["operators"].rows] == ["aten::add.Tensor", "aten::relu"]
    assert [(row.label, row.value) for row in found["constants"].rows] == [
        ("0", "1"),
        ("1", "None"),
        ("2", "2.5"),
        ("3", "'text'"),
    ]
    assert [row.label for row in found["types"].rows] == ["List[float]"]
    assert found["registers"].value == "4"


def test_the_form_without_a_version() -> None:
    found = lists(bytecode_outline(pickled((OTHER,))))
    assert "bytecode-version" not in found
    assert found["methods"].count == 1


@pytest.mark.parametrize("value", [None, 5, (), ((), ((),), ("x",)), (8, ("a", 3)), (8, ("a", (("instructions", 5),)))])
def test_other_forms(value: object) -> None:
    assert lists(bytecode_outline(pickled(value)))["operators"].rows == ()
