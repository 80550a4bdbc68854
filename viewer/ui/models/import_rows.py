"""The import report of a file as rows for the window. Made off the GUI thread: a file may name a million things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.safety.report import Finding, sorted_findings
from viewer.core.safety.rules import Severity
from viewer.core.safety.uses import Use
from viewer.core.span import Span
from viewer.core.summary.import_facts import findings

MOST_USES: Final = 1000
MOST_DETAILED: Final = 10_000
ICONS: Final = {
    Severity.DANGEROUS: ("error", "error"),
    Severity.UNKNOWN: ("warning", "warning"),
    Severity.KNOWN: ("info", "muted"),
}
"""Icon and colour of each severity."""


@dataclass(frozen=True, slots=True)
class ImportRow:
    """One name of one document. `span`, `source`: where it is named first, in the bytes of that place."""

    document: Document
    found: Finding
    name: str
    called_with: str
    span: Span
    source: str

    @property
    def searched(self) -> str:
        """What the filter looks in."""
        return f"{self.found.severity} {self.name} {self.called_with}".lower()


@dataclass(frozen=True, slots=True)
class UseRow:
    """One use of a name, and what it is given."""

    use: Use
    span: Span
    source: str
    text: str


def import_rows(documents: Sequence[Document], encoding: str, progress: Progress) -> list[ImportRow]:
    """The rows of all documents of a file, the worst first. Raises CancelledError."""
    owners: dict[int, Document] = {}
    every: list[Finding] = []
    for document in documents:
        for found in findings(document, progress):
            owners[id(found)] = document
            every.append(found)
    rows = []
    for number, found in enumerate(sorted_findings(every)):
        progress.check()
        document = owners[id(found)]
        pickle = document.pickles[found.row.pickle]
        # Of very many names the texts of the first ones are made; the whole report has all.
        called = "  ".join(found.called_with(encoding)) if number < MOST_DETAILED else ""
        rows.append(ImportRow(document, found, found.text, called, pickle.shown(found.row.span), pickle.place))
    return rows


def use_rows(row: ImportRow, encoding: str) -> list[UseRow]:
    """The first thousand uses of a name."""
    made = []
    for use in row.found.uses(MOST_USES):
        pickle = row.document.pickles[use.pickle]
        made.append(UseRow(use, pickle.shown(use.span), pickle.place, row.found.use_text(use, encoding)))
    return made
