"""The import report as a file: text for people, JSON for programs, as the suffix of the target says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from typing_extensions import override

from viewer.core.document import Document
from viewer.core.export.plan import Line
from viewer.core.export.text_form import TextExporter, TextPlan
from viewer.core.progress import Progress
from viewer.core.summary.file_hash import file_sha256
from viewer.core.summary.import_report import owned_findings, report_json, report_text, totals
from viewer.wording import QT_TRANSLATE_NOOP

JSON: Final = ".json"


class Imports(TextExporter):
    """Every name that the file asks for, with its reason and uses, and whether torch.load loads the file."""

    form: ClassVar[str] = "imports"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "Import report")
    summary: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "what loading would import and call, as .txt or .json")
    suffixes: ClassVar[tuple[str, ...]] = (".txt", JSON)

    @override
    def lines(self, document: Document, progress: Progress) -> Iterator[Line]:
        every = owned_findings(document, progress)
        yield Line("imports-report", {"count": len(every), **totals(every)})

    @override
    def texts(self, plan: TextPlan, suffix: str, progress: Progress) -> Iterator[str]:
        document, encoding = plan.document, plan.encoding
        sha256 = file_sha256(document, progress)
        form = report_json if suffix == JSON else report_text
        return form(document, encoding, sha256, progress)
