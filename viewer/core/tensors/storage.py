"""Storage: the flat run of elements that tensors are views of."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.core.source import ByteSource
from viewer.core.span import Span


@dataclass(slots=True, eq=False)
class Storage:
    """One storage of a document; compared by identity. Never changed once it is made.

    `dtype`: torch's name for the element type of the storage class, without `torch.`; `uint8` when untyped.
    `count`: elements as stated. `nbytes`: count x element size. `span`: the element bytes in the document's
    source, as declared, even beyond its end; None where they stand in no part of it (deflated, missing).
    `source`: the element bytes themselves, shorter than `nbytes` where some are missing; None: no byte is
    there. `byteorder`: "little" or "big". `record`: full name of the archive member, or "". `absent`: bytes before
    the end of `source` that are missing all the same, as those of a lost piece.
    """

    key: str | int
    location: str
    dtype: str
    untyped: bool
    count: int
    nbytes: int
    span: Span | None
    source: ByteSource | None
    record: str = ""
    byteorder: str = "little"
    absent: int = 0

    @property
    def available(self) -> int:
        """Bytes that are there."""
        return self.reach - self.absent

    @property
    def reach(self) -> int:
        """Bytes up to the last one that may be there."""
        return min(self.source.size, self.nbytes) if self.source is not None else 0

    @property
    def complete(self) -> bool:
        """True when no byte is missing."""
        return self.available == self.nbytes
