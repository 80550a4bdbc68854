"""Numbers as text, held against both of Python's unpicklers: they get numbers alone, and so run nothing."""

from __future__ import annotations

import _pickle
import io
import pickle
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viewer.core.pickles.numbers import Readings, readings
from viewer.core.pickles.opcodes import code

# What the two look at: digits of all bases, signs, blanks, zero bytes, the letters of other forms.
LINES: Final = st.lists(st.sampled_from([*b"0017789+-_ \t\r\v\0xXoObBaLfFeE.in"]), max_size=6).map(bytes)


def outcome(kind: type, data: bytes) -> object:
    try:
        return kind(io.BytesIO(data)).load()
    except (ValueError, OverflowError, EOFError, pickle.UnpicklingError):
        return None


@settings(max_examples=600)
@given(LINES, st.sampled_from(["INT", "LONG", "FLOAT"]))
def test_every_line_is_read_as_python_reads_it(line: bytes, name: str) -> None:
    data = bytes([code(name)]) + line + b"\n."
    found = readings(code(name), line)
    assert repr(found.in_c) == repr(outcome(_pickle.Unpickler, data))
    assert repr(found.in_python) == repr(outcome(pickle._Unpickler, data))


@settings(max_examples=250)
@given(st.lists(st.sampled_from([*b"01789+-_ \t\0x"]), max_size=4).map(bytes))
def test_every_memo_index_is_read_as_python_reads_it(line: bytes) -> None:
    data = b"K\x07p" + line + b"\n."
    found = readings(code("PUT"), line)
    assert (found.in_c is not None) is (outcome(_pickle.Unpickler, data) is not None)
    assert (found.in_python is not None) is (outcome(pickle._Unpickler, data) is not None)


@pytest.mark.parametrize(
    ("name", "line", "in_c", "in_python"),
    [
        ("INT", b"01", True, True),
        ("INT", b"+1", True, 1),
        ("INT", b" 0", False, 0),
        ("INT", b"010", 8, None),
        ("INT", b"0x1F", 31, 31),
        ("INT", b"0o17", 15, 15),
        ("INT", b"1_000", 1000, 1000),
        ("INT", b"5\0rest", 5, None),
        ("INT", b"0777777777777777777777", 2**63 - 1, None),
        ("INT", b"-01000000000000000000000", -(2**63), None),
        ("INT", b"01000000000000000000000", None, None),
        ("INT", b"0" * 5000, 0, None),
        ("INT", b"9" * 4300, 10**4300 - 1, 10**4300 - 1),
        ("INT", b"9" * 4301, None, None),
        ("LONG", b"0x10L", 16, 16),
        ("LONG", b"5\0L", 5, None),
        ("LONG", b"0b101L", 5, 5),
        ("FLOAT", b"1e400", None, float("inf")),
        ("FLOAT", b"-Infinity", float("-inf"), float("-inf")),
        ("FLOAT", b"1_0.5", None, 10.5),
        ("FLOAT", b"-nan", float("nan"), float("nan")),
        ("FLOAT", b"1.5 ", None, 1.5),
        ("FLOAT", b"1.5\0", 1.5, None),
        ("PUT", b"007", 7, 7),
        ("PUT", b"-1", None, None),
        ("PUT", b"9223372036854775808", None, 2**63),
    ],
)
def test_forms(name: str, line: bytes, in_c: float | None, in_python: float | None) -> None:
    found = readings(code(name), line)
    assert repr(found) == repr(Readings(in_c, in_python))
    assert found.differ is (repr(in_c) != repr(in_python))


def test_a_million_digits_take_no_time_whatever_the_limit_of_the_process() -> None:
    assert readings(code("LONG"), b"1" * 1_000_000) == Readings(None, None)
    both = readings(code("INT"), b"0x" + b"f" * 250_000)
    assert both.in_c == both.in_python == 16**250_000 - 1
    assert not both.differ
