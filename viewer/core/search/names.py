"""Names and paths of tensors; of a set those of the whole model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from typing_extensions import override

from viewer.core.document import Document
from viewer.core.search.base import KEY, NAME, Found, Hit, Look, Row, Searcher
from viewer.core.tensors.columns import name_of
from viewer.core.tensors.many import ManyTensors
from viewer.core.tensors.tensor import Tensor

AT_ONCE: Final = 2048


class Names(Searcher):
    """One hit a tensor, and one for each value of a set that stands in a file by itself."""

    @override
    def look(self, document: Document, look: Look) -> Iterator[Found]:
        if document.is_member:
            # Its tensors are those of the set.
            return
        for first, names in tensor_names(document.tensors):
            look.step()
            yield from look.block(NAME, range(first, first + len(names)), names, partial(_of_tensor, document))
        yield from look.listed(KEY, (other.name for other in document.others), partial(_of_other, document))


def tensor_names(tensors: Sequence[Tensor], begin: int = 0) -> Iterator[tuple[int, list[str]]]:
    """What tensors are called from one of them on, in blocks; very many are not made for it."""
    for first in range(begin, len(tensors), AT_ONCE):
        stop = min(first + AT_ONCE, len(tensors))
        if isinstance(tensors, ManyTensors):
            yield first, tensors.names(first, stop)
        else:
            yield first, [name_of(tensor) for tensor in tensors[first:stop]]


def _of_tensor(document: Document, row: Row) -> Hit:
    return Hit(NAME, *row[1:], document.index, tensor=row.number)


def _of_other(document: Document, row: Row) -> Hit:
    other = document.others[row.number]
    if other.span is None or document.member(other.member) is None:
        return Hit(KEY, *row[1:], document.index, member=other.member, place=other.member)
    return Hit(KEY, *row[1:], document.index, span=other.span, source=other.member, place=other.member)
