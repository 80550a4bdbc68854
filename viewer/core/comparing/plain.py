"""Plain values of two sides: hyperparameters, groups of an optimizer, whatever is no tensor and no container."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
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

STATED: Final = "__metadata__"
VERSIONS: Final = Attribute("_metadata")
_OCTETS: Final = (Kind.BYTES, Kind.BYTEARRAY)
EQUAL, CHANGED, ONLY_A, ONLY_B = "equal", "changed", "only-a", "only-b"


@dataclass(frozen=True, slots=True)
class Value:
    """One value as JSON has it. `digest`: of bytes that are longer than what is shown of them."""

    shown: object
    digest: str = ""


@dataclass(frozen=True, slots=True)
class ValueRow:
    """A place and what stands there in each; None: nothing does. `status`: equal, changed, only-a, only-b."""

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
    """
    mine, other = dict(values_of(first, progress)), dict(values_of(second, progress))
    both = [_of_containers(held) for held in (mine, other)]
    skipped = both[0] ^ both[1]
    rows = [_row(path, mine.get(path), value) for path, value in other.items()]
    rows += [ValueRow(path, ONLY_A, value, None) for path, value in mine.items() if path not in other]
    return [row for row in rows if not (row.status in (ONLY_A, ONLY_B) and _keeper(row.path) in skipped)]


def _row(path: Path, mine: Value | None, other: Value) -> ValueRow:
    if mine is None:
        return ValueRow(path, ONLY_B, None, other)
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
        if value.document is not None and inner is not None and value.path[: len(start)] == start:
            for path, found in _walked(value.document, inner, (), side.encoding, progress):
                yield (*value.path[len(start) :], *path), found


def _walked(
    document: Document, pickle: Pickle, start: Path, encoding: str, progress: Progress
) -> Iterator[tuple[Path, Value]]:
    if pickle.values.root < 0:
        return
    encoding = encoding or "utf-8"
    for value, path in PlainWalk(document, pickle, encoding).places():
        progress.check()
        if path[: len(start)] == start:
            yield path[len(start) :], _value(pickle, value, encoding)


def _value(pickle: Pickle, value: int, encoding: str) -> Value:
    values = pickle.values
    shown = plain_value(values, value, encoding)
    if values.kind(value) in _OCTETS:
        span = values.code.argument_span(value)
        blocks = (values.code.bytes(at, min(BLOCK, span.stop - at)) for at in range(span.start, span.stop, BLOCK))
        return Value(shown, _digest(blocks) if span.length > LONGEST else "")
    data = octets(values, value)
    return Value(shown, _digest((data,)) if data is not None and len(data) > LONGEST else "")


def _digest(blocks: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for block in blocks:
        digest.update(block)
    return digest.hexdigest()
