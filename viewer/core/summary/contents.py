"""Contents: a document as a tree, parts of the container and below them the objects of its pickles."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import cached_property
from itertools import accumulate
from typing import Final

from viewer.core.document import Document, SetValue
from viewer.core.objects.scalars import element, written
from viewer.core.objects.training import meaning
from viewer.core.span import Span
from viewer.core.summary import object_rows
from viewer.core.summary.document_rows import DocumentRows
from viewer.core.summary.part import Parts
from viewer.core.summary.parts import Part, Say, data, shape_text
from viewer.core.summary.set_parts import FILES
from viewer.core.summary.training import beside
from viewer.core.tensors import window
from viewer.core.tensors.many import of_values
from viewer.core.tensors.path import Path
from viewer.core.tensors.tensor import Tensor, ValueRef
from viewer.core.tree import PAGE, ROOT
from viewer.wording import rows as words
from viewer.wording.told import Told

Way = Callable[[int], int]
"""The number of a row under another by what it leads to."""
_MOST_SEARCHED: Final = 10_000
_MOST_KEPT: Final = 10_000
# The magic number of a legacy stream is known by its hexadecimal digits.
_LONGEST_MAGIC, _SHOWN_AS_DECIMAL = 32, 1 << 64


class Contents:
    """The rows of one document. Nodes are those of `tree`; the first row is the document itself.

    Rows are parts of the container, values of its pickles, or `internals` of a module. What lies in a child
    document has rows of its own, in the Contents of that document. `encoding`: of Python 2 strings.
    """

    def __init__(self, document: Document, encoding: str = "utf-8") -> None:
        self.document = document
        self.encoding = encoding or "utf-8"
        self.rows = DocumentRows(document, self.encoding)
        self.tree = self.rows.tree
        # Rows are drawn again and again, and some take a look at many values.
        self._kept: dict[int, tuple[Say, ...]] = {}
        self._sums = [_sums(document, pickle.index) for pickle in document.pickles]

    # -- a row ------------------------------------------------------------------------------------

    def label(self, node: int) -> Say:
        """The name of a row; of a page the numbers that it stands for."""
        page = self.tree.page(node)
        if page is not None:
            return data(Told(page[0], " … ", page[1] - 1))
        part = self.rows.part(node)
        if part is not None:
            return part.label
        if self.rows.is_internals(node):
            return Say(words.INTERNALS)
        parts = self.rows.own_path(node)
        value = self.rows.value(node)
        if parts or value is None:
            return data(object_rows.label_of(parts))
        return data(object_rows.root_label(self.rows.values_of(value), value.value, self.encoding))

    def details(self, node: int) -> tuple[Say, ...]:
        """What stands beside the name: shape and element type, class, number of entries, or the value itself."""
        found = self._kept.get(node)
        if found is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            found = self._kept[node] = self._details(node)
        return found

    def _details(self, node: int) -> tuple[Say, ...]:
        part, value = self.rows.part(node), self.rows.value(node)
        if self.tree.page(node) is not None or self.rows.is_internals(node):
            return ()
        tensor = self.tensor(node)
        if tensor is not None:
            return (*_element(tensor), *tensor_details(tensor), *self._meaning(node, value))
        if value is None:
            return part.details if part is not None else ()
        values = self.rows.values_of(value)
        if part is not None and values.code.length(value.value) < _LONGEST_MAGIC:
            plain = values.plain(value.value)
            if isinstance(plain, int) and plain > _SHOWN_AS_DECIMAL:
                return (data(f"0x{plain:x}"),)
        is_root = self.rows.is_outermost(node)
        known = self._meaning(node, value)
        return known or object_rows.details_of(values, value.value, self.encoding, is_root=is_root)

    def _meaning(self, node: int, value: ValueRef | None) -> tuple[Say, ...]:
        """What a part of a training state is: an optimizer, a schedule, random numbers."""
        if value is None:
            return ()
        found = meaning(
            self.rows.values_of(value),
            value.value,
            self.path(node),
            lambda number: next(iter(self.rows.tensors.get(ValueRef(value.pickle, number), ())), None),
            self.encoding,
        )
        sentence = beside(found)
        return () if sentence is None else (sentence,)

    def icon(self, node: int) -> str:
        """The name of the row's icon; "" for pages."""
        if self.tree.page(node) is not None:
            return ""
        if self.rows.is_internals(node):
            return "more"
        part, value = self.rows.part(node), self.rows.value(node)
        if part is not None and (value is None or part.icon != "pickle"):
            return part.icon
        if value is None or self.tensor(node) is not None:
            return "tensor"
        return object_rows.icon_of(self.rows.values_of(value), value.value, self.encoding)

    def size(self, node: int) -> int | None:
        """Bytes of a part; of a tensor its elements; of any other value the tensors that were made inside it."""
        part = self.rows.part(node)
        if part is not None:
            return part.size
        if self.tree.page(node) is not None or self.rows.is_internals(node):
            return None
        tensor = self.tensor(node)
        if tensor is not None:
            return window.stored_nbytes(tensor)
        value = self.rows.value(node)
        if value is None:
            return None
        return self._inner_bytes(value) or self._shared.get(self.path(node)) or None

    def state(self, node: int) -> str:
        """`missing` or `cut` for a tensor whose bytes are not all there, else ""."""
        tensor, part = self.tensor(node), self.rows.part(node)
        if part is not None and part.state:
            return part.state
        if tensor is None or window.complete(tensor):
            return ""
        return "cut" if window.available(tensor) else "missing"

    def span(self, node: int) -> Span | None:
        """The bytes of a row in the document's source: of a part, of a tensor's elements, of a value's opcodes."""
        part = self.rows.part(node)
        if part is not None:
            return part.span
        tensor = self.tensor(node)
        if tensor is not None:
            return None if tensor.member else window.span(tensor)
        value = self.value(node)
        if value is None:
            return None
        return self.document.pickles[value.pickle].in_document(self.rows.values_of(value).span(value.value))

    def value(self, node: int) -> ValueRef | None:
        """The value that a row stands for; of `internals` the module's, of a page that of the row above."""
        return self.rows.value(node)

    def tensor(self, node: int) -> Tensor | None:
        """The tensor that a row stands for; where a value is a tensor in several places, that of this place."""
        part = self.rows.part(node)
        if part is not None:
            return self.document.tensors[part.tensor] if part.tensor >= 0 else None
        value = self.rows.value(node)
        if value is None or self.tree.page(node) is not None or self.rows.is_internals(node):
            return None
        found = self.rows.tensors.get(value, [])
        if len(found) > 1:
            path = self.path(node)
            return next((tensor for tensor in found if tensor.path == path), found[0])
        return found[0] if found else None

    def child(self, node: int) -> Document | None:
        """The document inside this one, or inside a file of this set, that a row stands for."""
        part, other = self.rows.part(node), self.other(node)
        if other is not None:
            return other.document
        return self.document.children[part.child] if part is not None and part.child >= 0 else None

    def other(self, node: int) -> SetValue | None:
        """The value that is no tensor, of a set, that a row stands for."""
        part = self.rows.part(node)
        return self.document.others[part.other] if part is not None and part.other >= 0 else None

    def opens(self, node: int) -> bool:
        """True when there are rows under a row. Asked for a thousand rows at once, so it counts none where it can."""
        known = self.rows.may_open(node)
        return self.tree.count(node) > 0 if known is None else known

    # -- places -----------------------------------------------------------------------------------

    def path(self, node: int) -> Path:
        """The path of a value's row below the root of its pickle."""
        return tuple(part for above in self.tree.path_to(node) for part in self.rows.own_path(above))

    def crumbs(self, node: int) -> list[int]:
        """The rows that lead to a row, itself last; the document, pages and outermost values are left out."""
        return [
            above
            for above in self.tree.path_to(node)[1:]
            if self.tree.page(above) is None and not self.rows.is_outermost(above)
        ]

    def node_at_offset(self, offset: int) -> int | None:
        """The smallest row that owns a byte of the document's source, made on the way; None outside of it."""
        if not 0 <= offset < self.document.source.size:
            return None
        return self.tree.node_at(offset)

    def node_of_value(self, value: ValueRef) -> int | None:
        """The row of a value, or the smallest row that the opcode which made it belongs to."""
        node = self._pickle_node(value.pickle)
        while node is not None:
            number = self.rows.find_opcode(node, value.value)
            if number < 0:
                break
            node = self.tree.nth(node, number)
        return node

    def node_of_tensor(self, tensor: Tensor) -> int | None:
        """The row of a tensor; where a value stands in several places, the row of the tensor's own place."""
        row = self._node_of_number(tensor.index) if self.document.files else None
        if row is not None:
            return row
        if tensor.value is None:
            return self._part_node(self._record_start(tensor), lambda part: part.tensor == tensor.index)
        node = self.node_of_value(tensor.value)
        if node is None or self.path(node) == tensor.path:
            return node
        return self._node_of_path(tensor.value.pickle, tensor.path) or node

    def node_of_other(self, number: int) -> int | None:
        """The row of a value of a set that is no tensor."""
        return self._descend(lambda parts: parts.of_other, number, lambda part: part.other)

    def _node_of_number(self, number: int) -> int | None:
        """The row of a tensor of a set, in the list of all of them, or below the keys that lead to it."""
        return self._descend(lambda parts: parts.of_tensor, number, lambda part: part.tensor)

    def _descend(self, way: Callable[[Parts], Way | None], number: int, held: Callable[[Part], int]) -> int | None:
        """The row that holds a number, by the way to it that the parts know."""
        for node in self.tree.children(self.tree.child(ROOT, 0)):
            row = self._step_down(node, way, number)
            while row >= 0:
                node = self.tree.nth(node, row)
                row = self._step_down(node, way, number)
            part = self.rows.part(node)
            if part is not None and held(part) == number:
                return node
        return None

    def _step_down(self, node: int, way: Callable[[Parts], Way | None], number: int) -> int:
        """The row under a row that holds a number or leads to it; -1: none."""
        part = self.rows.part(node)
        found = way(part.children) if part is not None and part.children is not None else None
        return found(number) if found is not None else -1

    def node_of_member(self, name: str) -> int | None:
        """The row of a file of the set, under the row of all its files."""
        number = next((at for at, file in enumerate(self.document.files) if file.name == name), None)
        first = self.tree.child(ROOT, 0)
        for node in self.tree.children(first):
            part = self.rows.part(node)
            if part is not None and part.icon == FILES and number is not None:
                return self.tree.nth(node, number)
        return None

    def _pickle_node(self, number: int) -> int | None:
        """The row of a stream's outermost value: under the stream's row, or that row itself."""
        pickle = self.document.pickles[number]
        span = pickle.in_document(pickle.span())
        at = span.start if span is not None else self._start_of(pickle.record)
        node = self._part_node(at, lambda part: part.pickle == number or _next_row(part, number) >= 0)
        part = self.rows.part(node) if node is not None else None
        if part is None or node is None:
            return None
        if part.pickle != number:
            # Streams of an inflated record have no bytes here to be found by.
            node = self.tree.nth(node, _next_row(part, number) + self.rows.has_object(part))
            part = self.rows.part(node)
        return self.tree.nth(node, 0) if part is not None and self.rows.has_object(part) else node

    def _part_node(self, offset: int, wanted: Callable[[Part], bool]) -> int | None:
        """The row of a part that owns a byte, among those that lie around it; of one without bytes, among the first."""
        first = node = self.tree.child(ROOT, 0)
        while (part := self.rows.part(node)) is not None:
            if wanted(part):
                return node
            number = part.children.find(offset) if part.children is not None else -1
            if number < 0:
                break
            node = self.tree.nth(node, number + self.rows.has_object(part))
        for child in self.tree.children(first):
            part = self.rows.part(child)
            if part is not None and wanted(part):
                return child
        return None

    def _record_start(self, tensor: Tensor) -> int:
        storage = tensor.storage
        if storage is None:
            return -1
        return storage.span.start if storage.span is not None else self._start_of(storage.record)

    def _start_of(self, record: str) -> int:
        found = next((kept for kept in reversed(self.document.records) if kept.name == record), None)
        return found.data.start if found is not None else -1

    def _node_of_path(self, pickle: int, path: Path) -> int | None:
        """The row of a place, looked for entry by entry; None where a level has too many."""
        node = self._pickle_node(pickle)
        while node is not None and path:
            step = self._step(node, path)
            if step is None:
                return None
            number, length = step
            node, path = self.tree.nth(node, number), path[length:]
        return node

    def _step(self, node: int, path: Path) -> tuple[int, int] | None:
        """The row under a node that a path goes on with, and the parts that it takes."""
        start = 0
        for stretch in self.rows.stretches(node):
            for first in range(0, min(stretch.count, _MOST_SEARCHED), PAGE):
                entries = stretch.read(first, min(first + PAGE, stretch.count), self.encoding)
                for number, entry in enumerate(entries, start + first):
                    if entry.parts and path[: len(entry.parts)] == entry.parts:
                        return number, len(entry.parts)
            start += stretch.count
        return (start, 0) if self.rows.internals(node) else None

    def _inner_bytes(self, value: ValueRef) -> int:
        """Bytes of the tensors that were made by the opcodes of a value."""
        numbers, totals = self._sums[value.pickle]
        if not numbers:
            return 0
        first, last = self.rows.values_of(value).opcodes(value.value)
        return totals[bisect_right(numbers, last)] - totals[bisect_left(numbers, first)]

    @cached_property
    def _shared(self) -> dict[Path, int]:
        """Bytes of the tensors that stand in several places, below each container on the way to them."""
        found: dict[Path, int] = {}
        for tensors in self.rows.tensors.values():
            for tensor in tensors if len(tensors) > 1 else ():
                for length in range(len(tensor.path)):
                    above = tensor.path[:length]
                    found[above] = found.get(above, 0) + window.stored_nbytes(tensor)
        return found


def tensor_details(tensor: Tensor) -> tuple[Say, ...]:
    """Shape and element type; what cannot be read as plain elements says how it was made."""
    found = (data(shape_text(tensor.shape)), data(tensor.dtype))
    return (*found, *(data(text) for text in (tensor.note, tensor.member) if text))


def _element(tensor: Tensor) -> tuple[Say, ...]:
    """The number in a tensor without axes: steps and counters are kept so."""
    plain = element(tensor) if not tensor.shape else None
    return () if plain is None else (data(Told("= ", written(plain))),)


def _next_row(part: Part, number: int) -> int:
    """The row of a stream behind the first one of a record, among those of the record's `children`; -1: none."""
    way = part.children.of_pickle if part.children is not None else None
    return way(number) if way is not None else -1


def _sums(document: Document, pickle: int) -> tuple[list[int], list[int]]:
    """Numbers of the values of one stream that are tensors, ascending, and the bytes of all before each."""
    found = {
        tensor.value.value: window.stored_nbytes(tensor)
        for tensor in of_values(document.tensors)
        if tensor.value is not None and tensor.value.pickle == pickle
    }
    numbers = sorted(found)
    return numbers, [0, *accumulate(found[number] for number in numbers)]
