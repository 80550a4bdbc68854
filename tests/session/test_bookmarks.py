"""Bookmarks: their order, changes, and that they outlive the program, a move and nonsense in the settings."""

import pytest

from viewer.core.source import Identity
from viewer.core.span import Span
from viewer.session.bookmarks import FILES, Bookmark, Bookmarks
from viewer.session.settings import BOOKMARKS, Settings


@pytest.fixture
def settings(qapp, tmp_path):
    return Settings(tmp_path / "settings.ini")


def joined(settings, path, inode=1):
    found = Bookmarks()
    found.join(settings, path, Identity(1, inode, 100, 0))
    return found


def test_they_are_kept_by_path_and_found_after_a_move(settings, tmp_path):
    first = joined(settings, tmp_path / "a.pt")
    first.add(Bookmark("", 50, 60, "later"))
    first.add(Bookmark("", 5, 6, "head", "call", "a note"))
    assert [mark.name for mark in first] == ["head", "later"]
    assert list(joined(settings, tmp_path / "a.pt", inode=9)) == list(first)
    assert list(joined(settings, tmp_path / "moved.pt")) == list(first)
    assert list(joined(settings, tmp_path / "other.pt", inode=2)) == []


def test_a_new_file_with_the_number_of_a_removed_one_has_none(settings, tmp_path):
    """Systems give the number of a removed file to the next one."""
    old, new = tmp_path / "old.pt", tmp_path / "new.pt"
    old.write_bytes(b"a" * 20_000)

    def bookmarks(path):
        facts = path.stat()
        found = Bookmarks()
        found.join(settings, path, Identity(1, 77, facts.st_size, facts.st_mtime_ns))
        return found

    bookmarks(old).add(Bookmark("", 5, 6, "head"))
    moved = old.rename(tmp_path / "moved.pt")
    assert [mark.name for mark in bookmarks(moved)] == ["head"]
    for data in (b"b" + b"a" * 19_999, b"a" * 19_999 + b"b", b"a" * 19_999):
        new.write_bytes(data)
        assert list(bookmarks(new)) == []
    bookmarks(new).add(Bookmark("", 7, 8, "of the new one"))
    assert [mark.name for mark in bookmarks(moved)] == ["head"]
    assert [mark.name for mark in bookmarks(new)] == ["of the new one"]


def test_changes_and_removal_are_told_and_kept(settings, tmp_path, qtbot):
    marks = joined(settings, tmp_path / "a.pt")
    mark = Bookmark("", 2**40, 2**40 + 1, "far")
    with qtbot.waitSignal(marks.changed):
        marks.add(mark)
    changed = marks.change(mark, name="farther", note="n")
    assert list(joined(settings, tmp_path / "a.pt")) == [changed]
    assert marks.at("", mark.span) == changed
    assert marks.at("record", mark.span) is None
    assert marks.of("record") == []
    marks.remove(changed)
    assert list(joined(settings, tmp_path / "a.pt")) == []
    assert settings.get(BOOKMARKS) == "[]"


def test_one_for_the_same_bytes(settings):
    marks = Bookmarks()
    marks.add(Bookmark("", 1, 2, "one"))
    marks.add(Bookmark("", 1, 2, "two"))
    assert [mark.name for mark in marks] == ["two"]
    assert marks[0].span == Span(1, 2)


@pytest.mark.parametrize(
    "kept", ["{", "5", '[{"path": 1}]', '[{"path": "p", "file": "1:1", "marks": [1, {"start": 5}]}]']
)
def test_nonsense_is_passed_over(settings, tmp_path, kept):
    settings.set(BOOKMARKS, kept.replace('"p"', f'"{tmp_path / "a.pt"}"'))
    assert list(joined(settings, tmp_path / "a.pt")) == []


def test_the_oldest_files_are_forgotten(settings, tmp_path):
    for number in range(FILES + 3):
        joined(settings, tmp_path / str(number), inode=number).add(Bookmark("", 0, 1))
    assert list(joined(settings, tmp_path / "0", inode=-1)) == []
    assert len(joined(settings, tmp_path / "5", inode=-1)) == 1
