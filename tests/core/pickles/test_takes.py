"""What each opcode takes, for a whole stream at once, against what is looked up one by one."""

from __future__ import annotations

import pickle
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.objects.streams import values_of
from viewer.core.pickles.takes import find_takes

NESTED = st.recursive(
    st.one_of(st.none(), st.integers(), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=5),
        st.tuples(inner, inner),
        st.dictionaries(st.text(max_size=2), inner, max_size=4),
        inner.map(lambda value: [value, value]),
    ),
    max_leaves=20,
)


def test_takes_of_a_small_stream() -> None:
    # EMPTY_LIST, MARK, 1, (2,), APPENDS, STOP
    takes = find_takes(values_of(b"](K\x01K\x02\x85e.").code)
    assert takes.first.tolist() == [0, 0, 0, 0, 0, 1, 4, 5, 5]
    assert takes.takers.tolist() == [4, 5, 5, 5, 6]
    assert takes.writers.tolist() == [3, 1, 2, 4, 0]
    assert takes.ends.tolist() == [4, 2, 3, 5, 6]
    assert takes.starts.tolist() == [3, 1, 2, 3, 0]


def test_what_is_left_is_taken_at_the_end() -> None:
    takes = find_takes(values_of(b"K\x01K\x02.").code)
    assert (takes.takers.tolist(), takes.writers.tolist()) == ([2, 3], [1, 0])


def test_a_long_chain_of_tuples_begins_at_its_first_opcode() -> None:
    takes = find_takes(values_of(b")" + b"\x85" * 5000 + b".").code)
    assert set(takes.begins[:-1].tolist()) == {0}


@settings(deadline=None, max_examples=60)
@given(NESTED, st.integers(0, 5))
def test_takes_are_what_the_values_say(value: Any, protocol: int) -> None:
    values = values_of(pickle.dumps(value, protocol))
    takes = find_takes(values.code)
    for opcode in range(len(values.code)):
        slots = range(int(takes.first[opcode]), int(takes.first[opcode + 1]))
        given_ = [int(takes.writers[take]) for take in slots]
        if given_:
            low = values.code.depth_before(opcode) - len(given_) + 1
            assert given_ == values.slots(opcode, low, values.code.depth_before(opcode))
            assert [int(takes.begins[writer]) for writer in given_] == [values.first(writer) for writer in given_]
