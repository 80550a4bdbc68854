"""Texts of core that have whole numbers in them: English by themselves, written as the person wants it in the window."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.wording.numbers import PLAIN, Numbers


class Told(str):
    """A text out of parts; the ints among them are grouped: `Told("conv.weight, … (+", 1204, ")")`.

    It is a text as any other one for reports, JSON and the command line; `written` gives it in another form. A text
    that is made out of it by the methods of str has only what stands in it.
    """

    parts: tuple[str | int, ...]

    def __new__(cls, *parts: str | int) -> Told:
        flat = tuple(one for part in parts for one in (part.parts if isinstance(part, Told) else (part,)))
        made = super().__new__(cls, _text(flat, PLAIN))
        made.parts = flat
        return made

    def written(self, numbers: Numbers) -> str:
        """The text with its numbers in that form."""
        return _text(self.parts, numbers)


def told_together(separator: str, texts: Sequence[str]) -> Told:
    """Several texts as one."""
    return Told(*(part for at, text in enumerate(texts) for part in ((separator, text) if at else (text,))))


def _text(parts: Sequence[str | int], numbers: Numbers) -> str:
    return "".join(numbers.count(part) if isinstance(part, int) else part for part in parts)
