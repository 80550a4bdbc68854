"""JSON read from its bytes by steps of our own, so that each part keeps its place. Nothing recurses.

Places are offsets in the text. A step raises JsonError where there is no JSON, CancelledError when it should stop.
"""

from __future__ import annotations

import json
import re
from typing import Final

from viewer.core.progress import Progress
from viewer.wording.phrases import phrase

LONGEST_NUMBER: Final = 40
DEEPEST: Final = 1000
STEP: Final = 4096

WS: Final = rb"[ \t\n\r]*"
_STRING: Final = re.compile(rb'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"')
_NUMBER: Final = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_SPACE: Final = re.compile(WS)
_BRACKET: Final = re.compile(rb'["\[\]{}]')
_LITERALS: Final[dict[bytes, object]] = {b"true": True, b"false": False, b"null": None}
_LITERAL: Final = re.compile(rb"true|false|null")


class Nested:
    """Stands for a value that is not read: an object, a list in a list, a number without end."""


Value = object
NESTED: Final = Nested()


class JsonError(ValueError):
    """No JSON from this byte on."""

    def __init__(self, at: int, expected: str) -> None:
        super().__init__(expected)
        self.at = at
        self.expected = expected


def text_of(raw: bytes) -> str:
    """What stands between two quotes, as text. Raises ValueError for an escape that there is not."""
    if b"\\" in raw:
        return str(json.loads(b'"%b"' % raw.decode("utf-8", "replace").encode()))
    return raw.decode("utf-8", "backslashreplace")


class JsonText:
    """The steps. `data`: the whole text, UTF-8."""

    def __init__(self, data: bytes, progress: Progress) -> None:
        self.data = data
        self.progress = progress
        self._steps = 0

    def next(self, at: int) -> int:
        """Behind a comma, or at the closing brace."""
        at = self.space(at)
        sign = self.data[at : at + 1]
        if sign == b"}":
            return at
        if sign != b",":
            raise JsonError(at, phrase("json-brace", sign="}"))
        at = self.space(at + 1)
        if self.data[at : at + 1] != b'"':
            raise JsonError(at, '"')
        return at

    def value(self, at: int) -> tuple[Value, int]:
        """Any value: texts, numbers and flat lists as they are, all else as NESTED."""
        sign = self.data[at : at + 1]
        if sign == b"[":
            return self.flat_list(at)
        return (NESTED, self.skip(at)) if sign == b"{" else self.scalar(at)

    def scalar(self, at: int) -> tuple[Value, int]:
        """A text, a number, true, false or null, and the place behind it."""
        if self.data[at : at + 1] == b'"':
            return self.string(at)
        literal = _LITERAL.match(self.data, at)
        if literal is not None:
            return _LITERALS[literal[0]], literal.end()
        number = _NUMBER.match(self.data, at)
        if number is None:
            raise JsonError(at, phrase("json-value"))
        digits = number[0]
        if len(digits) > LONGEST_NUMBER:
            return NESTED, number.end()
        return (int(digits) if digits.lstrip(b"-").isdigit() else float(digits)), number.end()

    def flat_list(self, at: int) -> tuple[Value, int]:
        """A list of numbers and texts; NESTED when it holds more."""
        start = at
        found: list[Value] = []
        at = self.space(at + 1)
        if self.data[at : at + 1] == b"]":
            return [], at + 1
        while True:
            if self.data[at : at + 1] in (b"[", b"{"):
                return NESTED, self.skip(start)
            value, at = self.scalar(at)
            self.step(at)
            found.append(value)
            at = self.space(at)
            sign = self.data[at : at + 1]
            if sign == b"]":
                return found, at + 1
            if sign != b",":
                raise JsonError(at, phrase("json-brace", sign="]"))
            at = self.space(at + 1)

    def skip(self, at: int) -> int:
        """Behind a list or object, by its brackets alone."""
        depth = 0
        while True:
            match = _BRACKET.search(self.data, at)
            if match is None:
                raise JsonError(len(self.data), phrase("json-bracket"))
            if depth > DEEPEST:
                raise JsonError(at, phrase("json-nesting"))
            at = match.end()
            self.step(at)
            if match[0] == b'"':
                at = self.string(match.start())[1]
                continue
            depth += 1 if match[0] in b"[{" else -1
            if not depth:
                return at

    def string(self, at: int) -> tuple[str, int]:
        """A text in quotes, and the place behind it; bytes that are no UTF-8 as escapes."""
        match = _STRING.match(self.data, at)
        if match is None:
            raise JsonError(at, phrase("json-text"))
        raw = match[0]
        try:
            return text_of(raw[1:-1]), match.end()
        except ValueError as failure:
            raise JsonError(at, phrase("json-text")) from failure

    def expect(self, at: int, sign: bytes) -> int:
        """Behind a sign and the spaces around it."""
        at = self.space(at)
        if self.data[at : at + 1] != sign:
            raise JsonError(at, sign.decode())
        return self.space(at + 1)

    def space(self, at: int) -> int:
        """Behind the spaces."""
        match = _SPACE.match(self.data, at)
        return match.end() if match is not None else at

    def step(self, at: int) -> None:
        """Let the work be stopped every few thousand steps."""
        self._steps += 1
        if not self._steps % STEP:
            self.progress.step("opening", at, len(self.data))
