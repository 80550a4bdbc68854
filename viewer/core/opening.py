"""Opening: from a path or a source to the document of all that is in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from viewer.core.archive.unpacking import Room
from viewer.core.collector import collector_paused
from viewer.core.document import Document, member_how
from viewer.core.errors import FolderChoiceError, SourceError
from viewer.core.folder import Folder, is_folder, listed, why
from viewer.core.formats import formats, sets
from viewer.core.formats.base import Context, Entry, Options
from viewer.core.formats.held.evidence import STREAMS
from viewer.core.formats.held.finding import Held, HeldFinder
from viewer.core.formats.recognition import Guess, recognise
from viewer.core.formats.single_file import model_files
from viewer.core.problem import warning
from viewer.core.progress import Progress
from viewer.core.source import ByteSource, FileSource, MemorySource, printable
from viewer.core.summary.remarks.adding import add_remarks
from viewer.core.summary.written_by import written_by

DEEPEST: Final = 8
MOST_DOCUMENTS: Final = 10_000
MOST_MEMBERS: Final = 100_000
MOST_CHOICES: Final = 10


def open_document(
    target: str | os.PathLike[str] | ByteSource, progress: Progress | None = None, options: Options | None = None
) -> Document:
    """Read a file, a folder with one set of files, or a source that is already open. Formats are told by content.

    Damage is in the document's Problems. Raises SourceError for what cannot be read at all, CancelledError when
    the progress was cancelled; a file that was opened here is closed then.
    """
    options = options or Options()
    if isinstance(target, ByteSource):
        return _opened(Place.of_source(target), progress or Progress(), options)
    return open_place(find_place(target, options), progress or Progress(), options)


def open_place(place: Place, progress: Progress, options: Options) -> Document:
    """Read what was found; as `open_document` does, and closed when that fails."""
    try:
        return _opened(place, progress, options)
    except BaseException:
        place.source.close()
        raise


def _opened(place: Place, progress: Progress, options: Options) -> Document:
    with collector_paused():
        document = _Opener(progress, options, place).open()
    document.path = place.path
    document.opened_by = place.opened_by
    return document


class Place:
    """What is to be read. `name`: of the file in its folder, "" where no file stands for a set of the kind `kind`.

    `path`: of that file; of the folder where there is none. `opened_by`: the part of the set that was asked for.
    """

    def __init__(self, source: ByteSource, path: Path | None, name: str = "", kind: str = "") -> None:
        self.source, self.path, self.name, self.kind = source, path, name, kind
        self.opened_by = ""
        folder = path if kind and not name else path.parent if path is not None else None
        self.folder = Folder(folder) if folder is not None else None

    @classmethod
    def of_source(cls, source: ByteSource) -> Place:
        """A source that is open already: a file with those beside it, or bytes."""
        path = source.path if isinstance(source, FileSource) else None
        return cls(source, path, path.name if path is not None else "")


def find_place(target: str | os.PathLike[str], options: Options) -> Place:
    """The file to read, opened: of a folder the file that stands for its set. Raises SourceError."""
    path = Path(target)
    if is_folder(path):
        return _place_of(path, entry_of(Folder(path)))
    if options.whole_set:
        folder = Folder(path.parent)
        entry = next((found for known in sets() if (found := known.set_of(path.name, folder)) is not None), None)
        if entry is not None:
            place = _place_of(path.parent, entry)
            place.opened_by = path.name if path.name != entry.name else ""
            return place
    return Place.of_source(FileSource(path))


def entry_of(folder: Folder) -> Entry:
    """What a folder is opened by. Raises SourceError where it holds no set, and no single file of a model."""
    names = folder.names()
    for known in sets():
        entry = known.entry(names, folder)
        if entry is not None:
            return entry
    shown, choices = printable(str(folder.path)), model_files(names) or inner_sets(names)
    if choices:
        told = listed([printable(name) for name in choices], most=MOST_CHOICES)
        raise FolderChoiceError(choices, path=shown, choices=told)
    raise SourceError("file-is-folder", path=shown)


def inner_sets(names: Sequence[str]) -> list[str]:
    """Of the files in folders below, those that stand for sets."""
    return [name for name in names if "/" in name and name.endswith((".index.json", "/.metadata", "/latest"))]


def _place_of(folder: Path, entry: Entry) -> Place:
    if not entry.name:
        return Place(MemorySource(b""), folder, "", entry.kind)
    path = folder / entry.name
    Folder(folder).refuse(entry.name)
    return Place(FileSource(path), path, path.name, entry.kind)


class _Opener:
    """One file or set being opened, with all documents inside it."""

    def __init__(self, progress: Progress, options: Options, place: Place) -> None:
        self.progress = progress
        self.options = options
        self.place = place
        self.opened = self.members = 0
        self.room = Room(options.most_unpacked)

    def open(self) -> Document:
        place = self.place
        document = self._read(place.source, 0, place.name, place.kind)
        if place.folder is not None and place.name and not document.files:
            for known in sets():
                document.problems += known.remarks(document, place.name, place.folder, self.progress)
        self._open_held(document)
        document.number()
        inner = document.content
        document.written_by = inner.written_by = written_by(inner) or inner.written_by
        add_remarks(document, place.path if place.name else None, self.options.byteorder)
        clip_problems(document)
        return document

    def _open_held(self, outermost: Document) -> None:
        """Open what hides in bytes and texts of pickles, and in those of what was found there: level by level."""
        finder = HeldFinder(self.room, self.progress)
        waiting = [(outermost, 0)]
        while waiting:
            document, depth = waiting.pop()
            found = [child for held in finder.find(document) if (child := self._held(document, held, depth + 1))]
            if found:
                document.children = in_order([*document.children, *found])
            waiting += [(child, depth + 1) for child in reversed(document.children)]

    def _held(self, document: Document, held: Held, depth: int) -> Document | None:
        """The document in an argument; None beyond the bounds, of one that is unreadable, and of an unknown archive."""
        pickle = document.pickles[held.value.pickle]
        place = pickle.in_document(pickle.code.span(held.value.value))
        if depth > DEEPEST or self.opened >= MOST_DOCUMENTS:
            many = warning("held-more", place, count=1, limit=MOST_DOCUMENTS)
            document.problems.append(warning("held-depth", place, count=DEEPEST) if depth > DEEPEST else many)
            return None
        try:
            child = self._read(held.source, depth, guess=held.guess)
        except SourceError as failure:
            # What is around it was read.
            document.problems.append(warning("held-unreadable", place, reason=why(failure)))
            return None
        child.how, child.held = held.how, held.value
        # A stream is one by its opcodes, also where nothing was made of it.
        is_known = child.pickles or child.tensors or child.children or child.format in STREAMS
        return child if is_known else None

    def _read(
        self, source: ByteSource, depth: int, name: str = "", kind: str = "", guess: Guess | None = None
    ) -> Document:
        self.opened += 1
        context = Context(
            *(source, self.progress, guess or recognise(source), self.options, self._child_opener(depth + 1)),
            room=self.room,
            sibling=self._sibling,
            folder=self.place.folder if name or kind else None,
            name=name,
            kind=kind,
            open_member=self._member,
        )
        best = max(formats(), key=lambda known: known.score(context))
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

    def _member(self, name: str) -> Document | None:
        """The document of another file of the set; None beyond the bounds. Raises SourceError."""
        if self.place.folder is None or self.members >= MOST_MEMBERS:
            return None
        source = self.place.folder.member(name)
        if source is None:
            raise SourceError("file-missing", path=printable(name))
        self.members += 1
        # What is inside the files of a set is bounded for each of them.
        before, self.opened = self.opened, 0
        document = self._read(source, 1, name)
        self.opened = before
        document.how = member_how(name)
        return document

    def _sibling(self, name: str) -> ByteSource | None:
        """A file of the same folder or below it; None where there is none. Names cannot lead out of the folder."""
        return self.place.folder.open(name) if self.place.folder is not None else None


def in_order(children: Sequence[Document]) -> list[Document]:
    """By their offset; those that have none stay behind the one before them."""
    keys: list[int] = []
    for child in children:
        keys.append(child.offset if child.offset is not None else keys[-1] if keys else 0)
    return [children[number] for number in sorted(range(len(keys)), key=keys.__getitem__)]


def clip_problems(document: Document) -> None:
    """Let no problem point beyond the end of a source: a cut tensor is declared there. Members of sets are left."""
    for part in document.walk() if not document.files else ():
        size = part.source.size
        for number, problem in enumerate(part.problems):
            if problem.span is not None and problem.span.stop > size:
                part.problems[number] = replace(problem, span=problem.span.clipped(size))
