"""Characters that a text editor would hide or obey: controls, marks that turn the writing direction, fillers.

They are shown as what they are. The number of lines of a text never changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MOST_LINES: Final = 10_000
# Marks that turn the writing direction or have no width, fillers that look like blanks, tags, what Qt takes for the
# borders of its own frames and pictures, and what is no character at all. Line feeds and tabs are ordinary.
_HIDDEN: Final = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\u3164\ufdd0-\ufdef\ufeff\uffa0\ufff9-\uffff\ud800-\udfff\U000e0000-\U000e0fff"
)
# Persian and its kin write the joiners between letters: there they are spelling.
_ARABIC: Final = r"\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff"
HIDDEN: Final = re.compile(rf"(?<=[{_ARABIC}])[\u200c\u200d](?=[{_ARABIC}])|([{_HIDDEN}])")


@dataclass(frozen=True, slots=True)
class Hidden:
    """How many there are, and the lines (from 1) of the first ones, each once."""

    count: int = 0
    lines: tuple[int, ...] = ()


def visible(text: str) -> str:
    """The text with hidden characters replaced by visible ones."""
    text = text.replace("\r\n", "\n")
    if text.isascii() and text.isprintable():
        return text
    return HIDDEN.sub(_shown, text)


def find_hidden(text: str) -> Hidden:
    """The hidden characters of a text. Line ends of Windows are none."""
    count, lines = 0, list[int]()
    line, counted = 1, 0
    for at in _places(text):
        count += 1
        if len(lines) < MOST_LINES:
            line += text.count("\n", counted, at)
            counted = at
            if not lines or lines[-1] != line:
                lines.append(line)
    return Hidden(count, tuple(lines))


def _places(text: str) -> Iterator[int]:
    for match in HIDDEN.finditer(text):
        at = match.start()
        if match[1] is not None and not (match[1] == "\r" and text.startswith("\n", at + 1)):
            yield at


def _shown(match: re.Match[str]) -> str:
    letter = match[1]
    if letter is None:
        return match[0]
    number = ord(letter)
    if number < 0x20:
        return chr(0x2400 + number)
    return "\u2421" if number == 0x7F else f"<U+{number:04X}>"
