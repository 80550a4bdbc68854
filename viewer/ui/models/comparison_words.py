"""A row of a comparison in words and cells: its status, what differs, why it was not compared."""

from __future__ import annotations

from typing import Final

from viewer.core.comparing.comparison import Row, Status
from viewer.core.comparing.names import Suggestion
from viewer.core.comparing.outcome import Refused
from viewer.core.comparing.report import sentences, shape_text, suggestion_words
from viewer.core.comparing.sides import is_lost
from viewer.core.tensors.tensor import Tensor
from viewer.ui.models.cells import Cell, Piece, mono, number, plain
from viewer.ui.models.value_text import short
from viewer.ui.words import count, ended, of_failure, paragraph, said
from viewer.wording.comparing import HINTS, LOST, NOT_COMPARED, NOTES, OUTCOMES, STATUSES

ICONS: Final = {
    "equal": "done",
    "changed": "compare",
    "missing": "plus",
    "unexpected": "minus",
    "shape": "error",
    "dtype": "warning",
    "unknown": "warning",
    "pending": "recent",
}
COLORS: Final = {"shape": "error", "missing": "error", "unexpected": "error", "dtype": "warning", "unknown": "warning"}
MUTED: Final = ("equal", "pending")


def status_cell(row: Row) -> Cell:
    """Icon and word of a status."""
    key = row.status.value
    color = COLORS.get(key, "muted" if key in MUTED else "text")
    words = Piece(said(STATUSES[key]), color=color)
    return Cell((words,), ICONS[key], "accent" if key == "changed" else color, tooltip=said(HINTS[key]))


def side_cell(tensor: Tensor | None) -> Cell:
    """Shape and type of one side; a dash where it has none."""
    if tensor is None:
        return plain("\u2014", "muted")
    if is_lost(tensor):
        return plain(said(LOST), "warning")
    shape = Piece(shape_text(tensor.shape), mono=True, whole=True)
    return Cell((shape, Piece(tensor.dtype, mono=True, small=True, color="muted", whole=True)))


def name_cell(row: Row) -> Cell:
    """The name; both where they differ."""
    pair = row.pair
    if pair.a is None or pair.b is None or pair.name_a == pair.name_b:
        return mono(pair.name_a or pair.name_b)
    return Cell((Piece(pair.name_a, mono=True), Piece(f"\u2192 {pair.name_b}", mono=True, color="muted")))


def figure_cell(row: Row, what: str) -> Cell:
    """The largest or mean difference, or how many elements differ; empty where nothing is known."""
    found = row.differences
    if found is None or (what != "differing" and found.largest is None):
        return Cell()
    color = "text" if found.differing else "muted"
    if what == "differing":
        return number(f"{count(found.differing)} / {count(found.elements)}", color)
    value = found.largest if what == "largest" else found.mean
    return number(short(value) if value is not None else "", color)


def details(row: Row) -> str:
    """All that is known of a row, in whole sentences."""
    parts = [said(OUTCOMES[code], params) for code, params in sentences(row)]
    if isinstance(row.outcome, Refused):
        parts.append(refusal(row.outcome))
    elif row.differences is not None and row.differences.note:
        note = said(NOTES[row.differences.note])
        parts.append(ended(note[:1].upper() + note[1:]))
    return paragraph(*parts)


def refusal(outcome: Refused) -> str:
    """Why elements were not compared."""
    if outcome.failure is not None:
        return of_failure(outcome.failure)
    return ended(said(NOT_COMPARED[outcome.code], outcome.params))


def suggestion_text(found: Suggestion) -> str:
    """The sentence of a suggestion."""
    sentence, params = suggestion_words(found)
    return said(sentence, params)


def statuses() -> list[str]:
    """All of them, in the order in which rows are listed."""
    return [status.value for status in Status]
