"""What owns a byte, for a tooltip, a list and a screen reader: an element by tensor and index, else its region."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.core.errors import ViewerError
from viewer.core.source import one_line
from viewer.core.tensors import window
from viewer.core.tensors.path import shown
from viewer.ui.models.byte_regions import owner_text
from viewer.ui.models.value_text import exact

if TYPE_CHECKING:
    from viewer.core.tensors.tensor import Tensor
    from viewer.session.session import Session


def owner_of(session: Session, offset: int) -> str:
    """The owner of a byte of what is shown: `fc.weight[6, 24], float32`, `BINUNICODE 'fc.weight'`, a region's label.

    Elements are named once the ties of the document are made; until then the region is.
    """
    document, place = session.document, session.selection.source
    if document is None:
        return ""
    tensor = _tensor_at(session, offset)
    if tensor is None:
        return owner_text(document, offset, place)
    element = window.element_at(tensor, offset)
    index = f"[{', '.join(map(str, element))}]" if element is not None else ""
    return one_line(f"{tensor.name or shown(tensor.path)}{index}, {tensor.dtype}")


def more_of(session: Session, offset: int) -> str:
    """Of an element its value and the region that it stands in; else nothing."""
    document, tensor = session.document, _tensor_at(session, offset)
    if document is None or tensor is None:
        return ""
    element = window.element_at(tensor, offset)
    try:
        value = exact(window.read(tensor, element)[()]) if element is not None else ""
    except (ViewerError, IndexError, ValueError):
        value = ""
    return "\n".join(part for part in (value, owner_text(document, offset)) if part)


def _tensor_at(session: Session, offset: int) -> Tensor | None:
    """The tensor whose element a byte is part of; None for all else."""
    document = session.document
    links = session.links_of(document.index, at_once=True) if document is not None else None
    if links is None or session.selection.source or links.pickle_at(offset, "") is not None:
        return None
    return links.tensor_at(offset)
