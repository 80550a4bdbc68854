"""Format: how one kind of file is recognised and read.

To add one: a new file in this folder with a class that derives from Format and sets its facts, a line in
the tuple of `formats/__init__.py`, a builder in tests/builders and a test. Formats do not import each
other: what lies inside another file is read through `context.open_child`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from viewer.core.archive.inflated import LIMIT
from viewer.core.archive.unpacking import Room

if TYPE_CHECKING:
    from viewer.core.document import Document
    from viewer.core.folder import Folder
    from viewer.core.formats.recognition import Guess
    from viewer.core.problem import Problem
    from viewer.core.progress import Progress
    from viewer.core.source import ByteSource


@dataclass(frozen=True, slots=True)
class Options:
    """What the person may choose for reading. None / "": as the file says.

    `byteorder`: little or big, of stored elements. `encoding`: of Python 2 strings. `most_unpacked`: bytes that may be
    unpacked: of each deflated record, and of all compressed files inside one another together.
    `whole_set`: a file that is a part of a set opens the set.
    """

    byteorder: str | None = None
    encoding: str = ""
    most_unpacked: int = LIMIT
    whole_set: bool = False

    @property
    def text_encoding(self) -> str:
        """In which Python 2 strings are read: as chosen, else UTF-8."""
        return self.encoding or "utf-8"


@dataclass(slots=True)
class Context:
    """All that a format may use. `guess`: what the bytes look like.

    `open_child(source, how)`: the document inside, None beyond the bounds of depth and number.
    `room`: what may still be unpacked. `sibling(name)`: a file beside this one, None when there is none; it cannot
    leave the folder.

    `folder`: the files beside this one; None where it is no file of its own. `name`: its name there. `kind`: of sets of
    files that no file stands for, the kind that was found. `open_member(name)`: the document of a file of the folder,
    None beyond the bounds; raises SourceError where it is not there or cannot be read.
    """

    source: ByteSource
    progress: Progress
    guess: Guess
    options: Options = field(default_factory=Options)
    open_child: Callable[[ByteSource, str], Document | None] = lambda source, how: None
    room: Room = field(default_factory=Room)
    sibling: Callable[[str], ByteSource | None] = lambda name: None
    folder: Folder | None = None
    name: str = ""
    kind: str = ""
    open_member: Callable[[str], Document | None] = lambda name: None


class Format(ABC):
    """One kind of file. Formats are asked in the order of their score; the best one parses."""

    @abstractmethod
    def score(self, context: Context) -> int:
        """How sure it is that the source is of this kind: 0 = not at all, 100 = certain. Reads little."""

    @abstractmethod
    def parse(self, context: Context) -> Document:
        """Read the source. Damage becomes Problems; raises CancelledError only."""


class Entry(NamedTuple):
    """What a set of files is opened by: a file of the folder, or, where none stands for the set, "" and a kind."""

    name: str
    kind: str = ""


class FileSet(ABC):
    """One kind of set of files. The format that reads it derives from this too."""

    @abstractmethod
    def entry(self, names: Sequence[str], folder: Folder) -> Entry | None:
        """What a folder with files of these names is opened by, where it is a set of this kind."""

    @abstractmethod
    def set_of(self, name: str, folder: Folder) -> Entry | None:
        """The set that a file of a folder is a part of; None where it is none, or stands for the set itself."""

    def remarks(self, document: Document, name: str, folder: Folder, progress: Progress) -> list[Problem]:
        """What is to be said of a file that was opened alone, where it is a part of a set. Raises CancelledError."""
        del document, name, folder, progress
        return []
