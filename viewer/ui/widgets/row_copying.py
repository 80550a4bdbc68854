"""The chosen rows of a table as lines of text for the clipboard, columns apart by tabs, as spreadsheets take them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication

from viewer.core.progress import Progress
from viewer.session.session import Session
from viewer.ui.models.table_model import RowsModel
from viewer.ui.widgets.rows import RowTable
from viewer.ui.words import count

COPYING: Final = "copying rows"
MOST: Final = 100_000
"""Rows that are copied at once."""


class RowCopying(QObject):
    """Copies of one table: by the keys of the window while the table has the keyboard, and in its menu.

    message: something to tell in a bar: severity word, title, sentence.
        Signal(severity: str, title: str, sentence: str)
    """

    message = Signal(str, str, str)

    def __init__(self, session: Session, table: RowTable, model: RowsModel) -> None:
        super().__init__(table)
        self._session, self._table, self._model = session, table, model
        action = QAction(self.tr("Copy rows"), table)
        action.triggered.connect(self.copy)
        table.addAction(action)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        # What is copied meanwhile, here or elsewhere, is not replaced by what was asked for before.
        QGuiApplication.clipboard().dataChanged.connect(self._forget)

    def commands(self) -> Mapping[str, Callable[[], None]]:
        """What the menus can ask for while the table has the keyboard."""
        if not self._table.hasFocus():
            return {}
        return {"edit.copy_hex": self.copy, "edit.copy_text": self.copy, "edit.select_all": self._table.selectAll}

    def copy(self) -> None:
        """Put the chosen rows on the clipboard: in a thread, since what stands in them is read for it."""
        chosen = self._table.selectionModel().selection()
        # Each of many rows as an index of its own would take longer than copying them.
        ranges = sorted((chosen.at(at).top(), chosen.at(at).bottom() + 1) for at in range(chosen.count()))
        rows = [row for first, stop in ranges for row in range(first, min(stop, first + MOST))][:MOST]
        if rows:
            done = partial(self._copied, len(rows), sum(stop - first for first, stop in ranges))
            self._session.jobs.start(COPYING, partial(lines, self._model, rows), done)

    def _forget(self) -> None:
        self._session.jobs.cancel(COPYING)

    def _copied(self, copied: int, wanted: int, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        if copied < wanted:
            words = self.tr("{copied} of {wanted} rows were copied; more do not fit on a clipboard.")
            words = words.format(copied=count(copied), wanted=count(wanted))
            self.message.emit("note", self.tr("Part was copied"), words)


def lines(model: RowsModel, rows: list[int], progress: Progress) -> str:
    """Rows of a model as text. Raises CancelledError."""
    found = []
    for row in rows:
        progress.check()
        found.append("\t".join(model.cell(row, column).text for column in range(model.columnCount())))
    return "\n".join(found)
