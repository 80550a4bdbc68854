"""Remarks on how tensors lie on their storages, and on those that torch reads in another byte order than was meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from viewer.core.archive.zip_reader import names_of
from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.problem import Problem, Severity, warning
from viewer.core.tensors import window
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.uses import named, use_problems

RECORD: Final = "byteorder"
BIG: Final = "big"
# Of a tensor that cannot be read it is not known what it uses.
UNREAD: Final = frozenset({"storage-class-unknown", "tensor-arguments"})


def storage_uses(document: Document) -> Iterator[Problem]:
    """Tensors that are expanded or overlap, and bytes of storages that belong to none.

    Nothing is said of a set whose tensors are made only when they are looked at.
    """
    if isinstance(document.tensors, list):
        wrong = (problem.severity is Severity.ERROR or problem.code in UNREAD for problem in document.problems)
        yield from use_problems(document.tensors, not any(wrong))


def unswapped(document: Document) -> Iterator[Problem]:
    """Tensors over untyped storages of a big-endian archive, which torch takes for single bytes."""
    if document.format != "torch-zip" or document.byteorder != BIG or not _states_big(document):
        return
    wide = {name for name, kind in DTYPES.items() if kind.unit > 1}
    found = [
        tensor
        for tensor in document.tensors
        if tensor.storage is not None and tensor.storage.untyped and tensor.kind == "tensor" and tensor.dtype in wide
    ]
    if found:
        yield warning("tensor-unswapped", window.span(found[0]), **named(found))


def _states_big(document: Document) -> bool:
    """Whether the archive itself, and not the person, says so."""
    for number, name in enumerate(names_of(document.records)):
        source = document.records[number].source if name.rpartition("/")[2] == RECORD else None
        if source is not None:
            try:
                return source.read(0, len(BIG) + 1) == BIG.encode()
            except SourceError:
                return False
    return False
