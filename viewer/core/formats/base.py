"""Format: how one kind of file is recognised and read.

To add one: a new file in this folder with a class that derives from Format and sets its facts, a line in
the tuple of `formats/__init__.py`, a builder in tests/builders and a test. Formats do not import each
other: what lies inside another file is read through `context.open_child`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

from viewer.core.archive.inflated import LIMIT
from viewer.core.archive.unpacking import Room
from viewer.core.document import Document
from viewer.core.formats.recognition import Guess
from viewer.core.progress import Progress
from viewer.core.source import ByteSource


@dataclass(frozen=True, slots=True)
class Options:
    """What the person may choose for reading. None / "": as the file says.

    `byteorder`: little or big, of stored elements. `encoding`: of Python 2 strings. `most_unpacked`: bytes that may be
    unpacked: of each deflated record, and of all compressed files inside one another together.
    """

    byteorder: str | None = None
    encoding: str = ""
    most_unpacked: int = LIMIT


@dataclass(slots=True)
class Context:
    """All that a format may use. `guess`: what the bytes look like.

    `open_child(source, how)`: the document inside, None beyond the bounds of depth and number.
    `room`: what may still be unpacked. `sibling(name)`: a file beside this one, None when there is none; it cannot
    leave the folder.
    """

    source: ByteSource
    progress: Progress
    guess: Guess
    options: Options = field(default_factory=Options)
    open_child: Callable[[ByteSource, str], Document | None] = lambda source, how: None
    room: Room = field(default_factory=Room)
    sibling: Callable[[str], ByteSource | None] = lambda name: None


class Format(ABC):
    """One kind of file. Formats are asked in the order of their score; the best one parses."""

    @abstractmethod
    def score(self, context: Context) -> int:
        """How sure it is that the source is of this kind: 0 = not at all, 100 = certain. Reads little."""

    @abstractmethod
    def parse(self, context: Context) -> Document:
        """Read the source. Damage becomes Problems; raises CancelledError only."""
