"""Keys: every command that has some, as they hold now, and those of panes that are in no menu."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from PySide6.QtCore import QCoreApplication
from typing_extensions import override

from viewer.ui.command_keys import native, written
from viewer.ui.help.base import Entry, HelpPage
from viewer.ui.panes import PANES
from viewer.ui.words import said
from viewer.wording import QT_TRANSLATE_NOOP
from viewer.wording.panes import PANE_KEYS, PaneKeys


class ShortcutsPage(HelpPage):
    """One entry a command, in the order of the menus, then the panes."""

    key: ClassVar[str] = "keys"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("help", "Keys")
    changes: ClassVar[bool] = True

    @override
    def entries(self) -> Sequence[Entry]:
        return [*self._of_menus(), *map(_of_pane, PANE_KEYS)]

    def _of_menus(self) -> Iterator[Entry]:
        for command in self.commands():
            text = ", ".join(native(written(sequence)) for sequence in command.action.shortcuts())
            if text:
                yield _entry(command.action.objectName(), command.title, text, command.place)


def _of_pane(given: PaneKeys) -> Entry:
    text = ", ".join(map(native, given.keys))
    pane = next(QCoreApplication.translate("panes", pane.title) for pane in PANES if pane.key == given.pane)
    return _entry(f"{given.pane} {' '.join(given.keys)}", said(given.title), text, pane)


def _entry(name: str, title: str, text: str, place: str) -> Entry:
    return Entry(name, title, kind=text, icon="commands", icon_color="text", below=place)
