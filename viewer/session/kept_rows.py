"""What is known of single files of the person: a small file for each in a state folder, found again by path or mark.

Its name is `PATH-MARK.json`, of which both parts are digests, so that a listing of the folder tells a file by its path
or, when it was moved, by its mark (viewer/session/file_marks.py).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from viewer.session.setting import Setting, parsed
from viewer.session.settings import Settings
from viewer.session.state_folder import StateFolder

VERSION: Final = 1
SUFFIX: Final = ".json"
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many rows are kept, the bytes of one, and of all."""

    rows: int
    row_bytes: int
    all_bytes: int


class KeptRows:
    """The rows of one kind. `before`: the setting in which a version kept them that had one list for all."""

    def __init__(self, settings: Settings, folder: str, before: Setting[str], bounds: Bounds) -> None:
        self.folder = StateFolder(settings.state_folder / folder)
        self._settings, self._setting, self._bounds = settings, before, bounds
        self._before = list(_rows(settings.get(before)))
        self._take_before()

    def find(self, name: str, mark: str) -> Iterator[Row]:
        """The rows of a file, the likeliest first: those of its path, then those of its mark."""
        self.folder.settle()
        self._end_before()
        own, others = _digest(name), _digest(mark)
        names = self.folder.names()
        same_path = [each for each in names if each.startswith(own)]
        moved = [each for each in names if each.endswith(f"{others}{SUFFIX}") and each not in same_path]
        for row in map(self._row, (*same_path, *moved)):
            if row is not None:
                yield row
        yield from (row for row in self._before if row["path"] == name)
        yield from (row for row in self._before if row["file"] == mark)

    def keep(self, name: str, mark: str, content: Callable[[], bytes]) -> None:
        """Keep the row of a file, soon; the oldest beyond the bounds go. No bytes: there is none any more."""
        self._forget_before(lambda row: _is_same(row, name, mark))
        file = _file(name, mark)
        self.folder.write(file, content, partial(self._tidy, file))

    def forget(self, name: str, mark: str) -> None:
        """Keep nothing of this file."""
        self._forget_before(lambda row: _is_same(row, name, mark))
        self.folder.run(lambda: self._drop(lambda each: _is_of(each, _digest(name), _digest(mark))))

    def change(self, of: Callable[[bytes], bytes]) -> None:
        """Give each row the content that `of` makes of it, soon."""
        self.folder.run(lambda: self._change(of))

    def forget_all(self) -> None:
        """Keep nothing of any file."""
        self._forget_before(lambda _: True)
        self.folder.run(lambda: self._drop(lambda _: True))

    def close(self) -> None:
        """Write what waits."""
        self.folder.close()

    def _row(self, file: str) -> Row | None:
        row = parsed(self.folder.read(file, self._bounds.row_bytes))
        return row if _is_row(row) and row.get("version") == VERSION else None

    def _tidy(self, file: str) -> None:
        """The file has one row, by whatever path and mark it was known before."""
        own, others = file.removesuffix(SUFFIX).split("-")
        self._drop(lambda each: each != file and _is_of(each, own, others))
        self.folder.bound(self._bounds.rows, self._bounds.all_bytes)

    def _change(self, of: Callable[[bytes], bytes]) -> None:
        for each in self.folder.names():
            content = self.folder.read(each, self._bounds.row_bytes)
            changed = of(content)
            if content and not changed:
                self.folder.remove(each)
            elif changed != content:
                self.folder.put(each, changed)

    def _drop(self, is_meant: Callable[[str], bool]) -> None:
        for each in self.folder.names():
            if is_meant(each):
                self.folder.remove(each)

    # -- the list of a version that had one for all ------------------------------------------------

    def _take_before(self) -> None:
        """Give each of its rows a file, but where a newer one is there."""
        if not self._before:
            return
        there = self.folder.names()
        for row in reversed(self._before):
            own, others = _digest(row["path"]), _digest(row["file"])
            if not any(_is_of(each, own, others) for each in there):
                self.folder.write(_file(row["path"], row["file"]), partial(_again, row))
        self.folder.run(lambda: self.folder.bound(self._bounds.rows, self._bounds.all_bytes))

    def _end_before(self) -> None:
        """All that was asked is written: the list goes, unless its files could not be."""
        if self._before and self.folder.failure is None:
            self._forget_before(lambda _: True)

    def _forget_before(self, is_meant: Callable[[Row], bool]) -> None:
        left = [row for row in self._before if not is_meant(row)]
        if len(left) < len(self._before):
            self._before = left
            if left:
                self._settings.set(self._setting, json.dumps(left))
            else:
                self._settings.reset(self._setting)


def row_bytes(name: str, mark: str, facts: Row) -> bytes:
    """A row of a file as it is kept."""
    row = {"version": VERSION, "path": name, "file": mark, **facts}
    return json.dumps(row, default=_asked, separators=(",", ":")).encode("ascii")


def _again(row: Row) -> bytes:
    return row_bytes(row["path"], row["file"], {key: row[key] for key in row if key not in ("path", "file")})


def _asked(one: Any) -> Any:
    """What takes long to write down is a function that gives it, asked for here."""
    if callable(one):
        return one()
    raise TypeError(type(one).__name__)


def _digest(text: str) -> str:
    try:
        content = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        content = text.encode("utf-8", "surrogatepass")  # no path is so, but a damaged list may hold it
    return hashlib.sha256(content).hexdigest()[:20]


def _file(name: str, mark: str) -> str:
    return f"{_digest(name)}-{_digest(mark)}{SUFFIX}"


def _is_of(file: str, path: str, mark: str) -> bool:
    return file.startswith(path) or file.endswith(f"{mark}{SUFFIX}")


def _is_same(row: Row, name: str, mark: str) -> bool:
    return bool(row["path"] == name or row["file"] == mark)


def _is_row(row: object) -> bool:
    return isinstance(row, dict) and isinstance(row.get("path"), str) and isinstance(row.get("file"), str)


def _rows(text: str) -> Iterator[Row]:
    rows = parsed(text)
    yield from (row for row in (rows if isinstance(rows, list) else ()) if _is_row(row))
