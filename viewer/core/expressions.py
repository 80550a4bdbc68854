"""How much work a regular expression can be, told before it runs.

Python's `re` goes back over its choices, and holds the interpreter while it does so: `(a+)+b` takes hours on forty
letters, and nothing stops it. So no repeat may stand around another one, and of all other expressions it is known for
how many letters they need how many steps.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import factorial
from typing import Final

MOST_REPEATS: Final = 8
"""The sum that tells how many letters are looked at holds for far fewer repeats than letters."""

_COUNTED: Final = re.compile(r"\{(\d*)(,?)(\d*)\}")
_PLAIN_GROUPS: Final = re.compile(r"\(\?(?::|P<\w+>)(?P<whole>(?P<name>(?!)))?")
# Looking ahead and behind takes what is in it as a group does, and goes back less. The flag x changes what signs mean.
_EVERY_GROUP: Final = re.compile(
    r"\(\?(?:P<\w+>|:|>|=|!|<=|<!|[aiLmsu]*(?:-[ims]+)?:|(?P<whole>[aiLmsu]+\)|#[^)]*\)|P=(?P<name>\w+)\)))"
)


class WorkError(ValueError):
    """An expression whose work has no bound. `code`: "nested", "heavy", or "groups" for signs that are not known."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def work_of(expression: str, *, every_group: bool = False) -> Work:
    """The work of a valid expression. Raises WorkError.

    `every_group`: also one that looks ahead or behind, refers to groups or sets flags.
    """
    work = Work(every_group=every_group)
    at = 0
    while at < len(expression):
        at = work.step(expression, at)
    if work.repeats > MOST_REPEATS:
        raise WorkError("heavy")
    return work


@dataclass(slots=True)
class _Group:
    """An open group: how many ways through it there are, and whether anything in it is repeated or chosen."""

    ways: int = 1
    varies: bool = False


class Work:
    """Walks over a valid expression. `repeats`: parts of open length; `choices`: product of the ways to match the rest.

    Matching all starts with all lengths of k repeats in n letters takes about n ** (k + 1) / (k + 1)! steps.
    """

    def __init__(self, *, every_group: bool = False) -> None:
        self.every_group = every_group
        self.repeats = 0
        self.choices = 1
        self._groups = [_Group()]
        self._atom = False
        """Whether what stands before holds repeats or choices itself."""

    def letters(self, steps: int) -> int:
        """Letters of a text for which no more steps are needed, whatever stands in it."""
        choices = self.choices * self._groups[0].ways
        return int((steps * factorial(self.repeats + 1) / choices) ** (1 / (self.repeats + 1)))

    def step(self, text: str, at: int) -> int:
        """Take the next part; gives where the one behind it begins."""
        letter = text[at]
        counted = _COUNTED.match(text, at) if letter == "{" else None
        if letter in "*+?" or (counted is not None and (counted[1] or counted[2])):
            return self._repeat(text, at, counted)
        if letter == "(":
            return self._open(text, at)
        if letter == ")" and len(self._groups) > 1:
            self._close()
        elif letter == "|":
            self._groups[-1].ways += 1
            self._groups[-1].varies = True
            self._atom = False
        else:
            self._atom = False
            return self._plain(text, at)
        return at + 1

    def _plain(self, text: str, at: int) -> int:
        """A letter, an escape, or a class of letters."""
        if text[at] == "\\":
            if text[at + 1 : at + 2].isdigit() and text[at + 1] != "0":
                self._refer()
            return at + 2
        if text[at] != "[":
            return at + 1
        at += 2 if text[at + 1 : at + 2] == "^" else 1
        first = at
        while text[at] != "]" or at == first:
            at += 2 if text[at] == "\\" else 1
        return at + 1

    def _open(self, text: str, at: int) -> int:
        if text[at + 1 : at + 2] != "?":
            self._groups.append(_Group())
            return at + 1
        opened = (_EVERY_GROUP if self.every_group else _PLAIN_GROUPS).match(text, at)
        if opened is None:
            raise WorkError("groups")
        if opened["whole"]:
            if opened["name"]:
                self._refer()
            return opened.end()
        self._groups.append(_Group())
        return opened.end()

    def _refer(self) -> None:
        """What a group held stands here again: it is compared letter by letter."""
        if not self.every_group:
            raise WorkError("groups")
        self.repeats += 1
        self._atom = True

    def _close(self) -> None:
        group = self._groups.pop()
        self.choices *= group.ways
        self._atom = group.varies
        self._groups[-1].varies |= group.varies

    def _repeat(self, text: str, at: int, counted: re.Match[str] | None) -> int:
        """`*`, `+`, `?` or a count behind an atom, with the sign of the lazy or greedy kind behind it."""
        low, high = (counted[1], counted[3] if counted[2] else counted[1]) if counted is not None else ("", "")
        once = text[at] == "?" or high in ("0", "1")
        # `{,}` is `*`.
        varies = not high or low != high
        if self._atom and not once:
            raise WorkError("nested")
        if once:
            self.choices *= 2
        elif varies:
            self.repeats += 1
        self._groups[-1].varies |= varies
        self._atom = False
        at = counted.end() if counted is not None else at + 1
        return at + 1 if text[at : at + 1] in ("?", "+") and text[at : at + 1] else at
