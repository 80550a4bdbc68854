"""Stack and memo before and after each opcode, held against Python's own unpickler stepped; what belongs together."""

import io
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.pickles.inert import InertUnpickler, ours
from tests.core.pickles.test_values import STREAMS, objects
from viewer.core.pickles.effects import Effects, Entry, Item, Reach
from viewer.core.pickles.values import Kind


class Stepped(InertUnpickler):
    """Notes after each opcode how deep the stack is (a mark takes a slot) and how many slots the memo has."""

    def __init__(self, data):
        super().__init__(io.BytesIO(data), encoding="bytes", fix_imports=False)
        self.sizes = []
        self.dispatch = {byte: self._noting(act) for byte, act in InertUnpickler.dispatch.items()}

    def _noting(self, act):
        def step(machine):
            act(machine)
            self.sizes.append((sum(map(len, self.metastack)) + len(self.metastack) + len(self.stack), len(self.memo)))

        return step


def sizes_of(data):
    """Theirs: (depth, memo size) after each opcode but STOP, which raises in the middle of its step."""
    machine = Stepped(data)
    machine.load()
    return machine.sizes


def check(data):
    code, values = ours(data)
    effects = Effects(values)
    theirs = [(0, 0), *sizes_of(data)]
    assert code.complete
    assert len(theirs) == len(code)
    assert [(effects.depth(row), effects.memo_size(row)) for row in range(len(code))] == theirs
    for row in range(len(code)):
        assert len(effects.stack(row, 0, 10**6)) == theirs[row][0]
        assert len(effects.entries(row, 0, 10**6)) == theirs[row][1]
        before = {item.slot: item for item in effects.stack(row, 0, 10**6)}
        after = {item.slot: item for item in effects.stack(row + 1, 0, 10**6)}
        kept = effects.reach(row).kept
        assert {slot: before.get(slot) for slot in range(1, kept + 1)} == {s: after.get(s) for s in range(1, kept + 1)}
        assert all(before.get(slot) != after.get(slot) for slot in range(kept + 1, max(len(before), len(after)) + 1))


@settings(max_examples=200, deadline=None)
@given(objects, st.integers(0, 5))
def test_random_objects_leave_the_stack_and_memo_that_python_has(thing, protocol):
    check(pickle.dumps(thing, protocol))


@pytest.mark.parametrize("name", STREAMS)
def test_single_opcodes_leave_the_stack_and_memo_that_python_has(name):
    check(STREAMS[name])


def effects_of(data):
    return Effects(ours(data)[1])


#       0 PROTO  2 EMPTY_DICT  3 BINPUT 0  5 MARK  6 'a' (BINUNICODE)  12 BINPUT 1  14 1  16 'a' again  18 [1] list
SHARED = b"\x80\x02}q\x00(X\x01\x00\x00\x00aq\x01K\x01h\x01]K\x02aK\x03h\x00u."


def test_items_tell_their_slot_their_writer_and_their_value():
    effects = effects_of(SHARED)
    names = [effects.code.name(row) for row in range(len(effects.code))]
    assert names[:8] == ["PROTO", "EMPTY_DICT", "BINPUT", "MARK", "BINUNICODE", "BINPUT", "BININT1", "BINGET"]
    assert effects.stack(8) == [Item(5, 7, 4), Item(4, 6, 6), Item(3, 4, 4), Item(2, 3, 3), Item(1, 1, 1)]
    assert effects.stack(8, 1, 3) == [Item(4, 6, 6), Item(3, 4, 4)]
    assert effects.stack(0) == []
    assert effects.reach(8) == Reach(5, 0)
    append = names.index("APPEND")
    assert effects.reach(append) == Reach(6, 6)
    assert effects.reach(names.index("SETITEMS")) == Reach(1, 1)


def test_the_memo_tells_who_stored_and_who_reads_first():
    effects = effects_of(SHARED)
    last = len(effects.code)
    assert effects.entries(last) == [Entry(1, 5, 4, 7, 1), Entry(0, 2, 1, 12, 1)]
    assert effects.entries(last, 1, 2) == [Entry(0, 2, 1, 12, 1)]
    assert effects.entries(5) == [Entry(0, 2, 1, 12, 1)]
    assert [effects.entry_row(row, last) for row in (2, 5, 7, 12, 8)] == [1, 0, 0, 1, -1]


def test_from_put_to_every_get_and_back():
    effects = effects_of(b"K\x07q\x05h\x05h\x05h\x05\x87.")
    assert effects.uses_of_slot(1).tolist() == [2, 3, 4]
    assert effects.uses_of_slot(3).tolist() == [2, 3, 4]
    assert [effects.store_of(row) for row in range(6)] == [-1, 1, 1, 1, 1, -1]
    assert [effects.next_use(row) for row in (1, 2, 3, 4)] == [2, 3, 4, -1]
    assert effects.uses_of_slot(0).tolist() == []


def test_a_slot_that_is_stored_twice_has_what_it_had_then():
    effects = effects_of(b"K\x01q\x00K\x02q\x00h\x00\x87.")
    assert effects.entries(3) == [Entry(0, 1, 0, -1, 0)]
    assert effects.entries(4) == [Entry(0, 3, 2, 4, 1)]
    assert effects.code.memo.stored_before(3) == 1
    assert effects.code.memo.stored_before(1) == -1


@pytest.mark.parametrize(
    ("data", "mark", "end"),
    [
        (b"((K\x01tl.", 0, 4),
        (b"((K\x01tl.", 1, 3),
        (b"}(K\x01K\x02u.", 1, 4),
        (b"K\x01(K\x02K\x031.", 1, 4),
        (b"K\x01(0.", 1, 2),
        (b"(cx\ny\nK\x01o.", 0, 3),
        (b"(K\x01ix\ny\n.", 0, 2),
    ],
)
def test_from_a_mark_to_its_end_and_back(data, mark, end):
    effects = effects_of(data)
    assert effects.mark_end(mark) == end
    assert effects.mark_of(end) == mark


def test_a_mark_that_nothing_takes():
    effects = effects_of(b"K\x01(K\x02")
    assert effects.mark_end(1) == -1
    assert effects.mark_end(0) == -1
    assert effects.mark_of(2) == -1


def test_a_container_holds_what_it_was_given_until_then():
    effects = effects_of(b"](K\x01K\x02eK\x03a.")
    assert [effects.held(0, moment) for moment in range(1, 8)] == [0, 0, 0, 0, 2, 2, 3]
    assert effects.earlier(5).items(0) == [2, 3]
    assert effects.values.items(0) == [2, 3, 5]
    effects = effects_of(b"(K\x01K\x02d(K\x03K\x04K\x05K\x06uK\x07K\x08s.")
    assert [effects.held(3, moment) for moment in (4, 10, 13)] == [1, 3, 4]
    effects = effects_of(b"K\x01K\x02K\x03\x87.")
    assert effects.held(3, 4) == 3


def test_many_changes_are_counted_and_not_listed():
    data = pickle.dumps(list(range(1000)), 0)
    effects = effects_of(data)
    now = effects.earlier(len(effects.code))
    root = effects.values.root
    assert len(now.changes(root)) == 64
    assert now.cut
    assert effects.held(root, len(effects.code)) == 1000
    assert effects.held(root, len(effects.code) // 2) in (499, 500)


def test_a_broken_stream_shows_the_stack_at_the_break():
    effects = effects_of(b"\x80\x02}q\x00(X\x01\x00\x00\x00aK\x05\xff")
    end = len(effects.code)
    assert effects.code.broken is not None
    kinds = [effects.values.kind(item.value) for item in effects.stack(end)]
    assert kinds == [Kind.INT, Kind.TEXT, Kind.MARK, Kind.DICT]
    assert effects.reach(end) == Reach(4, 0)
    assert effects.earlier(end).pairs(1) == []


def test_an_empty_stream_has_neither():
    effects = effects_of(b"\xff")
    assert (effects.depth(0), effects.stack(0), effects.memo_size(0), effects.entries(0)) == (0, [], 0, [])
    effects.prepare()
