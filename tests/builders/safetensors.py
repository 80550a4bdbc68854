"""safetensors files byte by byte: any header, any data."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping


def entry(dtype: str, shape: list[int], begin: int, end: int) -> dict[str, object]:
    """What the header says of one tensor."""
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def safetensors(header: Mapping[str, object] | str | bytes, data: bytes = b"", length: int | None = None) -> bytes:
    """A file. `header` as JSON makes it, or as it is given; `length`: what the first eight bytes state."""
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False) if isinstance(header, Mapping) else header
    raw = text.encode() if isinstance(text, str) else text
    return struct.pack("<Q", len(raw) if length is None else length) + raw + data
