"""Bytes as a dump: offset, digits and letters in rows of 16, as `hexdump -C` writes them."""

from __future__ import annotations

from typing import Final

ROW: Final = 16


def dump(offset: int, data: bytes) -> str:
    """The rows of bytes that stand at an offset. Rows begin at multiples of 16, so the first one may have blanks."""
    if not data:
        return ""
    first, blanks = offset - offset % ROW, offset % ROW
    rows = []
    for start in range(first, offset + len(data), ROW):
        part = data[max(0, start - offset) : max(0, start - offset + ROW)]
        lead = blanks if start == first else 0
        part = part[: ROW - lead]
        digits = ["  "] * lead + [f"{value:02x}" for value in part]
        digits += ["  "] * (ROW - len(digits))
        letters = " " * lead + "".join(chr(value) if 0x20 <= value < 0x7F else "." for value in part)
        rows.append(f"{start:08x}  {' '.join(digits[:8])}  {' '.join(digits[8:])}  |{letters}|")
    return "\n".join(rows) + "\n"
