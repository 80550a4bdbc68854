"""The memo: which opcode stored what, and which opcode reads it back.

Nothing is allocated by the index that a file states: stores and reads are rows, sorted by index and opcode.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.numbers import readings
from viewer.core.pickles.opcodes import code, codes
from viewer.core.pickles.positions import Window

PUT, BINPUT, LONG_BINPUT, MEMOIZE = code("PUT"), code("BINPUT"), code("LONG_BINPUT"), code("MEMOIZE")
GET, BINGET, LONG_BINGET = code("GET"), code("BINGET"), code("LONG_BINGET")
PUTS: Final = codes("PUT BINPUT LONG_BINPUT MEMOIZE")
GETS: Final = codes("GET BINGET LONG_BINGET")
_IS_PUT: Final = np.zeros(256, dtype=np.bool_)
_IS_PUT[list(PUTS)] = True
_IS_GET: Final = np.zeros(256, dtype=np.bool_)
_IS_GET[list(GETS)] = True
# Indices are stated by files: those beyond 63 bits of a text opcode are kept apart, under numbers of ours.
_BIG: Final = 1 << 40

Keys = npt.NDArray[np.int64]


class MemoBuilder:
    """Collects the memo's rows window by window."""

    def __init__(self) -> None:
        self._puts: list[tuple[Keys, Keys]] = []
        self._gets: list[tuple[Keys, Keys]] = []
        self._big: dict[int, int] = {}
        self._seen: set[int] = set()
        self._counted = 0
        self._only_memoized = True
        self._memoized = 0

    def add(self, window: Window, first: int) -> None:
        """Take the rows of one window whose first opcode has the number `first`."""
        rows = np.flatnonzero(_IS_PUT[window.codes])
        if len(rows):
            self._puts.append((rows + first, self._put_keys(window, rows)))
        rows = np.flatnonzero(_IS_GET[window.codes])
        if len(rows):
            self._gets.append((rows + first, self._keys(window, rows)))

    def finish(self, count: int) -> Memo:
        """The memo of the first `count` opcodes."""
        puts, put_keys = _joined(self._puts, count)
        gets, get_keys = _joined(self._gets, count)
        return Memo(puts, put_keys, gets, get_keys, {number: index for index, number in self._big.items()})

    def _keys(self, window: Window, rows: Keys) -> Keys:
        """The index that each of the rows states; MEMOIZE gives 0."""
        data = np.frombuffer(window.data, dtype=np.uint8)
        at = window.offsets[rows] - window.base
        which = window.codes[rows]
        keys = np.zeros(len(rows), dtype=np.int64)
        short = (which == BINPUT) | (which == BINGET)
        keys[short] = data[at[short] + 1]
        long = (which == LONG_BINPUT) | (which == LONG_BINGET)
        for byte in range(4):
            keys[long] |= data[at[long] + 1 + byte].astype(np.int64) << (8 * byte)
        lines = np.flatnonzero((which == PUT) | (which == GET))
        if not len(lines):
            return keys
        ends = np.append(window.offsets[1:], window.next)[rows[lines]] - window.base - 1
        data_of = window.data
        places = zip((at[lines] + 1).tolist(), ends.tolist(), strict=True)
        read = _text_index if window.odd else int
        keys[lines] = self._numbers([read(data_of[start:end]) for start, end in places])
        return keys

    def _put_keys(self, window: Window, rows: Keys) -> Keys:
        """As `_keys`; MEMOIZE takes the number of slots in use, as CPython does."""
        keys = self._keys(window, rows)
        automatic = window.codes[rows] == MEMOIZE
        if automatic.all() and self._only_memoized:
            keys = np.arange(self._memoized, self._memoized + len(rows), dtype=np.int64)
            self._memoized += len(rows)
            return keys
        self._only_memoized = False
        if not automatic.any():
            return keys
        used = self._used()
        for row, is_automatic in enumerate(automatic.tolist()):
            if is_automatic:
                keys[row] = len(used)
            used.add(int(keys[row]))
        self._counted = len(self._puts) + 1
        return keys

    def _used(self) -> set[int]:
        """The slots in use: only streams that mix MEMOIZE with other stores need to know."""
        for _, keys in self._puts[self._counted :]:
            self._seen.update(keys.tolist())
        self._counted = len(self._puts)
        return self._seen

    def _numbers(self, indices: list[int]) -> list[int]:
        """What stands for indices that files state: themselves where they fit."""
        if max(indices) < _BIG:
            return indices
        return [index if index < _BIG else self._big.setdefault(index, _BIG + len(self._big)) for index in indices]


class Memo:
    """All stores and reads of one stream, by opcode number."""

    def __init__(self, puts: Keys, put_keys: Keys, gets: Keys, get_keys: Keys, big: dict[int, int]) -> None:
        self.puts, self.put_keys = puts, put_keys
        self.gets, self.get_keys = gets, get_keys
        self._big = big
        self._sorted_keys, self._sorted_puts = put_keys, puts
        if not (put_keys[1:] >= put_keys[:-1]).all():
            order = np.argsort(put_keys, kind="stable")
            self._sorted_keys, self._sorted_puts = put_keys[order], puts[order]
        self._get_rows = gets.data

    def index(self, opcode: int) -> int | None:
        """The memo index that a storing or reading opcode names."""
        for rows, keys in ((self.puts, self.put_keys), (self.gets, self.get_keys)):
            row = int(np.searchsorted(rows, opcode))
            if row < len(rows) and rows[row] == opcode:
                return self._big.get(int(keys[row]), int(keys[row]))
        return None

    def rows_of(self, index: int) -> Keys:
        """The opcodes that store in a slot or read it, in order."""
        key = next((number for number, big in self._big.items() if big == index), index)
        if not 0 <= key < 1 << 62:
            return np.zeros(0, dtype=np.int64)
        return np.sort(np.concatenate((self.puts[self.put_keys == key], self.gets[self.get_keys == key])))

    def store_of(self, get: int) -> int:
        """The opcode that stored what the reading opcode `get` reads; -1: nothing was stored there."""
        return int(self.stores[bisect_left(self._get_rows, get)])

    @cached_property
    def lasting(self) -> bool:
        """True when no slot is stored twice, so that all its reads give the same."""
        return not (self._sorted_keys[1:] == self._sorted_keys[:-1]).any()

    @cached_property
    def stores(self) -> Keys:
        """The store that each of `gets` reads; -1: nothing was stored there."""
        if self.lasting:
            return self._only_stores()
        keys = np.concatenate((self._sorted_keys, self.get_keys))
        rows = np.concatenate((self._sorted_puts, self.gets))
        order = np.lexsort((rows, keys))
        is_read = order >= len(self._sorted_puts)
        # In this order the store before a read is the one that it reads, when it is one of the same slot.
        before = np.cumsum(~is_read)[is_read] - 1
        reads = order[is_read] - len(self._sorted_puts)
        found = np.full(len(self.gets), -1, dtype=np.int64)
        same = before >= 0
        same[same] = self._sorted_keys[before[same]] == self.get_keys[reads[same]]
        found[reads[same]] = self._sorted_puts[before[same]]
        return found

    def _only_stores(self) -> Keys:
        """As `stores`, where each slot is stored once."""
        found = np.full(len(self.gets), -1, dtype=np.int64)
        if len(self.puts):
            # Picklers number from 0 on: then a slot's number is its place.
            is_dense = self._sorted_keys[-1] == len(self.puts) - 1
            at = self.get_keys if is_dense else np.searchsorted(self._sorted_keys, self.get_keys)
            at = np.minimum(at, len(self.puts) - 1)
            stores = self._sorted_puts[at]
            found = np.where((self._sorted_keys[at] == self.get_keys) & (stores < self.gets), stores, -1)
        return found

    def first_unknown(self) -> int:
        """The first read of an index where nothing stands yet; -1: there is none."""
        rows = np.flatnonzero(self.stores < 0)
        return int(self.gets[rows[0]]) if len(rows) else -1

    def size(self, before: int) -> int:
        """Slots in use before an opcode."""
        return int(np.searchsorted(self._slots[0], before))

    def entries(self, before: int, first: int, stop: int) -> list[tuple[int, int]]:
        """(index, storing opcode) of some slots as they are before an opcode, the one that was used last first."""
        count = self.size(before)
        _, starts, ends = self._slots
        found: list[tuple[int, int]] = []
        for row in range(count - 1 - first, max(count - stop, 0) - 1, -1):
            start, end = int(starts[row]), int(ends[row])
            at = start if end == start + 1 else bisect_left(self._sorted_puts.data, before, start, end) - 1
            key = int(self._sorted_keys[start])
            found.append((self._big.get(key, key), int(self._sorted_puts[at])))
        return found

    def row_of(self, store: int, before: int) -> int:
        """Place of the slot of a storing opcode among the `entries` before an opcode; -1: it is not among them."""
        key = int(self.put_keys[np.searchsorted(self.puts, store)])
        first = int(self._sorted_puts[np.searchsorted(self._sorted_keys, key)])
        row = int(np.searchsorted(self._slots[0], first))
        return self.size(before) - 1 - row if first < before else -1

    def stored_before(self, store: int) -> int:
        """The opcode whose value a storing opcode replaces in its slot; -1: the slot was empty."""
        key = int(self.put_keys[np.searchsorted(self.puts, store)])
        start = int(np.searchsorted(self._sorted_keys, key))
        at = bisect_left(self._sorted_puts.data, store, start) - 1
        return int(self._sorted_puts[at]) if at >= start else -1

    def reads(self, store: int) -> Keys:
        """The opcodes that read what a storing opcode stored, in order."""
        stores, gets = self._reads
        first = bisect_left(stores.data, store)
        return gets[first : bisect_left(stores.data, store + 1, first)]

    def next_read(self, store: int, after: int) -> int:
        """The first opcode behind `after` that reads what a storing opcode stored; -1: none."""
        low, size = int(np.searchsorted(self.gets, after, side="right")), 1024
        while low < len(self.gets):
            found = np.flatnonzero(self.stores[low : low + size] == store)
            if len(found):
                return int(self.gets[low + found[0]])
            low, size = low + size, 4 * size
        return -1

    @cached_property
    def _slots(self) -> tuple[Keys, Keys, Keys]:
        """Of each slot in the order of first use: its first store, and where its stores stand among the sorted ones."""
        keys = self._sorted_keys
        starts = np.flatnonzero(np.append(keys[:1] == keys[:1], keys[1:] != keys[:-1]))
        ends = np.append(starts[1:], len(keys))[: len(starts)]
        firsts = self._sorted_puts[starts]
        order = np.argsort(firsts, kind="stable")
        return firsts[order], starts[order], ends[order]

    @cached_property
    def _reads(self) -> tuple[Keys, Keys]:
        order = np.argsort(self.stores, kind="stable")
        return self.stores[order], self.gets[order]


def _text_index(line: bytes) -> int:
    """The index that a PUT or GET states that was found to be right."""
    return int(line) if line.isdigit() else int(readings(PUT, line).value or 0)


def _joined(parts: list[tuple[Keys, Keys]], count: int) -> tuple[Keys, Keys]:
    if not parts:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    rows = np.concatenate([part[0] for part in parts])
    keys = np.concatenate([part[1] for part in parts])
    kept = int(np.searchsorted(rows, count))
    return rows[:kept], keys[:kept]
