"""What uses what an opcode makes or stores, held against Python's own unpickler stepped and against literal streams."""

import pytest

from tests.core.pickles.inert import ours
from viewer.core.errors import CancelledError
from viewer.core.pickles.finding import find_opcodes
from viewer.core.pickles.uses import uses_of
from viewer.core.progress import Progress

# 0 PROTO 1 GLOBAL 2 BINPUT0 3 MARK 4 BINGET0 5 BININT1 6 TUPLE 7 REDUCE 8 BINGET0 9 POP 10 EMPTY_DICT 11 BUILD 12 STOP
STREAM = b"\x80\x02cos\nsystem\nq\x00(h\x00K\x05tRh\x000}b."


def uses(data, opcode):
    return uses_of(ours(data)[1], opcode, Progress()).tolist()


def test_a_global_is_used_by_its_reads_and_by_all_that_take_it():
    # REDUCE takes the global itself, TUPLE and POP take the two reads.
    assert uses(STREAM, 1) == [4, 6, 7, 8, 9]


def test_a_slot_is_used_by_its_reads():
    assert uses(STREAM, 2) == [4, 8]
    assert uses(STREAM, 4) == [4, 8]


def test_a_mark_is_used_by_what_takes_it():
    assert uses(STREAM, 3) == [6]


def test_a_value_is_used_by_its_changes():
    assert uses(STREAM, 7) == [11, 12]
    assert uses(STREAM, 10) == [11]


def test_what_makes_nothing_has_no_uses():
    assert uses(STREAM, 0) == []
    assert uses(STREAM, 9) == []
    assert uses(STREAM, 12) == []


@pytest.mark.parametrize("between", [1, 63, 64, 65, 5_000])
def test_takers_are_found_however_far(between):
    data = b"\x80\x02]" + b"K\x010" * between + b"\x85."
    assert uses(data, 1) == [2 + 2 * between]


def test_many_uses_far_away():
    count = 100_000
    data = b"\x80\x02(cos\nsystem\nq\x00" + b"h\x00" * count + b"t."
    assert uses(data, 3) == list(range(4, 4 + count))
    assert uses(data, 2) == [*range(4, 4 + count), 4 + count]


def test_of_a_broken_stream_those_that_stand_are_not_taken():
    assert uses(b"\x80\x02]K\x05\xff", 2) == []


def test_the_filter_lists_uses_by_offset():
    values = ours(STREAM)[1]
    assert find_opcodes(values, "uses:0x2", Progress()).tolist() == [4, 6, 7, 8, 9]
    assert find_opcodes(values, "uses:0x2 BINGET", Progress()).tolist() == [4, 8]
    assert find_opcodes(values, "uses:0xFF", Progress()).tolist() == []


def test_it_can_be_stopped():
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        uses_of(ours(STREAM)[1], 1, progress)
