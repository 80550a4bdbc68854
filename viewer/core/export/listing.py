"""The pickles of a file as readable statements, each with a head that tells where it stands. For reading only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

from typing_extensions import override

from viewer.core.document import Document, Pickle
from viewer.core.errors import ExportError
from viewer.core.export.plan import Line
from viewer.core.export.text_form import TextExporter, TextPlan
from viewer.core.objects.listing import make_listing
from viewer.core.progress import Progress
from viewer.core.source import one_line, printable
from viewer.wording import QT_TRANSLATE_NOOP, fill
from viewer.wording.listing import COMMENTS, HEADER

STEP: Final = "listing"
PIECE: Final = 1024
"""Lines that are made before the work can be stopped."""


class ListingForm(TextExporter):
    """All pickles of the file and of the documents in it, in their order."""

    form: ClassVar[str] = "listing"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "Listing of the pickles")
    summary: ClassVar[str] = QT_TRANSLATE_NOOP(
        "wording", "what the pickles ask for as Python-like statements, for reading"
    )
    suffixes: ClassVar[tuple[str, ...]] = (".py",)

    @override
    def lines(self, document: Document, progress: Progress) -> Iterable[Line]:
        found = pickles_of(document)
        if not found:
            raise ExportError("listing-nothing")
        return [Line("listing", {"count": len(found), "opcodes": sum(len(pickle.code) for _, pickle in found)})]

    @override
    def texts(self, plan: TextPlan, suffix: str, progress: Progress) -> Iterator[str]:
        found = pickles_of(plan.document)
        name = printable(plan.document.path.name) if plan.document.path is not None else ""
        yield from (f"# {one_line(fill(line, {'name': name}))}\n" for line in HEADER)
        for number, (document, pickle) in enumerate(found):
            progress.at(printable(pickle.record or document.how), 0, 0)
            yield f"\n# {head(document, pickle, number, len(found))}\n\n"
            yield from _statements(pickle, plan.encoding or "utf-8", progress)


def pickles_of(document: Document) -> list[tuple[Document, Pickle]]:
    """All pickles with opcodes, each with its document."""
    return [(part, pickle) for part in document.walk() for pickle in part.pickles if len(pickle.code)]


def head(document: Document, pickle: Pickle, number: int, total: int) -> str:
    """Where a pickle stands, in one line: in the file, or in the unpacked record. What the file states is escaped."""
    places = [document.how, pickle.record, pickle.role]
    facts = {
        "number": number + 1,
        "total": total,
        "record": "".join(f"{ascii(place)[1:-1]}, " for place in places if place),
        "offset": pickle.shown(pickle.span()).start + (document.offset or 0),
        "protocol": pickle.code.protocol,
    }
    return one_line(fill(COMMENTS["pickle"], facts))


def _statements(pickle: Pickle, encoding: str, progress: Progress) -> Iterator[str]:
    listing = make_listing(pickle.values, encoding, progress)
    for first in range(0, len(listing), PIECE):
        progress.step(STEP, first, len(listing))
        yield "".join(f"{listing.text(line)}\n" for line in range(first, min(first + PIECE, len(listing))))
