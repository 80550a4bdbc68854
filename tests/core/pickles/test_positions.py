"""The scan for opcodes: the same whatever the windows, and never surer of an argument than the reader of it."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.core.pickles import positions
from viewer.core.pickles.arguments import read_argument
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.opcodes import code
from viewer.core.source import MemorySource

VALUE = [
    *({"key": [1, 300, 70_000, -5, 2**70, None, True, 0.5]}, "text", "long text " * 9, ("a", ("b", "c")), {1, 2}, []),
    *("\\ and \n and \xe9", 0, 1, 10**17, 10**19, frozenset("x"), range(5)),
]
LINES = ["INT", "LONG", "FLOAT", "GET", "PUT", "STRING", "UNICODE", "PERSID"]


def found(data: bytes) -> tuple[list[int], list[int], list[int], object]:
    made = disassemble(MemorySource(data))
    return made.offsets.tolist(), made.codes.tolist(), made.memo.put_keys.tolist(), made.broken


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("window", [16, 17, 23, 64, 101])
def test_windows_do_not_show(protocol: int, window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = pickle.dumps(VALUE, protocol)
    whole = found(data)
    monkeypatch.setattr(positions, "FIRST_WINDOW", window)
    monkeypatch.setattr(positions, "WINDOW", window)
    assert found(data) == whole
    assert whole[3] is None


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_windows_do_not_show_in_cut_streams(protocol: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = pickle.dumps(VALUE, protocol)
    whole = [found(data[:stop]) for stop in range(1, len(data))]
    monkeypatch.setattr(positions, "FIRST_WINDOW", 19)
    monkeypatch.setattr(positions, "WINDOW", 31)
    assert [found(data[:stop]) for stop in range(1, len(data))] == whole
    assert all(broken is not None for *_, broken in whole)


@pytest.mark.parametrize("name", LINES)
@given(line=st.one_of(st.binary(max_size=12), st.text("0123456789'\\\"xuL -_", max_size=12).map(str.encode)))
def test_a_plain_line_is_one_that_can_be_read(name: str, line: bytes) -> None:
    line = line.replace(b"\n", b"")
    if positions.PLAIN_LINE.fullmatch(bytes([code(name)]) + line + b"\n"):
        read_argument(code(name), line + b"\n")


@pytest.mark.parametrize(
    ("line", "odd"),
    [
        *((b"I12\n", False), (b"I012\n", True), (b"I00\n", False), (b"I-0\n", False)),
        *((b"L7L\n", False), (b"L00L\n", True), (b"L7\n", True), (b"F0.5\n", False), (b"F-1e+299\n", False)),
        *(
            (b"F12e+299\n", True),
            (b"Finf\n", True),
            (b"F 1\n", True),
            (b"F1_0\n", True),
            (b"I" + b"9" * 4001 + b"\n", False),
        ),
    ],
)
def test_numbers_that_no_pickler_writes_so_are_looked_at(line: bytes, odd: bool) -> None:
    made = disassemble(MemorySource(b"U\x01a" + line + b"."))
    assert (made.odd.tolist() == [1]) is odd


def test_lines_between_opcodes_of_all_other_kinds() -> None:
    data = b"".join(
        (b"I1\n" + b"U\x01a" + b"V" + b"b" * 4000 + b"\n" + b"0" + b"K\x01" + b"X\1\0\0\0c") for _ in range(9)
    )
    made = disassemble(MemorySource(data + b"."))
    assert made.offsets.tolist()[:7] == [0, 3, 6, 4008, 4009, 4011, 4017]
    assert (len(made), made.broken) == (55, None)


@pytest.mark.parametrize(
    ("line", "complete"),
    [
        (b"I007\n", True),
        (b"I0\n", True),
        (b"I00\n", True),
        (b"I0x10\n", True),
        (b"I-007\n", True),
        (b"I--7\n", False),
        (b"L12L\n", True),
        (b"L-12\n", True),
        (b"L012L\n", False),
        (b"LL\n", False),
        (b"F1e400\n", True),
        (b"F1,5\n", False),
        (b"I-5\n", True),
        (b"I\n", False),
        (b"I" + b"9" * 5000 + b"\n", False),
        (b"S'a'\n", True),
        (b"S'a\n", False),
        (b"S'\\x4'\n", False),
        (b"V\\u12\n", False),
        (b"V\\u1234\n", True),
    ],
)
def test_lines_as_cpython_reads_them(line: bytes, complete: bool) -> None:
    made = disassemble(MemorySource(line + b"."))
    assert made.complete is complete
    assert made.broken is None or (made.broken.code, made.broken.offset) == ("pickle-bad-argument", 0)


def test_a_counted_argument_whose_length_is_cut() -> None:
    for data in (b"X\x05", b"X\x05\x00\x00\x00abc", b"U", b"U\x09abc", b"J\x01\x02", b"G", b"M\x01"):
        made = disassemble(MemorySource(b"K\x01" + data))
        assert made.codes.tolist() == [code("BININT1")]
        assert made.broken is not None
        assert (made.broken.code, made.broken.offset) == ("pickle-cut", 2)
