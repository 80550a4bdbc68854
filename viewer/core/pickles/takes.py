"""Which opcode takes what each opcode put on the stack, for a whole stream at once.

A *take* is one slot that one opcode takes; what is left on the stack at the end is taken by opcode number n, the count
of opcodes. Takes are numbered in the order of the opcodes, and of the slots that one opcode takes. Nothing is run: in
every slot, what is put and what is taken come by turns, so both in order are pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.depths import SLOT, WRITES, by_slot
from viewer.core.pickles.disassembly import Disassembly

Numbers = npt.NDArray[np.signedinteger[Any]]
"""Of opcodes and takes: 4 bytes each where there are fewer than 2^31."""

Flags = npt.NDArray[np.bool_]


@dataclass(slots=True)
class Takes:
    """Columns of takes and of opcodes.

    `first[i]`: the first take of opcode i; `first[n + 1]`: how many there are. By take: `takers`; `writers`, the opcode
    that put it (a GET or DUP too); `ends`, the opcode behind the last of those that made it. By opcode: `begins`, the
    first of those that made what it put.
    """

    first: Numbers
    takers: Numbers
    writers: Numbers
    ends: Numbers
    begins: Numbers

    @property
    def starts(self) -> Numbers:
        """By take: the first of the opcodes that made what is taken."""
        return self.begins[self.writers]


def find_takes(stream: Disassembly) -> Takes:
    """The takes of a stream; 20 bytes an opcode."""
    count = len(stream)
    number: np.dtype[np.signedinteger[Any]] = np.dtype(np.int32 if count < 2**31 - 1 else np.int64)
    after = stream.depths
    lowest = after + 1 - WRITES[stream.codes]
    taken = np.empty(count + 1, dtype=np.int32)
    taken[1:-1] = after[:-1]
    taken[0] = 0
    taken[:-1] -= lowest
    taken[:-1] += 1
    np.maximum(taken, 0, out=taken)
    taken[-1] = after[-1] if count else 0
    first: Numbers = np.zeros(count + 2, dtype=number)
    np.cumsum(taken, out=first[1:])
    takers: Numbers = np.repeat(np.arange(count + 1, dtype=number), taken)
    slots = np.arange(len(takers), dtype=number) - np.repeat(first[:-1] - np.append(lowest, 1), taken)
    writers = _paired(stream, slots)
    begins = _begins(stream, first, taken, writers)
    ends = takers.copy()
    same = np.flatnonzero(takers[1:] == takers[:-1])
    ends[same] = begins[writers[same + 1]]
    return Takes(first, takers, writers, ends, begins)


def _paired(stream: Disassembly, slots: Numbers) -> Numbers:
    """By take the opcode that put it: the k-th take of a slot is that of the k-th opcode that wrote it."""
    narrow = slots.astype(np.uint16) if not len(slots) or slots.max() < 65536 else slots
    order = np.argsort(narrow, kind="stable")
    written = by_slot(stream.depths, np.flatnonzero(WRITES[stream.codes]))
    written %= SLOT
    writers = np.empty(len(slots), dtype=slots.dtype)
    writers[order] = written
    return writers


def _begins(stream: Disassembly, first: Numbers, taken: npt.NDArray[np.int32], writers: Numbers) -> Numbers:
    """By opcode the first of those that made its value: what it took lowest, what that took, and so on."""
    begins: Numbers = np.arange(len(stream), dtype=first.dtype)
    rows = np.flatnonzero((taken[:-1] > 0) & WRITES[stream.codes])
    begins[rows] = writers[first[rows]]
    while len(rows):
        farther = begins[begins[rows]]
        moved = farther != begins[rows]
        rows = rows[moved]
        begins[rows] = farther[moved]
    return begins
