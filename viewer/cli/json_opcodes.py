"""Opcodes as `inspect --json --opcodes` writes them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from viewer.core.pickles.arguments import Argument
from viewer.core.pickles.disassembly import Disassembly

EXACT: Final = 2**53
LONGEST: Final = 64
# Never read whole: an array may stand in one argument.
OCTETS: Final = frozenset({"SHORT_BINBYTES", "BINBYTES", "BINBYTES8", "BYTEARRAY8", "BINSTRING", "SHORT_BINSTRING"})


def opcode_rows(code: Disassembly) -> Iterator[dict[str, Any]]:
    """One row an opcode; `offset` is null and `source_offset` counts in the inflated bytes where they are deflated."""
    for opcode in range(len(code)):
        place = code.offset(opcode)
        outer = code.source.to_outer(place)
        row: dict[str, Any] = {
            "offset": outer,
            "length": code.length(opcode),
            "name": code.name(opcode),
            "argument": _argument(code, opcode),
        }
        if outer is None:
            row["source_offset"] = place
        yield row


def _argument(code: Disassembly, opcode: int) -> object:
    if code.name(opcode) not in OCTETS:
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
