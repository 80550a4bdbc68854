"""Sentences from right to left: what stands in them from left to right keeps its own order.

By itself a sign between two directions goes with the sentence: `[6, 3, 5, 5]` would be read as `[5 ,5 ,3 ,6]`, and the
last bracket of `torch.load(weights_only=True)` would stand in front of it. Isolates (U+2066 to U+2069) keep them
together; they are not seen and take no room.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

LEFT_TO_RIGHT: Final = "\u2066"
FIRST_STRONG: Final = "\u2068"
END: Final = "\u2069"
RIGHT_TO_LEFT_MARK: Final = "\u200f"

_PLACE: Final = re.compile(r"\{[^{}]*\}")
_SHARE: Final = re.compile(r"(\{[^{}]*\}) %")
_RUN: Final = re.compile(r"[!-~](?:(?![:.] )[ -~])*(?<! )")
"""Letters of ASCII in one line, up to the end of a sentence in it."""
_LEADING: Final = re.compile(r"(?:\{[^{}]*\} +|[.,:;] +|\((?![^)]*\)))*")
_TRAILING: Final = ".,:;!"
_SIMPLE: Final = re.compile(r"[A-Za-z][A-Za-z0-9 ]*|\d+(?:[.,]\d+)*")
"""What keeps its order without help: words, and digits with what groups them; words in a list do not."""
_COMMAS: Final = frozenset({"،", "؛"})


def isolated(sentence: str) -> str:
    """A translation with isolates round its places and round what it holds of code.

    What fills a place goes in the direction that it begins with. A sentence that begins with a place or a word of
    another script is told to go from right to left all the same. Patterns of a file dialog are left alone.
    """
    is_code = not _PLACE.search(sentence) and not any(map(is_right_to_left, sentence))
    if is_code or "(*" in sentence or sentence.endswith("({0})"):
        return sentence
    lead = "" if is_right_to_left(sentence[:1]) else RIGHT_TO_LEFT_MARK
    return lead + _RUN.sub(_run, sentence)


def is_right_to_left(letter: str) -> bool:
    """Whether a letter belongs to a script from right to left."""
    return bool(letter) and unicodedata.bidirectional(letter) in ("R", "AL")


def upright(text: str) -> str:
    """What may be code or words, to be drawn: code, which has no letter of the words, keeps its order."""
    return text if not text or any(map(is_right_to_left, text)) else f"{LEFT_TO_RIGHT}{text}{END}"


def _run(found: re.Match[str]) -> str:
    """A run of ASCII within a sentence: code in it, and the places around."""
    text = found[0]
    before = found.string[max(0, found.start() - 2) : found.start()].strip()
    is_listed = before in _COMMAS or found.string[found.end() : found.end() + 1] in _COMMAS
    leading = _LEADING.match(text)
    start = leading.end() if leading else 0
    stop = start + len(text[start:].rstrip(_TRAILING))
    while stop > start and text[stop - 1] == ")" and text.count("(", start, stop) < text.count(")", start, stop):
        stop -= 1
    code = text[start:stop]
    bare = _PLACE.sub("", code)
    if not re.search("[A-Za-z0-9]", bare) or (_SIMPLE.fullmatch(code) and not is_listed) or bare.isdecimal():
        return _with_places(text)
    return f"{_with_places(text[:start])}{LEFT_TO_RIGHT}{_with_places(code)}{END}{_with_places(text[stop:])}"


def _with_places(text: str) -> str:
    isolate = f"{FIRST_STRONG}\\g<0>{END}"
    # A percent sign with a blank before it would go to the other side of its number.
    shares = _SHARE.split(text)
    for at in range(1, len(shares), 2):
        shares[at] = f"{LEFT_TO_RIGHT}{_PLACE.sub(isolate, shares[at])} %{END}"
    return "".join(part if at % 2 else _PLACE.sub(isolate, part) for at, part in enumerate(shares))
