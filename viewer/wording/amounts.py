"""Sizes as people read them, three digits and a unit of 1,000, and as they write them."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from viewer.wording.numbers import PLAIN

TYPED: Final = re.compile(r"(\d{1,18}(?:\.\d{1,9})?) ?([KMGT]?)(i?B)?", re.ASCII | re.IGNORECASE)


def size(nbytes: int) -> str:
    """57.4 kB, in English."""
    found = PLAIN.scaled(nbytes)
    if found is None:
        return f"{nbytes} bytes" if nbytes != 1 else "1 byte"
    value, digits, unit = found
    return f"{value:.{digits}f} {unit}"


def typed(text: str) -> int | None:
    """A number of bytes as it was typed: 2G and 2GiB are powers of 1,024, 2GB those of 1,000; None where it is none."""
    match = TYPED.fullmatch(text)
    if match is None:
        return None
    unit, kind = match[2].upper(), (match[3] or "").upper()
    return int(Decimal(match[1]) * (1000 if kind == "B" else 1024) ** " KMGT".index(unit or " "))
