"""What uses that which an opcode makes or stores: reads of its slot, repeats of its value, and what takes those."""

from __future__ import annotations

from typing import Final

import numpy as np

from viewer.core.pickles.depths import SLOT, WRITES, by_slot
from viewer.core.pickles.memo import GETS, PUTS
from viewer.core.pickles.opcodes import OPCODES, codes
from viewer.core.pickles.references import Rows, distinct
from viewer.core.pickles.values import Kind, Values
from viewer.core.progress import Progress

NO_ROWS: Final = np.zeros(0, dtype=np.int64)
_NEAR: Final = 64
_AT_ONCE: Final = 1 << 16
_OFTEN: Final = 1024
_REPEATS: Final = np.zeros(256, dtype=np.bool_)
_REPEATS[list(GETS | codes("DUP"))] = True


def uses_of(values: Values, opcode: int, progress: Progress) -> Rows:
    """The opcodes that use what an opcode makes or stores, in order. Raises CancelledError.

    Of a PUT or GET all that read the slot; of a mark the one that takes it; of any other that makes a value those that
    repeat it (GET, DUP), change it (BUILD, SETITEMS and the like) or take it, and those that take its repeats.
    """
    byte = int(values.code.codes[opcode])
    if byte in PUTS or byte in GETS:
        store = opcode if byte in PUTS else values.code.memo.store_of(opcode)
        return values.code.memo.reads(store) if store >= 0 else NO_ROWS
    if not OPCODES[byte].writes:
        return NO_ROWS
    if values.kind(opcode) is Kind.MARK:
        return _takers(values, np.array([opcode], dtype=np.int64), progress)
    value = values.resolve(opcode)
    if value < 0:
        return NO_ROWS
    repeats = _repeats(values, value)
    changes = np.array(values.changes(value), dtype=np.int64)
    takers = _takers(values, np.append(repeats, value), progress)
    return distinct(np.concatenate((repeats, changes, takers)))


def _repeats(values: Values, value: int) -> Rows:
    """The opcodes that put a value once more."""
    rows = np.flatnonzero(_REPEATS[values.code.codes])
    return rows[values.resolve_all(rows) == value] if len(rows) else NO_ROWS


def _takers(values: Values, writers: Rows, progress: Progress) -> Rows:
    """The opcodes that take what the writers put, each where there is one."""
    found: list[Rows] = [NO_ROWS]
    far: list[Rows] = [NO_ROWS]
    for at in range(0, len(writers), _AT_ONCE):
        progress.step("finding", at, len(writers))
        near, left = _near(values, writers[at : at + _AT_ONCE])
        found.append(near)
        far.append(left)
    found.append(_far(values, np.concatenate(far), progress))
    return distinct(np.concatenate(found))


def _near(values: Values, writers: Rows) -> tuple[Rows, Rows]:
    """The takers that stand within a few opcodes, and the writers whose takers do not."""
    which, depths = values.code.codes, values.code.depths
    found: list[Rows] = [NO_ROWS]
    left, wanted = writers, depths[writers]
    for step in range(1, _NEAR + 1):
        inside = left + step < len(which)
        left, wanted = left[inside], wanted[inside]
        after = left + step
        taken = (depths[after] < wanted) | ((depths[after] == wanted) & WRITES[which[after]])
        found.append(after[taken])
        left, wanted = left[~taken], wanted[~taken]
        if not len(left):
            break
    return np.concatenate(found), left


def _far(values: Values, writers: Rows, progress: Progress) -> Rows:
    """The takers of what stays on the stack for long: the next that writes its slot, or that leaves the stack lower."""
    if not len(writers):
        return NO_ROWS
    code = values.code
    keys = by_slot(code.depths, np.flatnonzero(WRITES[code.codes]))
    own = code.depths[writers].astype(np.int64) * SLOT + writers
    after = np.searchsorted(keys, own, side="right")
    inside = after < len(keys)
    after[~inside] = 0
    again = np.where(inside & (keys[after] // SLOT == own // SLOT), keys[after] % SLOT, len(code))
    lower = np.empty(len(writers), dtype=np.int64)
    for number, writer in enumerate(writers.tolist()):
        if number % _OFTEN == 0:
            progress.step("finding", number, len(writers))
        lower[number] = values.lows.first(writer, int(code.depths[writer]))
    takers = np.minimum(again, lower)
    return takers[takers < len(code)]
