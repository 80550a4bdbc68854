"""Whatever stands in the files that the program remembers things in: it starts, opens files, and remembers again."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.shared import ROOT
from viewer.core.source import Identity
from viewer.core.span import Span
from viewer.session.bookmarks import Bookmark, Bookmarks
from viewer.session.file_marks import KnownFiles
from viewer.session.open_lists import Left, OpenLists
from viewer.session.places import FilePlace, Found
from viewer.session.reopening import Reopening
from viewer.session.settings import Settings
from viewer.session.workspace import Workspace

SAMPLE = ROOT / "resources" / "samples" / "checkpoint_adam.pt"
ROUNDS = 40
IDENTITY = Identity(1, 2, 300, 0)
MARK = Bookmark("", 1, 2, "mark")
ODD: tuple[Any, ...] = (None, True, -1, 2**70, 1.5, "", "\ud800", "a\0b", [], {}, [[]], {"a": [None]})
Mutate = Callable[[random.Random, bytes], bytes]


class Run:
    """One run of the program over a folder, without a window and without the bytes of a file."""

    def __init__(self, home: Path) -> None:
        self.work = Workspace(Settings(home / "settings.ini"))
        self.lists = OpenLists(self.work.settings)
        left = Reopening(self.work, self.lists).begin()
        self.paths = left.paths if left is not None else ()

    def use(self, path: Path) -> None:
        """What a file that is opened has kept, and what is kept of it then."""
        self.places(path)
        marks = self.marks(path)
        marks.add(MARK)
        place = FilePlace(b"docks", ("hex",), (), Span(3, 4), "bytes", ("hex",), "hex", {"tensors": {"filter": "a"}})
        self.work.places.keep(path, IDENTITY, place)
        self.work.recent.add(path, IDENTITY.size)
        self.lists.write(Left((str(path),)))
        for folder in self.folders():
            folder.settle()

    def places(self, path: Path) -> Found | None:
        """How the file was left."""
        return self.work.places.find(path, IDENTITY)

    def marks(self, path: Path) -> Bookmarks:
        """Its bookmarks."""
        marks = Bookmarks()
        marks.join(self.work.bookmarks, KnownFiles().names(path, IDENTITY))
        return marks

    def folders(self) -> Iterator[Any]:
        """Of all that is kept."""
        yield from (self.work.places.folder, self.work.bookmarks.folder, self.work.recent.folder, self.lists.folder)

    def kill(self) -> None:
        """Let go of everything; what is on the disk stays."""
        self.work.ending.disconnect()
        self.work.close_all()
        self.lists.folder.run(self.lists._let_go)
        self.lists.folder.close()


def cut(chance: random.Random, content: bytes) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def flipped(chance: random.Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.randrange(1, 8)):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def other_values(chance: random.Random, content: bytes) -> bytes:
    """JSON of which some values are other ones."""
    whole = json.loads(content)

    def changed(value: Any) -> Any:
        if chance.random() < 0.15:
            return chance.choice(ODD)
        if isinstance(value, dict):
            return {key: changed(one) for key, one in value.items() if chance.random() > 0.05}
        return [changed(one) for one in value] if isinstance(value, list) else value

    return json.dumps(changed(whole)).encode("ascii")


@pytest.mark.parametrize("mutate", [cut, flipped, other_values])
@pytest.mark.parametrize("kind", ["open", "files", "bookmarks", "recent"])
def test_damaged_files_of_the_state_harm_nothing(qapp: object, tmp_path: Path, kind: str, mutate: Mutate) -> None:
    del qapp
    path = Path(shutil.copy(SAMPLE, tmp_path / "model.pt"))
    first = Run(tmp_path)
    first.use(path)
    first.kill()
    (file,) = (tmp_path / "state" / kind).glob("*.json")
    whole, chance = file.read_bytes(), random.Random(f"{kind} {mutate.__name__}")
    for number in range(ROUNDS):
        for left in (tmp_path / "state" / kind).glob("*.json"):
            left.unlink()
        file.write_bytes(mutate(chance, whole))
        run = Run(tmp_path)
        assert all(isinstance(one, str) for one in run.paths)
        run.use(path)
        run.kill()
        again = Run(tmp_path)
        assert again.paths == (str(path),), number
        assert MARK in list(again.marks(path))
        found = again.places(path)
        assert found is not None
        assert found.place.span == Span(3, 4)
        assert again.work.recent.files[0].path == str(path)
        again.kill()
