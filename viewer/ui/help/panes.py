"""Panes explained: one entry a pane, from the table of their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from PySide6.QtCore import QCoreApplication
from typing_extensions import override

from viewer.ui.actions import ACTIONS
from viewer.ui.command_keys import way_to
from viewer.ui.help.base import Entry, HelpPage, Part
from viewer.ui.pane import PaneSpec
from viewer.ui.panes import PANES
from viewer.ui.words import said
from viewer.wording import QT_TRANSLATE_NOOP, fill
from viewer.wording.panes import PANE_WORDS, PaneWords

SHOWS: Final = QT_TRANSLATE_NOOP("help", "What it shows")
USE: Final = QT_TRANSLATE_NOOP("help", "What you can do")


class PanesPage(HelpPage):
    """One entry a pane, in the order of the Window menu. Their keys are those that hold now."""

    key: ClassVar[str] = "panes"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("help", "Panes")
    changes: ClassVar[bool] = True

    @override
    def entries(self) -> Sequence[Entry]:
        keys = {spec.id: way_to(spec.id) for spec in ACTIONS}
        return [_entry(pane, PANE_WORDS[pane.key], keys) for pane in PANES]


def _entry(pane: PaneSpec, words: PaneWords, keys: dict[str, str]) -> Entry:
    paragraphs = ((SHOWS, words.shows), (USE, words.use))
    parts = (Part(QCoreApplication.translate("help", heading), fill(said(text), keys)) for heading, text in paragraphs)
    title = QCoreApplication.translate("panes", pane.title)
    return Entry(pane.key, title, tuple(parts), icon=pane.icon, below=said(words.line))
