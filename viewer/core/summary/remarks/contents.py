"""Remarks on what the objects of a file are: tensors without elements, the pickles of other libraries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from viewer.core.document import Document, Pickle
from viewer.core.objects.content import mapping
from viewer.core.problem import Problem, note, warning
from viewer.core.span import Span
from viewer.core.tensors.tensor import Tensor

PADDLE: Final = "StructuredToParameterName@@"
MOST_KEYS: Final = 100_000
LEGACY_VERSION: Final = 1001
LONGEST: Final = 80
_SAVED: Final = frozenset({"torch-zip", "torch-legacy", "torch-tar", "safetensors"})


def emptiness(document: Document) -> Iterator[Problem]:
    """A checkpoint of which no tensor has an element. One empty tensor is an ordinary value."""
    tensors = document.tensors if document.format in _SAVED else ()
    if len(tensors) > 1 and all(map(is_hollow, tensors)):
        yield warning("tensors-all-empty", None, count=len(tensors))


def is_hollow(tensor: Tensor) -> bool:
    """True for a plain tensor without elements whose storage has none either."""
    has_bytes = tensor.storage is not None and tensor.storage.nbytes > 0
    return tensor.kind == "tensor" and not tensor.note and 0 in tensor.shape and not has_bytes


def foreign_pickle(document: Document) -> Iterator[Problem]:
    """A pickle of PaddlePaddle; one that has the parts of a legacy stream without its magic number."""
    pickle = document.main_pickle
    if document.format != "pickle" or pickle is None or pickle.values.root < 0:
        return
    values = pickle.values
    for section in mapping(values, values.root):
        entries = section.read(0, min(section.count, MOST_KEYS))
        if any(values.text(key) == PADDLE for key, _ in entries):
            document.detail = document.detail or "PaddlePaddle parameters"
            yield note("pickle-paddle", pickle.span(), name=PADDLE)
            return
    number, beside = root_number(pickle), (child.main_pickle for child in document.children if child.held is None)
    following = next(beside, None)
    if number is not None and following is not None and root_number(following) == LEGACY_VERSION:
        yield warning("legacy-magic", Span(0, pickle.code.stop), value=f"{number:#x}"[:LONGEST])


def root_number(pickle: Pickle) -> int | None:
    """The number of any length that a pickle is; None where it is none."""
    root = pickle.values.root
    plain = pickle.values.plain(root) if root >= 0 and pickle.values.is_atom(root) else None
    return plain if isinstance(plain, int) and not isinstance(plain, bool) else None
