"""Opcodes by their names: a whole name in any case, a part of one in capitals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from viewer.core.document import Document, Pickle
from viewer.core.pickles.opcodes import BY_NAME, OPCODES
from viewer.core.search.base import OPCODE, Found, Hit, Look, Searcher
from viewer.core.tensors.tensor import ValueRef

AT_ONCE: Final = 1 << 20
SHORTEST: Final = 3


class Opcodes(Searcher):
    """One hit an opcode."""

    @override
    def look(self, document: Document, look: Look) -> Iterator[Found]:
        text = look.wanted.text.strip()
        named = [] if look.wanted.is_expression else meant(text)
        for pickle in document.pickles if named else ():
            for first in range(0, len(pickle.code), AT_ONCE):
                look.step()
                rows = np.flatnonzero(np.isin(pickle.code.codes[first : first + AT_ONCE], named)) + first
                if len(rows):
                    make = partial(_hit, document, pickle, rows, text)
                    yield look.found(OPCODE, range(len(rows)), make)


def meant(text: str) -> list[int]:
    """The bytes of the opcodes that a text names."""
    name = text.upper()
    if name in BY_NAME:
        return [BY_NAME[name].code]
    if not text.isupper() or len(text) < SHORTEST:
        return []
    return [byte for byte, opcode in OPCODES.items() if name in opcode.name]


def _hit(document: Document, pickle: Pickle, rows: npt.NDArray[np.int64], text: str, at: int) -> Hit:
    place = ValueRef(pickle.index, int(rows[at]))
    name = pickle.code.name(place.value)
    start = name.find(text.upper())
    return Hit(OPCODE, name, start, start + len(text), document.index, opcode=place, source=pickle.place)
