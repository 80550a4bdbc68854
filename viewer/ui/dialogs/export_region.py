"""Which bytes of a file are exported: all of them, a region by its start and length, or what a record holds."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import QCompleter, QGridLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from viewer.core.export.raw_bytes import region_of
from viewer.core.span import Span
from viewer.ui.measures import keep, keep_lengths
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import Box
from viewer.ui.widgets.name_fields import field, line_up, mark
from viewer.ui.words import count, offset

WHOLE, REGION, RECORD = range(3)


class RegionFields(QWidget):
    """`root`: what `Wanted.root` of the form bytes is. `fault`: why it cannot be used, "" when it can.

    changed: other bytes are meant.
        Signal()
    """

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._size = 0
        self.kind = Box()
        self.kind.setAccessibleName(self.tr("Which bytes"))
        self.kind.addItems([self.tr("All bytes of the file"), self.tr("A region"), self.tr("What a record holds")])
        self.start = field(theme, self.tr("First byte"), "0x1F4")
        self.length = field(theme, self.tr("Number of bytes"), "64")
        self.record = field(theme, self.tr("Record"), "data/0")
        self.start.setToolTip(self.tr("The offset of the first byte, decimal, or hexadecimal with 0x."))
        self.length.setToolTip(self.tr("How many bytes, decimal, or hexadecimal with 0x."))
        self.record.setToolTip(self.tr("The name of a record of the archive; deflated ones are unpacked."))
        self._names = QStringListModel(self)
        completer = QCompleter(self._names, self.record)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.record.setCompleter(completer)
        completer.activated.connect(lambda: self._took())
        self._rows = self._lines(theme)
        self.kind.currentIndexChanged.connect(self._took)
        for one in (self.start, self.length, self.record):
            one.textEdited.connect(self._took)
        keep(theme, self, "fields", RegionFields._line_up)
        self._show_kind()

    def _line_up(self, theme: Theme) -> None:
        del theme
        line_up(tuple(self._rows.values()))

    def _lines(self, theme: Theme) -> dict[QLineEdit, QLabel]:
        grid = QGridLayout()
        keep_lengths(theme, grid.setHorizontalSpacing, 8)
        keep_lengths(theme, grid.setVerticalSpacing, 6)
        grid.setColumnStretch(1, 1)
        found: dict[QLineEdit, QLabel] = {}
        rows = ((self.tr("From"), self.start), (self.tr("Bytes"), self.length), (self.tr("Record"), self.record))
        for row, (words, one) in enumerate(rows):
            found[one] = QLabel(words)
            found[one].setBuddy(one)
            grid.addWidget(found[one], row, 0)
            grid.addWidget(one, row, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, column.setSpacing, 8)
        column.addWidget(self.kind)
        column.addLayout(grid)
        return found

    def offer(self, size: int, records: Sequence[str], selected: Span | None) -> None:
        """What the file has. `selected`: bytes of it that are offered first."""
        self._size = size
        self._names.setStringList(list(records))
        self.kind.setItemText(WHOLE, self.tr("All bytes of the file: {0}").format(count(size)))
        if not records:
            self.kind.removeItem(RECORD)
        if selected is not None and selected.length:
            self.start.setText(offset(selected.start))
            self.length.setText(str(selected.length))

    def fields(self) -> list[QWidget]:
        """All that takes the keyboard, from the top down."""
        return [self.kind, self.start, self.length, self.record]

    @property
    def root(self) -> str:
        """The bytes as the command line names them, "" for all."""
        if self.kind.currentIndex() == REGION:
            return f"{self.start.text().strip()}+{self.length.text().strip()}"
        return self.record.text().strip() if self.kind.currentIndex() == RECORD else ""

    @property
    def fault(self) -> str:
        """What is wrong with what was typed."""
        if self.kind.currentIndex() == RECORD:
            return "" if self.root else self.tr("Write the name of a record.")
        if self.kind.currentIndex() == WHOLE:
            return ""
        region = region_of(self.root)
        if region is None:
            return self.tr("Write where the region begins and how many bytes it has, as 500 or 0x1F4.")
        if sum(region) > self._size:
            return self.tr("The region ends behind the file, which has {0} bytes.").format(count(self._size))
        return ""

    def _took(self) -> None:
        self._show_kind()
        self.changed.emit()

    def _show_kind(self) -> None:
        kind = self.kind.currentIndex()
        shown = {self.start: kind == REGION, self.length: kind == REGION, self.record: kind == RECORD}
        for one, is_shown in shown.items():
            one.setVisible(is_shown)
            self._rows[one].setVisible(is_shown)
        is_typed = bool(self.start.text().strip() and self.length.text().strip())
        for one in (self.start, self.length):
            mark(one, is_fault=kind == REGION and is_typed and bool(self.fault))
