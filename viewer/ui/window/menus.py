"""The menu bar, made from the table of actions; menus whose lines depend on what is open are filled when they open."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from viewer.ui.actions import Actions
from viewer.ui.menu_titles import MENUS
from viewer.ui.widgets.command_palette import Entry
from viewer.ui.widgets.labels import Menu
from viewer.ui.words import tip


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a menu that is not in the table. `checked`: None = it is no choice.

    `holds`: says whether it still means something: who holds a line may choose it after the file that it acts on ended.
    """

    text: str
    act: Callable[[], None]
    checked: bool | None = None
    shortcut: str = ""
    tooltip: str = ""
    holds: Callable[[], bool] = lambda: True

    def choose(self) -> None:
        """Do what the line says, where that still means something."""
        if self.holds():
            self.act()


Lines = Callable[[], Sequence[Line]]


class Menus:
    """All menus of a window.

    `first`: actions that stand at the head of a menu. `changing`: submenus that are filled when they open, by the id
    of the action that they follow: title and what gives the lines.
    """

    def __init__(
        self,
        bar: QMenuBar,
        actions: Actions,
        first: Mapping[str, Sequence[QAction]],
        changing: Mapping[str, tuple[str, Lines]],
    ) -> None:
        self._menus: dict[str, QMenu] = {}
        self._titles: dict[str, str] = {}
        self._lines: dict[str, Lines] = {}
        self._after: dict[str, str] = {}
        self._english = {spec.id: spec.title for spec, _ in actions}
        self._groups: dict[str, int] = {}
        for name, title in MENUS.items():
            if "/" not in name:
                self._titles[name] = QCoreApplication.translate("actions", title)
                self._menus[name] = _below(bar, self._titles[name])
        for name, heads in first.items():
            self._menus[name].addActions(list(heads))
            self._groups[name] = 0
        for spec, action in actions:
            menu = self._menu(spec.menu)
            if self._groups.setdefault(spec.menu, spec.group) != spec.group:
                menu.addSeparator()
                self._groups[spec.menu] = spec.group
            menu.addAction(action)
            if spec.id in changing:
                self._add_changing(spec.menu, *changing[spec.id], spec.id)

    def menu(self, name: str) -> QMenu:
        """The menu of a name: File, View/Theme."""
        return self._menus[name]

    def openers(self) -> dict[str, str]:
        """The titles of the menus of the bar, by the keys that open them: Alt+F."""
        titles = [title for name, title in self._titles.items() if "/" not in name]
        found = ((QKeySequence.mnemonic(title), title) for title in titles)
        return {keys.toString(): plain(title) for keys, title in found if not keys.isEmpty()}

    def entries(self) -> list[Entry]:
        """Every command of every menu, for the palette."""
        # Nobody types in it while the window comes up.
        from viewer.ui.command_words import MENU_WORDS, also

        for name in self._lines:
            self._fill(name)
        found: list[Entry] = []
        for name, menu in self._menus.items():
            top = plain(self._titles[name.partition("/")[0]])
            place = f"{top} › {self._titles[name]}" if "/" in name else top
            words = also(MENU_WORDS.get(self._after.get(name, ""), ""))
            found += [
                Entry(place, plain(action.text()), action, words or self._others(action))
                for action in commands_of(menu)
            ]
        return found

    def _others(self, action: QAction) -> str:
        """What else a command is called: its own other words, and its English name in every language."""
        from viewer.ui.command_words import WORDS, also

        name = action.objectName()
        found = (self._english.get(name, ""), also(WORDS.get(name, "")))
        return ", ".join(filter(None, found))

    def _menu(self, name: str) -> QMenu:
        """The menu of that name, made when it is the first time."""
        known = self._menus.get(name)
        if known is None:
            parent = name.partition("/")[0]
            self._titles[name] = QCoreApplication.translate("actions", MENUS[name])
            known = self._menus[name] = _below(self._menus[parent], self._titles[name])
            self._groups.setdefault(parent, 0)
        return known

    def _add_changing(self, parent: str, title: str, lines: Lines, after: str) -> None:
        name = f"{parent}/{title}"
        menu = _below(self._menus[parent], title)
        menu.setToolTipsVisible(True)
        self._menus[name], self._titles[name], self._lines[name], self._after[name] = menu, title, lines, after
        self._menus[parent].aboutToShow.connect(lambda: self._fill(name))

    def _fill(self, name: str) -> None:
        fill(self._menus[name], self._lines[name]())


def _below(parent: QMenuBar | QMenu, title: str) -> QMenu:
    """A new menu at the end of another one, or of the bar."""
    menu = Menu(title, parent)
    parent.addMenu(menu)
    return menu


def fill(menu: QMenu, lines: Sequence[Line]) -> None:
    """Give a menu other lines.

    Those of before live on for who holds them, as the palette does while a menu opens: `clear` would delete them there.
    """
    for before in menu.actions():
        menu.removeAction(before)
        before.setParent(None)
    for line in lines:
        action = QAction(line.text.replace("&", "&&"), menu)
        action.setToolTip(tip(line.tooltip or line.text))
        if line.shortcut:
            action.setShortcut(line.shortcut)
        if line.checked is not None:
            action.setCheckable(True)
            action.setChecked(line.checked)
        action.triggered.connect(lambda _=False, line=line: line.choose())
        menu.addAction(action)
    menu.menuAction().setEnabled(not menu.isEmpty())


def plain(title: str) -> str:
    """A title without its mark of the key, which Chinese and Japanese write behind it: ファイル(&F)."""
    return re.sub(r"\(&\w\)|&(?=[^&])", "", title).replace("&&", "&")


def commands_of(menu: QMenu) -> list[QAction]:
    """The actions of a menu that do something themselves."""
    return [action for action in menu.actions() if not action.isSeparator() and action.menu() is None]
