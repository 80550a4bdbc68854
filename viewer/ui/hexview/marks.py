"""What is drawn round and under the bytes: the kinds of regions, and the marks of selection, links, hits and hover.

Every cell in view gets one small number, its *code*: kind, role and which neighbours belong to the same run. The
codes are worked out for all cells at once, so colours cost nothing beside the bytes themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from viewer.core.span import Span
from viewer.ui.hexview.layout import Side

if TYPE_CHECKING:
    from viewer.ui.hexview.grid import Grid

Offsets = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]

KINDS: Final = (
    "protocol",
    "stack",
    "memo",
    "text",
    "number",
    "global",
    "call",
    "persistent_id",
    "stop",
    "zip_header",
    "zip_directory",
    "tar_header",
    "padding",
    "gap",
    "unknown",
    "float32",
    "float16",
    "float8",
    "integer",
    "bool",
    "complex",
    "quantised",
)
"""The region kinds of the theme, opcodes first, then the container, then storages by dtype."""

ROLES: Final = ("opcode", "argument", "data")
OPCODE, ARGUMENT, DATA = range(3)

PLAIN: Final = len(KINDS)
SELECTED: Final = PLAIN + 1
PASSIVE: Final = PLAIN + 2
HIT: Final = PLAIN + 3
ODD: Final = PLAIN + 4
MISSING: Final = PLAIN + 5
ABSENT: Final = PLAIN + 6
"""After the regions: bytes that nothing is known of, the marks that replace a fill, cut bytes, cells without a byte.

ODD is an element that is no finite number.
"""

KIND_COUNT: Final = ABSENT + 1
LEFT, RIGHT, ABOVE, BELOW = 1, 2, 4, 8
FLAG_BITS: Final = 4
FLAGS: Final = LEFT | RIGHT | ABOVE | BELOW
STYLE_COUNT: Final = KIND_COUNT * len(ROLES)
"""A style is a kind and a role; a code is a style and the flags."""

_KIND_INDEX: Final = {kind: index for index, kind in enumerate(KINDS)}
_ROLE_INDEX: Final = {role: index for index, role in enumerate(ROLES)}


class RegionRun(NamedTuple):
    """Bytes [start, stop) of one kind (a name of KINDS) and role (a name of ROLES)."""

    start: int
    stop: int
    kind: str
    role: str = "data"


@dataclass(frozen=True, slots=True, eq=False)
class RegionRuns:
    """Runs in ascending order as arrays: int64 `starts`, `stops`; uint8 `kinds`, `roles` (indexes of the names)."""

    starts: Offsets
    stops: Offsets
    kinds: npt.NDArray[np.uint8]
    roles: npt.NDArray[np.uint8]

    @staticmethod
    def of(runs: Iterable[tuple[int, int, str, str]]) -> RegionRuns:
        """Arrays from runs one by one; a kind that has no colour counts as `unknown`."""
        rows = list(runs)
        unknown = _KIND_INDEX["unknown"]
        return RegionRuns(
            np.array([start for start, _, _, _ in rows], np.int64),
            np.array([stop for _, stop, _, _ in rows], np.int64),
            np.array([_KIND_INDEX.get(kind, unknown) for _, _, kind, _ in rows], np.uint8),
            np.array([_ROLE_INDEX[role] for _, _, _, role in rows], np.uint8),
        )

    def names(self) -> tuple[str, ...]:
        """The kinds that occur, in the order of KINDS."""
        return tuple(KINDS[index] for index in np.unique(self.kinds))


NO_REGIONS: Final = RegionRuns.of(())


def joined(parts: Sequence[RegionRuns]) -> RegionRuns:
    """The runs of several windows; one that touches two of them stands there twice."""
    return RegionRuns(
        np.concatenate([part.starts for part in parts]),
        np.concatenate([part.stops for part in parts]),
        np.concatenate([part.kinds for part in parts]),
        np.concatenate([part.roles for part in parts]),
    )


NOTHING: Final = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Marks:
    """All that is marked in one view. `linked` have a line, `hover` has dashes, `hits` lie in view, in order.

    `highlights`: bytes with a line of a colour of the theme round them. `several`: the selected ranges where there are
    more than one; else empty.
    """

    selection: Span = NOTHING
    caret: int = 0
    side: Side = Side.HEX
    focused: bool = False
    linked: tuple[Span, ...] = ()
    hover: Span | None = None
    hits: tuple[Span, ...] = ()
    bookmarks: frozenset[int] = frozenset()
    several: tuple[Span, ...] = ()
    highlights: tuple[tuple[Span, str], ...] = ()

    @property
    def chosen(self) -> tuple[Span, ...]:
        """All that is selected."""
        return self.several or (self.selection,)


def style_of(kind: int, role: int) -> int:
    """Kind and role in one number."""
    return kind * len(ROLES) + role


def parts(style: int) -> tuple[int, int]:
    """Kind and role of a style."""
    return divmod(style, len(ROLES))


def pack(kind: int, role: int = DATA, flags: int = 0) -> int:
    """One code out of its parts."""
    return (style_of(kind, role) << FLAG_BITS) | flags


def region_codes(runs: RegionRuns, first: int, count: int, width: int) -> Codes:
    """Codes of the bytes [first, first + count) of a file shown `width` a row; where runs overlap, of the later one."""
    codes = np.full(count, pack(PLAIN), np.int32)
    if count == 0 or len(runs.starts) == 0:
        return codes
    # Counted from the first byte, and cut where it makes no difference: numbers of 32 bits take half the time.
    starts = np.minimum(np.maximum(runs.starts - first, -width - 1), count + 1).astype(np.int32)
    stops = np.minimum(np.maximum(runs.stops - first, -1), count + width).astype(np.int32)
    styles = (runs.kinds * np.uint8(len(ROLES)) + runs.roles).astype(np.int32)
    # Each byte belongs to the run that began last. So many each: faster than to look each byte's run up.
    edges = np.full(len(starts) + 1, count, np.int32)
    np.minimum(np.maximum(starts, 0), count, out=edges[:-1])
    lengths, begin = edges[1:] - edges[:-1], edges[0]
    found = ((styles << FLAG_BITS) | (LEFT | RIGHT)).repeat(lengths)
    offsets, until = np.arange(begin, count, dtype=np.int32), stops.repeat(lengths)
    if (stops - starts > width).any():
        found |= (offsets - width >= starts.repeat(lengths)) * np.int32(ABOVE)
        found |= (offsets + width < until) * np.int32(BELOW)
    for at, flag in zip(_ends(starts, stops, styles), (LEFT, RIGHT), strict=True):
        found[at[(at >= begin) & (at < count)] - begin] &= ~flag
    np.copyto(codes[begin:], found, where=offsets < until)
    return codes


def _ends(starts: Codes, stops: Codes, styles: Codes) -> tuple[Codes, Codes]:
    """The first and the last bytes of runs, where an opcode and the argument that follows count as one."""
    # The style of an argument comes behind that of the opcode of its kind.
    apart = np.ones(len(starts) + 1, np.bool_)
    np.not_equal(styles[1:] - styles[:-1], ARGUMENT - OPCODE, out=apart[1:-1])
    apart[1:-1] |= (stops[:-1] != starts[1:]) | (styles[:-1] % len(ROLES) != OPCODE)
    return starts[apart[:-1]], stops[apart[1:]] - 1


def mark(codes: Codes, span: Span, first: int, kind: int) -> None:
    """Give the bytes of a span another kind, in place; role is kept, neighbours inside the span are joined.

    `codes` are those of the bytes from `first` on.
    """
    start, stop = max(span.start, first) - first, min(span.stop, first + len(codes)) - first
    if stop <= start:
        return
    part = codes[start:stop]
    roles = (part >> FLAG_BITS) % len(ROLES)
    part[:] = ((kind * len(ROLES) + roles) << FLAG_BITS) | LEFT | RIGHT
    if span.start >= first:
        part[0] &= ~LEFT
    if span.stop <= first + len(codes):
        part[-1] &= ~RIGHT


_RANKS: Final = np.ones(KIND_COUNT, np.int8)
_RANKS[[ABSENT, HIT, PASSIVE, SELECTED, MISSING]] = 0, 2, 3, 4, 5


def cell_codes(codes: Codes, unit: int) -> Codes:
    """Codes of cells of `unit` bytes: the first byte's, unless one of the others is marked, or is there at all."""
    apart = codes.reshape(-1, unit)
    kinds = (apart >> FLAG_BITS) // len(ROLES)
    chosen = _RANKS[kinds].argmax(axis=1)
    found: Codes = apart[np.arange(len(apart)), chosen] & ~(LEFT | RIGHT)
    found |= apart[:, 0] & LEFT
    found |= apart[:, -1] & RIGHT
    return found


def odd_codes(codes: Codes, odd: npt.NDArray[np.bool_]) -> Codes:
    """The codes with those of regions replaced where an element is no finite number."""
    kinds, roles = np.divmod(codes >> FLAG_BITS, len(ROLES))
    marked = ((ODD * len(ROLES) + roles) << FLAG_BITS) | (codes & FLAGS)
    return np.where(odd & (kinds <= PLAIN), marked, codes).astype(np.int32)


def letter_codes(codes: Codes, letters: int) -> Codes:
    """Codes of the letters of cells: those inside of a cell are joined to their neighbours."""
    found = np.repeat(codes, letters).reshape(-1, letters)
    found[:, 1:] |= LEFT
    found[:, :-1] |= RIGHT
    return found.reshape(-1)


def changed_rows(before: Span, after: Span, grid: Grid) -> list[tuple[int, int]]:
    """Ranges [first, last] of rows in which two selections differ; none when they are equal."""
    if before == after:
        return []
    if not before.overlaps(after):
        return [grid.rows_of(span) for span in (before, after) if span.length]
    ends = ((before.start, after.start), (before.stop, after.stop))
    pieces = [Span(min(pair), max(pair)) for pair in ends if pair[0] != pair[1]]
    return [grid.rows_of(Span(max(0, piece.start - 1), piece.stop + 1)) for piece in pieces]
