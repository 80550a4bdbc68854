"""Sizes as people read them: three digits and a unit of 1,000."""

from __future__ import annotations

from typing import Final

UNITS: Final = ("kB", "MB", "GB", "TB", "PB")


def scaled(nbytes: float) -> tuple[float, int, str]:
    """A number of bytes from 1,000 on as a value, how many of its digits stand behind the point, and its unit."""
    value, unit = float(nbytes), UNITS[0]
    for unit in UNITS:  # noqa: B007  the last one tried is the one that fits
        value /= 1000
        if value < 999.5:
            break
    return value, 2 if value < 9.995 else 1 if value < 99.95 else 0, unit


def size(nbytes: int) -> str:
    """57.4 kB, in English."""
    if nbytes < 1000:
        return f"{nbytes} bytes" if nbytes != 1 else "1 byte"
    value, digits, unit = scaled(nbytes)
    return f"{value:.{digits}f} {unit}"
