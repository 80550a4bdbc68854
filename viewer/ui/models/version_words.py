"""The version of a module in a few words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from viewer.core.code.versions import ModuleVersion


def version_words(found: ModuleVersion) -> str:
    """What is stored, and what today's torch is at where that is known."""
    if found.stored is None:
        words = QCoreApplication.translate("Versions", "no version stored, torch's today {today}")
    elif found.today is None:
        words = QCoreApplication.translate("Versions", "version {stored}")
    else:
        words = QCoreApplication.translate("Versions", "version {stored}, torch's today {today}")
    return words.format(stored=found.stored, today=found.today)
