"""A menu whose keys stay from left to right: `Ctrl+,` would be `,+Ctrl` beside words of the other direction."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QStyleOptionMenuItem
from typing_extensions import override

from viewer.ui.words import left_to_right

TAB = "\t"
"""Between the words of a command and its keys."""


class Menu(QMenu):
    """Menus of commands. Submenus are made by `Menu(title, parent)`, not by `addMenu(title)`, which makes Qt's own."""

    @override
    def initStyleOption(self, option: QStyleOptionMenuItem, action: QAction) -> None:
        super().initStyleOption(option, action)
        words, tab, keys = option.text.partition(TAB)
        if tab and keys:
            option.text = f"{words}{TAB}{left_to_right(keys)}"
