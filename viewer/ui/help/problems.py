"""Problems explained: every code that can stand in the Problems pane, made from the tables of its sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from PySide6.QtCore import QCoreApplication
from typing_extensions import override

from viewer.ui.help.base import Entry, HelpPage, Part
from viewer.ui.words import said
from viewer.wording import QT_TRANSLATE_NOOP, Words
from viewer.wording.placeholders import PLACEHOLDERS, without_file
from viewer.wording.problems import PROBLEMS
from viewer.wording.severities import SEVERITIES

MEANING: Final = QT_TRANSLATE_NOOP("help", "What it means")
REMEDY: Final = QT_TRANSLATE_NOOP("help", "What you can do")
WEIGHT: Final = QT_TRANSLATE_NOOP("help", "How much it matters")
KINDS: Final = {
    "error": (
        QT_TRANSLATE_NOOP("help", "error"),
        QT_TRANSLATE_NOOP("help", "Error: something is lost or wrong."),
    ),
    "warning": (
        QT_TRANSLATE_NOOP("help", "warning"),
        QT_TRANSLATE_NOOP("help", "Warning: something is odd and may matter."),
    ),
    "note": (
        QT_TRANSLATE_NOOP("help", "note"),
        QT_TRANSLATE_NOOP("help", "Note: worth knowing, nothing is wrong."),
    ),
}


class ProblemsPage(HelpPage):
    """One entry a code, in alphabetical order."""

    key: ClassVar[str] = "problems"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("help", "Problems")

    @override
    def entries(self) -> Sequence[Entry]:
        places = {name: said(word) for name, word in PLACEHOLDERS.items()}
        return [_entry(code, PROBLEMS[code], places) for code in sorted(PROBLEMS)]


def _entry(code: str, words: Words, places: dict[str, str]) -> Entry:
    severity = SEVERITIES[code]
    kind, weight = (QCoreApplication.translate("help", text) for text in KINDS[severity])
    paragraphs = ((MEANING, words.detail), (REMEDY, words.remedy))
    parts = [
        Part(QCoreApplication.translate("help", heading), without_file(said(text), places))
        for heading, text in paragraphs
        if text
    ]
    parts.append(Part(QCoreApplication.translate("help", WEIGHT), weight))
    return Entry(code, without_file(said(words.title), places), tuple(parts), kind, severity, severity)
