"""Whether the items of two ranks hold the same: tensors by their elements, other values by their bytes."""

from __future__ import annotations

from typing import Final

from viewer.core.errors import SourceError
from viewer.core.folder import Folder
from viewer.core.formats.base import Options
from viewer.core.formats.distributed.items import Item, read_item
from viewer.core.formats.distributed.metadata import Items
from viewer.core.formats.distributed.pieces import elements_of
from viewer.core.source import ByteSource

GLANCE: Final = 64 * 1024
"""Bytes at both ends of what is compared."""
MOST_COMPARED: Final = 5000


class ItemCopies:
    """Answers by the rows of items. `asked`: how often two were to be compared; the first 5,000 are."""

    def __init__(self, items: Items, folder: Folder | None, options: Options) -> None:
        self.asked = 0
        self._items, self._folder, self._options = items, folder, options
        self._sources: dict[str, ByteSource | None] = {}

    def is_there(self, row: int) -> bool:
        """True where the file of an item is there, and reaches as far."""
        item = self._item(row)
        return item is not None and item.start + item.length <= item.source.size

    def alike(self, first: int, second: int) -> bool:
        """False where two items that can be read hold different elements or values. Ends of 64 KiB are compared."""
        self.asked += 1
        one, other = self._item(first), self._item(second)
        if one is None or other is None or self.asked > MOST_COMPARED:
            return True
        try:
            return self._are_alike(one, other)
        except SourceError:
            return True

    def _are_alike(self, one: Item, other: Item) -> bool:
        held, found = read_item(one, self._options), read_item(other, self._options)
        if held is None or found is None:
            return (held is None) == (found is None) and same_ends(one.packed(), 0, other.packed(), 0)
        if held.storage is None or found.storage is None:
            return True
        if (held.dtype, held.shape) != (found.dtype, found.shape):
            return False
        (first, shift, _), (second, moved, _) = elements_of(held, held.storage), elements_of(found, found.storage)
        return same_ends(first, shift, second, moved)

    def _item(self, row: int) -> Item | None:
        items = self._items
        name = items.files[row]
        if name is None or not items.is_sound(row):
            return None
        if name not in self._sources:
            self._sources[name] = self._opened(name)
        source = self._sources[name]
        if source is None:
            return None
        return Item(source, int(items.starts[row]), int(items.lengths[row]), items.transforms[row])

    def _opened(self, name: str) -> ByteSource | None:
        try:
            return self._folder.member(name) if self._folder is not None else None
        except SourceError:
            return None


def same_ends(one: ByteSource, start: int, other: ByteSource, at: int) -> bool:
    """Whether two runs to the ends of their sources are as long, and begin and end with the same bytes."""
    length = one.size - start
    if length != other.size - at:
        return False
    last = max(0, length - GLANCE)
    return all(one.read(start + place, GLANCE) == other.read(at + place, GLANCE) for place in {0, last})
