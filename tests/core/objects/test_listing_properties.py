"""Listings of random pickles, done in an inert namespace: the same objects, asked for in the order of CPython."""

from __future__ import annotations

import ast
import collections
import io
import pickle
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.objects.listing_recorder import Thing, done, recorded, shape
from tests.core.objects.streams import values_of
from viewer.core.objects.listing import make_listing

ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=20),
    st.binary(max_size=20),
)
KEYS = st.one_of(st.integers(-9, 300), st.text(max_size=6), st.tuples(st.integers(0, 3), st.text(max_size=2)))


def listing_text(data: bytes) -> str:
    listing = make_listing(values_of(data))
    return "\n".join(listing.text(line) for line in range(len(listing)))


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.lists(inner, max_size=7),
        st.lists(inner, max_size=5).map(tuple),
        st.dictionaries(KEYS, inner, max_size=6),
        st.dictionaries(KEYS, inner, max_size=4).map(collections.OrderedDict),
        st.sets(KEYS, max_size=5),
        st.frozensets(KEYS, max_size=5),
        st.binary(max_size=9).map(bytearray),
        inner.map(lambda value: [value, value]),
        inner.map(lambda value: {"one": value, "two": (value, [value])}),
        inner.map(itself),
    )


def itself(value: Any) -> list[Any]:
    """A list that holds itself, also by way of a tuple and a dict."""
    made: list[Any] = [value]
    made.append((made, {"again": made}))
    return made


PLAIN = st.recursive(ATOMS, containers, max_leaves=15)


class Made:
    """Pickled as calls, items and a state, as it is told to be."""

    def __init__(self, *told: Any) -> None:
        self.told = told

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        called, arguments, state, items, pairs = self.told
        return called, tuple(arguments), state, iter(items) if items else None, iter(pairs) if pairs else None


class Other:
    """A class that is pickled by NEWOBJ."""

    def __init__(self, state: Any) -> None:
        self.__dict__["state"] = state


class Kept(str):
    """Pickled as a persistent id."""

    __slots__ = ()


class Writer(pickle._Pickler):
    def persistent_id(self, value: Any) -> Any:
        return ("kept", str(value)) if isinstance(value, Kept) else None


def written(value: Any, protocol: int) -> bytes:
    file = io.BytesIO()
    Writer(file, protocol).dump(value)
    return file.getvalue()


def first(*arguments: Any) -> None:
    """Named in pickles, never called."""


def second(*arguments: Any) -> None:
    """Named in pickles, never called."""


def made_things(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(inner, max_size=3)
    states = st.one_of(
        st.none(), inner, st.dictionaries(st.text("ab", min_size=1, max_size=2), inner, min_size=1, max_size=3)
    )
    called = st.sampled_from([first, second])
    return st.one_of(
        st.builds(Made, called, some, states, some, st.lists(st.tuples(KEYS, inner), max_size=3)),
        st.builds(Made, called, some, st.none(), st.none(), st.none()),
        states.map(Other),
        st.text("xyz", max_size=3).map(Kept),
        st.sampled_from([first, second]),
    )


OBJECTS = st.recursive(ATOMS, lambda inner: st.one_of(containers(inner), made_things(inner)), max_leaves=12)


@settings(deadline=None, max_examples=100)
@given(PLAIN, st.integers(0, 5))
def test_a_listing_of_plain_data_makes_it_again(value: Any, protocol: int) -> None:
    _, result = done(listing_text(pickle.dumps(value, protocol)))
    assert shape(result) == shape(value)


@settings(deadline=None, max_examples=150)
@given(OBJECTS, st.integers(1, 5))
def test_a_listing_asks_for_the_same_in_the_same_order(value: Any, protocol: int) -> None:
    stream = written(value, protocol)
    expected, wanted = recorded(stream)
    log, result = done(listing_text(stream))
    assert log.lines == expected.lines
    assert shape(result) == shape(wanted)


@settings(deadline=None, max_examples=50)
@given(OBJECTS, st.integers(1, 5), st.data())
def test_every_opcode_has_its_line_and_every_line_its_opcodes(value: Any, protocol: int, data: st.DataObject) -> None:
    values = values_of(written(value, protocol))
    listing = make_listing(values)
    ast.parse("\n".join(listing.text(line) for line in range(len(listing))))
    for line in range(len(listing)):
        opening, last = listing.opcodes(line)
        assert 0 <= opening <= last < len(values.code)
    opcode = data.draw(st.integers(0, len(values.code) - 1))
    assert 0 <= listing.line_of(opcode) < len(listing)


def test_a_thing_is_known_by_its_number() -> None:
    log, result = done("from a import b\nresult = [a.b(1), a.b(2)]")
    assert log.lines == [("import", "a", "b"), ("call", "a.b", ("1",), 1), ("call", "a.b", ("2",), 2)]
    assert [part.number for part in result if isinstance(part, Thing)] == [1, 2]
