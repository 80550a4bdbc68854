"""Findings as the Source pane shows them: those of a class, the lines that they mark, the place each leads to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from viewer.core.code.files import STORED
from viewer.core.code.findings import Finding
from viewer.core.problem import Severity
from viewer.core.summary.classes import Classes, ClassRow

_RANK: Final = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}


@dataclass(frozen=True, slots=True)
class Line:
    """A line, from 1, of one of the texts of a class."""

    row: int
    text: int
    line: int


def of_class(findings: Iterable[Finding], row: ClassRow) -> tuple[Finding, ...]:
    """Those on objects of a class, and those on objects of other classes that stand in its text."""
    return tuple(found for found in findings if row.name in (found.class_name, found.text_of))


def worst_of(findings: Iterable[Finding]) -> Mapping[str, Severity]:
    """By the name of the class of the objects the worst that was found."""
    worst: dict[str, Severity] = {}
    for found in findings:
        kept = worst.get(found.class_name)
        if kept is None or _RANK[found.severity] > _RANK[kept]:
            worst[found.class_name] = found.severity
    return worst


def line_of(classes: Classes, found: Finding) -> Line | None:
    """Where the line of a finding stands; None where its text is not shown or no line is meant."""
    row = classes.row_of.get(found.text_of)
    if row is None or found.line is None:
        return None
    number = text_of(classes.rows[row], found.origin)
    if number is None:
        return None
    text = classes.rows[row].texts[number]
    line = found.line - text.line + 1
    return Line(row, number, line) if 0 < line <= text.text.count("\n") + 1 else None


def text_of(row: ClassRow, origin: str) -> int | None:
    """The text of a class that is checked: of several stored ones the last in the file, of several files the newest."""
    if origin == STORED:
        stored = [(max(text.codes), number) for number, text in enumerate(row.texts) if text.codes]
        return max(stored)[1] if stored else None
    return next((number for number, text in enumerate(row.texts) if text.origin == origin), None)


def marks_of(findings: Iterable[Finding], classes: Classes, row: int, number: int) -> Mapping[int, Severity]:
    """The lines of a text that findings are about, each with the worst of them."""
    marks: dict[int, Severity] = {}
    for found in findings:
        at = line_of(classes, found)
        if at is not None and (at.row, at.text) == (row, number):
            kept = marks.get(at.line)
            if kept is None or _RANK[found.severity] > _RANK[kept]:
                marks[at.line] = found.severity
    return marks
