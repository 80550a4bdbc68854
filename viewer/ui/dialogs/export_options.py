"""The fields of a form's options, made from what its exporter declares: a box, a choice, a size, else a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from viewer.core.export.options import Kind, Option
from viewer.ui.measures import keep_lengths, keep_mono, keep_text, keep_theme
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import Box
from viewer.ui.widgets.name_fields import mark
from viewer.ui.widgets.wrapped import WrappedLabel
from viewer.ui.words import said
from viewer.wording.amounts import typed

INDENT: Final = 22


@dataclass(frozen=True, slots=True)
class Made:
    """The widget of an option, and how it is read: None is as usual. Raises ValueError for what cannot be meant."""

    option: Option
    widget: QWidget
    read: Callable[[], Any]


class OptionFields(QWidget):
    """The options of one form; what was chosen for one form is kept for others that have the option too.

    changed: something else is chosen.
        Signal()
    """

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        keep_theme(theme, self)
        self._given: dict[str, Any] = {}
        self._made: list[Made] = []
        self.fault = ""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, self._column.setSpacing, 8)

    def set_options(self, options: Sequence[Option]) -> None:
        """Show the options of another form."""
        if [made.option for made in self._made] == list(options):
            return
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._made = [self._make(option) for option in options]
        self._check()
        self.setVisible(bool(self._made))

    def set_value(self, option: Option, value: object) -> None:
        """Choose something before the options are shown."""
        self._given[option.key] = value

    def field(self, key: str) -> QWidget:
        """The widget of an option. Raises StopIteration where the form has none."""
        return next(made.widget for made in self._made if made.option.key == key)

    def fields(self) -> list[QWidget]:
        """All that takes the keyboard, from the top down."""
        return [made.widget for made in self._made]

    def values(self) -> Mapping[str, Any]:
        """What was chosen other than the usual, by the keys of `Wanted`."""
        found = {}
        for made in self._made:
            try:
                value = made.read()
            except ValueError:
                continue
            if value is not None:
                found[made.option.key] = value
        return found

    def _make(self, option: Option) -> Made:
        makers: Mapping[Kind, Callable[[Option], Made]] = {
            Kind.SWITCH: self._switch,
            Kind.CHOICE: self._choice,
            Kind.BYTES: self._bytes,
        }
        return makers.get(option.kind, self._text)(option)

    def _switch(self, option: Option) -> Made:
        box = QCheckBox(said(option.title))
        box.setChecked(bool(self._given.get(option.key)))
        box.toggled.connect(partial(self._took, option))
        self._column.addWidget(box)
        self._explain(option, INDENT)
        return Made(option, box, lambda: box.isChecked() or None)

    def _choice(self, option: Option) -> Made:
        box = Box()
        box.addItem(self.tr("as usual") if option.key != "dtype" else self.tr("keep each dtype"), "")
        for choice in option.choices:
            if choice:
                box.addItem(choice, choice)
        box.setCurrentIndex(max(0, box.findData(self._given.get(option.key, ""))))
        box.currentIndexChanged.connect(lambda: self._took(option))
        self._line(option, box)
        return Made(option, box, lambda: box.currentData() or None)

    def _bytes(self, option: Option) -> Made:
        return self._typed(option, size_in)

    def _text(self, option: Option) -> Made:
        return self._typed(option, lambda text: text)

    def _typed(self, option: Option, meaning: Callable[[str], Any]) -> Made:
        field = QLineEdit(str(self._given.get(option.key, "")))
        keep_mono(self._theme, field)
        field.setPlaceholderText(self.tr("as usual"))
        field.textEdited.connect(lambda: self._took(option))
        self._line(option, field)
        self._explain(option, 0)
        return Made(option, field, lambda: meaning(field.text().strip()) if field.text().strip() else None)

    def _line(self, option: Option, widget: QWidget) -> None:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        keep_lengths(self._theme, row.setSpacing, 8)
        label = QLabel(said(option.title))
        label.setWordWrap(True)
        label.setBuddy(widget)
        row.addWidget(label, 1)
        row.addWidget(widget, 1)
        widget.setAccessibleName(said(option.title))
        widget.setToolTip(sentence(said(option.help)))
        self._column.addWidget(line)

    def _explain(self, option: Option, indent: int) -> None:
        words = WrappedLabel(sentence(said(option.help)))
        words.setProperty("muted", True)
        keep_text(self._theme, words, "small")
        keep_lengths(self._theme, words.setContentsMargins, indent, 0, 0, 0)
        self._column.addWidget(words)

    def _took(self, option: Option, *_: object) -> None:
        made = next((one for one in self._made if one.option is option), None)
        if made is None:
            return
        widget = made.widget
        if isinstance(widget, QLineEdit):
            self._given[option.key] = widget.text()
        elif isinstance(widget, QComboBox):
            self._given[option.key] = widget.currentData()
        elif isinstance(widget, QCheckBox):
            self._given[option.key] = widget.isChecked()
        self._check()
        self.changed.emit()

    def _check(self) -> None:
        """Mark the fields whose text means nothing."""
        self.fault = ""
        for made in self._made:
            try:
                made.read()
                is_fault = False
            except ValueError:
                is_fault = True
                words = self.tr("{title}: write a size such as 2GB or 500MB.")
                self.fault = self.fault or words.format(title=said(made.option.title))
            if isinstance(made.widget, QLineEdit):
                mark(made.widget, is_fault=is_fault)


def sentence(text: str) -> str:
    """A help text of the commands, which begin small, as a sentence."""
    return text[:1].upper() + text[1:]


def size_in(text: str) -> int:
    """A number of bytes, at least one. Raises ValueError."""
    nbytes = typed(text)
    if not nbytes:
        raise ValueError(text)
    return nbytes
