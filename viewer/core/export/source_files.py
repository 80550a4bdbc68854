"""Stored sources as a folder of Python files that can be imported; torch's own beside them, for reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import ClassVar, Final

from typing_extensions import override

from viewer.core.code.compiling import compiler_fault
from viewer.core.code.embedded import EmbeddedSource
from viewer.core.code.files import SourceFile, SourcePlan, class_texts, is_torch, kept_texts, plan_sources
from viewer.core.code.findings import listed
from viewer.core.document import Document
from viewer.core.errors import ExportError
from viewer.core.export.changes import nothing_left
from viewer.core.export.folder import FolderExporter
from viewer.core.export.plan import Content, Dropped, Line, Plan, Report, Verdict
from viewer.core.export.selection import Wanted
from viewer.core.progress import Progress
from viewer.wording import QT_TRANSLATE_NOOP, fill
from viewer.wording.exports import DROPPED
from viewer.wording.phrases import phrase

STEP: Final = "verify-files"
OF_TORCH: Final = "as_stored"
FEW: Final = 5


@dataclass(frozen=True, slots=True)
class SourceFilesPlan(Plan):
    """A plan with the text of each file."""

    made: tuple[SourceFile, ...] = ()


class SourceFiles(FolderExporter):
    """One file a module, with what it has to import; texts that are no Python 3 are kept beside it."""

    form: ClassVar[str] = "source"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "Source files")
    summary: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "a folder of the stored classes as importable Python files")
    judge: ClassVar[str] = "python"
    takes: ClassVar[str] = "classes"

    @override
    def plan(self, document: Document, wanted: Wanted) -> Plan:
        sources = chosen(document, wanted)
        laid = plan_sources(class_texts(sources))
        every = class_texts(sources, own_only=False)
        of_torch = kept_texts([each for each in every if is_torch(each.module)], OF_TORCH)
        made = (*laid.files, *of_torch)
        without = [Dropped(each.name, "source-none") for each in sources if each.text is None]
        return SourceFilesPlan(
            self.form,
            document,
            Content("", ()),
            items=(),
            kept=(),
            dropped=tuple(without),
            converted=(),
            renamed=(),
            nbytes=sum(len(file.data) for file in made),
            needs="",
            files=tuple("/".join(file.path) for file in made),
            lines=tuple(lines_of(laid, len(of_torch))),
            made=made,
        )

    @override
    def files(self, plan: Plan, progress: Progress) -> Iterator[tuple[tuple[str, ...], bytes]]:
        for file in made_of_plan(plan):
            yield file.path, file.data

    @override
    def verify(self, report: Report, progress: Progress) -> Verdict:
        return read_back(report.path, made_of_plan(report.plan), progress)


def made_of_plan(plan: Plan) -> tuple[SourceFile, ...]:
    """The files of a plan of this form."""
    if not isinstance(plan, SourceFilesPlan):
        raise TypeError(f"a plan of the form {plan.form}")
    return plan.made


def chosen(document: Document, wanted: Wanted) -> list[EmbeddedSource]:
    """The classes whose sources are wanted. Raises ExportError where none is left."""
    if wanted.root:
        raise ExportError("source-of-branch", root=wanted.root)
    every = [source for part in document.walk() for source in part.sources]
    if not every:
        raise ExportError("source-nothing")
    stored = [source for source in every if source.text is not None]
    if not stored:
        raise ExportError("source-not-stored", count=len({source.name for source in every}))
    asked = [each for each in every if not wanted.only or fits(each.name, wanted.only)]
    names = list(dict.fromkeys(each.name for each in stored))
    if all(each.text is None for each in asked):
        raise ExportError("source-none-fits", patterns=", ".join(wanted.only), names=", ".join(names[:FEW]))
    fitting = [each for each in asked if not fits(each.name, wanted.skip)]
    if all(each.text is None for each in fitting):
        raise nothing_left(names, (), wanted.skip, frozenset())
    return fitting


def fits(name: str, patterns: Sequence[str]) -> bool:
    """True for a name that one of the patterns means."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def lines_of(laid: SourcePlan, of_torch: int) -> Iterator[Line]:
    """What is said before anything is written."""
    modules = sum(file.is_python and bool(file.classes) for file in laid.files)
    yield Line("source-classes", {"count": len(laid.placed), "files": modules})
    for each in laid.unusable:
        path = "/".join(each.path)
        reason = fill(DROPPED[each.reason], each.params)
        yield Line("source-kept", {"name": each.name, "path": path, "reason": reason})
    for name, names in laid.missing.items():
        yield Line("source-lacks", {"name": name, "names": listed(names)})
    if of_torch:
        yield Line("source-torch", {"count": of_torch, "folder": OF_TORCH})


def read_back(folder: Path, files: tuple[SourceFile, ...], progress: Progress) -> Verdict:
    """Whether all files stand there as they were made, and Python reads them. Their code is compiled, and not run."""
    count = 0
    for number, file in enumerate(files):
        progress.step(STEP, number, len(files))
        name = "/".join(file.path)
        try:
            data = folder.joinpath(*file.path).read_bytes()
        except OSError as failure:
            return Verdict("source-differs", False, {"name": name, "reason": failure.strerror or str(failure)})
        if data != file.data:
            return Verdict("source-differs", False, {"name": name, "reason": phrase("differs-bytes")})
        if file.is_python:
            count += 1
            fault = compiler_fault(data)
            if fault is not None:
                return Verdict("source-differs", False, {"name": name, "reason": fault.reason or fault.code})
    lacking = tuple(sorted({name for file in files for name in file.missing}))
    if lacking:
        return Verdict("source-lacking", True, {"count": count, "names": listed(lacking)})
    return Verdict("source-verified", True, {"count": count})
