"""Finding opcodes by what a person types: a name, an offset, or bytes of an argument."""

from __future__ import annotations

import re
from array import array
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.disassembly import Disassembly
from viewer.core.pickles.opcodes import BY_NAME, OPCODES
from viewer.core.pickles.references import distinct
from viewer.core.progress import Progress
from viewer.core.source import BLOCK

OFFSET: Final = re.compile(r"(?:0[xX]|@)?([0-9A-Fa-f]+)\Z")
NO_ROWS: Final = np.zeros(0, dtype=np.int64)


def find_opcodes(code: Disassembly, text: str, progress: Progress, base: int = 0) -> npt.NDArray[np.int64]:
    """The opcodes that match a text, in order: whole or part of a name in capitals, `0x1F4`, else bytes of the text.

    `base`: where offset 0 of the stream's source stands in what the person sees.
    """
    text = text.strip()
    if not text or not len(code):
        return NO_ROWS
    if text.isupper() or (text.replace("_", "").isalnum() and text.upper() in BY_NAME):
        named = [byte for byte, opcode in OPCODES.items() if text.upper() in opcode.name]
        if named:
            return np.flatnonzero(np.isin(code.codes, named))
    offset = OFFSET.match(text)
    if (offset is not None and text[:2] in ("0x", "0X")) or text.startswith("@"):
        at = code.at(int(offset.group(1), 16) - base) if offset is not None else -1
        return np.array([at], dtype=np.int64) if at >= 0 else NO_ROWS
    return _by_bytes(code, text.encode("utf-8", "surrogatepass"), progress)


def _by_bytes(code: Disassembly, wanted: bytes, progress: Progress) -> npt.NDArray[np.int64]:
    """The opcodes that hold the bytes; letters A to Z count as small ones."""
    wanted = wanted.lower()
    hits = array("q")
    at, stop = code.start, code.stop
    while at < stop:
        progress.step("finding", at - code.start, stop - code.start)
        block = code.source.read(at, min(BLOCK + len(wanted) - 1, stop - at)).lower()
        found = block.find(wanted)
        while found >= 0:
            hits.append(at + found)
            found = block.find(wanted, found + 1)
        at += BLOCK
    rows = np.searchsorted(code.offsets, np.frombuffer(hits, dtype=np.int64), side="right") - 1 if hits else NO_ROWS
    return distinct(rows)
