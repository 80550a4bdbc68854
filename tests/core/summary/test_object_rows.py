"""Rows of what stands under a value."""

from __future__ import annotations

import pickle

from viewer.core.objects.content import sections
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.values import Values
from viewer.core.source import MemorySource
from viewer.core.summary.object_rows import All
from viewer.core.tensors.path import Key


def test_keys_of_many_rows_are_what_those_of_few_are() -> None:
    held = {"a": 1, "@b": 2, 3: 4, (5, "c"): 6, b"raw": 7, 2.5: 8, "\u00e9": 9, **{f"key {at}": at for at in range(20)}}
    values = Values(disassemble(MemorySource(pickle.dumps(held, 4))))
    (section,) = sections(values, values.root)
    rows = All(section, ("above",))
    many = [entry.parts for entry in rows.read(0, rows.count, "utf-8")]
    assert many[:4] == [("above", "a"), ("above", Key("'@b'")), ("above", 3), ("above", Key("(5, 'c')"))]
    assert many[6:8] == [("above", "\u00e9"), ("above", "key 0")]
    assert many == [rows.read(at, at + 1, "utf-8")[0].parts for at in range(rows.count)]
