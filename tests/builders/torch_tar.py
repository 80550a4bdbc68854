"""The tar of torch 0.1.9 and before: four members, with raw numbers between the pickles of two of them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from tests.builders.tars import member, tar
from tests.builders.values import Global, Persistent, dumps

KEY: Final = 94000000000000
NAMES: Final = ("sys_info", "pickle", "tensors", "storages")
LETTERS: Final = {"Float": "f", "Long": "q", "Byte": "B", "Double": "d", "Short": "h"}


@dataclass(frozen=True, slots=True)
class TarStorage:
    """`cls`: Float, Long, ... `count` None: as many as there are numbers."""

    key: int
    cls: str
    numbers: Sequence[float]
    location: str = "cpu"
    count: int | None = None

    def data(self, early: bool, order: str) -> bytes:
        """Entry, count and elements."""
        name = Global("torch", f"{self.cls}Storage")
        entry = (self.key, name) if early else (self.key, self.location, name)
        raw = struct.pack(f"{order}{len(self.numbers)}{LETTERS[self.cls]}", *self.numbers)
        count = len(self.numbers) if self.count is None else self.count
        return dumps(entry) + struct.pack(f"{order}q", count) + raw


@dataclass(frozen=True, slots=True)
class TarTensor:
    """`beside`: the four bytes that follow the number of axes."""

    key: int
    storage: int | None
    cls: str
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int = 0
    beside: bytes = bytes(4)
    axes: int | None = None

    def data(self, early: bool, order: str) -> bytes:
        """Entry and layout."""
        name = Global("torch", f"{self.cls}Tensor")
        entry = (self.key, name, self.storage) if early else (self.key, self.storage, name)
        axes = len(self.shape) if self.axes is None else self.axes
        numbers = (*self.shape, *self.stride, self.offset)
        return (
            dumps(entry)
            + struct.pack(f"{order}i", axes)
            + self.beside
            + struct.pack(f"{order}{len(numbers)}q", *numbers)
        )


@dataclass(slots=True)
class TorchTar:
    """The members of a checkpoint by name; `data` is the archive. `views`: (key, root key, offset, count)."""

    value: object
    storages: Sequence[TarStorage]
    tensors: Sequence[TarTensor]
    views: Sequence[tuple[int, int, int, int]] | None = ()
    early: bool = False
    little: bool = True
    protocol: int = 2
    prefix: str = ""
    order: Sequence[str] = NAMES
    more: dict[str, bytes] = field(default_factory=dict)

    @property
    def contents(self) -> dict[str, bytes]:
        """The four members."""
        order = "<" if self.little else ">"
        sizes = {"short": 2, "int": 4, "long": 4}
        info = {"protocol_version": 1000, "little_endian": self.little, "type_sizes": sizes}
        views = b"" if self.views is None or self.early else dumps(list(self.views))
        storages = b"".join(storage.data(self.early, order) for storage in self.storages)
        tensors = b"".join(tensor.data(self.early, order) for tensor in self.tensors)
        return {
            "sys_info": dumps(info),
            "pickle": dumps(self.value, self.protocol),
            "tensors": dumps(len(self.tensors)) + tensors,
            "storages": dumps(len(self.storages)) + storages + views,
            **self.more,
        }

    @property
    def members(self) -> list[bytes]:
        """Each with its header and padding."""
        contents = self.contents
        return [member(f"{self.prefix}{name}".encode(), contents[name]) for name in [*self.order, *self.more]]

    @property
    def data(self) -> bytes:
        """The whole archive."""
        return tar(*self.members)


def named(key: int) -> Persistent:
    """A tensor or storage in the object: the text of its key."""
    return Persistent(str(key))
