"""Rules for names: prefixes off and on, and rules that replace, in an order; each is tried as it is typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from viewer.core.objects.renaming import NameRules, RuleError
from viewer.ui.measures import keep, keep_dressed, keep_lengths, keep_text
from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.labels import IconButton, beside_icon
from viewer.ui.widgets.wrapped import WrappedLabel
from viewer.ui.words import said
from viewer.wording.failures import FAILURES

PART: Final = re.compile(r'\s*(?:"((?:[^"]|"")*)(?:"\s*(?=,|$)|$)|([^,]*))(?:,|$)')
"""One name of several, in quotes or bare."""


class RuleRow(QWidget):
    """One rule: old, new, and the button that takes it away.

    changed: something was typed.
        Signal()
    removed: the rule is not wanted any more.
        Signal()
    """

    changed = Signal()
    removed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.old = field(theme, self.tr("Old name"), self.tr("old"))
        self.new = field(theme, self.tr("New name"), self.tr("new"))
        self.old.setToolTip(
            self.tr("A name or its beginning; with * a pattern for whole names; re: and an expression with groups.")
        )
        self.new.setToolTip(self.tr("What stands in its place; * for what the pattern found, \\1 for a group."))
        self._arrow = arrow = QLabel()
        arrow.setPixmap(icon(theme, "arrow").pixmap(theme.px(14)))
        self.gone = gone = IconButton(theme, "close", self.tr("Take the rule away"))
        gone.clicked.connect(self.removed)
        for one in (self.old, self.new):
            one.textEdited.connect(self.changed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, row.setSpacing, 4)
        row.addWidget(self.old, 1)
        row.addWidget(arrow)
        row.addWidget(self.new, 1)
        row.addWidget(gone)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        for one in (self.old, self.new):
            dress(one, theme)
        self._arrow.setPixmap(icon(theme, "arrow").pixmap(theme.px(14)))
        self.gone.set_theme(theme)

    @property
    def pair(self) -> tuple[str, str]:
        """Old and new as they stand there."""
        return self.old.text().strip(), self.new.text().strip()


class NameFields(QWidget):
    """Fields of all rules. `fault`: why one of them cannot be used, "" when all can. `adds`: with a beginning to add.

    changed: there are other rules.
        Signal()
    made: there are other fields.
        Signal()
    """

    changed = Signal()
    made = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, adds: bool = True) -> None:
        super().__init__(parent)
        self._theme = theme
        self._adds = adds
        self.rows: list[RuleRow] = []
        self.fault = ""
        self.strip = field(theme, self.tr("Take off"), "module.")
        self.strip.setToolTip(
            self.tr('Beginnings that are taken off where they stand; several with commas, in "quotes" what has one.')
        )
        self.add = field(theme, self.tr("Put before"), "model.")
        self.add.setToolTip(self.tr("A beginning for all names."))
        self.more = QPushButton(beside_icon(self.tr("Add a rule")))
        self.more.setProperty("link", True)
        self.more.setIcon(icon(theme, "add", "accent", 12))
        self.more.clicked.connect(self.add_rule)
        self.note = WrappedLabel()
        keep_text(theme, self.note, "small")
        self.note.hide()
        if not adds:
            self.add.setParent(self)
            self.add.hide()
        for one in (self.strip, self.add):
            one.textEdited.connect(self._typed)
        self._lay_out()
        keep_dressed(self)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        for one in (self.strip, self.add):
            dress(one, theme)
        for row in self.rows:
            row.set_theme(theme)
        self.more.setIcon(icon(theme, "add", "accent", 12))
        self.note.setFont(theme.text("small"))

    def _lay_out(self) -> None:
        theme = self._theme
        self.labels: list[QLabel] = []
        grid = QGridLayout()
        keep_lengths(theme, grid.setHorizontalSpacing, 8)
        keep_lengths(theme, grid.setVerticalSpacing, 6)
        fields = [(self.tr("Take off"), self.strip), (self.tr("Put before"), self.add)]
        for row, (words, one) in enumerate(fields if self._adds else fields[:1]):
            label = QLabel(words)
            label.setBuddy(one)
            self.labels.append(label)
            grid.addWidget(label, row, 0)
            grid.addWidget(one, row, 1)
        grid.setColumnStretch(1, 1)
        self._rules = QVBoxLayout()
        keep_lengths(theme, self._rules.setSpacing, 6)
        self.order = QLabel(self.tr("Replace, in this order"))
        self.order.setProperty("muted", True)
        self.order.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, column.setSpacing, 6)
        column.addLayout(grid)
        column.addWidget(self.order)
        column.addLayout(self._rules)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.note)

    def add_rule(self) -> RuleRow:
        """One more rule, with the keyboard in it."""
        row = RuleRow(self._theme)
        row.changed.connect(self._typed)
        row.removed.connect(partial(self._remove, row))
        self.rows.append(row)
        self._rules.addWidget(row)
        self.order.show()
        self.made.emit()
        row.old.setFocus()
        return row

    def fields(self) -> list[QWidget]:
        """All that takes the keyboard, from the top down."""
        held = [widget for row in self.rows for widget in (row.old, row.new, row.gone)]
        return [self.strip, self.add, *held, self.more]

    def rules(self) -> NameRules:
        """What is asked for; rules that are not complete yet are passed over."""
        pairs = tuple(row.pair for row in self.rows if row.pair[0])
        return NameRules(parts(self.strip.text()), pairs, self.add.text().strip())

    def blame(self, guilty: frozenset[int], idle: str) -> None:
        """Mark the rules that make clashes, by number among those that are complete; say which ones fit no name."""
        complete = [row for row in self.rows if row.pair[0]]
        for number, row in enumerate(complete):
            mark(row.new, is_fault=number in guilty)
        self.note.setText(idle)
        self.note.setVisible(bool(idle))

    def _remove(self, row: RuleRow) -> None:
        self.rows.remove(row)
        row.hide()
        row.deleteLater()
        self.order.setVisible(bool(self.rows))
        self._typed()

    def _typed(self) -> None:
        """Try each rule alone: the field of one that cannot be used is marked."""
        self.fault = ""
        for row in self.rows:
            reason = fault_of(row.pair) if row.pair[0] else ""
            mark(row.old, is_fault=bool(reason))
            self.fault = self.fault or reason
        self.changed.emit()


def fault_of(pair: tuple[str, str]) -> str:
    """Why a rule cannot be used, "" when it can."""
    try:
        NameRules(rename=(pair,)).compiled()
    except RuleError as fault:
        return said(FAILURES[fault.code], fault.params)
    return ""


def parts(text: str) -> tuple[str, ...]:
    """What stands between commas; commas and blanks in double quotes are part of a name, two of these are one."""
    found = ((one[1].replace('""', '"') if one[1] is not None else one[2].strip()) for one in PART.finditer(text))
    return tuple(filter(None, found))


def joined(names: Sequence[str]) -> str:
    """Names as `parts` reads them back."""
    return ", ".join(map(quoted, names))


def quoted(name: str) -> str:
    """A name in double quotes where it needs them."""
    is_plain = "," not in name and not name.startswith('"') and name == name.strip()
    return name if is_plain else '"' + name.replace('"', '""') + '"'


def field(theme: Theme, name: str, example: str) -> QLineEdit:
    """A field for names of the file."""
    made = QLineEdit()
    keep(theme, made, "field", dress)
    made.setAccessibleName(name)
    made.setPlaceholderText(example)
    made.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    return made


def dress(one: QLineEdit, theme: Theme) -> None:
    """Fonts or sizes changed."""
    one.setFont(theme.mono())
    one.setMinimumWidth(theme.px(60))


def line_up(labels: Sequence[QLabel]) -> None:
    """Give the labels of several groups one width, so that their fields begin at one line."""
    for label in labels:
        # A label wishes for the least width that it was given, and keeps its wish until it is set up anew.
        label.setMinimumWidth(0)
        label.setIndent(label.indent())
    widest = max(label.sizeHint().width() for label in labels)
    for label in labels:
        label.setMinimumWidth(widest)


def mark(one: QLineEdit, *, is_fault: bool) -> None:
    """Show the edge of a fault, or take it away."""
    if bool(one.property("fault")) != is_fault:
        one.setProperty("fault", is_fault)
        one.style().unpolish(one)
        one.style().polish(one)
