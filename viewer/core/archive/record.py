"""Record: one member of an archive."""

from __future__ import annotations

from dataclasses import dataclass, field

from viewer.core.source import ByteSource
from viewer.core.span import Span


@dataclass(slots=True)
class Record:
    """A member of a zip or tar.

    `name` is the full member name as text, `data` the span of the member's stored bytes that are there, in the
    archive's source, `header` the span of its local header with name and extra fields (None when it is gone),
    `entry` that of its directory entry. `source` gives the member's own bytes: a slice where it is stored, an
    inflated source where it is deflated, None where it cannot be read. `size` is the size of the content, as the
    archive states it (where it states none, of what is there). `extra`: `cut` (True: bytes are missing),
    `raw_name` (bytes, where the name is not ASCII), `local_name` (where the local header has another).
    """

    name: str
    data: Span
    size: int
    source: ByteSource | None
    method: int = 0
    crc: int | None = None
    header: Span | None = None
    entry: Span | None = None
    flags: int = 0
    extra: dict[str, object] = field(default_factory=dict)

    @property
    def stored(self) -> bool:
        """True when the member's bytes stand in the archive as they are."""
        return self.method == 0
