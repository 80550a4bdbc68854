"""The import report of a file as a text that people paste into an issue, and as JSON: names, places, calls, reasons.

Both are made while they are written: a file may name a million things.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

import viewer
from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.safety.accepted import accepted
from viewer.core.safety.listed import picklescan_version
from viewer.core.safety.report import Finding
from viewer.core.safety.rules import ORDER, Severity
from viewer.core.safety.uses import Use
from viewer.core.source import one_line, printable
from viewer.core.summary.answer_rows import answer_lines, answer_row, offset_text
from viewer.core.summary.import_facts import findings, import_row
from viewer.core.summary.prediction import predict
from viewer.wording import fill
from viewer.wording.imports import LEGEND, REPORT, USES, WEIGHTS_ONLY

MOST_USES: Final = 20
MOST_USES_JSON: Final = 1000
MOST_BLOCKERS: Final = 1000
STEP: Final = "imports"
ACCEPTED: Final = "accepted"
"""The reason that says what weights_only does, too."""
Owned = tuple[Document, Finding]


def report_text(document: Document, encoding: str, sha256: str, progress: Progress) -> Iterator[str]:
    """The lines of the report, each ended. Raises CancelledError."""
    every = owned_findings(document, progress)
    yield from _ended(_head(document, sha256, every))
    for number, (part, found) in enumerate(every):
        progress.step(STEP, number, len(every))
        yield from _ended(_entry(part, found, encoding or "utf-8"))
    yield from _ended(_loading(document, encoding or "utf-8", progress))
    yield f"\n{LEGEND}\n"


def report_json(document: Document, encoding: str, sha256: str, progress: Progress) -> Iterator[str]:
    """One JSON object in pieces: a line a name. Raises CancelledError."""
    every = owned_findings(document, progress)
    prediction = predict(document.content, encoding or "utf-8", progress)
    head = {
        "picklescope": viewer.__version__,
        "picklescan": picklescan_version() or None,
        "weights_only_names": {"torch": accepted().torch, "made": accepted().made},
        "file": {"name": _name(document), "size": document.source.size, "sha256": sha256 or None},
        "format": document.format,
        "totals": totals(every),
        "answers": [answer_row(document.content, answer) for answer in prediction.answers],
    }
    yield "{\n" + "".join(f"{json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items())
    yield '"imports": ['
    for number, (part, found) in enumerate(every):
        progress.step(STEP, number, len(every))
        row: dict[str, Any] = import_row(part, found, encoding or "utf-8", MOST_USES_JSON)
        yield ("," if number else "") + "\n" + json.dumps(row)
    yield "\n]\n}\n"


def owned_findings(document: Document, progress: Progress) -> list[Owned]:
    """The names of all documents of a file with the document of each, the worst first. Raises CancelledError."""
    rated: dict[Severity, list[Owned]] = {severity: [] for severity in sorted(ORDER, key=lambda each: ORDER[each])}
    for part in document.walk():
        for found in progress.each(findings(part, progress)):
            rated[found.severity].append((part, found))
    return list(chain.from_iterable(rated.values()))


def totals(every: list[Owned]) -> dict[str, int]:
    """How many names have each severity."""
    counted = Counter(found.severity for _, found in every)
    return {str(severity): counted[severity] for severity in Severity}


def _head(document: Document, sha256: str, every: list[Owned]) -> Iterator[str]:
    table = accepted()
    versions = {"version": viewer.__version__, "picklescan": picklescan_version(), "torch": table.torch}
    yield fill(REPORT["title"], {"name": _name(document)})
    yield fill(REPORT["versions"], {**versions, "made": table.made})
    yield fill(REPORT["size"], {"count": document.source.size, "format": document.format})
    yield fill(REPORT["sha256"], {"sha256": sha256}) if sha256 else REPORT["sha256-none"]
    yield fill(REPORT["totals"], {"count": len(every), **totals(every)})


def _entry(part: Document, found: Finding, encoding: str) -> Iterator[str]:
    """A known name in a few lines; of any other all its reasons and its first uses."""
    yield ""
    yield f"{found.severity}: {found.text}"
    row = found.row
    if row.mapped is not None and row.mapped != f"{row.module}.{row.name}":
        yield "  " + fill(REPORT["written-as"], {"name": f"{row.module}.{row.name}"})
    yield from (f"  {reason.text}" for reason in found.reasons)
    if not any(reason.code == ACCEPTED for reason in found.reasons):
        yield f"  weights_only=True: {WEIGHTS_ONLY['accepted' if found.accepted else 'refused']}"
    most = 2 if found.severity is Severity.KNOWN else MOST_USES
    uses = found.uses(most)
    yield from (f"  {_use(part, found, use, encoding)}" for use in uses)
    left = found.count() - len(uses)
    if left > 0:
        yield "  " + fill(REPORT["more-uses"], {"count": left})


def _use(part: Document, found: Finding, use: Use, encoding: str) -> str:
    """How it is used, where, and with what."""
    words = USES[f"{use.kind}, dropped" if use.dropped else str(use.kind)]
    where = offset_text(part, use.pickle, use.span.start)
    inside = fill(REPORT["document"], {"number": part.index, "how": part.how}) + ", " if part.parent is not None else ""
    text = found.use_text(use, encoding)
    return f"{words}: {inside}{where}" + (f"  {text}" if text else "")


def _loading(document: Document, encoding: str, progress: Progress) -> Iterator[str]:
    yield ""
    content = document.content
    for answer in predict(content, encoding, progress).answers:
        yield from answer_lines(content, answer, MOST_BLOCKERS)


def _name(document: Document) -> str:
    """The name of the file, without the folders of whoever made the report."""
    return printable(document.path.name) if document.path is not None else "-"


def _ended(lines: Iterator[str]) -> Iterator[str]:
    """Lines of which nothing that stands in a file breaks out."""
    return (f"{one_line(line)}\n" for line in lines)
