"""The checks of objects against the texts of their classes, for `inspect`: rows of JSON, lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from viewer.core.code.findings import Finding
from viewer.core.code.supplied import SuppliedFile
from viewer.core.document import Document
from viewer.core.summary.checks import check_document
from viewer.core.tensors.path import shown_short, to_json

Row = dict[str, Any]


def check_rows(document: Document, encoding: str, supplied: Sequence[SuppliedFile] = ()) -> Iterator[Row]:
    """What was found, in all documents of a file."""
    for part in document.walk():
        for found in _found(part, encoding, supplied):
            yield _row(part.index, found)


def _row(document: int, found: Finding) -> Row:
    return {
        "document": document,
        "code": found.code,
        "severity": str(found.severity),
        "class": found.class_name,
        "origin": found.origin or None,
        "line": found.line,
        "text_of": found.text_of or None,
        "text": found.text,
        "fix": found.fix or None,
        "count": found.count,
        "places": [to_json(path) for path in found.places],
        "params": {name: _param(value) for name, value in found.params.items()},
    }


def _param(value: object) -> object:
    if value is None or isinstance(value, bool | int | str):
        return value
    return [_param(part) for part in value] if isinstance(value, list | tuple) else str(value)


def _found(document: Document, encoding: str, supplied: Sequence[SuppliedFile]) -> list[Finding]:
    """Of several files that have a class the last one counts, as in a kit."""
    return check_document(document, supplied[::-1], encoding=encoding or "utf-8")


def check_lines(document: Document, encoding: str, supplied: Sequence[SuppliedFile] = ()) -> list[str]:
    """One line a finding, then the code that mends it."""
    lines: list[str] = []
    for part in document.walk():
        for found in _found(part, encoding, supplied):
            place = shown_short(found.places[0]) if found.places else ""
            where = f" [{place or 'root'}{f' and {found.count - 1:,} more' if found.count > 1 else ''}]"
            lines.append(f"  {found.severity}: {found.text}{where}")
            lines += [f"      {line}" for line in found.fix.splitlines()]
    return lines
