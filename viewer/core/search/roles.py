"""What a text or a number is to the object that holds it: a key, or the value of a key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.keyed import operand_columns
from viewer.core.pickles.opcodes import code
from viewer.core.pickles.values import Values

_SETITEM, _SETITEMS, _DICT, _STACK_GLOBAL = (code(name) for name in ("SETITEM", "SETITEMS", "DICT", "STACK_GLOBAL"))
# Where the first key lies above the depth after the opcode: SETITEMS has its mark in between.
_FIRST: Final = {_SETITEM: 1, _SETITEMS: 2, _DICT: 1}
_IS_PAIRING: Final = np.zeros(256, dtype=np.bool_)
_IS_PAIRING[[*_FIRST]] = True
AT_ONCE: Final = 1024
"""Opcodes that set entries, a thousand each, that are looked at in one go."""
DEEPEST: Final = 16

Mask = npt.NDArray[np.bool_]


def place_among_pairs(values: Values, value: int) -> int:
    """0: it is a key where it is made, 1: what stands under a key, -1: neither."""
    code, depth = values.code, int(values.code.depths[value])
    taker = values.lows.first(value, depth)
    if taker >= len(code) or (byte := int(code.codes[taker])) not in _FIRST:
        return -1
    if values.writer(taker, depth) != value:
        return -1
    place = depth - int(code.depths[taker]) - _FIRST[byte]
    return place % 2 if place >= 0 else -1


def key_of(values: Values, value: int, encoding: str) -> str:
    """The key that a value stands under where it is made; "" where it stands under none, or under no text."""
    if place_among_pairs(values, value) != 1:
        return ""
    key = values.resolve(values.writer(value, int(values.code.depths[value]) - 1))
    return (values.text(key, encoding) or "") if key >= 0 else ""


def trail(values: Values, value: int, encoding: str) -> list[str]:
    """The keys of dictionaries from the outermost one down to what holds a value where it is made; its own is the last.

    At most sixteen containers are looked at: those around are large, and shown for a row at a time.
    """
    found: list[str] = []
    for _ in range(DEEPEST):
        found.append(key_of(values, value, encoding))
        taker = values.lows.first(value, int(values.code.depths[value]))
        holder = values.top(taker) if taker < len(values.code) else -1
        if holder < 0 or holder == value:
            break
        value = holder
    return [key for key in reversed(found) if key]


def keys_in(values: Values, step: Callable[[], None]) -> Mask:
    """Which opcodes make a key of a dictionary right where it is set; `step` is called now and then."""
    stream = values.code
    found = np.zeros(len(stream), dtype=np.bool_)
    takers = np.flatnonzero(_IS_PAIRING[stream.codes]).astype(np.int64)
    for at in range(0, len(takers), AT_ONCE):
        step()
        rows = takers[at : at + AT_ONCE]
        found[operand_columns(values, rows, 2)[1]] = True
    return found


def named_parts(values: Values) -> Mask:
    """Which opcodes make the texts that others name a global by."""
    found = np.zeros(len(values.code), dtype=np.bool_)
    rows = np.flatnonzero(values.code.codes == _STACK_GLOBAL).astype(np.int64)
    if len(rows):
        depths = values.code.depths[rows]
        found[values.writers(rows, depths)] = found[values.writers(rows, depths + 1)] = True
    return found
