"""The files that hide in the arguments of a document's pickles, each with how it lies there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from viewer.core.archive.text_codings import decode_text, is_ascii
from viewer.core.archive.unpacking import Room, TooMuchError
from viewer.core.document import Document, Pickle
from viewer.core.errors import SourceError
from viewer.core.folder import why
from viewer.core.formats.held.candidates import STRING, UNICODE, candidates
from viewer.core.formats.held.layers import LIMIT, MOST_LAYERS, Peeled, peel
from viewer.core.formats.recognition import Guess
from viewer.core.objects.content import octets
from viewer.core.pickles.values import Kind
from viewer.core.problem import Problem, warning
from viewer.core.progress import Progress
from viewer.core.source import ByteSource, MemorySource
from viewer.core.tensors.tensor import ValueRef
from viewer.wording.phrases import phrase
from viewer.wording.told import told_together

MOST_LOOKED_AT: Final = 10_000
MOST_OPENED: Final = 1_000
LARGEST_LINE: Final = 64 * 1024 * 1024
# How far behind a text the call stands that makes bytes of it: memo, name of the coding, tuple, memo.
NEAR: Final = 8
BYTES, TEXT = phrase("how-bytes"), phrase("how-text")
STEP: Final = "held"


@dataclass(frozen=True, slots=True)
class Held:
    """A file in an argument. `value`: the bytes or text that holds it. `how`: with what stands around it."""

    value: ValueRef
    how: str
    source: ByteSource
    guess: Guess


class HeldFinder:
    """Looks for them, within bounds on all documents of a file together: how many, how much work, how many bytes."""

    def __init__(self, room: Room, progress: Progress) -> None:
        self._room, self._progress = room, progress
        self._looked_at = self._opened = 0

    def find(self, document: Document) -> Iterator[Held]:
        """The files in the arguments of a document, in the order of its pickles, but for those that are open already.

        What is not looked into is told in the document's Problems. Raises CancelledError.
        """
        known = {child.held for child in document.children}
        for pickle in document.pickles:
            try:
                yield from self._in_pickle(document, pickle, known)
            except SourceError as failure:
                place = pickle.in_document(pickle.span())
                document.problems.append(warning("held-unreadable", place, reason=why(failure)))

    def _in_pickle(self, document: Document, pickle: Pickle, known: set[ValueRef | None]) -> Iterator[Held]:
        left: list[int] = []
        for row in candidates(pickle.code, self._progress):
            if self._looked_at >= MOST_LOOKED_AT or self._opened >= MOST_OPENED:
                left.append(row)
                continue
            self._looked_at += 1
            self._progress.step(STEP, self._looked_at)
            held = self._held(document, pickle, row, known)
            if held is not None:
                self._opened += 1
                yield held
        if left:
            limit = MOST_OPENED if self._opened >= MOST_OPENED else MOST_LOOKED_AT
            place = pickle.in_document(pickle.code.span(left[0]))
            document.problems.append(warning("held-more", place, count=len(left), limit=limit))

    def _held(self, document: Document, pickle: Pickle, row: int, known: set[ValueRef | None]) -> Held | None:
        value = maker(pickle, row)
        if ValueRef(pickle.index, value) in known:
            return None
        is_text = pickle.values.kind(value) is Kind.TEXT
        place = pickle.in_document(pickle.code.span(row))
        try:
            found = self._peeled(pickle, row, is_text)
        except TooMuchError:
            document.problems.append(warning("held-limit", place, limit=self._room.limit))
            return None
        if found.guess is not None or found.too_deep or any(problem.code == LIMIT for problem in found.problems):
            document.problems += [Problem(told.code, told.severity, place, told.params) for told in found.problems]
        if found.too_deep:
            document.problems.append(warning("held-layers", place, count=MOST_LAYERS))
        if found.guess is None:
            return None
        how = told_together(", ", [TEXT if is_text else BYTES, *found.layers])
        return Held(ValueRef(pickle.index, value), how, found.source, found.guess)

    def _peeled(self, pickle: Pickle, row: int, is_text: bool) -> Peeled:
        source, is_latin = self._argument(pickle, row)
        if source is None:
            return Peeled(MemorySource(b""))
        found = peel(source, self._room, self._progress)
        if is_latin and is_text:
            found.layers.insert(0, "latin-1")
        return found

    def _argument(self, pickle: Pickle, row: int) -> tuple[ByteSource | None, bool]:
        """The bytes that an argument is or stands for; True where they are characters of latin-1."""
        code = pickle.code
        span = code.argument_span(row)
        plain = code.source.slice(span.start, span.stop)
        byte = int(code.codes[row])
        if byte in (STRING, UNICODE):
            return _of_line(pickle, row, plain)
        if pickle.values.kind(row) is not Kind.TEXT or is_ascii(plain, self._progress):
            return plain, False
        return decode_text(plain, "latin-1", self._room, self._progress), True


def _of_line(pickle: Pickle, row: int, plain: ByteSource) -> tuple[ByteSource | None, bool]:
    """A text or string of protocol 0: a part of the file where nothing in it is escaped."""
    is_string = int(pickle.code.codes[row]) == STRING
    if plain.size > LARGEST_LINE:
        return None, False
    raw = plain.read(0, plain.size)
    if b"\\" not in raw:
        is_quoted = is_string and raw[:1] == raw[-1:]
        return (plain.slice(1, plain.size - 1) if is_quoted else plain), not is_string and not raw.isascii()
    found = pickle.code.argument(row)
    if isinstance(found, str):
        try:
            return MemorySource(found.encode("latin-1")), not found.isascii()
        except UnicodeEncodeError:
            return None, False
    return (MemorySource(found) if isinstance(found, bytes) else None), False


def maker(pickle: Pickle, row: int) -> int:
    """The value that holds an argument: its opcode, or the call that makes bytes of a text below protocol 3."""
    values = pickle.values
    if values.kind(row) is Kind.TEXT:
        for later in range(row + 1, min(row + 1 + NEAR, len(values.code))):
            if values.kind(later) is Kind.CALL and octets(values, later) is not None:
                arguments = values.arguments(later)
                if arguments and arguments[0] == row:
                    return later
    return row
