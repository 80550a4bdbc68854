"""How each file was left: its panes and its place, found again by the file's identity. Never kept beside the file."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from viewer.core.span import Span
from viewer.session.file_marks import KnownFiles, renamed
from viewer.session.kept_rows import Bounds, KeptRows, Row, row_bytes
from viewer.session.setting import parsed
from viewer.session.settings import KEEP_PLACES, PLACES, Settings

if TYPE_CHECKING:
    from viewer.core.source import Identity

LIMIT: Final = 200
"""Files that are remembered."""
MOST_BYTES: Final = 256 << 10
"""Of one of them; without what its panes keep where that is more."""
MOST_IN_ALL: Final = 8 << 20
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
    """The places of the last files. A file is known by its path or, when it was moved, by its mark."""

    def __init__(self, settings: Settings, known: KnownFiles | None = None) -> None:
        self._settings = settings
        self._known = known or KnownFiles()
        self._rows = KeptRows(settings, FOLDER, PLACES, Bounds(LIMIT, MOST_BYTES, MOST_IN_ALL))
        self.folder = self._rows.folder
        self._silent: set[str] = set()

    def find(self, path: str | os.PathLike[str], identity: Identity) -> Found | None:
        """How the file was left, None for one that was never seen."""
        name, mark = self._known.names(path, identity)
        self._silent.discard(name)
        for row in self._rows.find(name, mark):
            place = _place(row)
            if place is not None:
                return Found(place, _how(row, name, mark), row["path"])
        return None

    def found_again(self, path: str) -> str:
        """The file of the same folder that was known by a path where none stands now; "" where there is none."""
        marks = (row["file"] for row in self._rows.find(path, "") if row["path"] == path)
        return next((found for mark in marks if (found := renamed(Path(path), mark))), "")

    def keep(self, path: str | os.PathLike[str], identity: Identity, place: FilePlace) -> None:
        """Remember how a file is left, soon; the oldest beyond the limit are forgotten."""
        name, mark = self._known.names(path, identity)
        if self._settings.get(KEEP_PLACES) and name not in self._silent:
            silent = frozenset(self._silent)
            self._rows.keep(name, mark, lambda: without(_written(name, mark, place), silent))

    def forget(self, path: str | os.PathLike[str], identity: Identity) -> None:
        """Forget how a file was left, and do not remember it before it is opened again."""
        name, mark = self._known.names(path, identity)
        self._silent.add(name)
        self._rows.forget(name, mark)
        # Files that were compared with it name it too.
        self._rows.change(lambda content: without(content, frozenset((name,))))

    def forget_all(self) -> None:
        """Forget how every file was left; those that are open are not remembered before they are opened again."""
        self._silent.update(self._known.paths())
        self._rows.forget_all()

    def close(self) -> None:
        """Write what waits."""
        self._rows.close()


def _written(name: str, mark: str, place: FilePlace) -> bytes:
    """A place as bytes."""
    facts = {
        "layout": base64.b64encode(place.layout).decode("ascii"),
        "panes": place.panes,
        "folded": place.folded,
        "span": [place.span.start, place.span.stop] if place.span is not None else None,
        "arrangement": place.arrangement,
        "front": place.front,
        "active": place.active,
    }
    content = row_bytes(name, mark, {**facts, "kept": place.kept})
    return content if len(content) <= MOST_BYTES else row_bytes(name, mark, facts)


def without(content: bytes, names: frozenset[str]) -> bytes:
    """A row as bytes, in which nothing is one of these names any more."""
    if not any(json.dumps(name).encode("ascii") in content for name in names):
        return content
    row = parsed(content.decode("ascii", "replace"))
    # What is damaged and names one is of no use.
    return json.dumps(_without(row, names), separators=(",", ":")).encode("ascii") if isinstance(row, dict) else b""


def _without(part: Any, names: frozenset[str]) -> Any:
    if isinstance(part, dict):
        return {key: _without(one, names) for key, one in part.items() if not (isinstance(one, str) and one in names)}
    if isinstance(part, list):
        return [_without(one, names) for one in part if not (isinstance(one, str) and one in names)]
    return part


def _how(row: Row, name: str, mark: str) -> str:
    """What became of a file since; the number that a system gives a file alone says nothing of what is in it."""
    if row["path"] == name:
        before, now = (each.split(":")[2:] for each in (row["file"], mark))
        return CHANGED if len(before) == 2 and all((*before, *now)) and before != now else SAME
    return SAME if os.path.lexists(row["path"]) else MOVED


def _place(row: Row) -> FilePlace | None:
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
