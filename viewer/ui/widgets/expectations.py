"""What is going to happen, a line each: icon, what is, what follows from it. Long lists are folded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from viewer.core.source import one_line, printable
from viewer.core.summary.prediction import Expectation
from viewer.core.summary.versions import Conversion
from viewer.ui.measures import keep_lengths, keep_picture, keep_text
from viewer.ui.spoken import DRAWN
from viewer.ui.theme import Theme
from viewer.ui.widgets.wrapped import WrappedLabel
from viewer.ui.words import count, ended, in_words, left_to_right, paragraph, said
from viewer.wording.predictions import PREDICTIONS
from viewer.wording.rows import FORMATS

FOLDED: Final = 5
ICON: Final = 16
GOOD: Final = "loads"
# Parameters that stand in the file.
OF_FILE: Final = frozenset({"location", "name", "names", "version"})

Told = tuple[str, str, str]
"""Severity, title, detail."""


class ExpectationLine(QWidget):
    """One of them."""

    def __init__(self, theme: Theme, told: Told, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        severity, title, detail = told
        image = QLabel(self)
        keep_picture(theme, image, severity, severity, ICON)
        keep_lengths(theme, image.setFixedWidth, ICON)
        image.setAlignment(Qt.AlignmentFlag.AlignTop)
        keep_lengths(theme, image.setContentsMargins, 0, 2, 0, 0)
        self.title = WrappedLabel(title, self)
        self.detail = WrappedLabel(detail, self)
        keep_text(theme, self.detail, "small")
        self.detail.setProperty("muted", True)
        self.detail.setVisible(bool(detail))
        lines = QVBoxLayout()
        keep_lengths(theme, lines.setSpacing, 1)
        lines.addWidget(self.title)
        lines.addWidget(self.detail)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, row.setSpacing, 8)
        row.addWidget(image)
        row.addLayout(lines, 1)
        self.setAccessibleName(DRAWN.sub("", f"{title}. {detail}" if detail else title))


class ExpectationList(QWidget):
    """The lines of a file; those beyond the fifth only when they are asked for."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.lines: list[ExpectationLine] = []
        self.more = QPushButton(self)
        self.more.setProperty("link", True)
        self.more.clicked.connect(self._unfold)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, self._column.setSpacing, 8)
        self._column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.more.hide()

    def show_expectations(self, theme: Theme, expectations: Sequence[Expectation]) -> None:
        """Show others, folded."""
        self.show_told(theme, [_told(expectation) for expectation in expectations])

    def show_conversions(self, theme: Theme, conversions: Sequence[Conversion]) -> None:
        """Show what torch's loader does about old versions of modules."""
        self.show_told(theme, [_converted(conversion) for conversion in conversions])

    def show_told(self, theme: Theme, lines: Sequence[Told]) -> None:
        """Show other lines, folded."""
        self.theme = theme
        for line in self.lines:
            self._column.removeWidget(line)
            line.hide()
            line.deleteLater()
        self.lines = [ExpectationLine(theme, told, self) for told in lines]
        for number, line in enumerate(self.lines):
            self._column.insertWidget(number, line)
            line.setVisible(number < FOLDED)
        left = len(self.lines) - FOLDED
        self.more.setText(self.tr("Show {count} more").format(count=left))
        self.more.setVisible(left > 0)

    def _unfold(self) -> None:
        for line in self.lines:
            line.show()
        self.more.hide()


def _told(expectation: Expectation) -> Told:
    words = PREDICTIONS[expectation.code]
    params = shown_params(expectation.params)
    severity = "done" if expectation.code == GOOD else str(expectation.severity)
    return severity, said(words.title, params), said(words.detail, params)


def _converted(found: Conversion) -> Told:
    """The state_dict and the modules by name stand before the sentences."""
    params = {name: _shown(name, value) for name, value in found.params.items()}
    names = [name for name in found.modules if name]
    where = left_to_right(printable(": ".join(part for part in (found.branch, ", ".join(names)) if part)))
    more = found.count - len(found.modules)
    if more > 0:
        where = QCoreApplication.translate("ExpectationList", "{names} and {count} more").format(
            names=where, count=count(more)
        )
    parts = [ended(where) if names or found.branch else "", said(found.words.detail, params)]
    parts.append(said(found.words.remedy, params) if found.words.remedy else "")
    return str(found.severity), said(found.words.title, params), paragraph(*parts)


def shown_params(params: Mapping[str, object]) -> dict[str, object]:
    """The parameters of a sentence as people see them."""
    return {name: _shown(name, value) for name, value in params.items()}


def _shown(name: str, value: object) -> object:
    """A parameter: formats in the person's language, names of the file left to right, with nothing hidden in them."""
    value = in_words(value)
    if not isinstance(value, str):
        return value
    if name == "format" and value in FORMATS.values():
        return said(value)
    if name not in OF_FILE:
        return value
    return left_to_right(one_line(value))
