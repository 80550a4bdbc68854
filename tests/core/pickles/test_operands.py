"""What opcodes take, read for whole blocks, beside the same asked for one by one."""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.operands import SIZE, Operands
from viewer.core.pickles.values import Values
from viewer.core.source import MemorySource

NESTS = st.recursive(
    st.integers() | st.text(max_size=5) | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner) | st.tuples(inner, inner),
)


def values_of(data: bytes) -> Values:
    return Values(disassemble(MemorySource(data)))


def operands_of(values: Values) -> Operands:
    code = values.code
    return Operands(code.codes, code.depths)


def test_the_first_question_of_a_block_makes_none_and_the_next_is_answered() -> None:
    # PROTO, MARK, 1, 2, 3, 4, TUPLE, BINPUT, STOP
    values = values_of(pickle.dumps((1, 2, 3, 4), 2))
    operands = operands_of(values)
    assert operands.values(values, 6, 2, 4) is None
    assert operands.values(values, 6, 2, 4) == [2, 3, 4, 5]
    assert operands.writers(values, 6, 1, 2) == [1, 2]


def test_slots_that_an_opcode_does_not_take_are_not_known() -> None:
    values = values_of(pickle.dumps((1, 2, 3, 4), 2))
    operands = operands_of(values)
    operands.values(values, 6, 2, 4)
    assert operands.values(values, 6, 0, 1) is None
    assert operands.values(values, 6, 2, 5) is None
    assert operands.values(values, 3, 2, 1) is None
    assert operands.values(values, 9, 1, 1) is None
    assert operands.values(values, -1, 1, 1) is None


def test_a_repeated_value_is_the_one_that_was_stored() -> None:
    # PROTO 0, EMPTY_LIST 1, BINPUT 2, MARK 3, EMPTY_LIST 4, BINPUT 5, BINGET 6, APPENDS 7, STOP 8
    inner: list[int] = []
    values = values_of(pickle.dumps([inner, inner], 2))
    operands = operands_of(values)
    operands.values(values, 7, 3, 2)
    assert operands.values(values, 7, 3, 2) == [4, 4]
    assert operands.writers(values, 7, 2, 3) == [3, 4, 6]


@given(NESTS, st.integers(0, 4))
def test_blocks_give_what_single_questions_give(value: object, protocol: int) -> None:
    data = pickle.dumps(value, protocol)
    values = values_of(data)
    for opcode in range(1, len(values.code)):
        before = values.code.depth_before(opcode)
        for first in range(1, before + 1):
            expected = [values.writer(opcode, slot) for slot in range(first, before + 1)]
            assert values.slots(opcode, first, before) == expected
            assert values.taken(opcode, first, before) == [values.resolve(writer) for writer in expected]


def test_the_operands_of_the_second_block_count_from_the_depth_before_it() -> None:
    rows = [[number, number + 1] for number in range(SIZE)]
    values = values_of(pickle.dumps(rows, 2))
    items = values.items(values.root)
    assert len(items) == SIZE
    assert all(
        [values.integer(item) for item in values.items(row)] == [number, number + 1] for number, row in enumerate(items)
    )
