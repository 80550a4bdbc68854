"""Only the elements in use: tensors on storages that they do not fill come as copies in C order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from viewer.core.export.plan import Item, pieces
from viewer.core.export.special import PLAIN
from viewer.core.tensors.layout import row_major
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.window import extent, nbytes


def compacted(items: Sequence[Item]) -> list[Item]:
    """The items, those of storages with unused bytes as copies. Storages in full use stay, and with them sharing."""
    waste = wasteful(items)
    return [
        replace(item, copied=True, stride=row_major(item.tensor.shape))
        if item.kind == PLAIN and item.tensor.storage is not None and id(item.tensor.storage) in waste
        else item
        for item in items
    ]


def wasteful(items: Iterable[Item]) -> set[int]:
    """The storages, by identity, with bytes that no tensor without holes covers."""
    storages: dict[int, Storage] = {}
    covered: dict[int, list[tuple[int, int]]] = {}
    for item in pieces(items):
        tensor = item.tensor
        if tensor.storage is None:
            continue
        storages[id(tensor.storage)] = tensor.storage
        span = extent(tensor)
        if span is not None and span.length == nbytes(tensor) and 0 not in tensor.stride:
            covered.setdefault(id(tensor.storage), []).append((span.start, span.stop))
    return {key for key, storage in storages.items() if reach(covered.get(key, [])) < storage.nbytes}


def reach(spans: Iterable[tuple[int, int]]) -> int:
    """How far bytes are covered from the first one on, without a gap."""
    end = 0
    for start, stop in sorted(spans):
        if start > end:
            break
        end = max(end, stop)
    return end
