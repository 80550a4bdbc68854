"""What unpicklers refuse though the stream can be read on: each kind by a stream with that one fault."""

from __future__ import annotations

import _pickle
import io
import pickle
from typing import Any

import pytest

from tests.opened import codes, opened
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.refusals import refusal_problems
from viewer.core.pickles.values import Values
from viewer.core.problem import Problem
from viewer.core.source import MemorySource
from viewer.core.span import Span


def found(data: bytes) -> list[Problem]:
    code = disassemble(MemorySource(data))
    assert code.complete
    return refusal_problems(Values(code))


REFUSED = {
    "APPEND to a number": (b"K\x01K\x02a.", "APPEND", 4, "int"),
    "APPENDS to a dict": (b"}(K\x02e.", "APPENDS", 4, "dict"),
    "ADDITEMS to a list": (b"](K\x02\x90.", "ADDITEMS", 4, "list"),
    "SETITEM of a tuple": (b")K\x01K\x02s.", "SETITEM", 5, "tuple"),
    "SETITEMS of a text": (b"X\x01\x00\x00\x00a(K\x01K\x02u.", "SETITEMS", 11, "str"),
    "BUILD of a list": (b"]}K\x01K\x02sb.", "BUILD", 7, "list"),
    "READONLY_BUFFER of a text": (b"\x8c\x01a\x98.", "READONLY_BUFFER", 3, "str"),
    "STACK_GLOBAL of a number": (b"\x8c\x02osK\x01\x93.", "STACK_GLOBAL", 6, "int"),
    "STACK_GLOBAL of a number as module": (b"K\x01\x8c\x01a\x93.", "STACK_GLOBAL", 5, "int"),
    "REDUCE of a number": (b"K\x01)R.", "REDUCE", 3, "int"),
    "REDUCE with a number": (b"cm\nn\nK\x01R.", "REDUCE", 7, "int"),
    "OBJ of a list": (b"(]K\x01o.", "OBJ", 4, "list"),
    "NEWOBJ_EX with a list for keywords": (b"cm\nn\n)]\x92.", "NEWOBJ_EX", 7, "list"),
    "a list as a key": (b"}]K\x01s.", "SETITEM", 4, "list"),
    "a text as a place in a list": (b"]\x8c\x01aK\x01s.", "SETITEM", 6, "str"),
    "a dict as a key of DICT": (b"(}K\x01d.", "DICT", 4, "dict"),
    "a list in a tuple in a tuple as a key": (b"}(K\x01K\x02]\x85\x85K\x01u.", "SETITEMS", 11, "tuple"),
    "a set in a frozenset": (b"(\x8f\x91.", "FROZENSET", 2, "set"),
    "a bytearray in a set": (b"\x8f(\x96\x00\x00\x00\x00\x00\x00\x00\x00\x90.", "ADDITEMS", 11, "bytearray"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_values_that_an_opcode_does_not_take(name: str) -> None:
    data, opcode, offset, kind = REFUSED[name]
    (problem,) = found(data)
    assert (problem.code, problem.severity) == ("pickle-operand-refused", "error")
    assert problem.params == {"name": opcode, "offset": offset, "count": 1, "found": kind}
    assert problem.span == Span(offset, offset + 1)
    for unpickler in (_pickle.Unpickler, pickle._Unpickler):
        assert refused(unpickler, data)


DIFFERENT = {
    "APPENDS of nothing": (b"K\x01(e.", "pickle-change-empty", False, True),
    "ADDITEMS of nothing": (b"](\x90.", "pickle-change-empty", False, True),
    "BUILD with an empty dict": (b"]}b.", "pickle-change-empty", True, False),
    "BUILD with False": (b"]\x89b.", "pickle-change-empty", True, False),
    "REDUCE with a list": (b"cm\nn\n]R.", "pickle-arguments-form", True, False),
    "REDUCE with bytes": (b"cm\nn\nC\x00R.", "pickle-arguments-form", True, False),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_values_that_one_of_the_unpicklers_takes(name: str) -> None:
    data, kind, in_c, in_python = DIFFERENT[name]
    (problem,) = found(data)
    assert (problem.code, problem.severity) == (kind, "warning")
    assert refused(_pickle.Unpickler, data) is in_c
    assert refused(pickle._Unpickler, data) is in_python


def refused(kind: Any, data: bytes) -> bool:
    """Whether an unpickler stops. The one function that the streams name does nothing."""

    class Inert(kind):
        def find_class(self, module: str, name: str) -> Any:
            return lambda *arguments: list(arguments)

    try:
        Inert(io.BytesIO(data)).load()
    except (pickle.UnpicklingError, TypeError, AttributeError, ValueError):
        return True
    return False


@pytest.mark.parametrize(
    "data",
    [
        b"](e.",
        b"K\x01(u.",
        b"]Nb.",
        b"]K\x00K\x01s.",
        b"cm\nn\n)Rcm\nn\n\x85R}b.",
        b"cm\nn\n](K\x01eb.",
        b"cos\nname\ncos\nsep\n\x93.",
        b"U\x02osU\x01x\x93.",
        b"}cm\nn\n)RK\x01s.",
        b"}cm\nn\n)R\x85K\x01s.",
        b"B\x00\x00\x00\x00\x98.",
        b"cm\nn\n(K\x01tq\x00R.",
        b"cm\nn\n)}\x92.",
    ],
)
def test_what_a_class_may_allow_is_not_told(data: bytes) -> None:
    assert found(data) == []


@pytest.mark.parametrize("protocol", range(6))
def test_streams_of_the_standard_library(protocol: int) -> None:
    value = [{"a": 1, (1, ("b", b"c")): [2.5]}, {1, "a"}, frozenset({(1, 2)}), bytearray(b"x"), range(3), 1j]
    assert found(pickle.dumps(value, protocol)) == []


def test_a_deep_key_is_looked_into_no_deeper_than_sixteen() -> None:
    assert [problem.code for problem in found(b"}]" + b"\x85" * 15 + b"K\x01s.")] == ["pickle-operand-refused"]
    assert found(b"}]" + b"\x85" * 10_000 + b"K\x01s.") == []


@pytest.mark.parametrize("data", [b"c\nname\n.", b"cmodule\n\n.", b"(i\nname\n."])
def test_a_global_without_a_name(data: bytes) -> None:
    (problem,) = found(data)
    assert (problem.code, problem.severity, problem.params["count"]) == ("pickle-name-empty", "error", 1)
    assert refused(_pickle.Unpickler, data)


def test_a_file_says_so() -> None:
    assert codes(opened(b"\x80\x02}]K\x01s.")) == ["pickle-operand-refused"]
    assert codes(opened(b"\x80\x02K\x01K\x02a.")) == ["pickle-operand-refused"]
