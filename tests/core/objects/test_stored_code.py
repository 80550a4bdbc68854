"""Functions of dill and cloudpickle: name, file and line out of their code, of all versions of Python."""

from __future__ import annotations

import pytest

from tests.builders.values import Call, Global
from tests.core.objects.streams import written
from viewer.core.objects.stored_code import StoredCode, stored_code

CODE = Global("dill._dill", "_create_code")
FUNCTION = Global("dill._dill", "_create_function")
MAKE = Global("cloudpickle.cloudpickle", "_make_function")
LOOKUP = Call(Global("cloudpickle.cloudpickle", "_builtin_type"), ("CodeType",))
OF_311 = (1, 0, 0, 1, 2, 3, b"\x97\x00", (None,), ("k",), ("x",), "/a/net.py", "run", "Net.run", 24, b"", b"", (), ())
OF_38 = (1, 0, 0, 1, 2, 67, b"d\x00S\x00", (None,), (), ("x",), "/a/net.py", "run", 24, b"\x00\x01", (), ())
OF_27 = (1, 1, 2, 67, "d\x00S\x00", (None,), (), ("x",), "/a/net.py", "run", 24, "\x00\x01")


def of(value: object) -> StoredCode | None:
    values = written(value)
    return stored_code(values, values.root)


@pytest.mark.parametrize(
    ("arguments", "name"), [(OF_311, "Net.run"), ((b"", *OF_311), "Net.run"), (OF_38, "run"), (OF_27, "run")]
)
def test_code_of_each_version(arguments: tuple[object, ...], name: str) -> None:
    found = of(Call(CODE, arguments))
    assert found == StoredCode(False, name, "/a/net.py", 24)
    assert found.words == f"code object {name} of /a/net.py:24"


def test_the_type_of_code_looked_up_by_its_name() -> None:
    assert of(Call(LOOKUP, OF_311)) == StoredCode(False, "Net.run", "/a/net.py", 24)
    other = Call(Global("cloudpickle.cloudpickle", "_builtin_type"), ("FunctionType",))
    assert of(Call(other, OF_311)) is None


def test_a_function_has_its_own_name_or_that_of_its_code() -> None:
    code = Call(CODE, OF_311)
    assert of(Call(FUNCTION, (code, {}, "given", None, None))) == StoredCode(True, "given", "/a/net.py", 24)
    found = of(Call(MAKE, (code, {}, None, None, None)))
    assert found == StoredCode(True, "Net.run", "/a/net.py", 24)
    assert found.words == "function Net.run of /a/net.py:24"


@pytest.mark.parametrize(
    "value",
    [
        5,
        Call(Global("numpy", "_create_code"), OF_311),
        Call(Global("dill._dill", "_create_type"), OF_311),
        Call(Global("builtins", "len"), ((),)),
    ],
)
def test_other_values_are_no_code(value: object) -> None:
    assert of(value) is None


def test_odd_arguments() -> None:
    assert of(Call(CODE, ())) == StoredCode(False, "", "", None)
    assert of(Call(CODE, ((), (), (), "a"))) == StoredCode(False, "", "a", None)
    assert of(Call(FUNCTION, ())) == StoredCode(True, "", "", None)
    nested: object = 1
    for _ in range(50):
        nested = Call(FUNCTION, (nested,))
    assert of(nested) == StoredCode(True, "", "", None)
