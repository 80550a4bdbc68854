"""What Python's two unpicklers read differently, each by a stream with that one fault."""

from __future__ import annotations

import _pickle
import io
import pickle
import struct
from typing import Any

import pytest

from tests.opened import codes, opened
from viewer.core.pickles.checks import check_stream
from viewer.core.pickles.disassembly import disassemble
from viewer.core.problem import Problem
from viewer.core.source import MemorySource
from viewer.core.span import Span


def frame(length: int) -> bytes:
    return b"\x95" + struct.pack("<Q", length)


def found(data: bytes) -> list[Problem]:
    return check_stream(disassemble(MemorySource(data)))


@pytest.mark.parametrize("protocol", range(6))
def test_streams_of_the_standard_library(protocol: int) -> None:
    value = [{"a": 1, "b": [2.5, b"x" * 100_000]}, list(range(70_000)), {"a": (1, None)}, 2**70, -0.0, True]
    assert found(pickle.dumps(value, protocol)) == []


@pytest.mark.parametrize("length", [1, 3, 4])
def test_frames_that_end_before_an_opcode_or_its_argument(length: int) -> None:
    assert found(b"\x80\x04" + frame(length) + b"M\x01\x02.") == []


def test_an_opcode_that_crosses_the_end_of_its_frame() -> None:
    (problem,) = found(b"\x80\x04" + frame(2) + b"M\x01\x02.")
    assert (problem.code, problem.severity, problem.span) == ("pickle-frame-crossed", "warning", Span(2, 11))
    assert problem.title == "An opcode crosses the end of the frame at 0x2"


def test_a_frame_within_a_frame() -> None:
    (problem,) = found(b"\x80\x04" + frame(13) + b"M\x01\x02" + frame(1) + b".")
    assert (problem.code, problem.span) == ("pickle-frame-inside", Span(14, 23))
    assert "the one in Python refuses it" in problem.text


def test_a_frame_that_is_read_to_its_end_before_the_next() -> None:
    assert found(b"\x80\x04" + frame(12) + b"M\x01\x02" + frame(1) + b".") == []


def test_a_frame_beyond_the_end() -> None:
    (problem,) = found(b"\x80\x04" + frame(9) + b"M\x01\x02.")
    assert (problem.code, problem.params) == ("pickle-frame-long", {"offset": 2, "count": 5})


@pytest.mark.parametrize(("number", "value"), [(b"I010\n", 8), (b"I-017\n", -15), (b"F1_0\n", 10.0), (b"F 1.5\n", 1.5)])
def test_numbers_that_one_of_the_unpicklers_refuses(number: bytes, value: float) -> None:
    stream = disassemble(MemorySource(number + b"."))
    assert stream.complete
    assert stream.argument(0) == value
    (problem,) = check_stream(stream)
    assert (problem.code, problem.span) == ("pickle-number-form", Span(0, len(number)))
    assert problem.params == {"count": 1, "text": repr(number[1:-1].decode())}


@pytest.mark.parametrize(("number", "in_c", "in_python"), [(b"I+1\n", "True", "1"), (b"I 0\n", "False", "0")])
def test_numbers_that_the_unpicklers_read_as_different_values(number: bytes, in_c: str, in_python: str) -> None:
    (problem,) = found(number + b".")
    assert (problem.code, problem.span) == ("pickle-number-value", Span(0, len(number)))
    text = repr(number[1:-1].decode())
    assert problem.params == {"count": 1, "text": text, "first": in_c, "second": in_python}
    assert disassemble(MemorySource(number + b".")).argument(0) is (in_c == "True")


@pytest.mark.parametrize("number", [b"I00\n", b"I01\n", b"I0\n", b"I10\n", b"I0x10\n", b"I000\n", b"F1.5\n", b"Fnan\n"])
def test_numbers_that_both_read(number: bytes) -> None:
    assert found(number + b".") == []


def test_an_octal_number_that_is_none_ends_the_stream_for_both() -> None:
    assert not disassemble(MemorySource(b"I09\n.")).complete


def test_a_high_memo_slot() -> None:
    (problem,) = found(b"K\x01r\xff\xff\xff\xff.")
    assert (problem.code, problem.params, problem.span) == (
        "pickle-memo-index",
        {"value": "4294967295", "count": 1},
        Span(2, 7),
    )
    assert found(b"K\x01r\xff\xff\x0f\x00.") == []


def test_a_memo_slot_beyond_64_bits() -> None:
    (problem,) = found(b"K\x01p99999999999999999999\n.")
    assert problem.params == {"value": "99999999999999999999", "count": 1}


def test_opcodes_that_are_newer_than_the_stated_protocol() -> None:
    (problem,) = found(b"\x80\x02\x8c\x01a\x94\x8c\x01b\x94\x86.")
    assert (problem.code, problem.severity, problem.span) == ("pickle-opcode-newer", "note", Span(2, 5))
    assert problem.params == {"count": 4, "protocol": 2, "name": "SHORT_BINUNICODE", "needed": 4}
    # protocol 0 and 1 are not stated at all
    assert found(b"K\x01.") == []


def test_a_second_proto() -> None:
    (problem,) = found(b"\x80\x02\x80\x03}.")
    assert (problem.code, problem.params, problem.span) == (
        "pickle-second-proto",
        {"count": 1, "offset": 2},
        Span(2, 4),
    )


@pytest.mark.parametrize(
    ("data", "in_c", "in_python"),
    [
        (b"\x80\x04" + frame(13) + b"M\x01\x02" + frame(1) + b"." + bytes(9), True, False),
        (b"\x80\x04" + frame(9) + b"M\x01\x02.", False, True),
        (b"I010\n.", True, False),
        (b"F1_0\n.", False, True),
        (b"K\x01r\xff\xff\xff\xff.", False, True),
        (b"\x80\x04" + frame(2) + b"M\x01\x02..", 0x2E02, False),
        (b"I8\x00\n.", 8, False),
        (b"L8\x00L\n.", 8, False),
        (b"F1e400\n.", False, True),
    ],
)
def test_what_pythons_unpicklers_do_with_them(data: bytes, in_c: int | bool, in_python: bool) -> None:
    """Numbers alone stand in these streams, and the one in C takes another number of the last."""
    assert check_stream(disassemble(MemorySource(data)))
    number = outcome(_pickle.Unpickler, data)
    assert number == in_c if not isinstance(in_c, bool) else (number is not None) is in_c
    assert (outcome(pickle._Unpickler, data) is not None) is in_python


def outcome(kind: Any, data: bytes) -> object:
    try:
        return kind(io.BytesIO(data)).load()
    except (pickle.UnpicklingError, ValueError, MemoryError, EOFError, OverflowError):
        return None


def test_frames_after_the_first_thousands_count_as_well() -> None:
    data = b"\x80\x04" + (frame(2) + b"N0") * 6000 + frame(2) + b"M\x01\x02."
    (problem,) = found(data)
    assert (problem.code, problem.params) == ("pickle-frame-crossed", {"offset": 2 + 6000 * 11})


def test_a_frame_that_ends_between_the_lines_of_a_global() -> None:
    assert found(b"\x80\x04" + frame(4) + b"cos\ngetcwd\n.") == []
    assert [problem.code for problem in found(b"\x80\x04" + frame(3) + b"cos\ngetcwd\n.")] == ["pickle-frame-crossed"]


class LongString(MemorySource):
    """A BINSTRING of 2 GiB, of which only the beginning and the STOP are there."""

    SIZE = 5 + 2**31 + 1

    def __init__(self) -> None:
        super().__init__(b"T\x00\x00\x00\x80")
        self.size = self.SIZE

    def read(self, offset: int, length: int) -> bytes:
        stop = min(offset + length, self.SIZE)
        data = super().read(offset, length)[: max(stop - offset, 0)].ljust(max(stop - offset, 0), b"a")
        return data[:-1] + b"." if stop == self.SIZE and data else data


def test_a_string_whose_length_is_a_negative_number_for_one_of_them() -> None:
    stream = disassemble(LongString())
    assert stream.complete
    (problem,) = check_stream(stream)
    assert (problem.code, problem.span) == ("pickle-string-long", Span(0, 5 + 2**31))


def test_many_faults_are_one_problem() -> None:
    data = b"(" + b"I010\n" * 1000 + b"t."
    (problem,) = found(data)
    assert problem.params["count"] == 1000


def test_a_file_says_so() -> None:
    assert codes(opened(b"\x80\x04" + frame(9) + b"M\x01\x02.")) == ["pickle-frame-long"]
