"""Bytes of the file as they are: all of them, a region, or what a record holds (unpacked, where it is deflated)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from typing_extensions import override

from viewer.core.archive.inflated import InflatedSource
from viewer.core.document import Document
from viewer.core.errors import ExportError
from viewer.core.export.base import STEP
from viewer.core.export.plan import Content, Line, Plan
from viewer.core.export.selection import Wanted
from viewer.core.export.text_form import StreamExporter
from viewer.core.folder import listed
from viewer.core.progress import Progress
from viewer.core.source import ByteSource, printable
from viewer.core.span import Span
from viewer.wording import QT_TRANSLATE_NOOP

BLOCK: Final = 1 << 20
EMPTY: Final = Span(0, 0)
NUMBER: Final = r"0[xX][0-9A-Fa-f]{1,16}|[0-9]{1,19}"
HEX: Final = ("0x", "0X")
REGION: Final = re.compile(rf"({NUMBER})\+({NUMBER})")


@dataclass(frozen=True, slots=True)
class BytesPlan(Plan):
    """A plan of bytes: which, of what source."""

    source: ByteSource | None = None
    span: Span = EMPTY


class RawBytes(StreamExporter):
    """`root` says which bytes: `OFFSET+LENGTH`, the name of a record, or nothing for the whole file."""

    form: ClassVar[str] = "bytes"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "Bytes")
    summary: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "a region or a record as it is")
    suffixes: ClassVar[tuple[str, ...]] = (".bin",)
    regions: ClassVar[bool] = True

    @override
    def plan(self, document: Document, wanted: Wanted) -> Plan:
        if wanted.only or wanted.skip:
            raise ExportError("export-no-patterns", form=self.form)
        if wanted.without:
            raise ExportError("export-no-single-names", form=self.form)
        source, span, name = chosen(document, wanted.root)
        facts = {"count": span.length, "offset": span.start, "name": name}
        line = Line("bytes-of" if name else "bytes-at", facts)
        content = Content(wanted.root, ())
        return BytesPlan(self.form, document, content, nbytes=span.length, lines=(line,), source=source, span=span)

    @override
    def blocks(self, plan: Plan, path: Path, progress: Progress) -> Iterator[bytes]:
        if not isinstance(plan, BytesPlan) or plan.source is None:
            raise TypeError(f"a plan of the form {plan.form}")
        if isinstance(plan.source, InflatedSource):
            plan.source.prepare(progress)
        whole = plan.document.path
        progress.at(plan.title or (printable(whole.name) if whole is not None else ""), 0, 0)
        for start in range(plan.span.start, plan.span.stop, BLOCK):
            progress.step(STEP, start - plan.span.start, plan.span.length)
            length = min(BLOCK, plan.span.stop - start)
            data = plan.source.read(start, length)
            if len(data) != length:
                raise ExportError("source-cut", offset=start + len(data))
            yield data


def chosen(document: Document, root: str) -> tuple[ByteSource, Span, str]:
    """The bytes that are meant, and the name of their record, "" for a region. Raises ExportError."""
    size = document.source.size
    region = region_of(root)
    if region is not None or not root:
        start, length = region or (0, size)
        if start + length > size:
            raise ExportError("export-region-outside", root=root, size=size)
        return document.source, Span(start, start + length), ""
    for record in document.records:
        if root in (record.name, record.name.partition("/")[2]):
            if record.source is None:
                raise ExportError("export-record-unreadable", root=root)
            return record.source, Span(0, record.source.size), record.name
    names = listed([record.name for record in document.records])
    raise ExportError("export-record-missing" if names else "export-region-form", root=root, choices=names)


def region_of(root: str) -> tuple[int, int] | None:
    """Start and length of `OFFSET+LENGTH`; None for anything else."""
    region = REGION.fullmatch(root)
    return (number_in(region[1]), number_in(region[2])) if region is not None else None


def number_in(text: str) -> int:
    """A number of a region; zeros before it mean nothing."""
    return int(text, 16 if text.startswith(HEX) else 10)
