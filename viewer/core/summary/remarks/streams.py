"""Remarks on what the pickles of a document ask for: code objects, names that stand in no file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from viewer.core.document import Document, Pickle
from viewer.core.objects.content import shortened
from viewer.core.objects.names import global_name
from viewer.core.pickles.opcodes import codes
from viewer.core.problem import Problem, warning
from viewer.core.span import Span
from viewer.core.summary.object_rows import CODE_MAKERS

_EXTENSIONS: Final = sorted(codes("EXT1 EXT2 EXT4"))
MOST_NAMES: Final = 100_000
NAMED: Final = 6


def code_objects(document: Document) -> Iterator[Problem]:
    """Functions and classes that stand in a pickle with their code."""
    for pickle in document.pickles:
        values = pickle.values
        found: dict[str, int] = {}
        for row in values.globals(MOST_NAMES):
            name = global_name(values, row)
            if name in CODE_MAKERS:
                found.setdefault(name, row)
        if found:
            names = ", ".join(map(shortened, list(found)[:NAMED]))
            yield warning("pickle-code-object", _place(pickle, next(iter(found.values()))), names=names)


def extensions(document: Document) -> Iterator[Problem]:
    """Names that a stream gives as numbers of a table of copyreg, which no file holds."""
    for pickle in document.pickles:
        rows = np.flatnonzero(np.isin(pickle.code.codes, _EXTENSIONS))
        if len(rows):
            row = int(rows[0])
            yield warning(
                "pickle-extension", _place(pickle, row), value=str(pickle.code.argument(row)), count=len(rows)
            )


def _place(pickle: Pickle, row: int) -> Span | None:
    """The bytes of an opcode in the document's source; None where they stand in no part of it."""
    return pickle.in_document(pickle.code.span(row))
