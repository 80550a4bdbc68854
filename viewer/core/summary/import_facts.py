"""The import report of a file as rows for JSON, and as lines for people, the worst first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.safety.accepted import is_accepted
from viewer.core.safety.imports import find_imports
from viewer.core.safety.report import Finding, import_report, sorted_findings
from viewer.core.safety.rules import Severity
from viewer.core.safety.uses import Use, UseKind

Row = dict[str, Any]
MOST_USES: Final = 20
# Reasons that add nothing to the severity in a line.
_PLAIN: Final = frozenset({"accepted", "listed-known", "numpy", "python-type", "torch-class", "unlisted"})


def import_rows(
    document: Document, encoding: str = "", most: int = MOST_USES, progress: Progress | None = None
) -> Iterator[Row]:
    """One object a name of the document, in the order in which the names come first; `most` uses of each.

    Offsets count in the outermost file; None where the bytes were inflated. Raises CancelledError.
    """
    return (import_row(document, found, encoding or "utf-8", most) for found in findings(document, progress))


def import_row(document: Document, found: Finding, encoding: str, most: int) -> Row:
    """The object of one name."""
    row = found.row
    return {
        "document": document.index,
        "module": row.module,
        "name": row.name,
        "mapped": row.mapped,
        "severity": str(found.severity),
        "reason": found.reasons[0].code,
        "called": row.called,
        "count": row.count,
        "offset": outer_offset(document, row.pickle, row.span.start),
        "weights_only": "accepted" if found.accepted else "refused",
        "text": found.text,
        "reasons": [
            {"code": reason.code, "text": reason.text, "severity": str(reason.severity)} for reason in found.reasons
        ],
        "called_with": found.called_with(encoding),
        "use_count": found.count(),
        "uses": [_use_row(document, found, use, encoding) for use in found.uses(most)],
    }


def import_lines(document: Document, encoding: str = "") -> Iterator[str]:
    """Lines on the names of all documents of a file, the worst first."""
    every = [found for part in document.walk() for found in findings(part)]
    return finding_lines(sorted_findings(every), encoding)


def finding_lines(every: Iterable[Finding], encoding: str = "") -> Iterator[str]:
    """A line a name: severity, name, what is done with it; below it, further in, why it has that severity."""
    for found in every:
        done = _done(found, encoding or "utf-8")
        answer = "accepted" if found.accepted else "refused"
        yield f"  {found.severity}: {found.text}  {found.row.count:,} x  {done}  weights_only: {answer}"
        if found.reasons[0].code not in _PLAIN:
            yield from (f"    {reason.text}" for reason in found.reasons if reason.severity == found.severity)


def findings(document: Document, progress: Progress | None = None) -> list[Finding]:
    """The report on the pickles of one document. Raises CancelledError."""
    return import_report((pickle.values for pickle in document.pickles), progress)


def dangerous_calls(document: Document, encoding: str, progress: Progress) -> list[str]:
    """The names that a file and those inside it import and that are held to be dangerous, as they are called first."""
    every = (found for part in document.walk() for found in findings(part, progress))
    worst = [found for found in every if found.severity is Severity.DANGEROUS]
    return [as_used(found.text, next(iter(found.called_with(encoding)), "")) for found in worst]


def odd_calls(document: Document) -> list[str]:
    """What loading a file would call besides what torch itself needs; computed names are `?`."""
    asked = find_imports(pickle.values for part in document.walk() for pickle in part.pickles)
    odd = [row for row in asked if row.called and not (row.module and is_accepted(row.module, row.name or ""))]
    return list(dict.fromkeys(f"{row.module}.{row.name}" if row.module and row.name else "?" for row in odd))


def as_used(name: str, text: str) -> str:
    """A name with its arguments, or with what else is done with it."""
    return f"{name}: {text}" if text and not text.startswith("(") else name + text


def _done(found: Finding, encoding: str) -> str:
    texts = found.called_with(encoding)
    if found.count(UseKind.CHANGED):
        return f"changed: {texts[0]}"
    if found.count(UseKind.RESULT_CALLED):
        return f"its result is called: {texts[0]}"
    if not found.row.called:
        return "named"
    return f"called {texts[0]}" if texts else "called"


def _use_row(document: Document, found: Finding, use: Use, encoding: str) -> Row:
    return {
        "kind": str(use.kind),
        "pickle": use.pickle,
        "record": document.pickles[use.pickle].record,
        "opcode": use.opcode,
        "start": outer_offset(document, use.pickle, use.span.start),
        "stop": outer_offset(document, use.pickle, use.span.stop),
        "text": found.use_text(use, encoding),
        "dropped": use.dropped,
    }


def outer_offset(document: Document, pickle: int, offset: int) -> int | None:
    """An offset in a pickle's source as one in the outermost file; None where there is none."""
    shift = document.pickles[pickle].code.source.to_outer(0)
    return None if shift is None else shift + offset
