"""HelpPage: one page of the help, a list of entries that can be searched.

To add one: a new file in `help/` with a class that derives from HelpPage, sets the facts below and makes its entries
from the table that it explains, so that it can never be out of date; and a line in the tuple of `help/__init__.py`.
Its tab, filter and list come from the facts. A topic is a page and an entry of it: `problems/zip-record-cut`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from viewer.ui.widgets.command_palette import Entry as Command


@dataclass(frozen=True, slots=True)
class Part:
    """A paragraph of an entry under its heading, both in the person's language."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that is explained. `key`: its stable name, monospaced; `kind`: a word beside it, `error`.

    `title`, `kind` and `below` are in the person's language; `below` is shown where the key says nothing to people.
    `icon_color` is a role of the theme.
    """

    key: str
    title: str
    parts: tuple[Part, ...] = ()
    kind: str = ""
    icon: str = "info"
    icon_color: str = "muted"
    below: str = ""

    def holds(self, wanted: Sequence[str]) -> bool:
        """True when every word, in lower case, stands somewhere in the entry."""
        texts = (self.below or self.key, self.title, self.kind, *(f"{part.heading} {part.text}" for part in self.parts))
        whole = "\n".join(texts).casefold()
        return all(word in whole for word in wanted)


class HelpPage:
    """Base of all pages. `title` is English, marked for translation in the context `help`.

    `changes`: entries are made anew each time the help opens. `commands`: all lines of the menus.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    changes: ClassVar[bool] = False

    def __init__(self, commands: Callable[[], Sequence[Command]] = tuple) -> None:
        self.commands = commands

    def entries(self) -> Sequence[Entry]:
        """All entries, in the order in which they are listed."""
        raise NotImplementedError
