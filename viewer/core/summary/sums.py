"""The checksums of a document: every record read and held against what the archive states, named by its tensors.

With them goes what else is too much work for opening: the values of large tensors.
"""

from __future__ import annotations

from collections.abc import Iterable

from viewer.core.archive.checks import Sums, check_padding, check_sums
from viewer.core.archive.findings import Findings
from viewer.core.document import Document
from viewer.core.problem import Problem
from viewer.core.progress import Progress
from viewer.core.tensors.checks import large_value_problems, large_values
from viewer.core.tensors.path import shown


def has_sums(document: Document) -> bool:
    """True for archives that state checksums: a zip, of whatever kind. A tar states none of its contents."""
    return len(document.records) > 0 and document.records[0].crc is not None


def sums_size(document: Document) -> int:
    """Bytes that `check_document_sums` reads, about: those of the archive, and of large tensors it looks at."""
    values = large_values(document.tensors) if isinstance(document.tensors, list) else 0
    return values + (document.source.size if has_sums(document) else 0)


def check_document_sums(document: Document, progress: Progress) -> Sums:
    """Read all records of an archive, and the large tensors whose values must be of some kind.

    The document itself is not changed. Raises SourceError, CancelledError.
    """
    is_listed = isinstance(document.tensors, list)
    values = tuple(limited(large_value_problems(document.tensors, progress))) if is_listed else ()
    if not has_sums(document):
        return Sums(0, 0, values)
    names: dict[str, list[str]] = {}
    for tensor in document.tensors:
        if tensor.storage is not None and tensor.storage.record:
            names.setdefault(tensor.storage.record, []).append(tensor.name or shown(tensor.path) or "root")
    sums = check_sums(document.records, names, progress)
    padding = check_padding(document.source, document.records, progress)
    # that of an object was looked at when it was read
    told = {(problem.code, problem.span) for problem in document.problems}
    found = [problem for problem in sums.problems if (problem.code, problem.span) not in told]
    return Sums(sums.good, sums.unstated, (*found, *padding, *values))


def limited(problems: Iterable[Problem]) -> list[Problem]:
    """At most a hundred of a code, and how many more there were."""
    findings = Findings()
    for problem in problems:
        findings.add(problem)
    return findings.problems()
