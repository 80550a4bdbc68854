"""The lines of a stored text as bytes: where each stands in the file, and the text byte for byte.

Counted in the bytes themselves, never in a text that was decoded: in protocol 0 line ends are written as escapes, and
Python 2 wrote its texts in an encoding that only it knew.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.code.embedded import EmbeddedSource
from viewer.core.document import Document
from viewer.core.export.atomic import check_target, whole_or_absent
from viewer.core.export.protected import kept_of
from viewer.core.objects.names import module_parts
from viewer.core.pickles.values import Kind
from viewer.core.progress import Progress
from viewer.core.span import Span

_TEXT: Final = 2
_STRING, _UNICODE = "STRING", "UNICODE"
_STRING_ESCAPE: Final = re.compile(rb"\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|.)", re.DOTALL)
_STRING_ENDS: Final = frozenset((b"n", b"x0a", b"x0A", b"12", b"012"))
# Backslashes stand for themselves in pairs; only behind an odd number of them a `u` begins an escape.
_UNICODE_END: Final = re.compile(rb"(?<!\\)(?:\\\\)*(\\u000[aA]|\\U0000000[aA])")

Offsets = npt.NDArray[np.int64]


class LineBytes:
    """Where the lines of one text stand. `whole`: its bytes; all offsets count in the source of that span."""

    def __init__(self, whole: Span, ends: Offsets, starts: Offsets) -> None:
        self.whole = whole
        self._ends = ends
        self._starts = starts

    def __len__(self) -> int:
        return len(self._starts)

    def span(self, line: int) -> Span:
        """The bytes of a line, from 1, without its line feed; lines that the text has not are empty, at its end."""
        if not 1 <= line <= len(self):
            return Span(self.whole.stop, self.whole.stop)
        return Span(int(self._starts[line - 1]), int(self._ends[line - 1]))

    def line_at(self, offset: int) -> int:
        """The line, from 1, that owns a byte; a line feed belongs to the line that it ends."""
        return max(1, int(np.searchsorted(self._starts, offset, side="right")))


def line_bytes(raw: bytes, whole: Span, opcode: str = "BINUNICODE") -> LineBytes:
    """The lines of an argument: its bytes, their span, and the name of the opcode, which says how they are written."""
    first, last = 0, len(raw)
    if opcode == _STRING:
        first = len(raw) - len(raw.lstrip()) + 1
        last = max(first, len(raw.rstrip()) - 1)
        found = [match.span() for match in _STRING_ESCAPE.finditer(raw, first, last) if match[1] in _STRING_ENDS]
        feeds = np.array(found, dtype=np.int64).reshape(-1, 2)
    elif opcode == _UNICODE:
        feeds = np.array([match.span(1) for match in _UNICODE_END.finditer(raw)], dtype=np.int64).reshape(-1, 2)
    else:
        at = np.flatnonzero(np.frombuffer(raw, dtype=np.uint8) == 0x0A).astype(np.int64)
        feeds = np.stack([at, at + 1], axis=1)
    ends = np.append(feeds[:, 0], last) + whole.start
    starts = np.insert(feeds[:, 1], 0, first) + whole.start
    return LineBytes(whole, ends, starts)


def lines_of(document: Document, embedded: EmbeddedSource) -> LineBytes | None:
    """The lines of a stored text in the document's source; None where it stands nowhere. May raise SourceError."""
    if embedded.span is None or embedded.text is None:
        return None
    raw = document.source.read(embedded.span.start, embedded.span.length)
    if embedded.value is None:
        return line_bytes(raw, embedded.span)
    values = document.pickles[embedded.value.pickle].values
    opcode = values.code.name(module_parts(values, embedded.value.value)[_TEXT])
    return line_bytes(raw, embedded.span, opcode)


def stored_bytes(document: Document, embedded: EmbeddedSource) -> bytes:
    """The text byte for byte as Python had it when it was saved; b"" where there is none. May raise SourceError."""
    if embedded.text is None:
        return b""
    if embedded.value is None:
        span = embedded.span
        if span is not None:
            return document.source.read(span.start, span.length)
        # Bytes that are no UTF-8 were read as single surrogates.
        return embedded.text.encode("utf-8", "surrogateescape")
    values = document.pickles[embedded.value.pickle].values
    text = module_parts(values, embedded.value.value)[_TEXT]
    plain = values.plain(text)
    if isinstance(plain, bytes):
        return plain
    if values.kind(text) is Kind.TEXT and values.code.name(text) != _UNICODE:
        span = values.code.argument_span(text)
        return values.code.bytes(span.start, span.length)
    return embedded.text.encode("utf-8", "surrogatepass")


def write_text(target: Path, data: bytes, progress: Progress, *opened: Document | None) -> None:
    """Write a text into a file of its own, whole or not at all. `opened`: documents whose files must stay as they are.

    Raises ExportError and CancelledError.
    """
    place = check_target(target, overwrite=True, kept=kept_of(*opened))
    with whole_or_absent(place, True, progress) as file:
        file.write(data)
