"""Text in an encoding, in one case or in both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from viewer.core.search.cases import both_cases
from viewer.core.search_bytes.base import BlockQuery, QueryError
from viewer.core.search_bytes.literal import Literal
from viewer.core.search_bytes.pattern import Allowed, Pattern, is_letter

ENCODINGS: Final = ("utf-8", "utf-16-le", "utf-16-be", "latin-1")
OF_STRINGS: Final = ("ascii", "utf-8", "utf-16-le", "utf-16-be")
"""Those in which runs of letters are looked for."""
LEAST: Final = 6
MOST_LEAST: Final = 400
"""Letters of a string at least, unless said otherwise, and the most that may be asked for."""


def text_query(text: str, encoding: str = "utf-8", *, ignore_case: bool = False) -> BlockQuery:
    """A text in an encoding; with `ignore_case` letters of both cases count as one, where both take as many bytes."""
    if not text:
        raise QueryError("empty")
    try:
        literal = text.encode(encoding)
    except UnicodeEncodeError as failure:
        raise QueryError("encoding") from failure
    if not ignore_case:
        return Literal(literal)
    forms = [_forms(letter, encoding) for letter in text]
    allowed = [each for form in forms for each in _sets(form)]
    if all(len(each) == 1 for each in allowed):
        return Literal(literal)
    simple = all(len(each) == 1 or is_letter(each) for each in allowed)
    both = [both_cases(letter, encoding) or re.escape(letter.encode(encoding)) for letter in text]
    return Pattern(allowed, None if simple else re.compile(b"".join(both), re.DOTALL))


def _forms(letter: str, encoding: str) -> tuple[bytes, ...]:
    """The letter in both cases, or as it is where the other one takes another number of bytes."""
    if both_cases(letter, encoding) is None:
        return (letter.encode(encoding),)
    return letter.lower().encode(encoding), letter.upper().encode(encoding)


def _sets(forms: tuple[bytes, ...]) -> Iterator[Allowed]:
    return map(frozenset, zip(*forms, strict=True))
