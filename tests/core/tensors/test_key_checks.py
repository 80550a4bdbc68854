"""Keys that stand in a mapping more than once."""

from __future__ import annotations

import pickle

import pytest

from tests.opened import codes, opened
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.values import Values
from viewer.core.problem import Problem
from viewer.core.source import MemorySource
from viewer.core.span import Span
from viewer.core.tensors.key_checks import key_problems

A1, A2, B3 = b"X\x01\x00\x00\x00aK\x01", b"X\x01\x00\x00\x00aK\x02", b"X\x01\x00\x00\x00bK\x03"


def found(data: bytes) -> list[Problem]:
    return key_problems(Values(disassemble(MemorySource(data))))


@pytest.mark.parametrize("protocol", range(6))
def test_mappings_of_the_standard_library(protocol: int) -> None:
    same = "shared"
    value = [{"a": 1, same: 2}, {"a": {same: {same: 1}}}, {1: 2, "1": 3, b"1": 4, (1,): 5}, dict.fromkeys(range(3000))]
    assert found(pickle.dumps(value, protocol)) == []


@pytest.mark.parametrize(
    ("data", "at"),
    [
        (b"\x80\x02}(" + A1 + A2 + b"u.", 12),
        (b"\x80\x02}" + A1 + b"s" + A2 + b"s.", 12),
        (b"\x80\x02}(" + A1 + b"u(" + B3 + A2 + b"u.", 22),
        (b"\x80\x02(" + A1 + A2 + b"d.", 11),
        (b"\x80\x02(" + A1 + b"d(" + A2 + b"u.", 13),
        (b"\x80\x02}(X\x01\x00\x00\x00aq\x01K\x01h\x01K\x02u.", 14),
        (b"}(Va\nK\x01S'a'\nK\x02u.", 7),
    ],
)
def test_a_text_twice(data: bytes, at: int) -> None:
    (problem,) = found(data)
    assert (problem.code, problem.severity) == ("pickle-key-twice", "warning")
    assert problem.span is not None
    assert problem.span.start == at
    assert problem.params == {"count": 1, "key": "'a'"}


def test_a_number_twice() -> None:
    (problem,) = found(b"\x80\x02}(K\x05K\x01M\x05\x00K\x02K\x05Nu.")
    assert (problem.params, problem.span) == ({"count": 1, "key": "5"}, Span(8, 11))


def test_one_problem_for_all_of_a_stream() -> None:
    again = b"}(" + A1 + A2 + B3 + A2 + B3 + b"u"
    (problem,) = found(b"\x80\x02(" + again * 2 + b"t.")
    assert problem.params["count"] == 4


def test_a_key_behind_thousands_of_mappings() -> None:
    before = b"}" + A1 + b"s0"
    data = b"\x80\x02" + before * 6000 + b"}(" + A1 + A2 + b"u."
    (problem,) = found(data)
    assert problem.params == {"count": 1, "key": "'a'"}
    assert problem.span == Span(2 + 6000 * len(before) + 10, 2 + 6000 * len(before) + 16)


def test_three_times_count_once_for_each_mapping() -> None:
    thrice = b"}(" + A1 + A2 + A1 + b"u"
    (problem,) = found(b"\x80\x02(" + thrice * 3 + b"t.")
    assert problem.params["count"] == 3


def test_a_key_of_kilobytes_is_not_compared() -> None:
    key = b"X\xe8\x07\x00\x00" + b"k" * 2024 + b"N"
    assert found(b"\x80\x02}(" + key + key + b"u.") == []


def test_a_long_key_is_cut() -> None:
    key = b"X\xe8\x03\x00\x00" + b"k" * 1000 + b"N"
    (problem,) = found(b"\x80\x02}(" + key + key + b"u.")
    assert problem.params["key"] == "'" + "k" * 58 + "\u2026"


def test_a_file_says_so() -> None:
    assert codes(opened(b"\x80\x02}(" + A1 + A2 + b"u.")) == ["pickle-key-twice"]
