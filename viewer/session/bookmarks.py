"""Bookmarks of one file: bytes with a name, a colour and a note, kept in the state folder by the file's identity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from viewer.core.span import Span
from viewer.session.kept_rows import Bounds, KeptRows, row_bytes
from viewer.session.settings import BOOKMARKS, Settings

FOLDER: Final = "bookmarks"
FILES: Final = 200
MOST_BYTES: Final = 64 << 20
"""Far more than hands set; what is larger is no list of bookmarks."""
COLOURS: Final = ("accent", "global", "call", "integer", "persistent_id", "memo", "float8")
"""The accent, then kinds of regions whose line is the colour."""


@dataclass(frozen=True, slots=True, order=True)
class Bookmark:
    """Bytes [start, stop) of a place: "" for the file's own bytes, else the record or file of the set they count in."""

    place: str
    start: int
    stop: int
    name: str = ""
    colour: str = COLOURS[0]
    note: str = ""

    @property
    def span(self) -> Span:
        """Its bytes."""
        return Span(self.start, self.stop)


class Bookmarks(QObject):
    """The bookmarks in the order of their bytes. In memory until `join` tells where they are kept.

    `aside`: bytes and their place that wait to be compared with others; kept nowhere.

    changed: other bookmarks.
        Signal()
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._marks: list[Bookmark] = []
        self._rows: KeptRows | None = None
        self._names = "", ""
        self.aside: tuple[Span, str] | None = None

    def __len__(self) -> int:
        return len(self._marks)

    def __iter__(self) -> Iterator[Bookmark]:
        return iter(self._marks)

    def __getitem__(self, number: int) -> Bookmark:
        return self._marks[number]

    def join(self, rows: KeptRows, names: tuple[str, str]) -> None:
        """Take the bookmarks that are kept for a file; `names`: its path and its mark."""
        self._rows, self._names = rows, names
        row = next((row for row in rows.find(*names) if isinstance(row.get("marks"), list)), None)
        self._marks = sorted(_marks(row["marks"])) if row is not None else []
        self.changed.emit()

    def at(self, place: str, span: Span) -> Bookmark | None:
        """The bookmark of exactly these bytes."""
        return next((mark for mark in self._marks if mark.place == place and mark.span == span), None)

    def of(self, place: str) -> list[Bookmark]:
        """Those of the bytes of one place."""
        return [mark for mark in self._marks if mark.place == place]

    def add(self, mark: Bookmark) -> None:
        """Add one; it takes the place of another one of the same bytes."""
        self._marks = sorted([*(each for each in self._marks if not _same(each, mark)), mark])
        self._keep()

    def remove(self, mark: Bookmark) -> None:
        """Take one away."""
        self._marks = [each for each in self._marks if each != mark]
        self._keep()

    def clear(self) -> None:
        """Take all away."""
        self._marks = []
        self._keep()

    def change(
        self, mark: Bookmark, *, name: str | None = None, colour: str | None = None, note: str | None = None
    ) -> Bookmark:
        """Give one another name, colour or note; None leaves what it has."""
        changed = replace(
            mark,
            name=mark.name if name is None else name,
            colour=mark.colour if colour is None else colour,
            note=mark.note if note is None else note,
        )
        if changed != mark:
            self.add(changed)
        return changed

    def _keep(self) -> None:
        if self._rows is not None:
            self._rows.keep(*self._names, partial(_written, *self._names, tuple(self._marks)))
        self.changed.emit()


def kept_bookmarks(settings: Settings) -> KeptRows:
    """Where the bookmarks of all files are kept."""
    return KeptRows(settings, FOLDER, BOOKMARKS, Bounds(FILES, MOST_BYTES, MOST_BYTES))


def _written(name: str, mark: str, marks: tuple[Bookmark, ...]) -> bytes:
    """The bookmarks of a file as bytes; none where there are none."""
    return row_bytes(name, mark, {"marks": [asdict(each) for each in marks]}) if marks else b""


def _same(one: Bookmark, other: Bookmark) -> bool:
    return (one.place, one.start, one.stop) == (other.place, other.start, other.stop)


def _marks(rows: list[Any]) -> Iterator[Bookmark]:
    """What makes sense of what is kept."""
    for row in rows:
        try:
            start, stop = int(row["start"]), int(row["stop"])
            words = [str(row[key]) for key in ("name", "colour", "note")]
            if 0 <= start <= stop and words[1] in COLOURS:
                yield Bookmark(str(row["place"]), start, stop, *words)
        except (KeyError, TypeError, ValueError):
            continue
