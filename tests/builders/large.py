"""Large files: checkpoints whose storages are holes and take no room on the disk, and streams of many opcodes."""

from __future__ import annotations

import pickle
import random
import struct
from dataclasses import dataclass
from pathlib import Path

from typing_extensions import override

from tests.builders.legacy import MAGIC, PROTOCOL_VERSION, LegacyPickler, default_system_info
from tests.builders.torch_values import Storage, contiguous, full, state_dict, tensor
from tests.builders.torch_zip import ZipPickler, ZipWriter
from tests.builders.values import Fresh, dumps


@dataclass(eq=False)
class HollowStorage(Storage):
    """A storage of `elements` that has no bytes of its own."""

    elements: int = 0

    @property
    @override
    def count(self) -> int:
        return self.elements


def sparse_legacy(path: Path, tensors: int, elements: int) -> int:
    """Write a legacy state_dict of float32 tensors; gives the size. `elements` of each: a multiple of 1024."""
    pickler = LegacyPickler(2)
    shape = (elements // 1024, 1024)
    named = {
        f"layer.{number}.weight": tensor(HollowStorage("float32", b"", elements=elements), shape, contiguous(shape))
        for number in range(tensors)
    }
    body = pickler.dumps(state_dict(named))
    keys = sorted(pickler.storages)
    heads = [dumps(MAGIC, 2), dumps(PROTOCOL_VERSION, 2), dumps(default_system_info(), 2), body]
    with path.open("wb") as file:
        file.write(b"".join([*heads, dumps([Fresh(key) for key in keys], 2)]))
        for _ in keys:
            file.write(struct.pack("<q", elements))
            file.seek(elements * 4, 1)
        file.truncate(file.tell())
    return path.stat().st_size


def mixed_lists(lists: int) -> bytes:
    """A dict of lists of numbers and distinct texts; 446 opcodes a list (research/models.md 6)."""
    chance = random.Random(1)
    made = {
        f"k{row}": [
            chance.choice([chance.randrange(100_000), f"text{row}_{at}", chance.randrange(200)]) for at in range(330)
        ]
        for row in range(lists)
    }
    return pickle.dumps(made, 2)


def checkpoint(tensors: int, names: str = "block.{row}.weight") -> tuple[bytes, bytes]:
    """data.pkl of a state_dict of small tensors, 30 opcodes each, and the zip that holds it. `names`: of each row."""
    named = {names.format(row=row, group=row % 12): full("float32", (2,), [row, 1]) for row in range(tensors)}
    pickler = ZipPickler()
    body = pickler.dumps(state_dict(named))
    writer = ZipWriter()
    for name, data in (("data.pkl", body), ("byteorder", b"little")):
        writer.add(name, data)
    for key, kept in pickler.storages.items():
        writer.add(f"data/{key}", kept.data)
    writer.add("version", b"3\n")
    return body, writer.finish()
