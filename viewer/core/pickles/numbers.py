"""Numbers that are written as text, as CPython's two unpicklers take them.

The one in C (`pickle.load`) reads INT by strtol, so that `010` is octal and two signs with a 0 or 1 are a bool, ends
each at a byte of zero, and knows no blanks and no underscores in FLOAT; the one in Python reads all by int() and
float(). Both refuse decimal numbers of more than 4,300 digits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Final, NamedTuple

from viewer.core.pickles.opcodes import code

MOST_DIGITS: Final = 4300
_LONG: Final = 1 << 63
"""Numbers of C's `long` lie below it."""
_STRTOL: Final = re.compile(rb"[ \t\n\v\f\r]*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)")
_BLANKS: Final = b" \t\n\v\f\r"
_BASED: Final = re.compile(rb"[ \t\n\v\f\r]*[+-]?0[xXoObB]")

Number = int | float | bool


class Readings(NamedTuple):
    """What the unpickler in C and the one in Python make of a line; None: it refuses it."""

    in_c: Number | None
    in_python: Number | None

    @property
    def differ(self) -> bool:
        """True where they give different values, or one refuses what the other takes."""
        first, second = self
        if first is None or second is None:
            return first is not second
        # A nan is no other than itself here.
        return type(first) is not type(second) or (first != second and first == first)

    @property
    def value(self) -> Number | None:
        """That of `pickle.load` where it takes the line, else the other's; None: both refuse it."""
        return self.in_python if self.in_c is None else self.in_c


def _whole(text: bytes, base: int) -> int | None:
    """As int() reads it, whatever the process has set as its limit."""
    is_based = base == 0 and _BASED.match(text)
    if len(text) > MOST_DIGITS and not is_based and len(text.translate(None, b"_+-" + _BLANKS)) > MOST_DIGITS:
        return None
    try:
        return int(text, base)
    except ValueError:
        return None


def _until_zero(line: bytes) -> bytes:
    return line.partition(b"\0")[0]


def _strtol(line: bytes) -> int | None:
    """What C's strtol reads, where it reads the whole line and the number fits."""
    found = _STRTOL.match(line)
    if found is None:
        return 0 if line[0] == 0 else None
    if found.end() < len(line) and line[found.end()] != 0:
        return None
    digits = found[2]
    base = 16 if digits[1:2] in (b"x", b"X") else 8 if digits[0] == ord("0") else 10
    if len(digits.lstrip(b"0")) > 24:
        return None
    value = int(digits, base)
    if found[1] == b"-":
        value = -value
    return value if -_LONG <= value < _LONG else None


def _int_in_c(line: bytes) -> Number | None:
    if not line:
        return None
    value = _strtol(line)
    if value is None:
        return _whole(_until_zero(line), 0)
    return bool(value) if len(line) == 2 and value in (0, 1) else value


def _int_in_python(line: bytes) -> Number | None:
    return line == b"01" if line in (b"00", b"01") else _whole(line, 0)


def _without_l(line: bytes) -> bytes:
    return line[:-1] if line.endswith(b"L") else line


def _long_in_c(line: bytes) -> Number | None:
    return _whole(_until_zero(_without_l(line)), 0)


def _long_in_python(line: bytes) -> Number | None:
    return _whole(_without_l(line), 0)


def _float_in_python(line: bytes) -> Number | None:
    try:
        return float(line)
    except ValueError:
        return None


def _float_in_c(line: bytes) -> Number | None:
    text = _until_zero(line)
    if b"_" in text or text.translate(None, _BLANKS) != text:
        return None
    value = _float_in_python(text)
    # A number that is too large is an error there, not infinity.
    return None if value is not None and math.isinf(value) and b"i" not in text.lower() else value


def _index_in_c(line: bytes) -> Number | None:
    value = _whole(_until_zero(line), 10)
    return value if value is not None and 0 <= value < _LONG else None


def _index_in_python(line: bytes) -> Number | None:
    value = _whole(line, 10)
    return value if value is not None and value >= 0 else None


_READERS: Final[dict[int, tuple[Callable[[bytes], Number | None], Callable[[bytes], Number | None]]]] = {
    code("INT"): (_int_in_c, _int_in_python),
    code("LONG"): (_long_in_c, _long_in_python),
    code("FLOAT"): (_float_in_c, _float_in_python),
    code("GET"): (_index_in_c, _index_in_python),
    code("PUT"): (_index_in_c, _index_in_python),
}
NUMBERS: Final = frozenset(_READERS)


def readings(opcode: int, line: bytes) -> Readings:
    """What both make of the line of INT, LONG, FLOAT, GET or PUT, without its end."""
    in_c, in_python = _READERS[opcode]
    return Readings(in_c(line), in_python(line))
