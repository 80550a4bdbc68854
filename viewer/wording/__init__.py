"""The English sentences of everything the program says about a file.

The ring's rule: plain data and no imports of other rings. Each sentence stands in a call of
QT_TRANSLATE_NOOP("wording", ...), which pyside6-lupdate finds; `ui` shows it through Qt's translation.
Parameters stand in braces: `{count}` (grouped in thousands), `{offset:x}` (0x1F4), `{name}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from typing_extensions import override

from viewer.wording.numbers import PLAIN, Numbers
from viewer.wording.told import Told

LONGEST_NUMBER = 4096
"""Bits of a number that is written out: Python itself writes no more than 4,300 digits."""


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """Mark a sentence for pyside6-lupdate; gives the sentence itself."""
    del context
    return text


@dataclass(frozen=True, slots=True)
class Words:
    """One Problem in words: what is wrong (no full stop), what was expected, what can be done."""

    title: str
    detail: str = ""
    remedy: str = ""


RAISE = QT_TRANSLATE_NOOP("wording", "Raise the memory limit in the preferences, and read the file again.")
"""The remedy of whatever the memory limit kept from being read."""


def show(value: object, form: str, numbers: Numbers = PLAIN) -> str:
    """One parameter as people read it: ints grouped, by comma where nothing else is asked, or 0x hexadecimal (`:x`)."""
    if isinstance(value, int) and not isinstance(value, bool):
        if value.bit_length() > LONGEST_NUMBER:
            return f"(a number of {numbers.count(value.bit_length())} bits)"
        return f"0x{numbers.hexadecimal(value)}" if form == "x" else numbers.count(value)
    return value.written(numbers) if isinstance(value, Told) else str(value)


def fill(sentence: str, params: Mapping[str, object], numbers: Numbers = PLAIN) -> str:
    """The sentence with its parameters; a parameter that is missing stays visible in braces.

    Parameters come from files, so nothing of format() is used: no attribute, no index.
    """
    parts: list[str] = []
    rest = sentence
    while True:
        before, brace, rest = rest.partition("{")
        parts.append(before)
        if not brace:
            return "".join(parts)
        field, closing, rest = rest.partition("}")
        name, _, form = field.partition(":")
        if not closing or name not in params:
            parts.append("{" + field + closing)
        else:
            parts.append(show(params[name], form, numbers))


class Phrase(str):
    """A sentence, or a piece of one, as a parameter of another: English by itself, said otherwise in the window.

    `sentence`, `params`: what it was made of; `phrases` has a table of them. `bare`: without a full stop at its end.
    What is made out of it by the methods of str is English alone; an error that is raised with it gives it back by `str`.
    """

    sentence: str
    params: Mapping[str, object]
    bare: bool

    def __new__(cls, sentence: str, params: Mapping[str, object] | None = None, *, bare: bool = False) -> Phrase:
        text = fill(sentence, params or {})
        made = super().__new__(cls, text.rstrip(".") if bare else text)
        made.sentence, made.params, made.bare = sentence, params or {}, bare
        return made

    @override
    def __str__(self) -> str:
        return self


def bare(text: str) -> str:
    """A sentence as the reason in another one, which has a full stop of its own."""
    return Phrase(text.sentence, text.params, bare=True) if isinstance(text, Phrase) else text.rstrip(".")
