"""What a text or a number is to the object that holds it: a key, or the value of a key."""

from __future__ import annotations

from typing import Final

import numpy as np

from viewer.core.pickles.opcodes import code, codes
from viewer.core.pickles.values import Values

_SETITEM, _SETITEMS, _DICT, _STACK_GLOBAL = (code(name) for name in ("SETITEM", "SETITEMS", "DICT", "STACK_GLOBAL"))
_PAIRING: Final = codes("SETITEM SETITEMS DICT")
# Where the first key lies above the depth after the opcode: SETITEMS has its mark in between.
_FIRST: Final = {_SETITEM: 1, _SETITEMS: 2, _DICT: 1}


def place_among_pairs(values: Values, value: int) -> int:
    """0: it is a key where it is made, 1: what stands under a key, -1: neither."""
    code, depth = values.code, int(values.code.depths[value])
    taker = values.lows.first(value, depth)
    if taker >= len(code) or (byte := int(code.codes[taker])) not in _PAIRING:
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


def named_parts(values: Values) -> set[int]:
    """The texts that stand in the opcodes which name a global by two of them."""
    rows = np.flatnonzero(values.code.codes == _STACK_GLOBAL).astype(np.int64)
    if not len(rows):
        return set()
    depths = values.code.depths[rows]
    return {*values.writers(rows, depths).tolist(), *values.writers(rows, depths + 1).tolist()}
