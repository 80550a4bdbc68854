"""A reader of the Python literals that npy headers are: dicts with text keys, tuples, lists, texts, integers.

True, False and None among them. Nothing is evaluated. Integers of Python 2 (`3L`) and texts with a prefix
(`u'x'`, `b'x'`) are read too.
"""

from __future__ import annotations

import re
from typing import Final

Literal = None | bool | int | str | tuple["Literal", ...] | list["Literal"] | dict[str, "Literal"]

DEEPEST: Final = 64
_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<number>[-+]?\d{1,40})[lL]?(?![\w.])"""
    r"""|(?P<word>True|False|None)\b"""
    r"""|[uUbB]?(?P<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")"""
    r"""|(?P<sign>[][(){},:]))"""
)
_ESCAPE: Final = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|.)", re.DOTALL)
_SIMPLE: Final = dict(zip("ntr\\'\"abfv", "\n\t\r\\'\"\a\b\f\v", strict=True))
_WORDS: Final[dict[str, bool | None]] = {"True": True, "False": False, "None": None}
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


class LiteralError(ValueError):
    """The text is no literal of the kinds above; `at` is the place where that shows."""

    def __init__(self, at: int) -> None:
        super().__init__(f"no literal at {at}")
        self.at = at


def parse_literal(text: str) -> Literal:
    """The value of a whole text. Raises LiteralError."""
    reader = _Reader(text)
    value = reader.value(0)
    if text[reader.at :].strip():
        raise LiteralError(reader.at)
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def value(self, depth: int) -> Literal:
        found = _TOKEN.match(self.text, self.at)
        if found is None or depth > DEEPEST:
            raise LiteralError(self.at)
        kind = str(found.lastgroup)
        token = found.group(kind)
        if kind == "sign":
            if token not in _CLOSING:
                raise LiteralError(self.at)
            self.at = found.end()
            return self._mapping(depth) if token == "{" else self._sequence(token, depth)
        self.at = found.end()
        if kind == "number":
            return int(token)
        return _unescaped(token[1:-1]) if kind == "text" else _WORDS[token]

    def _sequence(self, opening: str, depth: int) -> Literal:
        items: list[Literal] = []
        comma = False
        while not self._take(_CLOSING[opening]):
            if items and not comma:
                raise LiteralError(self.at)
            items.append(self.value(depth + 1))
            comma = self._take(",")
        if opening == "[":
            return items
        return items[0] if len(items) == 1 and not comma else tuple(items)

    def _mapping(self, depth: int) -> Literal:
        pairs: dict[str, Literal] = {}
        comma = True
        while not self._take("}"):
            key = self.value(depth + 1)
            if not comma or not isinstance(key, str) or not self._take(":"):
                raise LiteralError(self.at)
            pairs[key] = self.value(depth + 1)
            comma = self._take(",")
        return pairs

    def _take(self, sign: str) -> bool:
        """Step over a sign if it comes next."""
        found = _TOKEN.match(self.text, self.at)
        if found is None or found.group("sign") != sign:
            return False
        self.at = found.end()
        return True


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_escape, text) if "\\" in text else text


def _escape(found: re.Match[str]) -> str:
    code = found.group(1)
    if code[0] in "xuU":
        number = int(code[1:], 16) if len(code) > 1 else ord(code)
        return chr(number) if number < 0x110000 else found.group(0)
    if code[0].isdigit() and code.isascii():
        return chr(int(code, 8)) if set(code) <= set("01234567") else found.group(0)
    return _SIMPLE.get(code, found.group(0))
