"""A tar that is no checkpoint itself: its records, and the files inside it."""

from __future__ import annotations

from typing import Final

from typing_extensions import override

from viewer.core.archive.tar_reader import read_tar
from viewer.core.document import Document
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import LazyRegions, archive_problem, open_records

NAME: Final = "tar"


class OtherTar(Format):
    """Each record that is a checkpoint, an array or another archive is a document of its own."""

    @override
    def score(self, context: Context) -> int:
        return 60 if context.guess.format == NAME else 0

    @override
    def parse(self, context: Context) -> Document:
        archive = read_tar(context.source, context.progress)
        document = Document(context.source, NAME, records=archive.records)
        open_records(document, archive, context)
        document.problems = [archive_problem(document, context.guess), *archive.problems]
        document.regions = LazyRegions(lambda: archive.regions)
        return document
