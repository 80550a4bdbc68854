"""Finding bytes: hexadecimal with wildcards, or text in an encoding, from a place on, in blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from viewer.core.progress import Progress
from viewer.core.source import BLOCK, ByteSource
from viewer.core.span import Span

HEX: Final = re.compile(r"(?:[0-9A-Fa-f]{2}|\?\?)+\Z")
ENCODINGS: Final = ("utf-8", "utf-16-le", "utf-16-be", "latin-1")


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for: `literal` bytes, or a `pattern` of exactly `length` bytes where wildcards stand."""

    length: int
    literal: bytes | None = None
    pattern: re.Pattern[bytes] | None = None

    def find(self, data: bytes, start: int) -> int:
        """The first hit in the data at or behind `start`; -1: none."""
        if self.literal is not None:
            return data.find(self.literal, start)
        found = self.pattern.search(data, start) if self.pattern is not None else None
        return found.start() if found is not None else -1


class QueryError(ValueError):
    """What was typed means no bytes; `code` tells why: odd, letters, empty, encoding."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def hex_query(text: str) -> Query:
    """Bytes as hexadecimal; spaces, commas and 0x are passed over, `??` stands for any byte."""
    digits = re.sub(r"0[xX]|[\s,:]+", "", text)
    if not digits:
        raise QueryError("empty")
    if len(digits) % 2:
        raise QueryError("odd")
    if not HEX.match(digits):
        raise QueryError("letters")
    pairs = [digits[at : at + 2] for at in range(0, len(digits), 2)]
    if "??" not in pairs:
        return Query(len(pairs), literal=bytes.fromhex(digits))
    parts = [b"." if pair == "??" else re.escape(bytes.fromhex(pair)) for pair in pairs]
    return Query(len(pairs), pattern=re.compile(b"".join(parts), re.DOTALL))


def text_query(text: str, encoding: str = "utf-8", *, ignore_case: bool = False) -> Query:
    """A text in an encoding; with `ignore_case` letters of both cases count as one."""
    if not text:
        raise QueryError("empty")
    try:
        literal = text.encode(encoding)
    except UnicodeEncodeError as failure:
        raise QueryError("encoding") from failure
    if not ignore_case:
        return Query(len(literal), literal=literal)
    parts = [re.escape(letter.encode(encoding)) for letter in text]
    both = [both_cases(letter, encoding) or part for letter, part in zip(text, parts, strict=True)]
    return Query(len(literal), pattern=re.compile(b"".join(both), re.DOTALL))


def both_cases(letter: str, encoding: str) -> bytes | None:
    """A pattern for both cases of a letter, where they take equally many bytes."""
    try:
        low, high = letter.lower().encode(encoding), letter.upper().encode(encoding)
    except UnicodeEncodeError:
        return None
    if low == high or len(low) != len(high):
        return None
    return b"(?:" + re.escape(low) + b"|" + re.escape(high) + b")"


def hits(source: ByteSource, query: Query, start: int, stop: int, progress: Progress) -> Iterator[Span]:
    """All hits that begin in [start, stop), in order; hits may overlap. Blocks of 1 MiB, so that it can be stopped."""
    at = start
    while at < stop:
        progress.step("searching", at - start, stop - start)
        data = source.read(at, min(BLOCK, stop - at) + query.length - 1)
        limit = min(BLOCK, stop - at)
        found = query.find(data, 0)
        while 0 <= found < limit:
            yield Span(at + found, at + found + query.length)
            found = query.find(data, found + 1)
        at += BLOCK


def previous_hit(source: ByteSource, query: Query, start: int, stop: int, progress: Progress) -> Span | None:
    """The last hit that begins in [start, stop)."""
    high = stop
    while high > start:
        progress.step("searching", stop - high, stop - start)
        low = max(start, high - BLOCK)
        last = None
        for last in hits(source, query, low, high, progress):  # noqa: B007  the last one is wanted
            pass
        if last is not None:
            return last
        high = low
    return None


def next_hit(
    source: ByteSource, query: Query, selected: Span, progress: Progress, *, backwards: bool = False
) -> Span | None:
    """The nearest hit behind (or before) the selected bytes, round the end of the file.

    A hit that is the selection itself comes last, so that the only hit is found again and again.
    """
    size = source.size
    if backwards:
        found = previous_hit(source, query, 0, selected.start, progress)
        return found or previous_hit(source, query, selected.start, size, progress)
    behind = selected.start + 1 if selected.length else selected.start
    found = next(hits(source, query, behind, size, progress), None)
    return found or next(hits(source, query, 0, min(behind, size), progress), None)
