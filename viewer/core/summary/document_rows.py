"""The rows of a document's tree: parts of its container, values of its pickles, machinery of its modules."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from viewer.core.document import Document, Pickle
from viewer.core.objects.content import elements
from viewer.core.objects.places import OBJECTS
from viewer.core.pickles.values import Kind, Values
from viewer.core.summary import object_rows
from viewer.core.summary.object_rows import Entry, Stretch
from viewer.core.summary.parts import Part, child_part, document_part
from viewer.core.tensors.many import of_values
from viewer.core.tensors.path import Path
from viewer.core.tensors.tensor import Tensor, ValueRef
from viewer.core.tree import ROOT, Row, Tree

PART, VALUE, INTERNALS = 0, 1, 2
# Deeper than any real object: rows below are made when a person opens them, not to find a byte.
DEEPEST: Final = 200
CONTAINERS: Final = frozenset({Kind.LIST, Kind.DICT, Kind.SET, Kind.FROZENSET, Kind.TUPLE})
# Streams whose value is shown in the row of the stream itself: they only serve the container.
FOLDED: Final = frozenset(
    {
        "magic number",
        "protocol version",
        "system info",
        "storage keys",
        "number of storages",
        "number of tensors",
        "views",
    }
)


class DocumentRows:
    """Makes the rows of `tree`. Payloads are numbers of parts, or rows of the columns of values."""

    def __init__(self, document: Document, encoding: str) -> None:
        self.document, self.encoding = document, encoding
        self.tree = Tree(self)
        self.tensors: dict[ValueRef, list[Tensor]] = {}
        for tensor in of_values(document.tensors):
            if tensor.value is not None:
                self.tensors.setdefault(tensor.value, []).append(tensor)
        self._held: dict[ValueRef, list[int]] = {}
        for number, child in enumerate(document.children):
            if child.held is not None:
                self._held.setdefault(child.held, []).append(number)
        self._parts: list[Part] = [document_part(document)]
        self._pickles = array("q")
        self._values = array("q")
        self._paths: list[Path] = []
        self._stretches: dict[int, list[Stretch]] = {}
        self._internals: dict[int, list[Stretch]] = {}

    # -- what a node is ---------------------------------------------------------------------------

    def part(self, node: int) -> Part | None:
        """The part of the container that a node stands for."""
        is_part = node > ROOT and self.tree.page(node) is None and self.tree.kinds[node] == PART
        return self._parts[self.tree.payloads[node]] if is_part else None

    def is_internals(self, node: int) -> bool:
        """True for the row that holds the machinery of a module."""
        return node > ROOT and self.tree.page(node) is None and self.tree.kinds[node] == INTERNALS

    def value(self, node: int) -> ValueRef | None:
        """The value whose rows stand under a node; of `internals` the module."""
        node = self.tree.owner(node)
        part = self.part(node)
        if part is not None:
            pickle = self.folded(part)
            return ValueRef(pickle.index, pickle.values.root) if pickle is not None else None
        if node <= ROOT:
            return None
        row = self.tree.payloads[node]
        return ValueRef(self._pickles[row], self._values[row])

    def own_path(self, node: int) -> Path:
        """What the path of a value's row adds to that of the row above; () for all other rows."""
        is_value = node > ROOT and self.tree.page(node) is None and self.tree.kinds[node] == VALUE
        return self._paths[self.tree.payloads[node]] if is_value else ()

    def is_outermost(self, node: int) -> bool:
        """True for the row of a stream's outermost value."""
        is_value = node > ROOT and self.tree.page(node) is None and self.tree.kinds[node] == VALUE
        return is_value and not self._paths[self.tree.payloads[node]]

    def values_of(self, value: ValueRef) -> Values:
        """The values of the stream that a value stands in."""
        return self.document.pickles[value.pickle].values

    def folded(self, part: Part) -> Pickle | None:
        """The stream whose value is shown in its part's own row."""
        pickle = self.document.pickles[part.pickle] if part.pickle >= 0 else None
        return pickle if pickle is not None and pickle.role in FOLDED and pickle.values.root >= 0 else None

    def has_object(self, part: Part) -> bool:
        """True when the first row under a part is the outermost value of its stream."""
        return part.pickle >= 0 and self.folded(part) is None and self.document.pickles[part.pickle].values.root >= 0

    # -- the provider of the tree -----------------------------------------------------------------

    def count(self, node: int) -> int:
        """Rows under a node."""
        if node == ROOT:
            return 1
        part = self.part(node)
        if part is not None and self.folded(part) is None:
            return self.has_object(part) + (part.children.count if part.children is not None else 0)
        rows = sum(stretch.count for stretch in self.stretches(node)) + bool(self.internals(node))
        return rows + len(self._held_in(node))

    def _held_in(self, node: int) -> list[int]:
        """The files that the value of a row holds in its bytes or its text: numbers of children."""
        value = self.value(node) if self._held and node > ROOT and self.tree.kinds[node] == VALUE else None
        return self._held.get(value, []) if value is not None else []

    def may_open(self, node: int) -> bool | None:
        """True for pages, False for tensors and plain values, both for containers; None: only counting tells."""
        if self.tree.page(node) is not None:
            return True
        if node <= ROOT or self.tree.kinds[node] != VALUE:
            return None
        row = self.tree.payloads[node]
        value, values = self._values[row], self.document.pickles[self._pickles[row]].values
        if self._held_in(node):
            return True
        if values.is_atom(value):
            return False
        if values.kind(value) not in CONTAINERS:
            return None
        if not values.has_items(value):
            return False
        return None if self.tree.depths[node] > DEEPEST or value in self._open_above(node) else True

    def _open_above(self, node: int) -> set[int]:
        """The values of the rows above a row, which a container inside itself would open again."""
        above = self.tree.path_to(node)[:-1]
        rows = [self.tree.payloads[one] for one in above if self.tree.kinds[one] == VALUE]
        return {self._values[row] for row in rows}

    def rows(self, node: int, first: int, stop: int) -> Iterable[Row]:
        """The rows first..stop-1 under a node."""
        if node == ROOT:
            return [Row(PART, 0)]
        part = self.part(node)
        if part is not None and self.folded(part) is None:
            return self._part_rows(part, first, stop)
        return self._value_rows(node, first, stop)

    def find(self, node: int, offset: int) -> int:
        """The row under a node that owns a byte of the document's source; -1: the node itself."""
        part = self.part(node)
        value = self.value(node)
        if value is not None:
            pickle = self.document.pickles[value.pickle]
            at = pickle.code.at(offset - pickle.base) if pickle.base is not None else -1
            return self.find_opcode(node, at) if at >= 0 else -1
        if part is None:
            return 0 if node == ROOT else -1
        if self.has_object(part):
            pickle = self.document.pickles[part.pickle]
            if pickle.base is not None and self._is_in_object(pickle, offset - pickle.base):
                return 0
        number = part.children.find(offset) if part.children is not None else -1
        return number + self.has_object(part) if number >= 0 else -1

    def _is_in_object(self, pickle: Pickle, offset: int) -> bool:
        """True for a byte of the outermost value. In a broken stream all that follows was made for it."""
        span = pickle.values.span(pickle.values.root)
        return offset in span or (not pickle.code.complete and span.start <= offset < pickle.code.stop)

    def find_opcode(self, node: int, opcode: int) -> int:
        """The row under a value's row that an opcode of its stream belongs to; -1: the row itself."""
        if self.tree.depths[node] > DEEPEST:
            return -1
        start = 0
        for stretch in self.stretches(node):
            number = stretch.find(opcode)
            if number >= 0:
                return start + number
            start += stretch.count
        return start if any(stretch.find(opcode) >= 0 for stretch in self.internals(node)) else -1

    # -- what stands under a value ----------------------------------------------------------------

    def stretches(self, node: int) -> list[Stretch]:
        """The rows under a value's row, internals apart.

        Tensors are leaves, but not arrays of objects; a value inside itself is one too.
        """
        found = self._stretches.get(node)
        if found is None:
            value = self.value(node)
            if value is None or self._is_inside_itself(node, value):
                found = []
            elif value in self.tensors:
                held = elements(self.values_of(value), value.value) if self.tensors[value][0].note == OBJECTS else []
                found = [object_rows.All(section) for section in held]
            elif self.is_internals(node):
                found = object_rows.internals(self.values_of(value), value.value, self.encoding)
            else:
                found = object_rows.stretches(self.values_of(value), value.value, self.encoding)
            self._stretches[node] = found
        return found

    def internals(self, node: int) -> list[Stretch]:
        """The machinery of a module's row, which stands under a row of its own."""
        found = self._internals.get(node)
        if found is None:
            value = self.value(node)
            found = []
            if value is not None and not self.is_internals(node) and self.stretches(node):
                found = object_rows.internals(self.values_of(value), value.value, self.encoding)
            self._internals[node] = found
        return found

    def _is_inside_itself(self, node: int, value: ValueRef) -> bool:
        above = self.tree.owner(self.tree.parent(node))
        if self.is_internals(node):
            above = self.tree.owner(self.tree.parent(above))
        least = self.tree.depths[node] - DEEPEST
        while above > ROOT and self.tree.depths[above] > least:
            if self.tree.kinds[above] != INTERNALS and self.value(above) == value:
                return True
            above = self.tree.owner(self.tree.parent(above))
        return False

    def _part_rows(self, part: Part, first: int, stop: int) -> Iterator[Row]:
        shift = int(self.has_object(part))
        for number in range(first, stop):
            if number < shift:
                yield self._value_row(part.pickle, Entry(self.document.pickles[part.pickle].values.root, ()))
            elif part.children is not None:
                self._parts.append(part.children.make(number - shift))
                yield Row(PART, len(self._parts) - 1)

    def _value_rows(self, node: int, first: int, stop: int) -> Iterator[Row]:
        value = self.value(node)
        start = 0
        for stretch in self.stretches(node):
            low, high = max(first - start, 0), min(stop - start, stretch.count)
            if low < high and value is not None:
                yield from self._rows_of(value.pickle, stretch.read(low, high, self.encoding))
            start += stretch.count
        if value is not None and self.internals(node):
            if first <= start < stop:
                yield self._value_row(value.pickle, Entry(value.value, ()))._replace(kind=INTERNALS)
            start += 1
        for number in self._held_in(node)[max(first - start, 0) : max(stop - start, 0)]:
            self._parts.append(child_part(self.document, number))
            yield Row(PART, len(self._parts) - 1)

    def _rows_of(self, pickle: int, entries: Sequence[Entry]) -> Iterator[Row]:
        """The rows of a whole page, a column at a time: they hold up each jump into it."""
        first, is_atom = len(self._values), self.document.pickles[pickle].values.is_atom
        self._pickles.extend([pickle] * len(entries))
        self._values.extend([entry.value for entry in entries])
        self._paths.extend([entry.parts for entry in entries])
        # Only the bytes and texts that hold a file open, and few documents have one.
        leaf = -1 if self._held else 0
        opens = [leaf if is_atom(entry.value) else -1 for entry in entries]
        return (Row(VALUE, number, opens=known) for number, known in enumerate(opens, first))

    def _value_row(self, pickle: int, entry: Entry) -> Row:
        self._pickles.append(pickle)
        self._values.append(entry.value)
        self._paths.append(entry.parts)
        return Row(VALUE, len(self._values) - 1)
