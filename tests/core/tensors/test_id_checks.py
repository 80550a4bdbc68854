"""Persistent ids that torch.load does not take, each by a stream with one such id."""

from __future__ import annotations

from typing import Final

import pytest

from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Global, Persistent, dumps
from tests.opened import codes, opened
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.values import Values
from viewer.core.problem import Problem, Severity
from viewer.core.source import MemorySource
from viewer.core.tensors.id_checks import id_problems
from viewer.core.tensors.table import StorageTable

FLOATS: Final = Global("torch", "FloatStorage")
FIVE: Final = ("storage", FLOATS, "0", "cpu", 4)
SIX: Final = (*FIVE, None)
VIEW: Final = (*FIVE, ("1", 0, 2))


def told(
    *ids: object, items: tuple[int, ...] = (5,), kinds: tuple[str, ...] = ("storage",), protocol: int = 2
) -> list[Problem]:
    """What is said of a list of these ids."""
    values = Values(disassemble(MemorySource(dumps([Persistent(identity) for identity in ids], protocol))))
    return id_problems(StorageTable(values), True, items, kinds)


@pytest.mark.parametrize("protocol", [1, 2, 3, 4, 5])
def test_ids_as_torch_writes_them(protocol: int) -> None:
    assert told(FIVE, FIVE, protocol=protocol) == []
    assert told(SIX, VIEW, SIX, items=(6,), protocol=protocol) == []
    assert told(FIVE, SIX, VIEW, items=(5, 6), protocol=protocol) == []
    assert told(("module", FLOATS, None, None), SIX, items=(6,), kinds=("storage", "module"), protocol=protocol) == []


def test_another_number_of_items() -> None:
    (problem,) = told(FIVE, SIX, VIEW)
    assert (problem.code, problem.severity) == ("persistent-items", Severity.WARNING)
    assert problem.params == {"count": 2, "found": 6, "expected": "5"}
    (problem,) = told(FIVE, SIX, items=(6,))
    assert problem.params == {"count": 1, "found": 5, "expected": "6"}
    (problem,) = told(FIVE[:4], items=(5, 6))
    assert problem.params == {"count": 1, "found": 4, "expected": "5 or 6"}


@pytest.mark.parametrize(
    ("identity", "kind"),
    [(("blob", 1), "blob"), (("module", FLOATS), "module"), ((7, FLOATS), "?"), ((), "?"), (5, "?")],
)
def test_another_kind(identity: object, kind: str) -> None:
    (problem,) = told(FIVE, identity)
    assert (problem.code, problem.params) == ("persistent-kind", {"count": 1, "value": kind})


@pytest.mark.parametrize(
    ("identity", "part", "found"),
    [
        (("storage", FLOATS, "0", "cpu", 4.0), "count of elements", "4.0"),
        (("storage", FLOATS, "0", "cpu", 2**70), "count of elements", "1180591620717411303424"),
        (("storage", FLOATS, "0", "cpu", True), "count of elements", "True"),
        (("storage", FLOATS, "0", None, 4), "location", "none"),
        (("storage", FLOATS, ("0",), "cpu", 4), "key", "tuple"),
        (("storage", "FloatStorage", "0", "cpu", 4), "class", "'FloatStorage'"),
    ],
)
def test_items_of_another_kind(identity: tuple[object, ...], part: str, found: str) -> None:
    (problem,) = told(identity, FIVE)
    assert (problem.code, problem.severity) == ("persistent-form", Severity.ERROR)
    assert problem.params == {"count": 1, "part": part, "found": found}
    assert problem.span is not None


def test_text_of_protocol_0() -> None:
    values = Values(disassemble(MemorySource(b"P('storage', <class 'torch.FloatStorage'>, '0', 'cpu', 4)\n.")))
    (problem,) = id_problems(StorageTable(values), True, (5,), ("storage",))
    assert (problem.code, problem.params) == ("persistent-text", {"count": 1})


def test_a_hundred_thousand_faults_are_one_problem() -> None:
    data = dumps(Persistent(SIX), 2)[2:-1]
    values = Values(disassemble(MemorySource(b"\x80\x02(" + data * 100_000 + b"l.")))
    (problem,) = id_problems(StorageTable(values), False, (5,), ("storage",))
    assert (problem.params["count"], problem.span) == (10_000, None)


def test_a_file_says_so() -> None:
    assert codes(opened(torch_zip({"a": full("float32", (2,), [1, 2])}, protocol=4))) == []
