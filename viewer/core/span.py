"""Half-open ranges of 64-bit byte offsets."""

from __future__ import annotations

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
