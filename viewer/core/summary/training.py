"""What a document keeps beside weights, in lines for people, and beside the rows of Contents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from viewer.core.document import Document
from viewer.core.objects.scalars import TensorOf
from viewer.core.objects.training import Meaning, lightning, progress, training_parts
from viewer.core.summary.part import Say
from viewer.core.tensors.path import Path, shown
from viewer.core.tensors.tensor import Tensor, ValueRef
from viewer.wording.training import TRAINING, TRAINING_AT

MOST: Final = 8
Row = tuple[Path, int, Meaning]
"""Where something stands, its value, and what it is."""


def say(found: Meaning) -> Say:
    """The sentence alone."""
    return Say(TRAINING[found.code], found.params)


def beside(found: Meaning | None) -> Say | None:
    """The sentence beside the name of a row; None for settings too, as those that show themselves say more."""
    return None if found is None or found.code == "settings" else say(found)


def tensors_by_value(document: Document, pickle: int) -> TensorOf:
    """The tensors of one stream by the numbers of their values."""
    known: dict[int, Tensor] = {}
    for tensor in document.tensors:
        if isinstance(tensor.value, ValueRef) and tensor.value.pickle == pickle:
            known.setdefault(tensor.value.value, tensor)
    return known.get


def training_rows(document: Document, encoding: str = "utf-8") -> Iterator[Row]:
    """All that is known in the main pickle, nearest to the root first. What the root itself says has the path ()."""
    pickle = document.object_pickle
    if pickle is None or pickle.values.root < 0:
        return
    values, tensor_of = pickle.values, tensors_by_value(document, pickle.index)
    for found in (lightning(values, encoding), progress(values, tensor_of, encoding)):
        if found is not None:
            yield (), values.root, found
    yield from training_parts(values, tensor_of, encoding)


def training_lines(document: Document, encoding: str = "utf-8", most: int = MOST) -> list[Say]:
    """Those in sentences with their places, at most so many."""
    return lines_of(training_rows(document, encoding), most)


def lines_of(rows: Iterable[Row], most: int = MOST) -> list[Say]:
    """The sentences of some rows, with their places, at most so many."""
    return [
        Say(TRAINING_AT[what.code], {**what.params, "title": shown(path)}) if path else say(what)
        for path, _, what in islice(rows, most)
    ]
