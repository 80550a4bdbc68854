"""Opening: from a path or a source to the document of all that is in it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Final

from viewer.core.archive.unpacking import Room
from viewer.core.collector import collector_paused
from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.formats import FORMATS
from viewer.core.formats.base import Context, Options
from viewer.core.formats.recognition import recognise
from viewer.core.progress import Progress
from viewer.core.source import ByteSource, FileSource
from viewer.core.summary.written_by import written_by

DEEPEST: Final = 8
MOST_DOCUMENTS: Final = 10_000


def open_document(
    target: str | os.PathLike[str] | ByteSource, progress: Progress | None = None, options: Options | None = None
) -> Document:
    """Read a file, or a source that is already open. Formats are told by content, never by the name.

    Damage is in the document's Problems. Raises SourceError for what cannot be read at all, CancelledError when
    the progress was cancelled; a file that was opened here is closed then.
    """
    source = target if isinstance(target, ByteSource) else FileSource(target)
    path = source.path if isinstance(source, FileSource) else None
    try:
        with collector_paused():
            document = _Opener(progress or Progress(), options or Options(), path).open(source)
    except BaseException:
        if source is not target:
            source.close()
        raise
    document.path = path
    return document


class _Opener:
    """One file being opened, with all documents inside it."""

    def __init__(self, progress: Progress, options: Options, path: Path | None) -> None:
        self.progress = progress
        self.options = options
        self.folder = None if path is None else path.parent
        self.opened = 0
        self.room = Room(options.most_unpacked)

    def open(self, source: ByteSource) -> Document:
        document = self._read(source, 0)
        document.number()
        inner = document.content
        document.written_by = inner.written_by = written_by(inner)
        return document

    def _read(self, source: ByteSource, depth: int) -> Document:
        self.opened += 1
        context = Context(
            *(source, self.progress, recognise(source), self.options, self._child_opener(depth + 1)),
            room=self.room,
            sibling=self._sibling,
        )
        best = max(FORMATS, key=lambda known: known.score(context))
        document = best.parse(context)
        document.offset = source.to_outer(0)
        return document

    def _child_opener(self, depth: int) -> Callable[[ByteSource, str], Document | None]:
        def open_child(source: ByteSource, how: str) -> Document | None:
            """The document in a source inside this one; None beyond the bounds of depth and number."""
            if depth > DEEPEST or self.opened >= MOST_DOCUMENTS:
                return None
            document = self._read(source, depth)
            document.how = how
            return document

        return open_child

    def _sibling(self, name: str) -> ByteSource | None:
        """A file of the same folder or below it; None where there is none. Names cannot lead out of the folder."""
        if self.folder is None or not is_inside(name):
            return None
        folder = self.folder.resolve()
        path = (folder / name).resolve()
        if not path.is_relative_to(folder):
            return None
        try:
            return FileSource(path)
        except SourceError:
            return None


def is_inside(name: str) -> bool:
    """True for a relative name that climbs nowhere, on any system."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return (
        bool(parts) and ".." not in parts and not name.startswith(("/", "\\")) and ":" not in name and "\0" not in name
    )
