"""How each file was left: its panes and its place, found again by the file's identity. Never kept beside the file.

One small file for each, in the state folder: `PATH-MARK.json`, of which both parts are digests, so that a listing of
the folder tells a file by its path or, when it was moved, by its mark.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from viewer.core.span import Span
from viewer.session.file_marks import mark_of
from viewer.session.settings import KEEP_PLACES, PLACES, Settings
from viewer.session.state_folder import StateFolder

if TYPE_CHECKING:
    from viewer.core.source import Identity

LIMIT: Final = 200
"""Files that are remembered."""
MOST_BYTES: Final = 256 << 10
"""Of one of them; without what its panes keep where that is more."""
MOST_IN_ALL: Final = 8 << 20
VERSION: Final = 1
FOLDER: Final = "files"
SAME, MOVED, CHANGED = "same", "moved", "changed"


@dataclass(frozen=True, slots=True)
class FilePlace:
    """How a file was left. `layout`: the docks as Qt saves them, b"" for the default; `panes`: their keys then.

    `folded`: keys of the panes of which only the header was shown. `span`: the selected bytes. `arrangement`: the
    layout that was chosen; `front`: keys of the panes that could be seen, `active`: of the one with the keyboard.
    `kept`: by the key of a pane what it keeps, as JSON has it; what takes long to write down is a function that gives
    it, asked by the thread that writes.
    """

    layout: bytes = b""
    panes: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    span: Span | None = None
    arrangement: str = ""
    front: tuple[str, ...] = ()
    active: str = ""
    kept: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """A place that is known. `how`: the file is the SAME, it was MOVED, or another one stands there (CHANGED).

    `path`: where it was then.
    """

    place: FilePlace
    how: str = SAME
    path: str = ""


class Places:
    """The places of the last files. A file is known by its path or, when it was moved, by `file_marks.mark_of`."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.folder = StateFolder(settings.state_folder / FOLDER)
        self._opened: dict[str, tuple[Identity, str]] = {}
        self._silent: set[str] = set()

    def find(self, path: str | os.PathLike[str], identity: Identity) -> Found | None:
        """How the file was left, None for one that was never seen."""
        name, mark = self._known_as(path, identity)
        self._silent.discard(name)
        self.folder.settle()
        own, others = _digest(name), _digest(mark)
        names = self.folder.names()
        same_path = [each for each in names if each.startswith(own)]
        moved = [each for each in names if each.endswith(f"{others}.json") and each not in same_path]
        rows = [*map(self._row, (*same_path, *moved)), *self._rows_before(name, mark)]
        for row in rows:
            place = _place(row) if row is not None else None
            if row is not None and place is not None:
                return Found(place, _how(row, name, mark), row["path"])
        return None

    def keep(self, path: str | os.PathLike[str], identity: Identity, place: FilePlace) -> None:
        """Remember how a file is left, soon; the oldest beyond the limit are forgotten."""
        name, mark = self._known_as(path, identity)
        if not self._settings.get(KEEP_PLACES) or name in self._silent:
            return
        file = f"{_digest(name)}-{_digest(mark)}.json"
        self.folder.write(file, partial(_written, name, mark, place), partial(self._tidy, file))

    def forget(self, path: str | os.PathLike[str], identity: Identity) -> None:
        """Forget how a file was left, and do not remember it before it is opened again."""
        name, mark = self._known_as(path, identity)
        self._silent.add(name)
        rows = [row for row in _rows(self._settings) if row["path"] != name and row["file"] != mark]
        self._settings.set(PLACES, json.dumps(rows))
        self.folder.run(lambda: self._drop(lambda each: _is_of(each, _digest(name), _digest(mark))))

    def forget_all(self) -> None:
        """Forget how every file was left; those that are open are not remembered before they are opened again."""
        self._settings.reset(PLACES)
        self._silent.update(self._opened)
        self.folder.run(lambda: self._drop(lambda _: True))

    def close(self) -> None:
        """Write what waits."""
        self.folder.close()

    def _known_as(self, path: str | os.PathLike[str], identity: Identity) -> tuple[str, str]:
        """Path and mark; the mark as it was when the file was opened, since it may be another one by now, or gone."""
        name = str(Path(path).absolute())
        known = self._opened.get(name)
        if known is None or known[0] != identity:
            known = self._opened[name] = identity, mark_of(Path(path), identity)
        return name, known[1]

    def _row(self, file: str) -> dict[str, Any] | None:
        content = self.folder.read(file, MOST_BYTES)
        try:
            row: Any = json.loads(content)
        except (ValueError, RecursionError):
            return None
        return row if _is_row(row) and row.get("version") == VERSION else None

    def _rows_before(self, name: str, mark: str) -> Iterator[dict[str, Any]]:
        """What a version kept that had one list for all."""
        rows = list(_rows(self._settings))
        yield from (row for row in rows if row["path"] == name)
        yield from (row for row in rows if row["file"] == mark)

    def _tidy(self, file: str) -> None:
        """The file has one place, by whatever path and mark it was known before."""
        own, others = file.removesuffix(".json").split("-")
        self._drop(lambda each: each != file and _is_of(each, own, others))
        self.folder.bound(LIMIT, MOST_IN_ALL)

    def _drop(self, is_meant: Callable[[str], bool]) -> None:
        for each in self.folder.names():
            if is_meant(each):
                self.folder.remove(each)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:20]


def _is_of(file: str, path: str, mark: str) -> bool:
    return file.startswith(path) or file.endswith(f"{mark}.json")


def _written(name: str, mark: str, place: FilePlace) -> bytes:
    """A place as bytes."""
    row = {
        "version": VERSION,
        "path": name,
        "file": mark,
        "layout": base64.b64encode(place.layout).decode("ascii"),
        "panes": place.panes,
        "folded": place.folded,
        "span": [place.span.start, place.span.stop] if place.span is not None else None,
        "arrangement": place.arrangement,
        "front": place.front,
        "active": place.active,
    }
    text = json.dumps({**row, "kept": place.kept}, default=_asked, separators=(",", ":"))
    return (text if len(text) <= MOST_BYTES else json.dumps(row)).encode("ascii")


def _asked(one: Any) -> Any:
    """What takes long to write down is asked for here."""
    if callable(one):
        return one()
    raise TypeError(type(one).__name__)


def _how(row: dict[str, Any], name: str, mark: str) -> str:
    """What became of a file since; the number that a system gives a file alone says nothing of what is in it."""
    if row["path"] == name:
        before, now = (each.split(":")[2:] for each in (row["file"], mark))
        return CHANGED if len(before) == 2 and all((*before, *now)) and before != now else SAME
    return SAME if os.path.lexists(row["path"]) else MOVED


def _is_row(row: object) -> bool:
    return isinstance(row, dict) and isinstance(row.get("path"), str) and isinstance(row.get("file"), str)


def _rows(settings: Settings) -> Iterator[dict[str, Any]]:
    """The list of a version that had one for all files."""
    try:
        rows: Any = json.loads(settings.get(PLACES))
    except (ValueError, RecursionError):
        return
    yield from (row for row in (rows if isinstance(rows, list) else ()) if _is_row(row))


def _place(row: dict[str, Any]) -> FilePlace | None:
    try:
        layout = base64.b64decode(row["layout"], validate=True)
        span = Span(*map(int, row["span"])) if row["span"] is not None else None
        lists = (tuple(map(str, row.get(key, ()))) for key in ("panes", "folded", "front"))
        panes, folded, front = lists
        kept = row.get("kept")
        words = str(row.get("arrangement", "")), str(row.get("active", ""))
        return FilePlace(layout, panes, folded, span, words[0], front, words[1], kept if isinstance(kept, dict) else {})
    except (KeyError, TypeError, ValueError):
        return None
