"""The names that the text of a class needs from elsewhere: found by `ast` and scopes, never by running anything."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from viewer.core.code.aliases import KNOWN_ALIASES
from viewer.core.code.python_text import Fault, parse
from viewer.core.code.scopes import FreeName, Scopes, When

__all__ = ["KNOWN_ALIASES", "Needed", "Use", "When", "needed_names", "needed_of"]

_OF_MODULES: Final = "__annotations__ __builtins__ __doc__ __file__ __loader__ __name__ __package__ __path__ __spec__"
# The names of the site module are there in every program, and `_` only at a prompt.
BUILTINS: Final = frozenset(
    {*dir(builtins), *_OF_MODULES.split(), "copyright", "credits", "exit", "help", "license", "quit"} - {"_"}
)
LINE_END: Final = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Use:
    """One place. `line` from 1, `column` from 0, both in characters of the text; `length` 0: only the line is known.

    `attribute`: what is taken of the name there, "" for nothing.
    """

    name: str
    line: int
    column: int
    length: int
    when: When
    attribute: str = ""


@dataclass(frozen=True, slots=True)
class Needed:
    """What a text needs: names by when they are looked up, and each place where they stand.

    `bound`: names that the text itself gives to its module. `star`: it imports names that are not known. `error`: why
    the text could not be read, and then all else is empty.
    """

    at_import: frozenset[str] = frozenset()
    in_bodies: frozenset[str] = frozenset()
    in_annotations: frozenset[str] = frozenset()
    uses: tuple[Use, ...] = ()
    bound: frozenset[str] = frozenset()
    star: bool = False
    error: Fault | None = None

    @property
    def names(self) -> frozenset[str]:
        """All of them."""
        return self.at_import | self.in_bodies | self.in_annotations


def needed_names(text: str) -> Needed:
    """The names that a text needs; builtins and what it binds itself taken off. The text may be indented as a whole."""
    tree = parse(text)
    if isinstance(tree, Fault):
        return Needed(error=tree)
    return needed_of(tree.body, text, tree.shift)


def needed_of(body: Iterable[ast.stmt], text: str, shift: int = 0) -> Needed:
    """The same of statements that were parsed. `shift`: from a node's line to the line in the text."""
    scopes = Scopes(body)
    free = [each for each in scopes.free if each.name not in BUILTINS]
    by_time = {when: frozenset(each.name for each in free if each.when is when) for when in When}
    places = Places(text, shift)
    return Needed(
        by_time[When.IMPORT],
        by_time[When.BODY],
        by_time[When.ANNOTATION],
        tuple(places.use(each) for each in free),
        frozenset(scopes.bound),
        scopes.star,
    )


class Places:
    """Where nodes stand in a text: `ast` counts bytes, people count characters."""

    def __init__(self, text: str, shift: int) -> None:
        self._lines = LINE_END.split(text)
        self._shift = shift

    def use(self, free: FreeName) -> Use:
        """The place of a name. Within f-strings the parser's columns may be wrong; then only the line is kept."""
        node = free.node
        line = getattr(node, "lineno", 0) + self._shift
        written = str(getattr(node, "id", free.name))
        text = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        column = getattr(node, "col_offset", 0)
        if not text.isascii():
            column = len(text.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "replace"))
        length = len(written) if text.startswith(written, column) else 0
        return Use(free.name, line, column, length, free.when, free.attribute)
