"""How names meet: beginnings that are taken off, rules that replace, equal names or otherwise; tried as it is typed."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from viewer.core.comparing.names import By, Rules
from viewer.session.comparing import Comparing
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import Box
from viewer.ui.widgets.name_fields import NameFields, joined

TYPED_MS: Final = 400


class RulesView(QWidget):
    """The fields of the rules, and what names are held against each other by."""

    def __init__(self, comparing: Comparing, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.comparing, self.theme = comparing, theme
        self.by = Box(self)
        for by, words in (
            (By.NAME, self.tr("Equal names")),
            (By.SPELLING, self.tr("Names with dots as underscores")),
            (By.ORDER, self.tr("Their order")),
        ):
            self.by.addItem(words, by)
        label = QLabel(self.tr("Tensors meet by"), self)
        label.setBuddy(self.by)
        self.fields = NameFields(theme, adds=False)
        self.fields.strip.setToolTip(
            self.tr('Beginnings that are taken off in both files; several with commas, in "quotes" what has one.')
        )
        self.fields.order.setText(self.tr("Replace in names of A, in this order"))
        line = QHBoxLayout()
        line.addWidget(label)
        line.addWidget(self.by)
        line.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.addLayout(line)
        self._column.addWidget(self.fields)
        self._typed = QTimer(self, singleShot=True, interval=TYPED_MS)
        self._typed.timeout.connect(self.follow)
        self.by.activated.connect(self.follow)
        self.fields.changed.connect(self._typed.start)
        comparing.began.connect(self.show_rules)
        self._space()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.fields.set_theme(theme)
        self._space()

    def _space(self) -> None:
        px = self.theme.px
        self._column.setContentsMargins(px(12), px(2), px(12), px(6))
        self._column.setSpacing(px(6))

    def asked(self) -> Rules:
        """The rules that stand there."""
        names = self.fields.rules()
        return Rules(names.strip, names.rename, By(self.by.currentData()))

    def follow(self) -> None:
        """Compare anew, where the rules are others and can be used."""
        self._typed.stop()
        self.fields.blame(frozenset(), self.fields.fault)
        asked = self.asked()
        if not self.fields.fault and asked != self.comparing.rules:
            self.comparing.follow(asked)

    def show_rules(self) -> None:
        """The rules that are followed, which may be those of a suggestion."""
        rules = self.comparing.rules
        self.by.setCurrentIndex(self.by.findData(rules.by))
        if rules.strip != self.fields.rules().strip:
            self.fields.strip.setText(joined(rules.strip))
