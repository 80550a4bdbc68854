"""The depth of the stack after each opcode, window by window, and the first opcode that breaks its rules.

Depths of opcodes that take no mark are a running sum; only marks, their closers and POP (which may take a
mark) are stepped through one by one. Depth counts marks. The rules are those of CPython's unpickler: values
are never taken from under the innermost mark.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.opcodes import OPCODES, code, codes

MARK: Final = code("MARK")
POP: Final = code("POP")
OBJ: Final = code("OBJ")
PAIRED: Final = codes("DICT SETITEMS")
CLOSERS: Final = frozenset(opcode.code for opcode in OPCODES.values() if opcode.closes)
DELTAS: Final = np.zeros(256, dtype=np.int32)
NEEDS: Final = np.zeros(256, dtype=np.int32)
SLOT: Final = 1 << 32
EVENTS: Final = np.zeros(256, dtype=np.bool_)
WRITES: Final = np.zeros(256, dtype=np.bool_)
WRITES[[opcode.code for opcode in OPCODES.values() if opcode.writes]] = True
# Depth after an opcode that closes a mark, counted from the depth before that mark.
_OUTS: Final[list[int]] = [0] * 256
_BELOW: Final[list[int]] = [0] * 256
for _opcode in OPCODES.values():
    if _opcode.closes:
        _OUTS[_opcode.code] = _opcode.out - _opcode.below
        _BELOW[_opcode.code] = _opcode.below
    elif _opcode.code not in codes("MARK POP"):
        DELTAS[_opcode.code] = _opcode.delta
        NEEDS[_opcode.code] = _opcode.need
EVENTS[list(CLOSERS | {MARK, POP})] = True
# The same as tables of bytes, which are faster; _REACHES: how far below the depth after it an opcode takes.
_EVENTS: Final = EVENTS.tobytes()
_DELTAS: Final = DELTAS.astype(np.int8).tobytes()
_REACHES: Final = (DELTAS + NEEDS).astype(np.int8).tobytes()
_HIGH: Final = np.iinfo(np.int32).max


@dataclass(slots=True)
class Stack:
    """The state between two windows: the depth, and the depth before each open mark."""

    depth: int = 0
    marks: list[int] = field(default_factory=list)

    @property
    def floor(self) -> int:
        """Slots that cannot be taken from: those up to and with the innermost mark."""
        return self.marks[-1] + 1 if self.marks else 0


def depths(stack: Stack, window: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.int32], int, str]:
    """Depth after each opcode of a window; the index of the first bad one (-1: none) and its Problem code.

    Advances `stack`; after a bad opcode the stack and the depths from there on mean nothing.
    """
    if not len(window):
        return np.zeros(0, dtype=np.int32), -1, ""
    raw = window.tobytes()
    events = np.flatnonzero(np.frombuffer(raw.translate(_EVENTS), dtype=np.bool_))
    base = np.cumsum(np.frombuffer(raw.translate(_DELTAS), dtype=np.int8), dtype=np.int32) + np.int32(stack.depth)
    first_floor = stack.floor
    corrections, floors, bad, reason = _events(stack, events.tolist(), window[events].tolist(), base[events].tolist())
    starts = np.concatenate((np.zeros(1, dtype=np.int64), events))
    correction = np.array([0, *corrections], dtype=np.int32)
    under = _first_under(raw, base, starts, np.array([first_floor, *floors], dtype=np.int32) - correction)
    if under >= 0 and (bad < 0 or under < bad):
        bad, reason = under, "pickle-underflow"
    after = base + np.repeat(correction, np.diff(np.append(starts, len(window))))
    stack.depth = int(after[-1])
    return after, bad, reason


def _first_under(
    raw: bytes, base: npt.NDArray[np.int32], starts: npt.NDArray[np.int64], floors: npt.NDArray[np.int32]
) -> int:
    """The first opcode that needs more than there is above the floor, which stays until the next event; -1: none."""
    lowest = base - np.frombuffer(raw.translate(_REACHES), dtype=np.int8)
    lowest[starts[1:]] = _HIGH
    under = np.flatnonzero(np.minimum.reduceat(lowest, starts) < floors)
    if not len(under):
        return -1
    first = int(starts[under[0]])
    return first + int(np.flatnonzero(lowest[first:] < floors[under[0]])[0])


def _events(
    stack: Stack, events: list[int], window: list[int], base: list[int]
) -> tuple[list[int], list[int], int, str]:
    """Step through marks, closers and POP: the correction of the running sum and the floor after each."""
    marks = stack.marks
    correction = 0
    corrections: list[int] = []
    floors: list[int] = []
    bad, reason = -1, ""
    for at, byte, depth in zip(events, window, base, strict=True):
        depth += correction
        floor = marks[-1] + 1 if marks else 0
        if byte == MARK:
            marks.append(depth)
            correction += 1
            floor = depth + 1
        elif byte == POP and depth > floor:
            correction -= 1
        elif not marks:
            bad, reason = at, "pickle-underflow" if byte == POP else "pickle-no-mark"
            break
        else:
            before = marks.pop()
            floor = marks[-1] + 1 if marks else 0
            if before - _BELOW[byte] < floor or (byte == OBJ and depth <= before + 1):
                bad, reason = at, "pickle-underflow"
                break
            if byte in PAIRED and (depth - before) % 2 == 0:
                bad, reason = at, "pickle-odd-items"
                break
            correction += before + _OUTS[byte] - depth
        corrections.append(correction)
        floors.append(floor)
    left = len(events) - len(corrections)
    return corrections + [correction] * left, floors + [0] * left, bad, reason


def by_slot(depths: npt.NDArray[np.int32], rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The opcodes as topmost slot x SLOT + opcode, sorted: by the slot that they wrote, then by their number."""
    slots = depths[rows]
    order = np.argsort(narrowed(slots), kind="stable")
    return slots[order].astype(np.int64) * SLOT + rows[order]


def narrowed(slots: npt.NDArray[np.int32] | npt.NDArray[np.int64]) -> npt.NDArray[np.integer]:
    """The same numbers in a type that sorts in a tenth of the time, where they fit."""
    return slots.astype(np.uint16) if not len(slots) or slots.max() < 1 << 16 else slots
