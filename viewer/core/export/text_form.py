"""Forms that are one stream: bytes of the file, or a text about it (a report, a listing). Derive from TextExporter."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from typing_extensions import override

from viewer.core.document import Document
from viewer.core.errors import ExportError
from viewer.core.export.atomic import check_space, check_target, whole_or_absent
from viewer.core.export.base import Exporter, check_unchanged, made_of
from viewer.core.export.plan import Content, Line, Plan, Report, Verdict
from viewer.core.export.selection import Wanted
from viewer.core.progress import Progress

BLOCK: Final = 1 << 20
VERIFY: Final = "verify"


@dataclass(frozen=True, slots=True)
class TextPlan(Plan):
    """A plan of such a form. `encoding`: of Python 2 texts."""

    encoding: str = ""


class StreamExporter(Exporter):
    """A form that is bytes one behind the other (`blocks`), the same ones each time they are asked for."""

    judge: ClassVar[str] = "stream"
    takes: ClassVar[str] = "file"
    by_suffix: ClassVar[bool] = False

    @abstractmethod
    def blocks(self, plan: Plan, path: Path, progress: Progress) -> Iterator[bytes]:
        """The content of the target, in pieces of about a MiB. Raises CancelledError, SourceError, ExportError."""

    @override
    def write(self, plan: Plan, path: Path, progress: Progress, overwrite: bool = False) -> Report:
        target = check_target(path, overwrite, made_of(plan, progress))
        check_space(target, plan.nbytes)
        with whole_or_absent(target, overwrite, progress) as file:
            for data in self.blocks(plan, target.place, progress):
                progress.check()
                file.write(data)
            nbytes = file.tell()
            check_unchanged(plan, progress)
        return Report(plan, path, nbytes)

    @override
    def verify(self, report: Report, progress: Progress) -> Verdict:
        try:
            with report.path.open("rb") as file:
                for data in self.blocks(report.plan, report.path, progress.silent()):
                    progress.step(VERIFY, file.tell(), report.nbytes)
                    if file.read(len(data)) != data:
                        return Verdict("text-differs", False)
                is_same = not file.read(1)
        except OSError as failure:
            return Verdict("text-unread", False, {"reason": failure.strerror or str(failure)})
        return Verdict("text-verified", True, {"nbytes": report.nbytes}) if is_same else Verdict("text-differs", False)


class TextExporter(StreamExporter):
    """It gives its text in pieces (`texts`); the suffix of the target tells in which form."""

    @abstractmethod
    def texts(self, plan: TextPlan, suffix: str, progress: Progress) -> Iterator[str]:
        """The text for a target of that suffix. Raises CancelledError, SourceError."""

    @abstractmethod
    def lines(self, document: Document, progress: Progress) -> Iterable[Line]:
        """What is said before anything is written. Raises CancelledError; ExportError where there is nothing."""

    @override
    def plan(self, document: Document, wanted: Wanted) -> Plan:
        if wanted.root or wanted.only or wanted.skip:
            raise ExportError("export-whole-only", form=self.form)
        if wanted.without:
            raise ExportError("export-no-single-names", form=self.form)
        lines = tuple(self.lines(document, wanted.progress))
        return TextPlan(self.form, document, Content("", ()), lines=lines, encoding=wanted.encoding)

    @override
    def blocks(self, plan: Plan, path: Path, progress: Progress) -> Iterator[bytes]:
        """The text in UTF-8; what is no UTF-8 is escaped."""
        waiting: list[str] = []
        size = 0
        if not isinstance(plan, TextPlan):
            raise TypeError(f"a plan of the form {plan.form}")
        for text in self.texts(plan, path.suffix.lower(), progress):
            waiting.append(text)
            size += len(text)
            if size >= BLOCK:
                yield "".join(waiting).encode("utf-8", "backslashreplace")
                waiting, size = [], 0
        yield "".join(waiting).encode("utf-8", "backslashreplace")
