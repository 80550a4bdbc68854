"""The end of a broken stream as a row behind its opcodes: numbered as the opcode that would come next."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

from viewer.core.document import Document, Pickle
from viewer.core.problem import Problem
from viewer.core.span import Span
from viewer.core.tensors.tensor import ValueRef
from viewer.session.selection import Selection
from viewer.ui.models.cells import Cell, Piece, number
from viewer.ui.models.opcode_cells import ARGUMENT, DEPTH, NAME, OFFSET
from viewer.ui.words import count, hexadecimal, of_problem, offset

_CODES: Final = {"pickle-cut": frozenset({"pickle-cut", "pickle-cut-line"})}
"""The Problems that a break may be told as, where they are not those of its own code."""


def rows_of(pickle: Pickle) -> int:
    """The opcodes of a stream, and the row of its break."""
    return len(pickle.code) + (pickle.code.broken is not None)


def is_break(pickle: Pickle, opcode: int) -> bool:
    """True for the number of the row of a break."""
    return opcode >= len(pickle.code)


def break_span(pickle: Pickle) -> Span:
    """The byte that a stream breaks at, as it is shown; empty where the stream just ends."""
    broken, size = pickle.code.broken, pickle.code.source.size
    at = broken.offset if broken is not None else pickle.code.stop
    return pickle.shown(Span(at, max(at, min(at + 1, size))))


def break_problem(document: Document | None, pickle: Pickle) -> Problem | None:
    """The Problem that tells why a stream breaks."""
    broken = pickle.code.broken
    if broken is None or document is None:
        return None
    codes = _CODES.get(broken.code, {broken.code})
    found = [problem for problem in document.problems if problem.code in codes]
    same = (problem for problem in found if problem.params.get("offset") == broken.offset)
    return next(same, found[0] if found else None)


def place_of(document: Document | None, selection: Selection) -> ValueRef | None:
    """The opcode of a selection; of the bytes that a stream breaks at its break."""
    pickles = document.pickles if document is not None else []
    if selection.opcode is not None:
        return selection.opcode if selection.opcode.pickle < len(pickles) else None
    for pickle in pickles:
        span = selection.span
        is_here = pickle.code.broken is not None and pickle.place == selection.source
        if is_here and span is not None and span.start == break_span(pickle).start:
            return ValueRef(pickle.index, len(pickle.code))
    return None


def break_cell(document: Document | None, pickle: Pickle, column: int, *, joined: bool = False) -> Cell:
    """A cell of the row of a break, by the columns of an opcode. `joined`: name and reason in one."""
    reason = Piece(_reason(document, pickle), color="error")
    if column == NAME:
        name = Piece(QCoreApplication.translate("Opcodes", "Break"), bold=True, color="error")
        return Cell((name, reason), tooltip=reason.text) if joined else Cell((name,))
    if column == ARGUMENT:
        return Cell((reason,), tooltip=reason.text)
    if column == OFFSET:
        return number(hexadecimal(break_span(pickle).start), "muted")
    if column == DEPTH:
        return number(count(pickle.code.depth_before(len(pickle.code))), "muted")
    return Cell()


def break_spoken(document: Document | None, pickle: Pickle) -> str:
    """What a screen reader is told of the row of a break."""
    name = QCoreApplication.translate("Opcodes", "Break")
    return f"{offset(break_span(pickle).start)} {name} {_reason(document, pickle)}".rstrip()


def _reason(document: Document | None, pickle: Pickle) -> str:
    problem = break_problem(document, pickle)
    return of_problem(problem).title if problem is not None else ""
