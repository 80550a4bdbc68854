"""Characters that a text editor would hide or obey: controls, marks that turn the writing direction, fillers.

They are shown as what they are. The number of lines of a text never changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from viewer.core.progress import Progress

MOST: Final = 100_000
"""Characters that are counted."""
STEP: Final = 256 * 1024
"""Characters that are looked at in one go: other threads can run in between."""
# Marks that turn the writing direction or have no width, fillers that look like blanks, tags, what Qt takes for the
# borders of its own frames and pictures, and what is no character at all. Line feeds and tabs are ordinary.
_HIDDEN: Final = (
    r"\x00-\x08\x0b\x0d-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\u3164\ufdd0-\ufdef\ufeff\uffa0\ufff9-\uffff\ud800-\udfff\U000e0000-\U000e0fff"
)
HIDDEN: Final = re.compile(f"[{_HIDDEN}\x0c]")
# Persian and its kin write the joiners between letters: there they are spelling. Others join pictures.
_SPELLED: Final = re.compile(
    r"(?<=[\u0620-\u06ff])[\u200c\u200d](?=[\u0620-\u06ff])|(?<=[\ufe0f\u2600-\u27bf\U0001f000-\U0001faff])\u200d"
)


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


def find_hidden(text: str, progress: Progress) -> Hidden:
    """The hidden characters of a text, up to 100,000. Raises CancelledError.

    Line ends of Windows, form feeds and a mark of the byte order at the start are none.
    """
    count, lines = 0, list[int]()
    line, counted = 1, 0
    for at in _places(text, progress):
        count += 1
        line += text.count("\n", counted, at)
        counted = at
        if not lines or lines[-1] != line:
            lines.append(line)
        if count >= MOST:
            break
    return Hidden(count, tuple(lines))


def _places(text: str, progress: Progress) -> Iterator[int]:
    for start in range(0, len(text), STEP):
        progress.check()
        for match in HIDDEN.finditer(text, start, start + STEP):
            if not _is_ordinary(match):
                yield match.start()


def _is_ordinary(match: re.Match[str]) -> bool:
    letter, at, text = match[0], match.start(), match.string
    if letter == "\r":
        return text.startswith("\n", at + 1)
    return letter == "\x0c" or (letter == "\ufeff" and at == 0) or _SPELLED.match(text, at) is not None


def _shown(match: re.Match[str]) -> str:
    letter = match[0]
    if _SPELLED.match(match.string, match.start()):
        return letter
    number = ord(letter)
    if number < 0x20:
        return chr(0x2400 + number)
    return "\u2421" if number == 0x7F else f"<U+{number:04X}>"
