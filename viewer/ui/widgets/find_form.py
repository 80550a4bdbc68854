"""What is typed into the find bar, and the choices that belong to its form: a query of core out of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import hexdigits
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QSpinBox, QWidget

from viewer.core.search_bytes.numbers import NUMBERS, number_query
from viewer.core.search_bytes.text import ENCODINGS, LEAST, MOST_LEAST, OF_STRINGS, text_query
from viewer.late import late
from viewer.ui.measures import keep_lengths, keep_mono
from viewer.ui.widgets.field_icons import clearable
from viewer.ui.widgets.labels import Box

if TYPE_CHECKING:
    from viewer.core.document import Pickle
    from viewer.core.search_bytes.base import Query
    from viewer.core.search_bytes.expression import expression_query
    from viewer.core.search_bytes.hexadecimal import hex_query, reads_like_hex
    from viewer.core.search_bytes.opcode_strings import OpcodeStrings
    from viewer.core.search_bytes.strings import strings_query
    from viewer.ui.theme import Theme
else:
    (expression_query,) = late("viewer.core.search_bytes.expression", "expression_query")
    hex_query, reads_like_hex = late("viewer.core.search_bytes.hexadecimal", "hex_query reads_like_hex")
    (strings_query,) = late("viewer.core.search_bytes.strings", "strings_query")
    (OpcodeStrings,) = late("viewer.core.search_bytes.opcode_strings", "OpcodeStrings")

HEX, EXPRESSION, NUMBER, STRINGS = "hex", "expression", "number", "strings"
OF_OPCODES = "opcodes"
FIELD = 140


class FindForm(QWidget):
    """No widget of its own to see: the bar places its parts. `options` are those of the chosen form.

    `pickles`: the streams that stand in the bytes, and in what encoding their Python 2 strings are.

    changed: something else is asked for.
        Signal()
    """

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()
        self.pickles: Callable[[], tuple[Sequence[Pickle], str]] = lambda: ((), "utf-8")
        self.form = Box(parent)
        self.form.addItem(self.tr("Hexadecimal"), HEX)
        for encoding in ENCODINGS:
            self.form.addItem(self.tr("Text, {encoding}").format(encoding=encoding.upper()), encoding)
        self.form.addItem(self.tr("Expression"), EXPRESSION)
        self.form.addItem(self.tr("Number"), NUMBER)
        self.form.addItem(self.tr("Strings"), STRINGS)
        self.form.setCurrentIndex(1)
        self.form.setAccessibleName(self.tr("Form of what is looked for"))
        self.field = QLineEdit(parent)
        clearable(self.field)
        self.field.setAccessibleName(self.tr("What to look for"))
        keep_mono(theme, self.field)
        keep_lengths(theme, self.field.setMinimumWidth, FIELD)
        self.cases = QCheckBox(self.tr("Any case"), parent)
        self.dtype = Box(parent)
        self.dtype.addItems(list(NUMBERS))
        self.dtype.setAccessibleName(self.tr("Type of the number"))
        self.order = Box(parent)
        self.order.addItem(self.tr("Little-endian"), False)
        self.order.addItem(self.tr("Big-endian"), True)
        self.order.setAccessibleName(self.tr("Byte order of the number"))
        self.aligned = QCheckBox(self.tr("Aligned"), parent)
        self.aligned.setChecked(True)
        self.aligned.setToolTip(self.tr("Only where elements of this type can stand, counted from the start of where"))
        self.letters = Box(parent)
        for encoding in OF_STRINGS:
            self.letters.addItem(encoding.upper(), encoding)
        self.letters.addItem(self.tr("Held by opcodes"), OF_OPCODES)
        self.letters.setAccessibleName(self.tr("Letters of the strings"))
        self.least = QSpinBox(parent)
        self.least.setRange(1, MOST_LEAST)
        self.least.setValue(LEAST)
        self.least.setAccessibleName(self.tr("Least length in letters"))
        self.least.setToolTip(self.least.accessibleName())
        self.field.textChanged.connect(self.changed)
        self.form.currentIndexChanged.connect(self.changed)
        for box in (self.dtype, self.order, self.letters):
            box.currentIndexChanged.connect(self.changed)
        self.least.valueChanged.connect(self.changed)
        for switch in (self.cases, self.aligned):
            switch.toggled.connect(self.changed)
        for choice in (self.form, self.dtype, self.order, self.letters):
            # Some systems name a list by what is chosen in it.
            choice.setToolTip(choice.accessibleName())
        self.show_options()

    @property
    def options(self) -> tuple[QWidget, ...]:
        """All choices, those of other forms too."""
        return self.letters, self.least, self.cases, self.dtype, self.order, self.aligned

    @property
    def kind(self) -> str:
        """The chosen form: hex, expression, number, strings, or an encoding."""
        return str(self.form.currentData())

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.field.setFont(theme.mono())

    def show_options(self) -> None:
        """Show the choices of the form, and an example of what it takes."""
        kind = self.kind
        self.cases.setVisible(kind not in (HEX, NUMBER))
        for option in (self.dtype, self.order, self.aligned):
            option.setVisible(kind == NUMBER)
        self.letters.setVisible(kind == STRINGS)
        self.least.setVisible(kind == STRINGS)
        examples = {
            HEX: "80 02 ?? 71 4?",
            EXPRESSION: r"fc\d+\.(weight|bias)",
            NUMBER: "0.5, 0.4..0.6, 0.5 +- 0.01",
            STRINGS: self.tr("Only strings with this text"),
        }
        self.field.setPlaceholderText(examples.get(kind, self.tr("Find text")))

    def other_form(self) -> str:
        """The form that what is typed may be meant in, where that is another one; else ""."""
        if self.kind in ENCODINGS and reads_like_hex(self.field.text()):
            return HEX
        letters = self.kind == HEX and any(letter not in f"{hexdigits}?xX\\,:; " for letter in self.field.text())
        return ENCODINGS[0] if letters else ""

    def query(self) -> Query:
        """What is asked for. Raises QueryError."""
        text, kind = self.field.text(), self.kind
        if kind == HEX:
            return hex_query(text)
        if kind == EXPRESSION:
            return expression_query(text, ignore_case=self.cases.isChecked())
        if kind == NUMBER:
            big, aligned = bool(self.order.currentData()), self.aligned.isChecked()
            return number_query(text, self.dtype.currentText(), big=big, aligned=aligned)
        if kind == STRINGS:
            return self._strings(text)
        return text_query(text, kind, ignore_case=self.cases.isChecked())

    def _strings(self, text: str) -> Query:
        """Strings that hold a text, "" for all."""
        least, cases = self.least.value(), self.cases.isChecked()
        if self.letters.currentData() != OF_OPCODES:
            return strings_query(self.letters.currentData(), least, text, ignore_case=cases)
        pickles, encoding = self.pickles()
        return OpcodeStrings(pickles, least, text, ignore_case=cases, encoding=encoding)
