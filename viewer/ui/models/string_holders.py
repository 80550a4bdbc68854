"""What holds a string that was found among the bytes: the opcode with its text and the keys above it, or a region."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from viewer.core.search.roles import trail
from viewer.core.search_bytes.opcode_strings import IS_TEXT
from viewer.core.source import one_line
from viewer.ui.models.byte_regions import region_at, region_words

if TYPE_CHECKING:
    from viewer.core.document import Document, Pickle

MOST: Final = 4096
"""Bytes of an opcode whose text is read as a whole."""


class Holder(NamedTuple):
    """`name`: of the opcode, or of the region. `path`: record and keys above it. `text`: "" where it is not read."""

    name: str
    path: str = ""
    text: str = ""


def holder_of(document: Document, offset: int, place: str, encoding: str) -> Holder:
    """What holds the byte at an offset. `encoding`: of Python 2 strings."""
    document, place = document.at(place)
    for pickle in document.pickles:
        row = pickle.code.at(offset - (pickle.base or 0)) if pickle.place == place else -1
        if row >= 0:
            return _of_opcode(pickle, row, encoding)
    region = region_at(document, offset) if not place else None
    return Holder(region_words(region) if region is not None else "")


def _of_opcode(pickle: Pickle, row: int, encoding: str) -> Holder:
    code = pickle.code
    record = [pickle.record] if pickle.record else []
    path = one_line(" › ".join([*record, *trail(pickle.values, row, encoding)]))
    if not IS_TEXT[code.codes[row]] or code.length(row) > MOST:
        return Holder(code.name(row), path)
    text = pickle.values.text(row, encoding)
    return Holder(code.name(row), path, str(code.argument(row) or "") if text is None else text)
