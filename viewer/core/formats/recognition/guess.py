"""Guess: what a file seems to be. Sight: what is looked at to tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from viewer.core.source import ByteSource

HEAD: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Guess:
    """`format`: a name of design 6. `detail`: the name of a foreign kind, a page's title, an error's text, or None.

    `params`, where they apply: `oid` and `size` (Git LFS), `title` (HTML), `count` (leading zero bytes), `protocol`
    (pickle), `damage` (`line-ends` or `utf-8`: how a legacy stream was spoilt; `replaced`: any file), `inside` and
    `offset` (a file of that format begins at this byte of an unknown one).
    """

    format: str
    detail: str | None = None
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sight:
    """A source and its first bytes, at most `HEAD`."""

    source: ByteSource
    head: bytes

    @property
    def size(self) -> int:
        """Bytes of the whole source."""
        return self.source.size

    @property
    def whole(self) -> bool:
        """True when `head` is all there is."""
        return len(self.head) >= self.source.size
