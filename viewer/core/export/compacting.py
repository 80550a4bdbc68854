"""Only the elements in use: tensors on storages that hold more than them come as copies in C order."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from viewer.core.export.plan import Item, pieces
from viewer.core.export.special import PLAIN, QUANTISED_KIND
from viewer.core.tensors.layout import row_major
from viewer.core.tensors.packed import per_byte
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.window import nbytes


def compacted(items: Sequence[Item]) -> list[Item]:
    """The items, those of storages that copies take fewer bytes than as copies. Others stay, and with them sharing."""
    waste = wasteful(items)
    return [compact(item, waste) for item in items]


def compact(item: Item, waste: Container[int]) -> Item:
    """An item and its parts, as copies where their storage is among those."""
    if item.parts:
        item = replace(item, parts=tuple((role, compact(part, waste)) for role, part in item.parts))
    if id(item.tensor.storage) not in waste:
        return item
    return replace(item, copied=True, stride=row_major(item.tensor.shape))


def wasteful(items: Iterable[Item]) -> set[int]:
    """The storages, by identity, that are larger than the copies of all tensors on them would be together."""
    storages: dict[int, Storage] = {}
    sizes: dict[int, dict[object, int]] = {}
    for item in pieces(items):
        tensor = item.tensor
        if tensor.storage is None:
            continue
        key = id(tensor.storage)
        storages[key] = tensor.storage
        # Equal views share one copy. What cannot be copied keeps the storage as it is.
        view = (tensor.storage_offset, tensor.shape, tensor.stride, tensor.dtype)
        is_copy = item.kind in (PLAIN, QUANTISED_KIND) and per_byte(tensor) == 1
        sizes.setdefault(key, {})[view] = nbytes(tensor) if is_copy else tensor.storage.nbytes
    return {key for key, storage in storages.items() if sum(sizes[key].values()) < storage.nbytes}
