"""Opcodes explained: all 68 of them, from the table of their documentation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from viewer.core.pickles.documentation import documentation
from viewer.ui.help.base import Entry, HelpPage, Part
from viewer.ui.models.opcode_notes import facts, since, summary, watched, what_it_does
from viewer.wording import QT_TRANSLATE_NOOP


class OpcodesPage(HelpPage):
    """One entry an opcode, in alphabetical order."""

    key: ClassVar[str] = "opcodes"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("help", "Opcodes")

    @override
    def entries(self) -> Sequence[Entry]:
        return [_entry(name) for name in documentation()]


def _entry(name: str) -> Entry:
    parts = [what_it_does(name), *watched(name), *facts(name)]
    return Entry(name, summary(name), tuple(Part(*part) for part in parts), since(name), "pickle")
