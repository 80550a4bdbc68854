"""The icon as Windows and macOS keep it in one file, of the pictures that make_icons.py drew; the spec writes them.

An .ico is a table of pictures behind a header of 6 bytes, 16 bytes a row, little-endian; since Windows Vista a picture
may be a PNG. An .icns is `icns`, its length, and chunks of a type, a length and a PNG, big-endian; lengths count their
own eight bytes.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Final

PICTURES: Final = Path(__file__).parents[1] / "resources" / "desktop" / "icons"
IN_ICO: Final = (16, 24, 32, 48, 64, 128, 256)
IN_ICNS: Final = ((b"ic11", 32), (b"ic12", 64), (b"ic07", 128), (b"ic08", 256), (b"ic13", 256))
"""Type and pixels: ic11, ic12 and ic13 are 16, 32 and 128 points on a screen of twice the pixels."""
HEADER: Final = struct.Struct("<HHH")
ROW: Final = struct.Struct("<BBBBHHII")


def picture(size: int) -> bytes:
    """The PNG of so many pixels."""
    return (PICTURES / f"{size}.png").read_bytes()


def ico() -> bytes:
    """All sizes as an .ico."""
    rows, pictures = b"", b""
    for size in IN_ICO:
        png = picture(size)
        at = HEADER.size + ROW.size * len(IN_ICO) + len(pictures)
        # A side of 256 is written as 0.
        rows += ROW.pack(size % 256, size % 256, 0, 0, 1, 32, len(png), at)
        pictures += png
    return HEADER.pack(0, 1, len(IN_ICO)) + rows + pictures


def icns() -> bytes:
    """All sizes as an .icns."""
    chunks = b"".join(kind + struct.pack(">I", 8 + len(picture(size))) + picture(size) for kind, size in IN_ICNS)
    return b"icns" + struct.pack(">I", 8 + len(chunks)) + chunks
