"""Bookmarks: bytes that the person marked, with name, colour and note; a click goes there."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QIcon, QKeySequence, QPixmap, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.session.bookmarks import COLOURS, Bookmark
from viewer.session.session import Session
from viewer.ui.command_keys import KEY_NEWS, way_to
from viewer.ui.hexview.overlay import line_of
from viewer.ui.measures import keep_lengths
from viewer.ui.models.cells import Cell, mono, number, plain
from viewer.ui.models.table_model import RowsModel
from viewer.ui.pane import Pane
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import Box, IconButton
from viewer.ui.widgets.rows import RowTable
from viewer.ui.words import count, nbytes_of, offset

NAME, OFFSET, SIZE, NOTE = range(4)
SWATCH: Final = 12


class BookmarksPane(Pane):
    """A table, and under it the fields of the chosen bookmark."""

    key: ClassVar[str] = "bookmarks"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._marks: list[Bookmark] = []
        headers = [self.tr("Name"), self.tr("Offset"), self.tr("Size"), self.tr("Note")]
        self.model = RowsModel(headers, self._cell, frozenset({OFFSET, SIZE}), self)
        self.pages = QStackedWidget(self)
        body = QWidget(self.pages)
        self.table = RowTable(theme, body)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Bookmarks"))
        self.table.selectionModel().currentRowChanged.connect(self._moved)
        self.name, self.note = QLineEdit(body), QLineEdit(body)
        self.name.setPlaceholderText(self.tr("Name"))
        self.note.setPlaceholderText(self.tr("Note"))
        for field in (self.name, self.note):
            field.setAccessibleName(field.placeholderText())
        self.name.editingFinished.connect(lambda: self._change(name=self.name.text()))
        self.note.editingFinished.connect(lambda: self._change(note=self.note.text()))
        self.colour = Box(body)
        self.colour.setAccessibleName(self.tr("Colour"))
        self.colour.setToolTip(self.colour.accessibleName())
        self.colour.activated.connect(lambda: self._change(colour=self.colour.currentData()))
        self.remove = IconButton(theme, "close", self.tr("Remove this bookmark"), body)
        self.remove.clicked.connect(self._remove)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.table, self._remove)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        self.empty = QLabel(self.pages)
        keep_lengths(theme, self.empty.setMargin, 14)
        KEY_NEWS.changed.connect(self._tell_keys)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out(body)
        self._dress()
        session.bookmarks.changed.connect(self._show)
        self._show()

    def _lay_out(self, body: QWidget) -> None:
        fields = QHBoxLayout()
        keep_lengths(self.theme, fields.setContentsMargins, 12, 4, 8, 4)
        fields.addWidget(self.colour)
        fields.addWidget(self.name, 1)
        fields.addWidget(self.note, 2)
        fields.addWidget(self.remove)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table, 1)
        column.addLayout(fields)
        self.pages.addWidget(body)
        self.pages.addWidget(self.empty)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.pages)

    def _dress(self) -> None:
        px = self.theme.px
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Interactive)
        for column, width in ((NAME, 240), (OFFSET, 110), (SIZE, 110)):
            self.table.setColumnWidth(column, px(width))
        chosen = max(0, self.colour.currentIndex())
        self.colour.clear()
        names = (
            self.tr("Blue"),
            self.tr("Gold"),
            self.tr("Red"),
            self.tr("Green"),
            self.tr("Violet"),
            self.tr("Purple"),
            self.tr("Pink"),
        )
        for colour, words in zip(COLOURS, names, strict=True):
            swatch = QPixmap(px(SWATCH), px(SWATCH))
            swatch.fill(line_of(self.theme, colour))
            self.colour.addItem(QIcon(swatch), words, colour)
        self.colour.setCurrentIndex(chosen)
        self._tell_keys()

    def _tell_keys(self) -> None:
        title = self.tr("No bookmarks")
        sentence = self.tr("Press {keys} at a byte to keep its place.").format(keys=way_to("edit.bookmark"))
        self.empty.setText(f"<b>{html.escape(title)}</b><br>{html.escape(sentence)}")

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.table.set_theme(theme)
        self.remove.set_theme(theme)
        self._dress()
        self._fill()

    @override
    def focus_target(self) -> QWidget:
        return self.table if self._marks else self

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        return {}

    def _show(self) -> None:
        """Other bookmarks; the chosen one stays so, found by its bytes."""
        before = self._chosen()
        self._marks = list(self.session.bookmarks)
        self.model.set_rows(len(self._marks))
        self.badge_changed.emit(count(len(self._marks)) if self._marks else "")
        self.pages.setCurrentIndex(0 if self._marks else 1)
        places = [(mark.place, mark.span) for mark in self._marks]
        if before is not None and (before.place, before.span) in places:
            chooser = self.table.selectionModel()
            chooser.blockSignals(True)
            self.table.setCurrentIndex(self.model.index(places.index((before.place, before.span)), NAME))
            chooser.blockSignals(False)
        self._fill()

    def _chosen(self) -> Bookmark | None:
        row = self.table.currentIndex().row()
        return self._marks[row] if 0 <= row < len(self._marks) else None

    def _fill(self) -> None:
        """The fields show the chosen bookmark."""
        mark = self._chosen()
        for field, text in ((self.name, mark.name if mark else ""), (self.note, mark.note if mark else "")):
            if field.text() != text:
                field.setText(text)
        for part in (self.name, self.note, self.colour, self.remove):
            part.setEnabled(mark is not None)
        if mark is not None:
            self.colour.setCurrentIndex(COLOURS.index(mark.colour))

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        mark = self._marks[current.row()] if current.isValid() else None
        if mark is not None:
            self.session.select_bytes((mark.span,), self.key, mark.place)
        self._fill()

    def _change(self, **changes: str) -> None:
        mark = self._chosen()
        if mark is not None:
            self.session.bookmarks.change(mark, **changes)

    def _remove(self) -> None:
        mark = self._chosen()
        if mark is not None:
            self.session.bookmarks.remove(mark)

    def _cell(self, row: int, column: int) -> Cell:
        mark = self._marks[row]
        if column == NAME:
            return mono(mark.name)
        if column == OFFSET:
            return number(offset(mark.start))
        return number(nbytes_of(mark.span.length)) if column == SIZE else plain(mark.note, "muted")
