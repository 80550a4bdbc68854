"""A zip of a kind whose content is not read: its records, and the files inside a plain zip."""

from __future__ import annotations

from typing import Final

from typing_extensions import override

from viewer.core.archive.zip_reader import read_zip
from viewer.core.document import Document
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import LazyRegions, archive_problem, open_records
from viewer.core.formats.zip_reading import open_beside

PLAIN: Final = "zip"
KINDS: Final = frozenset({PLAIN, "keras"})


class OtherZip(Format):
    """Names and bytes of the records are shown; a sentence says what the archive is."""

    @override
    def score(self, context: Context) -> int:
        return 60 if context.guess.format in KINDS else 0

    @override
    def parse(self, context: Context) -> Document:
        guess = context.guess
        archive = read_zip(context.source, context.progress, context.options.most_unpacked, for_python=True)
        document = Document(context.source, guess.format, guess.detail, records=archive.records)
        if guess.format == PLAIN:
            open_records(document, archive, context)
            open_beside(document, archive, context)
        document.problems = [archive_problem(document, guess), *archive.problems]
        document.regions = LazyRegions(lambda: archive.regions)
        return document
