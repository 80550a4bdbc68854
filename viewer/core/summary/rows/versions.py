"""Versions of modules for `inspect`: rows of JSON, lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.summary.versions import conversions, sentence, stated_versions

Row = dict[str, Any]
STEP: Final = "versions"


def version_rows(document: Document, encoding: str, progress: Progress | None = None) -> Iterator[Row]:
    """The modules whose version is stored, or which torch's loader would convert, in all documents of a file.

    Raises CancelledError.
    """
    progress = progress or Progress()
    parts = list(document.walk())
    for number, part in enumerate(parts):
        progress.step(STEP, number, len(parts))
        for branch, row in progress.each(stated_versions(part, encoding or "utf-8")):
            yield {
                "document": part.index,
                "branch": branch,
                "module": row.path,
                "class": row.name,
                "stored": row.stored,
                "today": row.today,
                "code": row.code or None,
                "text": sentence(row.code, row.params) or None,
            }


def version_lines(document: Document, encoding: str) -> Iterator[str]:
    """What the loader would do, once for all modules of a state_dict with the same sentence, and all files of a set."""
    said: set[str] = set()
    for part in document.walk():
        for found in conversions(part, encoding or "utf-8"):
            names = ", ".join(name or "the root" for name in found.modules)
            more = f", and {found.count - len(found.modules):,} more" if found.count > len(found.modules) else ""
            where = f"{found.branch}: " if found.branch else ""
            line = f"  {found.severity}: {sentence(found.code, found.params)} [{where}{names}{more}]"
            if line not in said:
                said.add(line)
                yield line
