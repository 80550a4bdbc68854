"""Both cases of a letter, as bytes of an encoding."""

from __future__ import annotations

import re


def both_cases(letter: str, encoding: str) -> bytes | None:
    """A pattern for both cases of a letter, where they take equally many bytes."""
    try:
        low, high = letter.lower().encode(encoding), letter.upper().encode(encoding)
    except UnicodeEncodeError:
        return None
    if low == high or len(low) != len(high):
        return None
    return b"(?:" + re.escape(low) + b"|" + re.escape(high) + b")"
