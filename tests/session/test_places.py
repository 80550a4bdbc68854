"""How a file was left is found again by its name, or by its number when it was moved."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from viewer.core.source import Identity
from viewer.core.span import Span
from viewer.session import places as module
from viewer.session.places import CHANGED, LIMIT, MOVED, SAME, FilePlace, Places
from viewer.session.settings import KEEP_PLACES, PLACES, Settings

LEFT = FilePlace(
    b"\x00\xffdocks",
    ("hex", "source"),
    ("problems",),
    Span(2**33, 2**33 + 4),
    "bytes",
    ("hex",),
    "hex",
    {"opcodes": {"filter": "REDUCE"}},
)


def identity(inode: int, modified: int = 0, size: int = 100) -> Identity:
    return Identity(7, inode, size, modified)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def start(settings: Settings) -> Iterator[Callable[[], Places]]:
    """Makes the places of another run of the program; what the run before kept is on the disk by then."""
    made: list[Places] = []

    def make() -> Places:
        for one in made:
            one.close()
        made.append(Places(settings))
        return made[-1]

    yield make
    for one in made:
        one.close()


def found(places: Places, path: str | Path, known_as: Identity) -> FilePlace | None:
    place = places.find(path, known_as)
    return place.place if place is not None else None


def files_of(settings: Settings) -> list[Path]:
    return sorted((settings.state_folder / "files").iterdir())


def test_a_place_is_found_after_a_restart(start: Callable[[], Places]) -> None:
    start().keep("/a/one.pt", identity(1), LEFT)
    assert found(start(), "/a/one.pt", identity(1)) == LEFT


def test_a_place_is_found_at_once(start: Callable[[], Places]) -> None:
    """A file is read again: it is closed and opened in one go."""
    places = start()
    places.keep("/a/one.pt", identity(1), LEFT)
    assert found(places, "/a/one.pt", identity(1)) == LEFT


def test_a_rewritten_file_keeps_its_place(start: Callable[[], Places]) -> None:
    start().keep("/a/one.pt", identity(1), LEFT)
    assert found(start(), "/a/one.pt", identity(2, modified=5)) == LEFT


def test_a_moved_file_keeps_its_place(start: Callable[[], Places]) -> None:
    start().keep("/a/one.pt", identity(1), LEFT)
    assert found(start(), "/b/other.pt", identity(1)) == LEFT


def test_what_became_of_a_file_is_known(start: Callable[[], Places], tmp_path: Path) -> None:
    path = tmp_path / "a.pt"
    path.write_bytes(bytes(100))
    start().keep(path, identity(1), LEFT)
    again = start().find(path, identity(1))
    assert again is not None
    assert again.how == SAME
    # A file that was copied back has another number, and is the same one to a person.
    copied = start().find(path, identity(3))
    assert copied is not None
    assert copied.how == SAME
    linked = tmp_path / "linked.pt"
    os.link(path, linked)
    other = start().find(linked, identity(1))
    assert other is not None
    assert other.how == SAME
    path.unlink()
    moved = start().find(linked, identity(1))
    assert moved is not None
    assert (moved.how, moved.path) == (MOVED, str(path))
    path.write_bytes(b"other" * 20)
    changed = start().find(path, identity(2))
    assert changed is not None
    assert changed.how == CHANGED


def test_a_new_file_with_the_number_of_a_removed_one_has_none(start: Callable[[], Places], tmp_path: Path) -> None:
    old, new = tmp_path / "old.pt", tmp_path / "new.pt"
    old.write_bytes(bytes(100))
    start().keep(old, identity(1), LEFT)
    new.write_bytes(bytes(99) + b"x")
    assert start().find(new, identity(1)) is None
    old.rename(tmp_path / "moved.pt")
    assert found(start(), tmp_path / "moved.pt", identity(1)) == LEFT


def test_the_mark_is_that_of_the_opening(start: Callable[[], Places], tmp_path: Path) -> None:
    """A file is given back, and may be gone, when its place is kept."""
    path = tmp_path / "a.pt"
    path.write_bytes(bytes(100))
    places = start()
    assert places.find(path, identity(1)) is None
    moved = path.rename(tmp_path / "moved.pt")
    places.keep(path, identity(1), LEFT)
    assert found(start(), moved, identity(1)) == LEFT


def test_another_file_has_none(start: Callable[[], Places]) -> None:
    start().keep("/a/one.pt", identity(1), LEFT)
    assert start().find("/b/other.pt", identity(2)) is None


def test_the_name_goes_before_the_number(start: Callable[[], Places]) -> None:
    places = start()
    places.keep("/a/one.pt", identity(1), LEFT)
    places.keep("/a/two.pt", identity(2), FilePlace())
    assert found(places, "/a/one.pt", identity(2)) == LEFT


def test_a_file_has_one_place(start: Callable[[], Places], settings: Settings) -> None:
    places = start()
    places.keep("/a/one.pt", identity(1), LEFT)
    places.keep("/a/one.pt", identity(2), LEFT)
    places.keep("/b/moved.pt", identity(2), LEFT)
    places.close()
    (file,) = files_of(settings)
    assert json.loads(file.read_bytes())["path"] == "/b/moved.pt"


def test_the_oldest_are_dropped(start: Callable[[], Places], settings: Settings) -> None:
    places = start()
    for number in range(LIMIT):
        places.keep(f"/a/{number}.pt", identity(number), FilePlace())
    places.close()
    for age, file in enumerate(files_of(settings), 1):
        os.utime(file, (1000 + age, 1000 + age))
    oldest, *others = files_of(settings)
    places.keep("/a/more.pt", identity(LIMIT), FilePlace())
    places.close()
    left = files_of(settings)
    assert oldest not in left
    assert len(left) == LIMIT
    assert set(others) < set(left)


def test_they_are_bounded_in_bytes(
    start: Callable[[], Places], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_IN_ALL", 4_000)
    places = start()
    for number in range(10):
        places.keep(f"/a/{number}.pt", identity(number), FilePlace(kept={"a": "x" * 1_000}))
    places.close()
    assert 0 < sum(file.stat().st_size for file in files_of(settings)) <= 4_000


def test_what_panes_keep_too_much_of_is_left_out(start: Callable[[], Places]) -> None:
    start().keep("/a/one.pt", identity(1), FilePlace(span=Span(3, 4), kept={"a": "x" * module.MOST_BYTES}))
    assert found(start(), "/a/one.pt", identity(1)) == FilePlace(span=Span(3, 4))


def test_what_takes_long_is_asked_for_when_it_is_written(start: Callable[[], Places]) -> None:
    start().keep("/a/one.pt", identity(1), FilePlace(kept={"tree": {"open": lambda: [1, 2]}}))
    assert found(start(), "/a/one.pt", identity(1)) == FilePlace(kept={"tree": {"open": [1, 2]}})


def test_nothing_is_kept_when_that_is_off(start: Callable[[], Places], settings: Settings) -> None:
    settings.set(KEEP_PLACES, False)
    start().keep("/a/one.pt", identity(1), LEFT)
    assert start().find("/a/one.pt", identity(1)) is None


def test_all_is_forgotten_on_request(start: Callable[[], Places], settings: Settings) -> None:
    places = start()
    places.keep("/a/one.pt", identity(1), LEFT)
    places.forget_all()
    places.keep("/a/one.pt", identity(1), LEFT)
    assert places.find("/a/one.pt", identity(1)) is None
    assert files_of(settings) == []
    # It was opened again: it is remembered again.
    places.keep("/a/one.pt", identity(1), LEFT)
    assert found(start(), "/a/one.pt", identity(1)) == LEFT


def test_one_file_is_forgotten_on_request(start: Callable[[], Places]) -> None:
    places = start()
    places.keep("/a/one.pt", identity(1), LEFT)
    places.keep("/a/two.pt", identity(2), LEFT)
    places.forget("/a/one.pt", identity(1))
    places.keep("/a/one.pt", identity(1), LEFT)
    assert start().find("/a/one.pt", identity(1)) is None
    assert found(start(), "/a/two.pt", identity(2)) == LEFT


ROW = '"path": "/a/one.pt", "file": "7:1"'
PLACE = '"layout": "", "panes": [], "folded": [], "span": [4, 8]'


@pytest.mark.parametrize(
    "kept",
    ["", "[3]", f"[{{{ROW}}}]", f'[{{{ROW}, "layout": "!", "panes": [], "folded": [], "span": null}}]', "[" * 100_000],
)
def test_a_broken_entry_of_an_older_version_is_none(start: Callable[[], Places], settings: Settings, kept: str) -> None:
    settings.set(PLACES, kept)
    assert start().find("/a/one.pt", identity(1)) is None


def test_what_an_older_version_kept_is_taken(start: Callable[[], Places], settings: Settings) -> None:
    settings.set(PLACES, f"[{{{ROW}, {PLACE}}}]")
    assert found(start(), "/a/one.pt", identity(1)) == FilePlace(span=Span(4, 8))
    start().forget("/a/one.pt", identity(1))
    assert start().find("/a/one.pt", identity(1)) is None


BEFORE = f"""[
    {{"path": "/a/one.pt", "file": "7:1:100:", {PLACE}}},
    {{"path": "/a/two.pt", "file": "7:2:100:", {PLACE}}}
]"""


def test_what_is_kept_anew_leaves_the_list_of_an_older_version(start: Callable[[], Places], settings: Settings) -> None:
    settings.set(PLACES, BEFORE)
    start().keep("/a/one.pt", identity(1), LEFT)
    assert [row["path"] for row in json.loads(settings.get(PLACES))] == ["/a/two.pt"]
    assert found(start(), "/a/one.pt", identity(1)) == LEFT


@pytest.mark.parametrize(("path", "number"), [("/a/one.pt", 5), ("/b/moved.pt", 1)])
def test_one_of_the_files_that_an_older_version_kept_is_forgotten(
    start: Callable[[], Places], settings: Settings, path: str, number: int
) -> None:
    settings.set(PLACES, BEFORE)
    start().forget(path, identity(number))
    assert [row["path"] for row in json.loads(settings.get(PLACES))] == ["/a/two.pt"]
    assert start().find("/a/one.pt", identity(1)) is None
    assert found(start(), "/a/two.pt", identity(2)) == FilePlace(span=Span(4, 8))


def test_what_an_older_version_kept_is_forgotten_with_all(start: Callable[[], Places], settings: Settings) -> None:
    settings.set(PLACES, f"[{{{ROW}, {PLACE}}}]")
    start().forget_all()
    assert start().find("/a/one.pt", identity(1)) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\x00",
        b"[" * 100_000,
        b"null",
        f'{{"version": 1, {ROW}}}'.encode(),
        f'{{"version": 1, {ROW}, {PLACE.replace("4", "-4")}}}'.encode(),
        f'{{"version": 2, {ROW}, {PLACE}}}'.encode(),
        b" " * (module.MOST_BYTES + 1),
    ],
)
def test_a_damaged_file_or_one_of_a_newer_version_is_none(
    start: Callable[[], Places], settings: Settings, content: bytes
) -> None:
    start().keep("/a/one.pt", identity(1), LEFT)
    places = start()
    (file,) = files_of(settings)
    file.write_bytes(content)
    assert places.find("/a/one.pt", identity(1)) is None
    places.keep("/a/one.pt", identity(1), LEFT)
    assert found(start(), "/a/one.pt", identity(1)) == LEFT


def test_odd_parts_of_what_panes_keep_are_given_as_they_are(start: Callable[[], Places], settings: Settings) -> None:
    """Panes look at each part themselves."""
    start().keep("/a/one.pt", identity(1), LEFT)
    start()
    (file,) = files_of(settings)
    row = json.loads(file.read_bytes())
    file.write_text(json.dumps({**row, "kept": [], "front": [1, None], "active": 3}), encoding="ascii")
    place = found(start(), "/a/one.pt", identity(1))
    assert place is not None
    assert (place.kept, place.front, place.active) == ({}, ("1", "None"), "3")
