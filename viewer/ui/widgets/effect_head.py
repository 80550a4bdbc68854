"""The head of the Effect pane: name and place of the opcode, what it does here, what it does at all, where it leads."""

from __future__ import annotations

import html
from typing import Final

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from viewer.core.pickles.opcodes import OPCODES
from viewer.core.pickles.values import Kind, Rows
from viewer.core.problem import Problem
from viewer.ui.measures import keep_lengths
from viewer.ui.models.effect_rows import EffectRows
from viewer.ui.models.opcode_chips import chip_of
from viewer.ui.models.opcode_links import IMPORT, USES, has_uses
from viewer.ui.models.opcode_notes import byte_text, since
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import ElidedLabel
from viewer.ui.widgets.opcode_notes import OpcodeNotes
from viewer.ui.widgets.wrapped import WrappedLabel
from viewer.ui.words import count, ended, of_problem, offset, paragraph, said
from viewer.wording.effects import EFFECTS
from viewer.wording.opcodes import OPCODE_SENTENCES

MOST_LINKS: Final = 4


class EffectHead(QWidget):
    """Labels over the tables.

    opcode_chosen: an opcode was clicked.
        Signal(opcode: int)
    command_chosen: a command of the menus was clicked.
        Signal(action: str)
    """

    opcode_chosen = Signal(object)
    command_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._chip, self._low = "", False
        self._rows: EffectRows | None = None
        self.name, self.facts, self.offset = QLabel(self), ElidedLabel(parent=self), QLabel(self)
        self.sentence, self.general = WrappedLabel(parent=self), WrappedLabel(parent=self)
        self.notes = OpcodeNotes(theme, self)
        self.notes.help_asked.connect(lambda topic: self.command_chosen.emit(f"explain.{topic}"))
        self.links = QLabel(self)
        self.links.setWordWrap(True)
        self.links.setTextFormat(Qt.TextFormat.RichText)
        self.links.linkActivated.connect(self._linked)
        for label in (self.name, self.offset):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.offset.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        line = QHBoxLayout()
        keep_lengths(theme, line.setSpacing, 8)
        line.addWidget(self.name)
        line.addWidget(self.facts)
        line.addStretch(1)
        line.addWidget(self.offset)
        column = QVBoxLayout(self)
        keep_lengths(theme, column.setContentsMargins, 12, 8, 12, 6)
        keep_lengths(theme, column.setSpacing, 5)
        column.addLayout(line)
        for part in (self.sentence, self.links, self.general, self.notes):
            column.addWidget(part)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.notes.set_theme(theme)
        muted = f"color: {theme.color('muted').name()}"
        self.name.setFont(theme.mono(bold=True))
        muted_labels: tuple[QLabel, ...] = (self.facts, self.general, self.offset)
        for label in muted_labels:
            label.setStyleSheet(muted)
            label.setFont(theme.text("small") if label is not self.offset else theme.mono("small"))
        self._dress_name()
        # The links carry their colour in their text.
        self._tell_links()

    def _dress_name(self) -> None:
        """The name on the colour of its opcode."""
        colors = self.theme.region(self._chip)
        ground = f"background: {colors.fill.name()}; color: {colors.text.name()}; border-radius: 4px; padding: 1px 5px"
        if self.name.styleSheet() != (ground if self._chip else ""):
            self.name.setStyleSheet(ground if self._chip else "")

    def set_low(self, *, low: bool) -> None:
        """Where height lacks, what the opcode does at all is told by the tooltip of its name only."""
        if low == self._low:
            return
        self._low = low
        self.notes.setVisible(not low and bool(self._chip))
        self._tell_links()

    def show_opcode(self, rows: EffectRows, problem: Problem | None) -> None:
        """Tell of an opcode, or of the end of a broken stream. `problem`: why the stream breaks."""
        code, opcode = rows.pickle.code, rows.opcode
        self.sentence.setText(paragraph(*(said(EFFECTS[key], params) for key, params in rows.words.sentences(opcode))))
        self.offset.setText(offset(rows.words.offset(opcode)))
        if rows.is_end:
            self._chip = ""
            self.name.setText(self.tr("Break"))
            self.facts.clear()
            self.general.setText(ended(of_problem(problem).title) if problem is not None else "")
        else:
            byte = int(code.codes[opcode])
            info = OPCODES[byte]
            self._chip = chip_of(byte)
            self.name.setText(info.name)
            self.facts.setText(f"{byte_text(info.name)} \u00b7 {since(info.name)}")
            self.notes.show_opcode(info.name)
        self.notes.setVisible(not rows.is_end and not self._low)
        self.name.setToolTip(said(OPCODE_SENTENCES[self.name.text()]) if not rows.is_end else self.general.text())
        self.general.setVisible(rows.is_end)
        self._rows = rows
        self._tell_links()
        self._dress_name()

    def _tell_links(self) -> None:
        """The ways to other places; where the notes have no room, one to the help."""
        rows = self._rows
        links = self._links(rows) if rows is not None else []
        if rows is not None and self._low and not rows.is_end:
            links.append(
                self._command(f"explain.opcodes/{rows.pickle.code.name(rows.opcode)}", self.tr("What is this"))
            )
        self.links.setText(" \u00b7 ".join(links))
        self.links.setVisible(bool(links))

    def _links(self, rows: EffectRows) -> list[str]:
        """The opcodes that belong to this one, as links."""
        if rows.is_end:
            return []
        effects, opcode = rows.effects, rows.opcode
        found: list[str] = []
        store = effects.store_of(opcode)
        if store >= 0 and store != opcode:
            found.append(self.tr("Stored at {0}").format(self._link(rows, store)))
        uses = effects.uses_of_slot(opcode)
        if len(uses):
            shown = ", ".join(self._link(rows, use) for use in _around(uses, opcode))
            words = self.tr("Read at {0}") if len(uses) <= MOST_LINKS else self.tr("Read {1} times, nearest at {0}")
            found.append(words.format(shown, self._command(USES, count(len(uses)))))
        mark, end = effects.mark_of(opcode), effects.mark_end(opcode)
        if mark >= 0:
            found.append(self.tr("Takes the mark from {0}").format(self._link(rows, mark)))
        if end >= 0:
            found.append(self.tr("Taken at {0}").format(self._link(rows, end)))
        frame, maker = effects.frame_end(opcode), effects.maker(opcode)
        if frame >= 0:
            found.append(self.tr("Ends with {0}").format(self._link(rows, frame)))
        if maker >= 0 and effects.values.kind(maker) is not Kind.MARK:
            found.append(self.tr("Top made at {0}").format(self._link(rows, maker)))
        if has_uses(int(rows.pickle.code.codes[opcode])) and not len(uses):
            found.append(self._command(USES, self.tr("List all uses")))
        if effects.named(opcode) >= 0:
            found.append(self._command(IMPORT, self.tr("Show in Imports")))
        if opcode == len(rows.pickle.code) - 1 and rows.pickle.code.broken is not None:
            found.append(self._link(rows, opcode + 1, self.tr("The stream breaks behind it")))
        return found

    def _link(self, rows: EffectRows, opcode: int, words: str = "") -> str:
        color = self.theme.color("accent").name()
        shown = html.escape(words) or offset(rows.words.offset(opcode))
        if opcode == rows.opcode:
            return f"<b>{shown}</b>"
        return f'<a href="{opcode}" style="color: {color}">{shown}</a>'

    def _command(self, name: str, words: str) -> str:
        color = self.theme.color("accent").name()
        return f'<a href="{name}" style="color: {color}">{html.escape(words)}</a>'

    def _linked(self, target: str) -> None:
        if target.isdigit():
            self.opcode_chosen.emit(int(target))
        else:
            self.command_chosen.emit(target)


def _around(uses: Rows, opcode: int) -> list[int]:
    """A few of the reading opcodes, those around one of them."""
    first = max(0, min(int(np.searchsorted(uses, opcode)) - MOST_LINKS // 2, len(uses) - MOST_LINKS))
    found: list[int] = uses[first : first + MOST_LINKS].tolist()
    return found
