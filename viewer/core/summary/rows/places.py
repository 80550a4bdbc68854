"""Where bytes stand, as rows of JSON."""

from __future__ import annotations

from typing import Any

from viewer.core.source import ByteSource
from viewer.core.span import Span

Row = dict[str, Any]


def place_row(source: ByteSource, span: Span | None) -> Row:
    """Start and stop in the outermost file, or null and the same in the bytes that came out of it."""
    if span is None:
        return {"start": None, "stop": None}
    return between(source.to_outer(0), span.start, span.stop)


def between(shift: int | None, start: int, stop: int) -> Row:
    """The same for a source whose first byte is at `shift` of the outermost file; None: nowhere."""
    if shift is None:
        return {"start": None, "stop": None, "source_start": start, "source_stop": stop}
    return {"start": start + shift, "stop": stop + shift}
