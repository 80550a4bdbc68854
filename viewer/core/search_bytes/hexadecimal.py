"""Bytes as hexadecimal: `80 02 ?? 71`, `4?`, `?0`."""

from __future__ import annotations

import re
from typing import Final

from viewer.core.search_bytes.base import BlockQuery, QueryError
from viewer.core.search_bytes.literal import Literal
from viewer.core.search_bytes.pattern import Allowed, Pattern

BETWEEN: Final = re.compile(r"0[xX]|\\[xX]|[\s,:;]+")
DIGITS: Final = re.compile(r"[0-9A-Fa-f?]+")
PAIRS: Final = re.compile(r"[0-9A-Fa-f?]{2}(?:[\s,:;]+[0-9A-Fa-f?]{2})+")
MARKED: Final = re.compile(r"(?:(?:0[xX]|\\[xX])[0-9A-Fa-f?]{2}[\s,:;]*)+|0[xX](?:[0-9A-Fa-f?]{2}){2,}")
PLAIN: Final = re.compile(r"(?=.*[0-9])(?=.*[A-Fa-f?])(?:[0-9A-Fa-f?]{2}){3,}")


def hex_query(text: str) -> BlockQuery:
    r"""Spaces, line breaks, commas, `0x` and `\x` are passed over; `?` stands for any half of a byte."""
    digits = BETWEEN.sub("", text)
    if not digits:
        raise QueryError("empty")
    if not DIGITS.fullmatch(digits):
        raise QueryError("letters")
    if len(digits) % 2:
        half = digits[-1]
        raise QueryError("odd", one=f"0{half}", two=f"{half}?")
    if "?" not in digits:
        return Literal(bytes.fromhex(digits))
    return Pattern([_allowed(digits[at : at + 2]) for at in range(0, len(digits), 2)])


def reads_like_hex(text: str) -> bool:
    r"""True where a person who typed this text may have meant bytes: `80 02`, `0x80 0x02`, `\x80`, `8002ff`."""
    text = text.strip()
    return any(form.fullmatch(text) for form in (PAIRS, MARKED, PLAIN))


def _allowed(pair: str) -> Allowed:
    high, low = (range(16) if digit == "?" else (int(digit, 16),) for digit in pair)
    return frozenset(16 * upper + lower for upper in high for lower in low)
