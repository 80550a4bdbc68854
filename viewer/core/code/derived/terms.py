"""Code as terms: leaves of text and calls of parts. Equal terms are one term, so that comparing them costs nothing.

Nothing recurses. A term knows its size, so that a value whose parts are shared a million times is not written out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

WIDTH: Final = 100
INDENT: Final = "    "
HELPER: Final = "\0helper"
"""Stands for the name of the helper method in heads; the writer puts it in."""


class Part(NamedTuple):
    """One part of a call. `prefix`: what is written before it (`bias=`); `label`: what it is called in names."""

    prefix: str
    label: str
    term: int


@dataclass(frozen=True, slots=True)
class Term:
    """A leaf (`head` alone) or a call: head, parts, tail.

    `is_open`: a part may be replaced by an argument of its own. `instance`: the object that a leaf stands for
    (-1: none), which can only be an argument. `notes`: what is to be said beside the code. `size`: leaves in it;
    `length`: characters on one line; `depth`: calls in calls; `has_instance`: a leaf that is an object is in it.
    """

    head: str
    tail: str = ""
    parts: tuple[Part, ...] = ()
    is_open: bool = False
    instance: int = -1
    notes: tuple[str, ...] = ()
    size: int = 1
    length: int = 0
    depth: int = 0
    has_instance: bool = False


_MOST_NOTES: Final = 4
_Key = tuple[str, str, tuple[Part, ...], bool, int, tuple[str, ...]]


class Made(dict[int, int]):
    """Terms of values. A value that is not finished, because it holds itself, is None inside."""

    def __init__(self, none: int) -> None:
        super().__init__()
        self._none = none

    def __missing__(self, value: int) -> int:
        return self._none


class Terms:
    """All terms of one run, by number."""

    def __init__(self) -> None:
        self._terms: list[Term] = []
        self._known: dict[_Key, int] = {}
        self.none = self.leaf("None")

    def __getitem__(self, term: int) -> Term:
        return self._terms[term]

    def leaf(self, text: str, note: str = "", instance: int = -1) -> int:
        """Code without parts."""
        return self._add(text, "", (), False, instance, (note,) if note else ())

    def call(self, head: str, parts: Sequence[Part], tail: str = ")", *, is_open: bool = False, note: str = "") -> int:
        """Code with parts; notes of the parts are kept, the first few."""
        notes = dict.fromkeys([note] if note else [])
        for part in parts:
            if len(notes) < _MOST_NOTES:
                notes.update(dict.fromkeys(self._terms[part.term].notes))
        return self._add(head, tail, tuple(parts), is_open, -1, tuple(notes)[:_MOST_NOTES])

    def _add(
        self, head: str, tail: str, parts: tuple[Part, ...], is_open: bool, instance: int, notes: tuple[str, ...]
    ) -> int:
        key = (head, tail, parts, is_open, instance, notes)
        found = self._known.get(key)
        if found is None:
            inner = [self._terms[part.term] for part in parts]
            length = len(head) + len(tail) + sum(len(part.prefix) + 2 for part in parts)
            found = self._known[key] = len(self._terms)
            self._terms.append(
                Term(
                    *key,
                    size=1 + sum(term.size for term in inner),
                    length=length + sum(term.length for term in inner),
                    depth=1 + max((term.depth for term in inner), default=-1),
                    has_instance=instance >= 0 or any(term.has_instance for term in inner),
                )
            )
        return found

    def lines(self, term: int, before: str, indent: str, helper: str, after: str = "") -> list[str]:
        """The code of a term between `before` and `after`: on one line where that is short, else a part a line."""
        made: list[str] = []
        # Text to put before a term, the term, text behind it, its indentation; -1: a finished line.
        waiting: list[tuple[str, int, str, str]] = [(before, term, after, indent)]
        while waiting:
            prefix, number, suffix, margin = waiting.pop()
            if number < 0:
                made.append(margin + prefix)
                continue
            held = self._terms[number]
            if not held.parts or len(margin) + len(prefix) + held.length + len(suffix) <= WIDTH:
                made.append(margin + prefix + self._flat(number, helper) + suffix)
                continue
            made.append(margin + prefix + held.head.replace(HELPER, helper))
            # A tail that begins with a comma has it behind its last part already.
            waiting.append((held.tail.removeprefix(",") + suffix, -1, "", margin))
            waiting += [(part.prefix, part.term, ",", margin + INDENT) for part in reversed(held.parts)]
        return made

    def _flat(self, term: int, helper: str) -> str:
        """All on one line; only for terms that are short."""
        made: list[str] = []
        waiting: list[int | str] = [term]
        while waiting:
            one = waiting.pop()
            if isinstance(one, str):
                made.append(one)
                continue
            held = self._terms[one]
            made.append(held.head.replace(HELPER, helper))
            inner: list[int | str] = []
            for number, part in enumerate(held.parts):
                inner += [", " + part.prefix if number else part.prefix, part.term]
            waiting += reversed([*inner, held.tail])
        return "".join(made)

    def flat(self, term: int, helper: str, limit: int = 2000) -> str:
        """All on one line, "" where that is too long."""
        return self._flat(term, helper) if self._terms[term].length <= limit else ""
