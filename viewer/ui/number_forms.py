"""How numbers are written in the window, as the person wants it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

from viewer.session.settings import NUMBER_GROUPS, NUMBER_LETTERS, NUMBER_UNITS, Settings
from viewer.ui.words import LocaleNumbers, write_numbers
from viewer.wording.numbers import Numbers

SEPARATORS: Final = {"none": "", "comma": ",", "thin": "\N{NARROW NO-BREAK SPACE}"}
"""Thin, and no place where a line may end."""
FORMS: Final = (NUMBER_GROUPS, NUMBER_LETTERS, NUMBER_UNITS)


class NumberForms(QObject):
    """Follows the settings.

    changed: numbers are written otherwise; what is on the screen is to be made anew.
        Signal()
    """

    changed = Signal()

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.now = self._use()
        settings.changed.connect(self._setting_changed)

    def _setting_changed(self, key: str) -> None:
        if key in [setting.key for setting in FORMS]:
            before, self.now = self.now, self._use()
            if before != self.now:
                self.changed.emit()

    def _use(self) -> Numbers:
        found = numbers_of(self._settings)
        write_numbers(found)
        return found


def numbers_of(settings: Settings) -> Numbers:
    """What the settings say."""
    small = settings.get(NUMBER_LETTERS) == "lower"
    binary = settings.get(NUMBER_UNITS) == "binary"
    groups = settings.get(NUMBER_GROUPS)
    if groups == "locale":
        return LocaleNumbers(small=small, binary=binary)
    return Numbers(SEPARATORS[groups], small, binary)
