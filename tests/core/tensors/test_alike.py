"""Fields of many objects at once: as one by one, and what none of them has."""

from __future__ import annotations

import numpy as np
import pytest

from tests.builders.values import Call, Global, Instance, dumps
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.values import Values
from viewer.core.source import MemorySource
from viewer.core.tensors.alike import Alike, Lists

POINT = Global("shapes", "Point")
SIZE = Global("torch", "Size")


def alike_of(value: object, protocol: int = 4) -> Alike:
    return Alike(Values(disassemble(MemorySource(dumps(value, protocol)))))


def items_of(alike: Alike) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The elements of a list that is the root."""
    return np.array(alike.values.items(alike.values.root), dtype=np.int64)


@pytest.mark.parametrize("protocol", [1, 2, 4])
def test_fields_of_objects(protocol: int) -> None:
    points = [Instance(POINT, (), {"x": 1, "name": "one"}), Instance(POINT, (), {"name": "two"}), Instance(POINT)]
    alike = alike_of(points, protocol)
    objects = items_of(alike)
    if protocol > 1:
        assert alike.classes(objects) == ["Point"] * 3
    found = alike.fields(alike.states(objects), ("x", "name", "none"))
    assert alike.texts(found["name"]) == ["one", "two", None]
    numbers, known = alike.integers(found["x"])
    assert (numbers.tolist(), known.tolist()) == ([1, 0, 0], [True, False, False])
    assert found["none"].tolist() == [-1, -1, -1]


def test_the_last_value_of_a_key_counts() -> None:
    shared = {"x": 1}
    alike = alike_of([Instance(POINT, (), shared), Instance(POINT, (), shared), 7])
    objects = items_of(alike)
    states = alike.states(objects)
    assert states[0] == states[1] >= 0
    assert states[2] == -1
    assert alike.builds(objects)[2] == -1
    assert alike.integers(alike.fields(states, ("x",))["x"])[0].tolist() == [1, 1, 0]


def test_items_of_tuples_and_lists() -> None:
    rows = [(), (1,), (2, 3), (4, 5, 6), (7, 8, 9, 10), [], [11], [12, 13], "text", Call(SIZE, ((14, 15),))]
    alike = alike_of(rows)
    objects = items_of(alike)
    found = alike.items(objects)
    assert found.lengths.tolist() == [0, 1, 2, 3, 4, 0, 1, 2, 0, 0]
    assert alike.integers(found.flat)[0].tolist() == list(range(1, 14))
    assert found.owners.tolist() == [1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 6, 7, 7]
    arguments = alike.items(alike.arguments(objects))
    assert arguments.lengths.tolist() == [0] * 9 + [1]
    assert alike.integers(alike.items(arguments.flat).flat)[0].tolist() == [14, 15]


@pytest.mark.parametrize("number", [0, 255, 256, 65_536, -1, -(2**31), 2**31, 2**62, -(2**63)])
def test_integers_of_any_length(number: int) -> None:
    alike = alike_of([number, True, 2**64])
    numbers, known = alike.integers(items_of(alike))
    assert (numbers[0], known.tolist()) == (number, [True, False, False])


def test_long_dicts_come_in_batches() -> None:
    alike = alike_of({f"key{row}": row for row in range(2500)})
    owners, keys, values = alike.entries(np.array([alike.values.root], dtype=np.int64))
    assert len(owners) == 2500
    assert alike.texts(keys)[-1] == "key2499"
    assert alike.integers(values)[0].tolist() == list(range(2500))


def test_nothing_of_nothing() -> None:
    alike = alike_of([])
    none = np.zeros(0, dtype=np.int64)
    assert alike.states(none).tolist() == []
    assert len(alike.items(none)) == 0
    assert alike.fields(none, ("x",))["x"].tolist() == []
    assert Lists(np.array([0, 2]), np.array([5, 6])).of(0) == (5, 6)
