"""Would torch.load load it: one answer in a line, and below it a row for each thing that stops it, which is a link."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QPushButton, QVBoxLayout, QWidget

from viewer.core.summary.answers import Answer, Loads
from viewer.core.summary.blockers import Blocker
from viewer.ui.measures import keep_lengths, keep_rows
from viewer.ui.models.cells import Cell, Piece
from viewer.ui.models.table_model import RowsModel
from viewer.ui.theme import Theme
from viewer.ui.widgets.expectations import ExpectationLine, shown_params
from viewer.ui.widgets.rows import ROW, RowTable
from viewer.ui.words import count, said
from viewer.wording.blockers import ANSWERS, SHORT

FOLDED: Final = 4
MOST_ROWS: Final = 14
HEADER: Final = 30
WHERE: Final = 84
SIGNS: Final = {Loads.YES: "done", Loads.DEPENDS: "warning", Loads.NO: "error"}


class AnswerView(QWidget):
    """One answer.

    place_chosen: a row was clicked.
        Signal(pickle: int, opcode: int)
    """

    place_chosen = Signal(int, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.answer = Answer(True)
        self.line: ExpectationLine | None = None
        self._offsets: list[str] = []
        self._unfolded = False
        self.model = RowsModel([self.tr("What stops it"), self.tr("Where")], self._cell, frozenset({1}), self)
        self.table = RowTable(theme, self)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("What stops loading"))
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.horizontalHeader().setStretchLastSection(False)
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.clicked.connect(self._choose)
        self.table.activated.connect(self._choose)
        self.fold = QPushButton(self)
        self.fold.setProperty("link", True)
        self.fold.clicked.connect(self._turn)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, self._column.setSpacing, 4)
        self._column.addWidget(self.table)
        self._column.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignLeft)

    def show_answer(self, theme: Theme, answer: Answer, offsets: list[str]) -> None:
        """Show another one. `offsets`: where each blocker stands, "" for the file as a whole."""
        self.theme = theme
        self.answer, self._offsets = answer, offsets
        self._unfolded = False
        if self.line is not None:
            self._column.removeWidget(self.line)
            self.line.hide()
            self.line.deleteLater()
        sign = SIGNS[answer.loads]
        # Loading that runs what a file asks for has no green tick.
        sign = "note" if sign == "done" and not answer.weights_only else sign
        self.line = ExpectationLine(theme, (sign, said(ANSWERS[answer.code]), ""), self)
        self._column.insertWidget(0, self.line)
        self.table.setAccessibleDescription(self.line.accessibleName())
        self.table.set_theme(theme)
        self.table.setColumnWidth(1, theme.px(WHERE))
        self._lay_out()

    def words(self, blocker: Blocker) -> str:
        """What a blocker says."""
        return said(blocker.sentence, shown_params(blocker.params))

    def _lay_out(self) -> None:
        every = len(self.answer.blockers)
        rows = every if self._unfolded else min(every, FOLDED)
        self.model.set_rows(rows)
        self.table.setVisible(rows > 0)
        keep_rows(self.theme, self.table, min(rows, MOST_ROWS), ROW, HEADER)
        self.fold.setVisible(every > FOLDED)
        words = self.tr("Show fewer") if self._unfolded else self.tr("Show all {count}")
        self.fold.setText(words.format(count=count(every)))

    def _turn(self) -> None:
        self._unfolded = not self._unfolded
        self._lay_out()

    def _cell(self, row: int, column: int) -> Cell:
        blocker = self.answer.blockers[row]
        if column == 1:
            where = self._offsets[row]
            return Cell(
                (Piece(where or self.tr("the file"), mono=bool(where), color="accent" if where else "muted"),),
                right=True,
            )
        words = self.words(blocker)
        if blocker.code not in SHORT:
            return Cell((Piece(words),), tooltip=words)
        params = shown_params(blocker.params)
        often = [Piece(f"\u00d7\u202f{count(blocker.count)}", color="muted", small=True)] if blocker.count > 1 else []
        name = Piece(str(params["name"]), mono=True, cut="start")
        reason = Piece(said(SHORT[blocker.code], params), color="muted", small=True)
        return Cell((name, *often, reason), tooltip=words, spoken=words)

    def _choose(self, index: QModelIndex) -> None:
        blocker = self.answer.blockers[index.row()]
        if blocker.opcode >= 0:
            self.place_chosen.emit(blocker.pickle, blocker.opcode)
