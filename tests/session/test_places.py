"""How a file was left is found again by its name, or by its number when it was moved."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.core.source import Identity
from viewer.core.span import Span
from viewer.session.places import FilePlace, Places
from viewer.session.settings import KEEP_PLACES, PLACES, Settings

LEFT = FilePlace(b"\x00\xffdocks", ("hex", "source"), ("problems",), Span(2**33, 2**33 + 4))


def identity(inode: int, modified: int = 0) -> Identity:
    return Identity(7, inode, 100, modified)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")


def test_a_place_is_found_after_a_restart(settings: Settings) -> None:
    Places(settings).keep("/a/one.pt", identity(1), LEFT)
    assert Places(settings).find("/a/one.pt", identity(1)) == LEFT


def test_a_rewritten_file_keeps_its_place(settings: Settings) -> None:
    Places(settings).keep("/a/one.pt", identity(1), LEFT)
    assert Places(settings).find("/a/one.pt", identity(2, modified=5)) == LEFT


def test_a_moved_file_keeps_its_place(settings: Settings) -> None:
    Places(settings).keep("/a/one.pt", identity(1), LEFT)
    assert Places(settings).find("/b/other.pt", identity(1)) == LEFT


def test_a_new_file_with_the_number_of_a_removed_one_has_none(settings: Settings, tmp_path: Path) -> None:
    old, new = tmp_path / "old.pt", tmp_path / "new.pt"
    old.write_bytes(bytes(100))
    Places(settings).keep(old, identity(1), LEFT)
    new.write_bytes(bytes(99) + b"x")
    assert Places(settings).find(new, identity(1)) is None
    old.rename(tmp_path / "moved.pt")
    assert Places(settings).find(tmp_path / "moved.pt", identity(1)) == LEFT


def test_the_mark_is_that_of_the_opening(settings: Settings, tmp_path: Path) -> None:
    """A file is given back, and may be gone, when its place is kept."""
    path = tmp_path / "a.pt"
    path.write_bytes(bytes(100))
    places = Places(settings)
    assert places.find(path, identity(1)) is None
    moved = path.rename(tmp_path / "moved.pt")
    places.keep(path, identity(1), LEFT)
    assert Places(settings).find(moved, identity(1)) == LEFT


def test_another_file_has_none(settings: Settings) -> None:
    Places(settings).keep("/a/one.pt", identity(1), LEFT)
    assert Places(settings).find("/b/other.pt", identity(2)) is None


def test_the_name_goes_before_the_number(settings: Settings) -> None:
    places = Places(settings)
    places.keep("/a/one.pt", identity(1), LEFT)
    places.keep("/a/two.pt", identity(2), FilePlace())
    assert places.find("/a/one.pt", identity(2)) == LEFT


def test_only_the_last_hundred_are_kept(settings: Settings) -> None:
    places = Places(settings)
    for number in range(103):
        places.keep(f"/a/{number}.pt", identity(number), FilePlace(span=Span(number, number)))
    assert places.find("/a/2.pt", identity(2)) is None
    assert places.find("/a/3.pt", identity(3)) == FilePlace(span=Span(3, 3))


def test_nothing_is_kept_when_that_is_off(settings: Settings) -> None:
    settings.set(KEEP_PLACES, False)
    Places(settings).keep("/a/one.pt", identity(1), LEFT)
    assert Places(settings).find("/a/one.pt", identity(1)) is None


def test_all_is_forgotten_on_request(settings: Settings) -> None:
    places = Places(settings)
    places.keep("/a/one.pt", identity(1), LEFT)
    places.forget_all()
    assert places.find("/a/one.pt", identity(1)) is None


ROW = '"path": "/a/one.pt", "file": "7:1"'


@pytest.mark.parametrize(
    "kept",
    ["", "[3]", f"[{{{ROW}}}]", f'[{{{ROW}, "layout": "!", "panes": [], "folded": [], "span": null}}]'],
)
def test_a_broken_entry_is_none(settings: Settings, kept: str) -> None:
    settings.set(PLACES, kept)
    assert Places(settings).find("/a/one.pt", identity(1)) is None
