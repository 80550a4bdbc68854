"""Half-open ranges of 64-bit byte offsets, and the named regions that a file is tiled by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Bytes [start, stop) of one source. Offsets are Python ints, never cut to 32 bits."""

    start: int
    stop: int

    def __post_init__(self) -> None:
        if self.start < 0 or self.stop < self.start:
            raise ValueError(f"not a span: {self.start}..{self.stop}")

    @property
    def length(self) -> int:
        """Number of bytes."""
        return self.stop - self.start

    def __contains__(self, offset: object) -> bool:
        return isinstance(offset, int) and self.start <= offset < self.stop

    def contains_span(self, other: Span) -> bool:
        """True when every byte of the other span lies in this one."""
        return self.start <= other.start and other.stop <= self.stop

    def overlaps(self, other: Span) -> bool:
        """True when the two share at least one byte."""
        return self.start < other.stop and other.start < self.stop

    def shifted(self, by: int) -> Span:
        """The same length, `by` bytes further on."""
        return Span(self.start + by, self.stop + by)

    def clipped(self, size: int) -> Span:
        """The part that lies in [0, size)."""
        return Span(min(self.start, size), min(self.stop, size))

    def __str__(self) -> str:
        return f"0x{self.start:X}\u20130x{self.stop:X}"


@dataclass(frozen=True, slots=True)
class Region:
    """A named run of bytes: `kind` says what it is (zip-header, record, gap), `label` which one."""

    span: Span
    kind: str
    label: str


def tile(regions: Iterable[Region], size: int) -> tuple[list[Region], list[Region]]:
    """Regions in the order of their bytes, without overlap, that fill [0, size) exactly; and those that were cut.

    Where two share bytes, the one with the lower start keeps them (the earlier given, when both start
    together); the other is listed in the second result, whole as it came, and gives what is left of it.
    Bytes of none are a region of kind `gap`. Empty regions own no byte and are left out.
    """
    flat: list[Region] = []
    cut: list[Region] = []
    reached = 0
    for region in sorted(regions, key=lambda region: region.span.start):
        start, stop = region.span.start, min(region.span.stop, size)
        if start >= stop:
            continue
        if start < reached:
            cut.append(region)
            start = reached
            if start >= stop:
                continue
        if start > reached:
            flat.append(Region(Span(reached, start), "gap", ""))
        whole = start == region.span.start and stop == region.span.stop
        flat.append(region if whole else Region(Span(start, stop), region.kind, region.label))
        reached = stop
    if reached < size:
        flat.append(Region(Span(reached, size), "gap", ""))
    return flat, cut
