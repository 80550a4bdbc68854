"""What a container names: records of archives, files of a set, and the texts that a header keeps beside the tensors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from typing_extensions import override

from viewer.core.document import Document
from viewer.core.search.base import KEY, RECORD, TEXT, Found, Hit, Look, Row, Searcher


class Records(Searcher):
    """One hit a record or file; of the texts of a header one for the key and one for what stands under it."""

    @override
    def look(self, document: Document, look: Look) -> Iterator[Found]:
        yield from look.listed(RECORD, (record.name for record in document.records), partial(_of_record, document))
        yield from look.listed(RECORD, (file.name for file in document.files), partial(_of_file, document))
        yield from look.listed(KEY, (stated.key for stated in document.metadata), partial(_of_stated, document, KEY))
        yield from look.listed(
            TEXT, (stated.value for stated in document.metadata), partial(_of_stated, document, TEXT)
        )


def _of_record(document: Document, row: Row) -> Hit:
    record = document.records[row.number]
    return Hit(RECORD, *row[1:], document.index, span=record.header or record.data)


def _of_file(document: Document, row: Row) -> Hit:
    return Hit(RECORD, *row[1:], document.index, member=document.files[row.number].name)


def _of_stated(document: Document, kind: str, row: Row) -> Hit:
    stated = document.metadata[row.number]
    place = stated.key if kind == TEXT else ""
    return Hit(kind, *row[1:], document.index, span=stated.span, place=place)
