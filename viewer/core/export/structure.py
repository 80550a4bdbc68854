"""The structure of a file as JSON, for programs that have no torch: objects, tensors, pickles and where bytes stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from typing_extensions import override

from viewer.core.document import Document
from viewer.core.export.base import STEP
from viewer.core.export.plan import Line
from viewer.core.export.text_form import TextExporter, TextPlan
from viewer.core.progress import Progress
from viewer.core.summary.rows.json_texts import Stream, json_texts
from viewer.core.summary.rows.structure import structure
from viewer.wording import QT_TRANSLATE_NOOP


class Structure(TextExporter):
    """One object with the keys of `inspect --json`, and `objects`: every value with the bytes that make it."""

    form: ClassVar[str] = "structure"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "Structure")
    summary: ClassVar[str] = QT_TRANSLATE_NOOP("wording", ".json, objects, tensors and where their bytes stand")
    suffixes: ClassVar[tuple[str, ...]] = (".json",)

    @override
    def lines(self, document: Document, progress: Progress) -> Iterable[Line]:
        documents = list(document.walk())
        facts = {
            "documents": len(documents),
            "pickles": sum(len(part.pickles) for part in documents),
            "tensors": sum(len(part.tensors) for part in document.holders()),
        }
        return [Line("structure", facts)]

    @override
    def texts(self, plan: TextPlan, suffix: str, progress: Progress) -> Iterator[str]:
        done = 0
        parts = structure(plan.document, plan.encoding, progress)
        for text in json_texts({name: announced(name, part, progress) for name, part in parts.items()}):
            progress.step(STEP, done)
            yield text
            done += len(text)
        yield "\n"


def announced(name: str, part: object, progress: Progress) -> object:
    """A part of the object; while a long one is written, the steps say which it is."""
    if not isinstance(part, Stream):
        return part
    make = part.make

    def rows() -> Iterator[object]:
        progress.at(name, 0, 0)
        yield from make()

    return Stream(rows)
