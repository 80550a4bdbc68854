"""Where a hit is, for people: worked out when it is drawn, since most hits never are."""

from __future__ import annotations

from viewer.core.document import Document
from viewer.core.search.base import NUMBER, TEXT, Hit
from viewer.core.search.roles import key_of
from viewer.core.span import Span
from viewer.core.tensors import window


def place_of(document: Document, hit: Hit, encoding: str = "utf-8") -> str:
    """What it belongs to, as text out of the file: the key above it, dtype and shape, the record that it stands in."""
    if hit.place:
        return hit.place
    if hit.tensor >= 0:
        tensor = document.tensors[hit.tensor]
        shape = "[" + ", ".join(map(str, tensor.shape)) + "]"
        return " ".join(part for part in (tensor.dtype, shape, tensor.member) if part)
    if hit.opcode is not None:
        pickle = document.pickles[hit.opcode.pickle]
        key = key_of(pickle.values, hit.opcode.value, encoding) if hit.kind in (TEXT, NUMBER) else ""
        return key or pickle.record
    if hit.code >= 0:
        source = document.sources[hit.code]
        return source.file or source.record
    return ""


def span_of(document: Document, hit: Hit) -> Span | None:
    """Its bytes in the source that the hit is shown in; None where it has none, or they are not known at once."""
    if hit.span is not None:
        return hit.span
    if hit.tensor >= 0:
        tensor = document.tensors[hit.tensor]
        return window.span(tensor) or next((window.span(part) for _, part in tensor.parts), None)
    if hit.opcode is not None:
        pickle = document.pickles[hit.opcode.pickle]
        return pickle.shown(pickle.code.span(hit.opcode.value))
    return None
