"""Plain values of two sides: hyperparameters, groups of an optimizer, whatever is no tensor and no container."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from viewer.core.comparing.sides import Side, part_of
from viewer.core.document import Document, Pickle
from viewer.core.objects.content import octets
from viewer.core.pickles.values import Kind
from viewer.core.progress import Progress
from viewer.core.source import BLOCK
from viewer.core.summary.rows.opcodes import LONGEST
from viewer.core.summary.rows.values import PlainWalk, plain_value
from viewer.core.tensors.path import Attribute, Path, shown_short
from viewer.wording import Phrase

STATED: Final = "__metadata__"
VERSIONS: Final = Attribute("_metadata")
_OCTETS: Final = (Kind.BYTES, Kind.BYTEARRAY)
EQUAL, CHANGED, ONLY_A, ONLY_B, UNKNOWN = "equal", "changed", "only-a", "only-b", "unknown"
EMPTY: Final = "empty"
"""Key of the text of a container that holds nothing, as JSON has it."""
HOOKS: Final = re.compile(r"_\w*hooks\w*|_modules|_parameters|_buffers|_non_persistent_buffers_set")
"""Containers that every module of torch has, more of them from version to version."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value as JSON has it. `digest`: of bytes that are longer than what is shown of them.

    `empty`: it is a container that holds nothing. `lost`: the file that has it, which is missing or cannot be read.
    """

    shown: object
    digest: str = ""
    empty: bool = False
    lost: str = ""


@dataclass(frozen=True, slots=True)
class ValueRow:
    """A place and what stands there in each; None: nothing does.

    `status`: equal, changed, only-a, only-b; unknown: one of them could not be read.
    """

    path: Path
    status: str
    a: Value | None
    b: Value | None

    @property
    def name(self) -> str:
        """The place as one line."""
        return shown_short(self.path)


def compare_values(first: Side, second: Side, progress: Progress) -> list[ValueRow]:
    """All values of both, in the order of the second, then those that only the first has. Raises CancelledError.

    What a container or torch keeps of its own accord (`__metadata__`, `_metadata`) counts only where both have it.
    Empty containers are told where the other one has something else there, or nothing.
    """
    mine, other = dict(values_of(first, progress)), dict(values_of(second, progress))
    both = [_of_containers(held) for held in (mine, other)]
    skipped = both[0] ^ both[1]
    rows = [_row(path, mine.get(path), value) for path, value in other.items()]
    rows += [ValueRow(path, ONLY_A, value, None) for path, value in mine.items() if path not in other]
    rows = [row for row in rows if not (row.status in (ONLY_A, ONLY_B) and _keeper(row.path) in skipped)]
    holders = _holders(first, mine), _holders(second, other)
    return [row for row in rows if not _is_idle(row, *holders)]


def listed_values(
    rows: Sequence[ValueRow], text: str = "", *, is_all: bool = False, progress: Progress | None = None
) -> list[int]:
    """Numbers of the rows that differ, or of all, with this text in their place. Raises CancelledError."""
    progress, wanted = progress or Progress(), text.lower()
    return [
        at
        for at, row in enumerate(progress.each(rows))
        if (is_all or row.status != EQUAL) and (not wanted or wanted in row.name.lower())
    ]


def _holders(side: Side, held: Mapping[Path, Value]) -> set[Path]:
    """The places of all containers that hold something."""
    start = () if side.is_whole else side.path
    tensors = (tensor.path[len(start) :] for _, tensor in side.every if tensor.path[: len(start)] == start)
    found: set[Path] = set()
    for path in (*held, *tensors):
        # Those around one that is known are known.
        while path and (path := path[:-1]) not in found:
            found.add(path)
    return found


def _is_idle(row: ValueRow, first: set[Path], second: set[Path]) -> bool:
    """Whether a row of an empty container tells nothing: both have it, or what the other holds there is told."""
    mine, other = row.a, row.b
    if row.status == EQUAL:
        return mine is not None and mine.empty
    if mine is not None and other is not None:
        return False
    value, holders = (mine, second) if other is None else (other, first)
    if value is None or not value.empty:
        return False
    last = row.path[-1] if row.path else None
    return row.path in holders or (isinstance(last, Attribute) and HOOKS.fullmatch(last.name) is not None)


def _row(path: Path, mine: Value | None, other: Value) -> ValueRow:
    if mine is None:
        return ValueRow(path, ONLY_B, None, other)
    if mine.lost or other.lost:
        return ValueRow(path, UNKNOWN, mine, other)
    return ValueRow(path, EQUAL if _same(mine, other) else CHANGED, mine, other)


def _same(mine: Value, other: Value) -> bool:
    # In Python 1 is equal to True and to 1.0; in a file they are not the same.
    return mine.digest == other.digest and mine.shown == other.shown and type(mine.shown) is type(other.shown)


def _keeper(path: Path) -> object:
    return next((part for part in path if part in (STATED, VERSIONS)), None)


def _of_containers(held: Mapping[Path, Value]) -> set[object]:
    return {keeper for path in held if (keeper := _keeper(path)) is not None}


def values_of(side: Side, progress: Progress) -> Iterator[tuple[Path, Value]]:
    """Each value of the branch, of the whole object where that is compared. Raises CancelledError."""
    part, start = part_of(side), () if side.is_whole else side.path
    if not start:
        for pair in part.metadata:
            yield (STATED, pair.key), Value(pair.value)
    pickle = side.pickle or part.object_pickle
    if pickle is not None:
        yield from _walked(part, pickle, start, side.encoding, progress)
    for value in part.others:
        inner = value.document.main_pickle if value.document is not None else None
        if value.path[: len(start)] != start:
            continue
        if value.document is None or inner is None or inner.values.root < 0:
            yield value.path[len(start) :], Value(None, lost=value.member)
            continue
        for path, found in _walked(value.document, inner, (), side.encoding, progress):
            yield (*value.path[len(start) :], *path), found


def _walked(
    document: Document, pickle: Pickle, start: Path, encoding: str, progress: Progress
) -> Iterator[tuple[Path, Value]]:
    if pickle.values.root < 0:
        return
    encoding = encoding or "utf-8"
    walk = PlainWalk(document, pickle, encoding, empties=True)
    for value, path in walk.places():
        progress.check()
        if path[: len(start)] != start:
            continue
        found = _value(pickle, value, encoding, progress)
        yield path[len(start) :], Value({EMPTY: found.shown}, empty=True) if walk.is_empty(value) else found


def _value(pickle: Pickle, value: int, encoding: str, progress: Progress) -> Value:
    values = pickle.values
    shown = plain_value(values, value, encoding, Phrase)
    if values.kind(value) in _OCTETS:
        span = values.code.argument_span(value)
        blocks = (values.code.bytes(at, min(BLOCK, span.stop - at)) for at in range(span.start, span.stop, BLOCK))
        return Value(shown, _digest(blocks, progress) if span.length > LONGEST else "")
    data = octets(values, value)
    return Value(shown, _digest((data,), progress) if data is not None and len(data) > LONGEST else "")


def _digest(blocks: Iterable[bytes], progress: Progress) -> str:
    digest = hashlib.sha256()
    for block in blocks:
        progress.check()
        digest.update(block)
    return digest.hexdigest()
