"""The rows of a set of files: the files that it needs, and the tensors of the whole model by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from viewer.core.document import Document
from viewer.core.span import Span
from viewer.core.summary.nested_parts import LAST, nested_part
from viewer.core.summary.part import Part, Parts, Say, data, listed, region_part, shape_text
from viewer.core.tensors import window
from viewer.core.tensors.indexed import NOWHERE, IndexedTensors
from viewer.core.tensors.path import shown
from viewer.core.tensors.tensor import Tensor
from viewer.wording import rows as words

FILES: Final = "files"
"""The icon of the row of all files, whose rows are in the order of `Document.files`."""
MISSING: Final = "missing"
ENTRY: Final = "index-entry"
MAPS: Final = frozenset({ENTRY, "index-map"})


def set_parts(document: Document) -> list[Part]:
    """The files, and the tensors of a set that is not shown as the entries of an index."""
    found = [files_part(document)]
    if len(document.tensors) or document.others:
        found.append(nested_part(document) or _tensors_part(document))
    return found


def index_parts(document: Document, tensors: IndexedTensors) -> Parts:
    """The files, then the index: its entries, what stands around them, tensors that it does not name."""
    parts = [region_part(region) for region in document.regions if region.kind not in MAPS]
    if tensors.entry_count:
        parts.append(_entries_part(document, tensors))
    if tensors.beside:
        parts.append(_beside_part(document, tensors))
    rest = listed(parts)
    files = files_part(document)

    def make(number: int) -> Part:
        return rest.make(number - 1) if number else files

    return Parts([-1, *rest.starts], make, rest.stop)


def files_part(document: Document) -> Part:
    """All files of a set; those that are missing say so, and hold the names that stand in them."""
    children = {child.file: number for number, child in enumerate(document.children) if child.is_member}

    def make(number: int) -> Part:
        file = document.files[number]
        child = children.get(number, -1)
        if file.size is None:
            lost = _lost_parts(document, file.name)
            return Part(data(file.name), "archive", None, (Say(words.MISSING),), None, children=lost, state=MISSING)
        kind = document.children[child].format if child >= 0 else document.format if not number else ""
        details = (Say(words.FORMATS.get(kind, kind)),) if kind else ()
        return Part(data(file.name), "archive", None, details, file.size, child=child)

    count = Say(words.FILES, {"count": len(document.files)})
    below = Parts(range(LAST, LAST + len(document.files)), make, 0)
    return Part(Say(words.FILES_LABEL), FILES, None, (count,), document.whole_size, children=below)


def _lost_parts(document: Document, name: str) -> Parts | None:
    """The names that stand in a file that is missing, as far as they are known."""
    tensors = document.tensors
    if not isinstance(tensors, IndexedTensors) or name not in tensors.columns.names:
        return None
    entries = tensors.lost(tensors.columns.names.index(name))

    def make(number: int) -> Part:
        return entry_part(tensors, int(entries[number]))

    return Parts(range(LAST, LAST + len(entries)), make, 0) if len(entries) else None


def _entries_part(document: Document, tensors: IndexedTensors) -> Part:
    starts = tensors.entry_starts
    stop = int(tensors.columns.stops[-1])
    inner = Parts(starts, lambda number: entry_part(tensors, number, bool(document.files)), stop)
    inner.of_tensor = tensors.entry_of
    count = Say(words.ENTRIES, {"count": tensors.entry_count})
    whole = Span(starts[0], stop)
    return Part(data("weight_map"), "dict", whole, (count,), tensors.totals().nbytes, children=inner)


def entry_part(tensors: IndexedTensors, number: int, is_set: bool = True) -> Part:
    """The row of an entry: its tensor, or the name alone."""
    entry = tensors.entry(number)
    starts = tensors.entry_starts
    stop = starts[number + 1] if number + 1 < len(starts) else entry.span.stop
    owned = Span(entry.span.start, max(stop, entry.span.stop))
    if entry.tensor >= 0:
        return replace(_tensor(tensors[entry.tensor], data(entry.name), entry.span), owned=owned)
    if entry.file < 0:
        return Part(data(entry.name), "text", entry.span, (Say(words.REPEATED),), None, owned)
    file = data(tensors.columns.names[entry.file])
    details, state = ((Say(words.MISSING), file), MISSING) if is_set else ((file,), "")
    return Part(data(entry.name), "tensor", entry.span, details, None, owned, state=state)


def _beside_part(document: Document, tensors: IndexedTensors) -> Part:
    """Tensors of the files that the index does not name."""
    numbers = tensors.beside

    def of_tensor(number: int) -> int:
        return numbers.index(number) if number in numbers else NOWHERE

    part = _group(document, numbers)
    part.label = Say(words.UNLISTED)
    assert part.children is not None
    part.children.of_tensor = of_tensor
    return part


def _tensors_part(document: Document) -> Part:
    part = _group(document, range(len(document.tensors)))
    assert part.children is not None
    part.children.of_tensor = lambda number: number
    return part


def _group(document: Document, numbers: range) -> Part:
    def make(number: int) -> Part:
        tensor = document.tensors[numbers[number]]
        name = tensor.name if tensor.name is not None else shown(tensor.path)
        return _tensor(tensor, data(name), None)

    below = Parts(range(LAST, LAST + len(numbers)), make, 0)
    count = Say(words.ENTRIES, {"count": len(numbers)})
    return Part(Say(words.TENSORS), "dict", None, (count,), None, children=below)


def _tensor(tensor: Tensor, label: Say, span: Span | None) -> Part:
    details = (data(shape_text(tensor.shape)), data(tensor.dtype))
    return Part(label, "tensor", span, details, window.nbytes(tensor), tensor=tensor.index)
