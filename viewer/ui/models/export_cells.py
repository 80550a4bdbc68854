"""The table of an export in cells: name in the file, name in the export, type, shape, bytes, and what is to be said."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QCoreApplication

from viewer.core.tensors import window
from viewer.core.tensors.tensor import Tensor
from viewer.ui.models.cells import Cell, Piece, mono, number, plain
from viewer.ui.models.export_rows import Names, Out, Outcome
from viewer.ui.words import count, said
from viewer.wording import QT_TRANSLATE_NOOP
from viewer.wording.exports import DROPPED

FEW: Final = 3


class Column(IntEnum):
    """The columns of the table."""

    TICK = 0
    NAME = 1
    RESULT = 2
    DTYPE = 3
    SHAPE = 4
    BYTES = 5
    NOTE = 6


TITLES: Final = (
    "",
    QT_TRANSLATE_NOOP("export", "Name in the file"),
    QT_TRANSLATE_NOOP("export", "Name in the export"),
    QT_TRANSLATE_NOOP("export", "dtype"),
    QT_TRANSLATE_NOOP("export", "Shape"),
    QT_TRANSLATE_NOOP("export", "Bytes"),
    QT_TRANSLATE_NOOP("export", "Note"),
)
OUT: Final = {
    Out.ROW: QT_TRANSLATE_NOOP("export", "unticked"),
    Out.GROUP: QT_TRANSLATE_NOOP("export", "its branch is unticked"),
    Out.ONLY: QT_TRANSLATE_NOOP("export", "not among Only"),
    Out.SKIP: QT_TRANSLATE_NOOP("export", "among Skip"),
}
WAITING, NOW, WRITTEN = range(3)
STATES: Final = {
    WAITING: (QT_TRANSLATE_NOOP("export", "waiting"), "", "muted"),
    NOW: (QT_TRANSLATE_NOOP("export", "writing"), "arrow", "accent"),
    WRITTEN: (QT_TRANSLATE_NOOP("export", "written"), "done", "done"),
}
ARROW: Final = "arrow"
CHANGED: Final = "accent"
"""The colour of what is other than in the file."""
translate: Final = QCoreApplication.translate


class ExportCells:
    """What the rows show. `outcome` is None as long as the form was not asked, or refused."""

    def __init__(self, names: Names, outcome: Outcome | None) -> None:
        """Looks at every row, so it is made off the GUI thread where there are many."""
        self.names = names
        self.outcome = outcome
        self.at: int | None = None
        """The number of the item that is being written; None before that."""
        self._others = outcome.others if outcome is not None else ()
        self._empty = frozenset(names.empty)
        self.clashing: Sequence[int] = sorted({*names.clashes, *names.empty})
        pairs = enumerate(zip(names.names, names.results, strict=True))
        self.changed: Sequence[int] = (
            outcome.changed if outcome is not None else [row for row, (old, new) in pairs if new and new != old]
        )
        left = outcome.left if outcome is not None else [row for row, why in enumerate(names.out) if why]
        self.left: Sequence[int] = [*left, *range(len(names.names), self.rows)]
        self.longest: tuple[str, str] = longest(names.names), longest(names.results)
        """The longest name in the file and in the export."""
        self._is_renamed = outcome is not None and len(outcome.plan.renamed) > len(outcome.plan.content.renamed)

    @property
    def has_notes(self) -> bool:
        """True where something is to be said of a row."""
        outcome = self.outcome
        said_of_types = outcome is not None and bool(outcome.types or outcome.kept)
        return bool(self.clashing or self.left) or said_of_types or self._is_renamed

    @property
    def rows(self) -> int:
        """The names, and behind them what is left out and has no row of its own."""
        return len(self.names.names) + len(self._others)

    def is_fault(self, row: int) -> bool:
        """True for a row that stands against the export."""
        return row in self.names.clashes or row in self._empty

    def is_in(self, row: int) -> bool:
        """True for a row that is ticked."""
        return row < len(self.names.names) and not self.names.out[row]

    def is_dropped(self, row: int) -> bool:
        """True for a row that is asked for, and that the form leaves out."""
        outcome = self.outcome
        return outcome is not None and self.is_in(row) and self.names.results[row] in outcome.dropped

    def state(self, row: int) -> int | None:
        """How far the writing of a row is: WAITING, NOW or WRITTEN; None where nothing of it is written."""
        outcome = self.outcome
        if self.at is None or outcome is None or row >= len(self.names.names):
            return None
        items = outcome.items.get(self.names.results[row], ()) if self.names.results[row] else ()
        places = [outcome.places[item.name] for item in items if item.name in outcome.places]
        if not places:
            return None
        return WAITING if self.at < min(places) else WRITTEN if self.at > max(places) else NOW

    def cell(self, row: int, column: int) -> Cell:
        """One cell."""
        if row >= len(self.names.names):
            return self._other(row - len(self.names.names), column)
        name, result = self.names.names[row], self.names.results[row]
        out = self.names.out[row]
        if column == Column.TICK:
            return self._tick(row)
        if column == Column.NAME:
            return Cell(
                (Piece(name, mono=True, color="muted" if out or self.is_dropped(row) else "text", cut="middle"),)
            )
        if column == Column.RESULT:
            return self._result(row, name, result)
        if column == Column.NOTE:
            return self._note(row, result)
        return self._facts(self.names.tensors.get(name), result, column, "muted" if out else "text")

    def _tick(self, row: int) -> Cell:
        """The person's choice stays where the form leaves a row out: another form may take it."""
        if not self.is_in(row):
            return Cell(icon="unticked", spoken=translate("export", "left out"))
        if self.is_dropped(row):
            return Cell(icon="ticked", spoken=translate("export", "left out"))
        return Cell(icon="ticked", icon_color=CHANGED, spoken=translate("export", "written"))

    def _result(self, row: int, name: str, result: str) -> Cell:
        if not result or self.is_dropped(row):
            return Cell()
        shown = self._written_name(result)
        if self.is_fault(row):
            return Cell(
                (Piece(result, mono=True, color="error", bold=True, cut="middle"),), icon=ARROW, icon_color="error"
            )
        if shown != name:
            return Cell(
                (Piece(shown, mono=True, color=CHANGED, bold=True, cut="middle"),), icon=ARROW, icon_color=CHANGED
            )
        return Cell((Piece(shown, mono=True, cut="middle"),), icon=ARROW)

    def _written_name(self, result: str) -> str:
        """The name as the form writes it; of a tensor that is taken apart the names of its parts."""
        items = self.outcome.items.get(result, ()) if self.outcome is not None else ()
        if not items:
            return result
        more = ", \u2026" if len(items) > FEW else ""
        return ", ".join(item.name for item in items[:FEW]) + more

    def _facts(self, tensor: Tensor | None, result: str, column: int, color: str) -> Cell:
        if tensor is None:
            return plain(translate("export", "no tensor"), "muted") if column == Column.DTYPE else Cell()
        if column == Column.SHAPE:
            return mono("[" + ", ".join(map(str, tensor.shape)) + "]", color)
        if column == Column.BYTES:
            return number(count(window.nbytes(tensor)), color)
        changed = self.outcome.types.get(result) if self.outcome is not None and result else None
        items = self.outcome.items.get(result, ()) if self.outcome is not None and result else ()
        if changed is None or len(items) != 1:
            return mono(tensor.dtype, "muted")
        pieces = (Piece(tensor.dtype, mono=True, color="muted"), Piece("\u2192", color="accent"))
        return Cell((*pieces, Piece(items[0].dtype, mono=True, color="accent")))

    def _note(self, row: int, result: str) -> Cell:
        names = self.names
        if row in names.clashes:
            other = names.names[names.clashes[row]]
            words = (
                Piece(translate("export", "same name as"), color="error"),
                Piece(other, mono=True, color="error", cut="middle"),
            )
            return Cell(words, icon="error", icon_color="error")
        if self.is_fault(row):
            return Cell(
                (Piece(translate("export", "the rules leave nothing of it"), color="error"),),
                icon="error",
                icon_color="error",
            )
        state = self.state(row)
        if state is not None:
            said_of_it, icon, color = STATES[state]
            return Cell((Piece(translate("export", said_of_it), color=color),), icon=icon, icon_color=color)
        if names.out[row]:
            return plain(translate("export", OUT[Out(names.out[row])]), "muted")
        return self._outcome_note(result) if self.outcome is not None else Cell()

    def _outcome_note(self, result: str) -> Cell:
        """What the form makes of a name that is asked for."""
        outcome = self.outcome
        if outcome is None:
            return Cell()
        dropped = outcome.dropped.get(result)
        if dropped is not None:
            return left_out_cell(said(DROPPED[dropped.reason], dropped.params))
        if result in outcome.kept:
            return plain(translate("export", "kept as a value"), "muted")
        items = outcome.items.get(result, ())
        changed = outcome.types.get(result)
        if changed is not None and (len(items) != 1 or changed.result != items[0].dtype):
            words = translate("export", "{source} is written as {result}").format(
                source=changed.source, result=changed.result
            )
            return Cell((Piece(words),), icon="info")
        if len(items) == 1 and items[0].name != result:
            return Cell(
                (Piece(translate("export", "the form cannot hold the name"), color="warning"),),
                icon="warning",
                icon_color="warning",
            )
        return Cell()

    def _other(self, at: int, column: int) -> Cell:
        """A row of what is left out and is none of the names."""
        dropped = self._others[at]
        if column == Column.TICK:
            return Cell(icon="unticked", spoken=translate("export", "left out"))
        if column == Column.NAME:
            return mono(dropped.name, "muted")
        return left_out_cell(said(DROPPED[dropped.reason], dropped.params)) if column == Column.NOTE else Cell()


def longest(names: Sequence[str]) -> str:
    """The name of most letters."""
    return max(names, key=len, default="")


def left_out_cell(reason: str) -> Cell:
    """Says that something is not written, and why."""
    words = translate("export", "left out: {reason}").format(reason=reason)
    return Cell((Piece(words, color="warning"),), icon="warning", icon_color="warning")
