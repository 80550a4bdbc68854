"""Bookmarks: their order, changes, and that they outlive the program, a move and nonsense in the settings."""

import json

import pytest

from viewer.core.source import Identity
from viewer.core.span import Span
from viewer.session.bookmarks import FILES, Bookmark, Bookmarks, kept_bookmarks
from viewer.session.file_marks import KnownFiles
from viewer.session.settings import BOOKMARKS, Settings


@pytest.fixture
def settings(qapp, tmp_path):
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def start(settings):
    """Begins another run of the program; what the run before kept is on the disk by then."""
    made = []

    def make():
        for one in made:
            one.close()
        made.append(kept_bookmarks(settings))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def joined(start):
    """The bookmarks of a file in another run."""

    def join(path, inode=1):
        found = Bookmarks()
        found.join(start(), KnownFiles().names(path, Identity(1, inode, 100, 0)))
        return found

    return join


def files_of(settings):
    return sorted((settings.state_folder / "bookmarks").glob("*.json"))


def test_they_are_kept_by_path_and_found_after_a_move(joined, tmp_path):
    first = joined(tmp_path / "a.pt")
    first.add(Bookmark("", 50, 60, "later"))
    first.add(Bookmark("", 5, 6, "head", "call", "a note"))
    assert [mark.name for mark in first] == ["head", "later"]
    assert list(joined(tmp_path / "a.pt", inode=9)) == list(first)
    assert list(joined(tmp_path / "moved.pt")) == list(first)
    assert list(joined(tmp_path / "other.pt", inode=2)) == []


def test_a_new_file_with_the_number_of_a_removed_one_has_none(start, tmp_path):
    """Systems give the number of a removed file to the next one."""
    old, new = tmp_path / "old.pt", tmp_path / "new.pt"
    old.write_bytes(b"a" * 20_000)

    def bookmarks(path):
        facts = path.stat()
        found = Bookmarks()
        names = KnownFiles().names(path, Identity(1, 77, facts.st_size, facts.st_mtime_ns))
        found.join(start(), names)
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


def test_changes_and_removal_are_told_and_kept(joined, settings, tmp_path, qtbot):
    marks = joined(tmp_path / "a.pt")
    mark = Bookmark("", 2**40, 2**40 + 1, "far")
    with qtbot.waitSignal(marks.changed):
        marks.add(mark)
    changed = marks.change(mark, name="farther", note="n")
    assert list(joined(tmp_path / "a.pt")) == [changed]
    assert marks.at("", mark.span) == changed
    assert marks.at("record", mark.span) is None
    assert marks.of("record") == []
    marks.remove(changed)
    assert list(joined(tmp_path / "a.pt")) == []
    assert files_of(settings) == []


def test_one_for_the_same_bytes(settings):
    marks = Bookmarks()
    marks.add(Bookmark("", 1, 2, "one"))
    marks.add(Bookmark("", 1, 2, "two"))
    assert [mark.name for mark in marks] == ["two"]
    assert marks[0].span == Span(1, 2)


@pytest.mark.parametrize(
    "kept", ["{", "5", "[" * 100_000, '[{"path": 1}]', '[{"path": "p", "file": "1:1", "marks": [1, {"start": 5}]}]']
)
def test_nonsense_is_passed_over(joined, settings, tmp_path, kept):
    settings.set(BOOKMARKS, kept.replace('"p"', f'"{tmp_path / "a.pt"}"'))
    assert list(joined(tmp_path / "a.pt")) == []


def test_the_oldest_files_are_forgotten(joined, settings, tmp_path):
    for number in range(FILES + 3):
        joined(tmp_path / str(number), inode=number).add(Bookmark("", 0, 1))
    assert list(joined(tmp_path / "0", inode=-1)) == []
    assert len(joined(tmp_path / "5", inode=-1)) == 1


def test_a_change_is_on_the_disk_without_an_end(joined, start, tmp_path):
    """The program may be killed: nothing waits for the end of a file."""
    marks = joined(tmp_path / "a.pt")
    marks.add(Bookmark("", 1, 2, "one"))
    marks._rows.folder.settle()
    other = Bookmarks()
    other.join(start(), KnownFiles().names(tmp_path / "a.pt", Identity(1, 1, 100, 0)))
    assert [mark.name for mark in other] == ["one"]


def test_what_is_set_right_after_all_were_taken_away_stays(joined, tmp_path):
    marks = joined(tmp_path / "a.pt")
    for number in range(50):
        marks.add(Bookmark("", number, number + 1))
        marks.clear()
        marks.add(Bookmark("", 5, 6, f"{number}"))
        if number % 10 == 0:
            assert [mark.name for mark in joined(tmp_path / "a.pt")] == [f"{number}"]
    assert [mark.name for mark in joined(tmp_path / "a.pt")] == ["49"]


MARK = {"place": "", "start": 3, "stop": 4, "name": "old", "colour": "call", "note": ""}


def test_the_list_of_an_older_version_is_taken_over_once(joined, settings, tmp_path):
    rows = [{"path": str(tmp_path / name), "file": f"1:{at}:100:", "marks": [MARK]} for at, name in enumerate("abc", 1)]
    settings.set(BOOKMARKS, json.dumps(rows))
    assert [mark.name for mark in joined(tmp_path / "a")] == ["old"]
    assert [mark.name for mark in joined(tmp_path / "moved", inode=2)] == ["old"]
    assert settings.get(BOOKMARKS) == "[]"
    marks = joined(tmp_path / "a")
    marks.clear()
    # The older version was used again: what was set since is not undone, what it has alone is taken.
    settings.set(BOOKMARKS, json.dumps([*rows, {**rows[0], "path": str(tmp_path / "d"), "file": "1:9:100:"}]))
    joined(tmp_path / "b", inode=2).change(Bookmark(**MARK), name="new")
    settings.set(BOOKMARKS, json.dumps(rows))
    assert [mark.name for mark in joined(tmp_path / "b", inode=2)] == ["new"]
    assert [mark.name for mark in joined(tmp_path / "d", inode=9)] == ["old"]


def test_the_list_stays_where_its_files_cannot_be_written(joined, settings, tmp_path):
    rows = [{"path": str(tmp_path / "a"), "file": "1:1:100:", "marks": [MARK]}]
    settings.set(BOOKMARKS, json.dumps(rows))
    settings.state_folder.write_bytes(b"")
    assert [mark.name for mark in joined(tmp_path / "a")] == ["old"]
    assert settings.get(BOOKMARKS) == json.dumps(rows)
