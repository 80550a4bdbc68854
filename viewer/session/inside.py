"""Files inside files: where one lies in the one around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from viewer.core.document import MEMBER, Document
from viewer.late import late
from viewer.session.selection import Selection

if TYPE_CHECKING:
    from viewer.core.summary.parts import child_span
else:
    (child_span,) = late("viewer.core.summary.parts", "child_span")

RECORD: Final = "record "


def name_inside(document: Document) -> str:
    """What a file inside another one is called there: the name of its record, or how it lies there."""
    return document.how.removeprefix(RECORD).removeprefix(MEMBER)


def is_named(document: Document) -> bool:
    """True where that name stands in the file."""
    return document.how.startswith((RECORD, MEMBER))


def around(documents: Sequence[Document], place: Selection) -> Selection | None:
    """The bytes that those of a place were unpacked or cut from; None where it stands in the file itself."""
    document = documents[place.document] if documents else None
    if document is None or (not place.source and document.parent is None):
        return None
    if document.member(place.source) is not None:
        return Selection(document.index)
    outer = document if place.source else documents[document.parent or 0]
    if outer is not document and document.held is not None:
        pickle = outer.pickles[document.held.pickle]
        held = pickle.shown(pickle.values.span(document.held.value))
        return Selection(outer.index, pickle.place, (child_span(outer, document) or held,))
    name = place.source or name_inside(document)
    span = child_span(outer, document) if outer is not document else None
    span = span or next((record.data for record in outer.records if record.name == name), None)
    return Selection(outer.index, spans=(span,) if span is not None else ())
