"""Checkpoints of any size that take no room on the disk: the storages are holes."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from typing_extensions import override

from tests.builders.legacy import MAGIC, PROTOCOL_VERSION, LegacyPickler, default_system_info
from tests.builders.torch_values import Storage, contiguous, state_dict, tensor
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
