"""The dialogs of the program itself: preferences, shortcuts, about. None stops the window behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog

if TYPE_CHECKING:
    from viewer.ui.window.frame import Frame


class Asking(QObject):
    """Opens them over one window."""

    def __init__(self, window: Frame) -> None:
        super().__init__(window)
        self._window = window

    def shortcuts(self) -> None:
        """All keys in one list, where they can be changed."""
        from viewer.ui.dialogs.shortcuts import Shortcuts

        menus = self._window.menus
        _open(Shortcuts(menus.entries(), self._window.keys, menus.openers(), self._window.theme, self._window))

    def about(self) -> None:
        """What the program is."""
        from viewer.ui.dialogs.about import About

        _open(About(self._window.theme, self._window))

    def preferences(self) -> None:
        """What a person chooses, and what the program may forget."""
        from viewer.ui.dialogs.preferences import Preferences

        work = self._window.workspace
        forgetting = (
            (self.tr("Forget recent files"), work.recent.forget_all),
            (self.tr("Forget how files were left"), work.places.forget_all),
            (self.tr("Forget all files, their bookmarks too"), work.forget_all),
        )
        dialog = Preferences(work.settings, self._window.theme, forgetting, self._window)
        dialog.keys_asked.connect(self.shortcuts)
        _open(dialog)


def _open(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
