"""The rows of a safetensors file: its header with an entry for each tensor, the tensors, and bytes of none."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from viewer.core.document import Document, Stated
from viewer.core.span import Span
from viewer.core.summary.part import Part, Parts, Say, data, region_part, shape_text, tensor_part
from viewer.core.tensors.tensor import Tensor
from viewer.wording import rows as words

LENGTH: Final = 8
METADATA: Final = "__metadata__"
LONGEST: Final = 60


def safetensors_parts(document: Document) -> Parts:
    """The header, then all tensors in the order of their bytes; those without bytes come last."""
    size = document.source.size
    rows = [row for row in document.tensors if row.storage is not None and row.storage.span is not None]
    rows.sort(key=lambda row: _start(row, size))
    behind = [region_part(region) for region in document.regions if region.kind in ("gap", "trailing")]
    base = min((_start(row, size) for row in rows), default=size)
    length = int.from_bytes(document.source.read(0, LENGTH), "little")
    head = _header(document, Span(0, min(LENGTH + length, size)))
    if not behind:
        starts = [0, *(_start(row, size) for row in rows)]
        return Parts(starts, lambda number: _tensor(rows[number - 1]) if number else head, max(size, base))
    parts = sorted([*map(_tensor, rows), *behind], key=lambda part: part.span.start if part.span is not None else size)
    starts = [0, *(part.span.start if part.span is not None else size for part in parts)]
    return Parts(starts, lambda number: parts[number - 1] if number else head, size)


def _start(tensor: Tensor, size: int) -> int:
    storage = tensor.storage
    if storage is None or storage.span is None or not storage.nbytes:
        return size
    return storage.span.start


def _tensor(tensor: Tensor) -> Part:
    label = data(tensor.name if tensor.name is not None else ".".join(map(str, tensor.path)))
    return tensor_part(tensor, label)


def _header(document: Document, whole: Span) -> Part:
    """The row of the header; its entries stand in the order of the file."""
    tensors = [tensor for tensor in document.tensors if tensor.stated is not None]
    starts = [tensor.stated.start for tensor in tensors if tensor.stated is not None]
    metadata = _metadata(document.metadata)
    at = -1
    if metadata is not None and metadata.span is not None:
        at = bisect_left(starts, metadata.span.start)
        starts.insert(at, metadata.span.start)

    def make(number: int) -> Part:
        if number == at and metadata is not None:
            return metadata
        return _entry(tensors[number - (0 <= at < number)])

    count = Say(words.ENTRIES, {"count": len(starts)})
    inner = Parts(starts, make, whole.stop) if starts else None
    return Part(Say(words.HEADER), "header", whole, (count,), whole.length, children=inner)


def _entry(tensor: Tensor) -> Part:
    """What the header says of one tensor."""
    span = tensor.stated
    details = (data(shape_text(tensor.shape)), data(tensor.note or tensor.dtype))
    label = data(tensor.name if tensor.name is not None else ".".join(map(str, tensor.path)))
    return Part(label, "header", span, details, span.length if span is not None else None)


def _metadata(pairs: Sequence[Stated]) -> Part | None:
    """The texts that the writer kept, each with its key."""
    spans = [pair.span for pair in pairs if pair.span is not None]
    if not spans:
        return None
    whole = Span(min(span.start for span in spans), max(span.stop for span in spans))

    def make(number: int) -> Part:
        pair = pairs[number]
        text = repr(pair.value)
        shown = text if len(text) <= LONGEST else text[: LONGEST - 1] + "\u2026"
        return Part(data(pair.key), "text", pair.span, (data(shown),), None)

    inner = Parts([span.start for span in spans], make, whole.stop)
    count = Say(words.ENTRIES, {"count": len(pairs)})
    return Part(data(METADATA), "dict", whole, (count,), None, children=inner)
