"""Random valid streams through both of Python's unpicklers and through ours: the same structure, the same break."""

from __future__ import annotations

import pickle
import struct
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.pickles.assembled import Assembler
from tests.core.pickles.inert_classes import InC, InPython, Ours, loaded, plain
from viewer.core.pickles.checks import check_stream
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.refusals import refusal_problems
from viewer.core.pickles.values import Values
from viewer.core.source import MemorySource

STEPS: Final = st.lists(st.integers(0, 2**24), min_size=1, max_size=60)
STOPS: Final = (
    *(pickle.UnpicklingError, ValueError, IndexError, KeyError, EOFError),
    *(TypeError, AttributeError, OverflowError, MemoryError, struct.error),
)
OF_CLASSES: Final = (
    *("RecordingMeta", "Made", "Named", "STACK_GLOBAL requires str", "argument list must be a tuple"),
    "index out of range",
)


def assembled(steps: list[int], frames: int) -> bytes:
    assembler = Assembler()
    for number in steps:
        assembler.step(number)
    return assembler.data(frames)


@settings(max_examples=400)
@given(STEPS, st.integers(0, 5))
def test_streams_put_together_opcode_by_opcode(steps: list[int], frames: int) -> None:
    data = assembled(steps, frames)
    code = disassemble(MemorySource(data))
    assert code.complete, (data, code.broken)
    assert code.stop == len(data)
    values = Values(code)
    ours = Ours(values).plain(values.root, {})
    assert ours == plain(loaded(InPython, data), {}), data
    assert ours == plain(loaded(InC, data), {}), data


def refused(kind: type, data: bytes) -> bool | None:
    """Whether an unpickler stops; None where that may be for what a class of the stream is or does not do."""
    try:
        loaded(kind, data)
    except STOPS as failure:
        return None if any(words in str(failure) for words in OF_CLASSES) else True
    return False


@settings(max_examples=500)
@given(STEPS, st.integers(0, 5), st.data())
def test_spoilt_streams_break_where_python_stops(steps: list[int], frames: int, data: st.DataObject) -> None:
    """One byte is another one, or the end is missing. What one of Python's two refuses has a Problem that says so."""
    whole = assembled(steps, frames)
    at = data.draw(st.integers(0, len(whole) - 1))
    other = data.draw(st.sampled_from([*b"(0123a}]q\x94tuesbRcopgIVX\x85\x86\x93\x81\x95\x80\xff\n\x00"]))
    spoilt = whole[:at] if data.draw(st.booleans()) else whole[:at] + bytes([other]) + whole[at + 1 :]
    if b"\x96" in spoilt:
        return
    code = disassemble(MemorySource(spoilt))
    problems = [*check_stream(code), *refusal_problems(Values(code))]
    is_bad = not code.complete or any(problem.severity == "error" for problem in problems)
    is_odd = any(problem.severity == "warning" for problem in problems)
    assert is_odd or refused(InPython, spoilt) in (is_bad, None), (spoilt, code.broken, problems)
    if b"r" not in spoilt and b"p" not in spoilt:
        assert is_odd or refused(InC, spoilt) in (is_bad, None), (spoilt, code.broken, problems)
