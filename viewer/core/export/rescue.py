"""Rescue: the tensors of a damaged file of which no byte is missing, as a state_dict, and what became of the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from viewer.core.document import Document
from viewer.core.errors import ChoiceError
from viewer.core.export.plan import Plan
from viewer.core.export.selection import Wanted
from viewer.core.export.state_dict import StateDict
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import missing_bytes

FORM = StateDict()
# functions that make tensors of a storage
PLAIN = "_rebuild_tensor"


class State(StrEnum):
    """What is left of a tensor."""

    WHOLE = "whole"
    CUT = "cut"
    MISSING = "missing"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Remains:
    """A tensor of a damaged file. `missing` of its `nbytes` bytes are not there."""

    tensor: Tensor
    state: State
    missing: int
    nbytes: int


def remains(document: Document) -> Iterator[Remains]:
    """What is left of each tensor of a file, those of documents inside it too."""
    for part in document.holders():
        for tensor in part.tensors:
            yield what_is_left(tensor)


def what_is_left(tensor: Tensor) -> Remains:
    """Of one tensor. Unknown: it has elements, and nothing tells how many bytes they take."""
    missing, nbytes = missing_of(tensor)
    if missing:
        return Remains(tensor, State.MISSING if missing == nbytes else State.CUT, missing, nbytes)
    # what has no bytes of its own says so: of parts, or by the function that makes it
    is_plain = tensor.storage is not None or tensor.note.startswith(PLAIN) or not (tensor.parts or tensor.note)
    is_unknown = is_plain and not nbytes and tensor.elements != 0
    return Remains(tensor, State.UNKNOWN if is_unknown else State.WHOLE, 0, nbytes)


def missing_of(tensor: Tensor) -> tuple[int, int]:
    """Bytes that are missing and all of them, those of the parts too where these are no pieces of its own storage."""
    found = [missing_bytes(tensor)]
    if tensor.storage is None or tensor.quantizer is not None:
        found += [missing_of(part) for _, part in tensor.parts]
    return sum(missing for missing, _ in found), sum(nbytes for _, nbytes in found)


def whole_tensors(document: Document) -> tuple[Tensor, ...]:
    """The tensors that have bytes, of their own or of their parts, and miss none."""
    return tuple(
        left.tensor
        for left in remains(document)
        if left.state is State.WHOLE and (left.tensor.storage is not None or left.tensor.parts)
    )


def left_behind(document: Document, plan: Plan) -> list[Tensor]:
    """The whole tensors that are no part of what is written."""
    names = {item.entry or item.name for item in plan.items}
    written = {id(tensor) for name, tensor in plan.content.entries if name in names}
    return [tensor for tensor in whole_tensors(document) if id(tensor) not in written]


def plan_rescue(document: Document, wanted: Wanted) -> Plan:
    """What a rescue writes: the state_dict of the file, or all of its tensors where it has several or none.

    Its `dropped` are the tensors of it that are not whole. Raises ExportError where nothing is.
    """
    try:
        return FORM.plan(document, wanted)
    except ChoiceError:
        every = tuple(tensor for part in document.holders() for tensor in part.tensors)
        return FORM.plan(document, Wanted(tensors=every, only=wanted.only, encoding=wanted.encoding))
