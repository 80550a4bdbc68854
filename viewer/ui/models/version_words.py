"""The version of a module in a few words, and those of the writer of a file."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import QCoreApplication

from viewer.core.code.versions import ModuleVersion
from viewer.ui.words import joined

_OPEN: Final = re.compile(r"(.+) or (later|earlier)")
_RANGE: Final = re.compile(r"(.+) to (\S+)")


def writer_words(written_by: str) -> str:
    """What core says of the writer, `torch 1.0 to 1.2, numpy 2 or later`, in the person's language."""
    return joined(_bound(part) for part in written_by.split(", "))


def _bound(part: str) -> str:
    if (found := _OPEN.fullmatch(part)) is not None:
        later = QCoreApplication.translate("Versions", "{version} or later")
        earlier = QCoreApplication.translate("Versions", "{version} or earlier")
        return (later if found[2] == "later" else earlier).format(version=found[1])
    if (found := _RANGE.fullmatch(part)) is not None:
        return QCoreApplication.translate("Versions", "{first} to {last}").format(first=found[1], last=found[2])
    return part


def version_words(found: ModuleVersion) -> str:
    """What is stored, and what today's torch is at where that is known."""
    if found.stored is None:
        words = QCoreApplication.translate("Versions", "no version stored, torch's today {today}")
    elif found.today is None:
        words = QCoreApplication.translate("Versions", "version {stored}")
    else:
        words = QCoreApplication.translate("Versions", "version {stored}, torch's today {today}")
    return words.format(stored=found.stored, today=found.today)
