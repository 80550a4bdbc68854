"""Opcodes as `inspect --json --opcodes` writes them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from viewer.core.pickles.arguments import Argument
from viewer.core.pickles.disassembly import Disassembly
from viewer.core.pickles.opcodes import OPCODES, codes

EXACT: Final = 2**53
LONGEST: Final = 64
# Never read whole: an array may stand in one argument.
OCTETS: Final = codes("SHORT_BINBYTES BINBYTES BINBYTES8 BYTEARRAY8 BINSTRING SHORT_BINSTRING")
BARE: Final = frozenset(opcode.code for opcode in OPCODES.values() if opcode.size == 1)
BATCH: Final = 4096


def opcode_rows(code: Disassembly) -> Iterator[dict[str, Any]]:
    """One row an opcode; `offset` is null and `source_offset` counts in the inflated bytes where they are deflated."""
    shift = code.source.to_outer(0)
    for first in range(0, len(code), BATCH):
        offsets = code.offsets[first : first + BATCH + 1].tolist()
        octets = code.codes[first : first + BATCH].tolist()
        for opcode, (byte, start, stop) in enumerate(zip(octets, offsets, offsets[1:], strict=False), first):
            row: dict[str, Any] = {
                "offset": None if shift is None else start + shift,
                "length": stop - start,
                "name": OPCODES[byte].name,
                "argument": None if byte in BARE else _argument(code, opcode, byte),
            }
            if shift is None:
                row["source_offset"] = start
            yield row


def _argument(code: Disassembly, opcode: int, byte: int) -> object:
    if byte not in OCTETS:
        return json_argument(code.argument(opcode))
    span = code.argument_span(opcode)
    return {"hex": code.bytes(span.start, min(LONGEST, span.length)).hex(), "length": span.length}


def json_argument(argument: Argument) -> object:
    """A value of Python as JSON can hold it: long ints, bytes and non-finite numbers as objects."""
    if isinstance(argument, bool) or argument is None or isinstance(argument, str):
        return argument
    if isinstance(argument, int):
        return argument if -EXACT <= argument <= EXACT else {"int": int_text(argument)}
    if isinstance(argument, float):
        return argument if math.isfinite(argument) else {"float": repr(argument)}
    if isinstance(argument, bytes):
        return {"hex": argument[:LONGEST].hex(), "length": len(argument)}
    return list(argument)


def int_text(number: int) -> str:
    """A number of any length in decimal, in hexadecimal where it is too long for Python to convert."""
    return str(number) if number.bit_length() < 14_000 else hex(number)
