"""How each file was left: its panes and its place, found again by the file's identity. Never kept beside the file."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from viewer.core.span import Span
from viewer.session.file_marks import mark_of
from viewer.session.settings import KEEP_PLACES, PLACES, Settings

if TYPE_CHECKING:
    from viewer.core.source import Identity

LIMIT: Final = 100


@dataclass(frozen=True, slots=True)
class FilePlace:
    """How a file was left. `layout`: the docks as Qt saves them, b"" for the default; `panes`: their keys then.

    `folded`: keys of the panes of which only the header was shown. `span`: the selected bytes.
    """

    layout: bytes = b""
    panes: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    span: Span | None = None


class Places:
    """The places of the last 100 files. A file is known by its path or, when it was moved, by `file_marks.mark_of`."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opened: dict[str, tuple[Identity, str]] = {}

    def find(self, path: str | os.PathLike[str], identity: Identity) -> FilePlace | None:
        """How the file was left, None for one that was never seen."""
        name, mark = self._known_as(path, identity)
        rows = list(self._rows())
        same_path = [row for row in rows if row["path"] == name]
        moved = [row for row in rows if row["file"] == mark]
        for row in (*same_path, *moved):
            place = _place(row)
            if place is not None:
                return place
        return None

    def keep(self, path: str | os.PathLike[str], identity: Identity, place: FilePlace) -> None:
        """Remember how a file is left; the oldest beyond the limit are forgotten."""
        if not self._settings.get(KEEP_PLACES):
            return
        name, mark = self._known_as(path, identity)
        others = [row for row in self._rows() if row["path"] != name and row["file"] != mark]
        newest = {
            "path": name,
            "file": mark,
            "layout": base64.b64encode(place.layout).decode("ascii"),
            "panes": place.panes,
            "folded": place.folded,
            "span": [place.span.start, place.span.stop] if place.span is not None else None,
        }
        self._settings.set(PLACES, json.dumps([newest, *others][:LIMIT]))

    def forget_all(self) -> None:
        """Forget how every file was left."""
        self._settings.reset(PLACES)

    def _known_as(self, path: str | os.PathLike[str], identity: Identity) -> tuple[str, str]:
        """Path and mark; the mark as it was when the file was opened, since it may be another one by now, or gone."""
        name = str(Path(path).absolute())
        known = self._opened.get(name)
        if known is None or known[0] != identity:
            known = self._opened[name] = identity, mark_of(Path(path), identity)
        return name, known[1]

    def _rows(self) -> Iterator[dict[str, Any]]:
        try:
            rows: Any = json.loads(self._settings.get(PLACES))
        except ValueError:
            return
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict) and isinstance(row.get("path"), str) and isinstance(row.get("file"), str):
                yield row


def _place(row: dict[str, Any]) -> FilePlace | None:
    try:
        layout = base64.b64decode(row["layout"], validate=True)
        span = Span(*map(int, row["span"])) if row["span"] is not None else None
        return FilePlace(layout, tuple(map(str, row["panes"])), tuple(map(str, row["folded"])), span)
    except (KeyError, TypeError, ValueError):
        return None
