"""From one reading of a place to all the others: byte, opcode, object, tensor, element, source line.

Pure computing over a document, without Qt; the session calls it to complete a selection.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from viewer.core.errors import SourceError
from viewer.core.pickles.values import Kind
from viewer.core.span import Span
from viewer.core.tensors import window
from viewer.core.tensors.many import ManyTensors, of_values
from viewer.core.tensors.sparse import index_at
from viewer.core.tensors.tensor import Tensor, ValueRef, inner_tensors
from viewer.session.selection import Selection
from viewer.session.set_links import SetLinks, place_of_tensor
from viewer.session.stored_text import LineBytes, lines_of

if TYPE_CHECKING:
    from viewer.core.document import Document, Pickle
    from viewer.core.progress import Progress
    from viewer.core.summary.contents import Contents

_NOWHERE: Final = Span(0, 0)


class Links:
    """The ties between the readings of one document. Spans of selections count in `Selection.source`."""

    def __init__(self, document: Document, contents: Contents) -> None:
        self.document = document
        self.contents = contents
        self._lines: dict[int, LineBytes | None] = {}

    def prepare(self) -> None:
        """Make in a thread what the first click would else make the window wait for."""
        self.tensor_at(0)
        self.tensor_of(ValueRef(0, 0))
        main = self.document.main_pickle
        if main is not None and len(main.code):
            self.from_opcode(ValueRef(main.index, len(main.code) // 2))

    def is_ready(self, source: str) -> bool:
        """True where a byte of a place leads to what owns it at once; else `prepared` is due, in a thread."""
        return self.document.member(source) is None or self._set.is_ready(source)

    def prepared(self, source: str, progress: Progress) -> Links:
        """Itself, with what leads from the bytes of a file of a set to their tensors. Raises CancelledError."""
        if self.document.member(source) is not None:
            self._set.prepare(source, progress)
        return self

    # -- from each reading ------------------------------------------------------------------------

    def from_bytes(self, spans: tuple[Span, ...], source: str = "") -> Selection:
        """The place that owns the first of the bytes."""
        found = Selection(self.document.index, source, spans)
        if not spans:
            return found
        offset = spans[0].start
        if self.document.files and self.document.member(source) is not None:
            return self._from_member(found, offset)
        pickle = self.pickle_at(offset, source)
        if pickle is not None:
            opcode = pickle.code.at(offset - (pickle.base or 0))
            return self._with_line(replace(self.from_opcode(ValueRef(pickle.index, opcode)), spans=spans), offset)
        tensor = None if source else self.tensor_at(offset)
        if tensor is not None:
            element = window.element_at(tensor, offset)
            return self._with_tensor(found, tensor, element if element is not None else index_at(tensor, offset))
        node = None if source else self.contents.node_at_offset(offset)
        span = self.contents.span(node) if node is not None else None
        found = replace(found, node=node, linked=(span,) if span is not None else ())
        return self._with_stated(found if source else self._with_line(found, offset))

    def from_opcode(self, opcode: ValueRef) -> Selection:
        """The place of one opcode: its bytes, and the value that it made, changed or read back."""
        pickle = self.document.pickles[opcode.pickle]
        found = Selection(
            self.document.index, pickle.place, (pickle.shown(pickle.code.span(opcode.value)),), opcode=opcode
        )
        value = pickle.values.top(opcode.value)
        if value < 0 or pickle.values.kind(value) is Kind.MARK:
            return replace(found, node=None if found.source else self.contents.node_at_offset(found.spans[0].start))
        first, last = pickle.values.opcodes(value)
        linked = (pickle.shown(pickle.code.span(first, last)),) if first <= opcode.value <= last else ()
        found = replace(found, linked=linked, value=ValueRef(pickle.index, value))
        return self._with_value(found, ValueRef(pickle.index, value))

    def from_opcodes(self, opcode: ValueRef, first: int) -> Selection:
        """The place of an opcode, with the bytes of all from the number `first` to it."""
        pickle = self.document.pickles[opcode.pickle]
        return replace(self.from_opcode(opcode), spans=(pickle.shown(pickle.code.span(first, opcode.value)),))

    def from_value(self, value: ValueRef) -> Selection:
        """The place of a value: the bytes of the opcodes that built it."""
        pickle = self.document.pickles[value.pickle]
        span = pickle.shown(pickle.values.span(value.value))
        return self._with_value(Selection(self.document.index, pickle.place, (span,), opcode=value, value=value), value)

    def from_node(self, node: int) -> Selection:
        """The place of a row of Contents."""
        tensor, value, other = self.contents.tensor(node), self.contents.value(node), self.contents.other(node)
        if other is not None and self.document.member(other.member) is not None:
            spans = (other.span,) if other.span is not None else ()
            found = Selection(self.document.index, other.member, spans)
        elif tensor is not None:
            found = self.from_tensor(tensor)
        elif value is not None:
            found = self.from_value(value)
        else:
            span = self.contents.span(node)
            found = self._with_stated(Selection(self.document.index, spans=(span,) if span is not None else ()))
            if span is not None:
                found = replace(self._with_line(found, span.start), line=None)
        return replace(found, node=node)

    def from_tensor(self, tensor: Tensor, element: tuple[int, ...] | None = None) -> Selection:
        """The place of a tensor or of one element: bytes of its storage, linked to the opcodes that made it."""
        if self.document.files:
            place = place_of_tensor(tensor, element)
            found = Selection(self.document.index, place.member, place.spans)
        else:
            span = window.element_offset(tensor, element) if element is not None else window.span(tensor)
            found = Selection(self.document.index, "", (span,) if span is not None else ())
        return self._with_tensor(found, tensor, element)

    def from_line(self, code: int, line: int | None) -> Selection:
        """The place of a stored source, or of one of its lines (from 1): the bytes of the text."""
        embedded = self.document.sources[code]
        if embedded.value is None:
            return self._from_record_line(code, line)
        pickle = self.document.pickles[embedded.value.pickle]
        node = self.contents.node_of_value(embedded.value)
        found = Selection(self.document.index, pickle.place, code=code, line=line, value=embedded.value, node=node)
        if embedded.text is None or embedded.span is None:
            return replace(self.from_value(embedded.value), code=code, line=line)
        lines = self._lines_of(code) if line is not None else None
        span = lines.span(line) if lines is not None and line is not None else embedded.span
        opcode = pickle.code.at(embedded.span.start - (pickle.base or 0))
        linked = () if line is None else (embedded.span,)
        return replace(found, spans=(span,), linked=linked, opcode=ValueRef(pickle.index, opcode))

    def _from_record_line(self, code: int, line: int | None) -> Selection:
        """The place of a text that is a record, or part of one; of a deflated record its packed bytes."""
        embedded = self.document.sources[code]
        whole = embedded.span or self._packed.get(embedded.record)
        if whole is None:
            return Selection(self.document.index, code=code, line=line)
        lines = self._lines_of(code) if line is not None else None
        span = lines.span(line) if lines is not None and line is not None else whole
        node = self.contents.node_at_offset(whole.start)
        linked = () if span == whole else (whole,)
        return Selection(self.document.index, "", (span,), linked, code=code, line=line, node=node)

    def _from_member(self, found: Selection, offset: int) -> Selection:
        """The place of a byte in a file of a set: its tensor, else the row of the file."""
        owner = self._set.owner(found.source, offset)
        if owner is not None:
            return self._with_tensor(found, *owner)
        other = self._set.other(found.source, offset)
        node = self.contents.node_of_other(other) if other >= 0 else None
        return replace(found, node=node if node is not None else self.contents.node_of_member(found.source))

    @cached_property
    def _set(self) -> SetLinks:
        return SetLinks(self.document)

    def from_member(self, name: str) -> Selection:
        """The place of a file of a set: its row, its first bytes."""
        return Selection(self.document.index, name, node=self.contents.node_of_member(name))

    # -- lookups ----------------------------------------------------------------------------------

    def pickle_at(self, offset: int, source: str) -> Pickle | None:
        """The pickle whose opcodes own a byte."""
        for pickle in self.document.pickles:
            if pickle.place == source and pickle.code.at(offset - (pickle.base or 0)) >= 0:
                return pickle
        return None

    def tensor_at(self, offset: int) -> Tensor | None:
        """The smallest tensor whose span, or that of a part of it, holds a byte."""
        owners, starts, stops = self._tensor_spans
        rows = np.flatnonzero((starts <= offset) & (offset < stops))
        if not len(rows):
            return None
        return owners[int(rows[np.argmin(stops[rows] - starts[rows])])]

    def stated_at(self, offset: int) -> Tensor | None:
        """The tensor that a byte of a header belongs to, where no pickle states it."""
        tensors = self.document.tensors
        if isinstance(tensors, ManyTensors):
            number = tensors.stated_at(offset)
            return tensors[number] if number >= 0 else None
        starts, tensors = self._stated
        row = bisect_right(starts, offset) - 1
        place = tensors[row].stated if row >= 0 else None
        return tensors[row] if place is not None and offset in place else None

    @cached_property
    def _stated(self) -> tuple[list[int], list[Tensor]]:
        found = sorted(
            (tensor.stated.start, tensor.index) for tensor in self.document.tensors if tensor.stated is not None
        )
        return [start for start, _ in found], [self.document.tensors[index] for _, index in found]

    def tensor_of(self, value: ValueRef) -> Tensor | None:
        """The first tensor that was made from a value."""
        return self._tensor_of.get(value)

    @cached_property
    def _tensor_of(self) -> dict[ValueRef, Tensor]:
        found: dict[ValueRef, Tensor] = {}
        for tensor in of_values(self.document.tensors):
            if tensor.value is not None:
                found.setdefault(tensor.value, tensor)
        return found

    @cached_property
    def _tensor_spans(self) -> tuple[list[Tensor], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        # A file may state offsets beyond 64 bits; no byte that is there has one.
        size = self.document.source.size
        owners = [] if self.document.files else list(self.document.tensors)
        spans = [(window.span(tensor) or Span(0, 0)).clipped(size) for tensor in owners]
        for tensor in tuple(owners):
            for part in inner_tensors(tensor) if tensor.parts else ():
                owners.append(tensor)
                spans.append((window.span(part) or Span(0, 0)).clipped(size))
        starts = np.array([span.start for span in spans], dtype=np.int64)
        return owners, starts, np.array([span.stop for span in spans], dtype=np.int64)

    def _with_value(self, found: Selection, value: ValueRef) -> Selection:
        tensor = self.tensor_of(value)
        if tensor is None and self.document.files and found.spans and not found.source:
            # Of a set the opcodes that state a tensor lead to it; their own row stays selected.
            tensor = self.stated_at(found.spans[0].start)
            number = tensor.index if tensor is not None else None
            return replace(found, node=self.contents.node_of_value(value), tensor=number)
        node = self.contents.node_of_tensor(tensor) if tensor is not None else self.contents.node_of_value(value)
        return replace(found, node=node, tensor=tensor.index if tensor is not None else None)

    def _with_stated(self, found: Selection) -> Selection:
        """Bytes of a header entry lead to the tensor that it states."""
        tensor = self.stated_at(found.spans[0].start) if found.spans and not found.source else None
        if tensor is None:
            return found
        whole = None if tensor.member else window.span(tensor)
        return replace(found, tensor=tensor.index, linked=(*found.linked, whole) if whole is not None else found.linked)

    def _with_line(self, found: Selection, offset: int) -> Selection:
        for index, embedded in enumerate(self.document.sources):
            if embedded.value is None and found.source:
                continue
            if embedded.record and embedded.span is None and offset in self._packed.get(embedded.record, _NOWHERE):
                return replace(found, code=index)
            if embedded.span is not None and embedded.text is not None and offset in embedded.span:
                lines = self._lines_of(index)
                return replace(found, code=index, line=lines.line_at(offset) if lines is not None else None)
        return found

    @cached_property
    def _packed(self) -> dict[str, Span]:
        """The bytes of the deflated records that are stored texts, by name."""
        wanted = {embedded.record for embedded in self.document.sources if embedded.record and embedded.span is None}
        if not wanted:
            return {}
        return {record.name: record.data for record in self.document.records if record.name in wanted}

    def _lines_of(self, code: int) -> LineBytes | None:
        """The lines of a stored source, counted once."""
        if code not in self._lines:
            try:
                self._lines[code] = lines_of(self.document, self.document.sources[code])
            except SourceError:
                return None
        return self._lines[code]

    def _with_tensor(self, found: Selection, tensor: Tensor, element: tuple[int, ...] | None) -> Selection:
        whole = window.span(tensor) if tensor.member == found.source else None
        linked: tuple[Span, ...] = (whole,) if whole is not None and found.spans and whole != found.spans[0] else ()
        if tensor.value is not None:
            pickle = self.document.pickles[tensor.value.pickle]
            if pickle.place == found.source:
                linked += (pickle.shown(pickle.values.span(tensor.value.value)),)
        elif tensor.stated is not None and not found.source:
            linked += (tensor.stated,)
        node = self.contents.node_of_tensor(tensor)
        return replace(
            found,
            linked=linked,
            opcode=tensor.value,
            value=tensor.value,
            node=node,
            tensor=tensor.index,
            element=element,
        )
