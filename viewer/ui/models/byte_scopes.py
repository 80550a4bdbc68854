"""Parts of a file that people name by what stands at the caret: the record, the storage, the tensor, the selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.core.tensors import window

if TYPE_CHECKING:
    from viewer.core.span import Span
    from viewer.session.session import Session


def scope_of(session: Session, scope: str, selected: Span) -> Span | None:
    """The bytes of a record, storage, tensor or selection in the source that is shown; None: there is none here."""
    source, document = session.shown_source, session.document
    if source is None:
        return None
    found = selected if scope == "selection" else None
    if document is not None and scope != "selection":
        found = _named(session, scope, selected.start)
    if found is None or not found.clipped(source.size).length:
        return None
    return found.clipped(source.size)


def _named(session: Session, scope: str, at: int) -> Span | None:
    document, place = session.document, session.selection.source
    if document is None:
        return None
    shown, place = document.at(place)
    if scope == "record":
        # The bytes of an inflated record are shown by themselves.
        records = (record.data for record in shown.records if at in record.data) if not place else ()
        return next(iter(records), None)
    number = session.selection.tensor
    tensor = document.tensors[number] if number is not None else None
    if tensor is None or place or tensor.storage is None:
        return None
    return window.span(tensor) if scope == "tensor" else tensor.storage.span
