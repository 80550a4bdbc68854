"""Who wrote a slot of the stack: of many places at once, of one, and by looking back opcode by opcode."""

from __future__ import annotations

import pickle
from typing import Final

import numpy as np
import pytest

from viewer.core.pickles.among import among
from viewer.core.pickles.depths import WRITES
from viewer.core.pickles.disassembly import COUNTED, Disassembly, disassemble
from viewer.core.pickles.keyed import keyed
from viewer.core.pickles.values import Values
from viewer.core.pickles.written import MANY, Written
from viewer.core.source import MemorySource

NESTED: Final = [{"rows": [(row, [row, {"a": (row, "b")}]), KeyError], "id": row} for row in range(2 * MANY)]


def stream(protocol: int) -> Disassembly:
    return disassemble(MemorySource(pickle.dumps(NESTED, protocol)))


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_many_at_once(protocol: int) -> None:
    code = stream(protocol)
    standing: dict[int, int] = {}
    asked: list[tuple[int, int, int]] = []
    for row, depth in enumerate(code.depths.tolist()):
        asked += [(row, slot, standing[slot]) for slot in range(1, code.depth_before(row) + 1)]
        if WRITES[code.codes[row]]:
            standing[depth] = row
    before, slots, expected = (np.array(column, dtype=np.int64) for column in zip(*asked, strict=True))
    assert Written(code.codes, code.depths).all_by(before, slots).tolist() == expected.tolist()
    one_by_one = Written(code.codes, code.depths)
    assert [one_by_one.by(row, slot) for row, slot, _ in asked[:500]] == expected[:500].tolist()
    # Operands that stand next to their opcode are found without sorting.
    near = np.flatnonzero(expected == before - 1)
    assert len(near) > MANY
    beside = Written(code.codes, code.depths)
    assert beside.all_by(before[near], slots[near]).tolist() == expected[near].tolist()
    assert beside._view is None


def test_nothing_wrote_it() -> None:
    code = stream(2)
    assert Written(code.codes, code.depths).by(0, 1) == -1
    assert Written(code.codes, code.depths).by(len(code), int(code.depths.max()) + 1) == -1


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_keys(protocol: int) -> None:
    values = Values(stream(protocol))
    found = keyed(values)
    expected = [(value, key) for value in np.unique(found.targets).tolist() for key, _ in values.pairs(value)]
    pairs = zip(found.targets[found.owners].tolist(), found.keys.tolist(), strict=True)
    assert sorted(pairs) == sorted(expected)
    assert len(expected) == 3 * len(NESTED)


def test_counts_of_a_long_stream() -> None:
    code = disassemble(MemorySource(b"N" + b"N0" * COUNTED + b"."))
    assert {code.name(row): int(code.counts[code.codes[row]]) for row in (0, 2, len(code) - 1)} == {
        "NONE": COUNTED + 1,
        "POP": COUNTED,
        "STOP": 1,
    }
    assert code.used == frozenset(b"N0.")


def test_among() -> None:
    column = np.frombuffer(b"abcabc", dtype=np.uint8)
    assert among(column, b"ac").tolist() == [True, False, True, True, False, True]
    assert not among(column, ()).any()
