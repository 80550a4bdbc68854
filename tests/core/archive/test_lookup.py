"""Records of one name: which one each reader takes."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Sequence

import pytest

from tests.builders.zips import UTF8, Member, plain_zip
from tests.opened import Traced
from viewer.core.archive import lookup
from viewer.core.archive.lookup import bisected, heap_sorted
from viewer.core.archive.zip_reader import ZipArchive, read_zip
from viewer.core.progress import Progress


def read(names: Sequence[str], for_python: bool = False) -> ZipArchive:
    """An archive of records that hold their own numbers."""
    data = plain_zip([Member(name, b"%d" % row, flags=UTF8) for row, name in enumerate(names)])
    return read_zip(Traced(data), Progress(), for_python=for_python)


def content(archive: ZipArchive, name: str) -> bytes:
    record = archive.find(name)
    assert record is not None
    assert record.source is not None
    return record.source.read(0, 9)


def told(archive: ZipArchive) -> list[tuple[str, dict[str, object]]]:
    return [(problem.code, dict(problem.params)) for problem in archive.problems]


# what torch 2.13 read of such archives
@pytest.mark.parametrize(
    ("names", "taken"),
    [
        (["a/x", "a/x"], 1),
        (["a/data.pkl", "a/x", "a/x", "a/version"], 2),
        (["a/data.pkl", "a/byteorder", "a/x", "a/version", "a/x"], 2),
        (["a/x", "a/x", "a/x"], 2),
        (["a/x", "a/data.pkl", "a/x", "a/version", "a/x", "a/byteorder"], 4),
    ],
)
def test_torch_takes_any_of_them(names: list[str], taken: int) -> None:
    archive = read(names)
    assert content(archive, "a/x") == b"%d" % taken
    place = archive.place("a/x")
    assert place is not None
    assert archive.source.read(place[0], 1) == b"%d" % taken
    number = [row for row, name in enumerate(names) if name == "a/x"].index(taken) + 1
    assert told(archive) == [("zip-name-twice", {"name": "a/x", "count": names.count("a/x"), "first": number})]


def test_python_takes_the_last() -> None:
    names = ["a/x", "a/data.pkl", "a/byteorder", "a/x", "a/version"]
    archive = read(names, for_python=True)
    data = archive.source.read(0, archive.source.size)
    assert content(archive, "a/x") == b"3" == zipfile.ZipFile(io.BytesIO(data)).read("a/x")
    assert [code for code, _ in told(archive)] == ["zip-name-twice"]


def test_names_that_differ_in_case_are_one_to_torch() -> None:
    names = ["a/data.pkl", "a/byteorder", "a/DATA/0", "a/data/0", "a/version"]
    archive = read(names)
    ((code, facts),) = told(archive)
    assert code == "zip-name-case"
    assert (facts["name"], facts["other"]) == ("a/data/0", "a/DATA/0")
    assert content(archive, "a/data/0") == content(archive, "a/DATA/0")
    assert facts["record"] == names[int(content(archive, "a/data/0"))]
    apart = read(names, for_python=True)
    assert (content(apart, "a/DATA/0"), content(apart, "a/data/0")) == (b"2", b"3")


@pytest.mark.parametrize("names", [["a/x", "a/y"], ["a/\u00e4", "a/\u00c4"], ["a/x\0", "a/x"]])
def test_names_that_torch_tells_apart(names: list[str]) -> None:
    assert told(read(names)) == []
    assert [content(read(names), name) for name in names] == [b"0", b"1"]


def test_too_many_records_to_sort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "MOST_SORTED", 3)
    archive = read(["a/x", "a/y", "a/x", "a/z"])
    assert told(archive) == [("zip-name-twice-many", {"name": "a/x", "count": 2})]
    assert content(archive, "a/x") == b"2"


def test_heap_sort_sorts() -> None:
    dice = random.Random(3)
    for _ in range(200):
        keys = [bytes([dice.randrange(97, 105)]) for _ in range(dice.randrange(0, 30))]
        order = heap_sorted(keys)
        assert sorted(order) == list(range(len(keys)))
        assert [keys[row] for row in order] == sorted(keys)
        assert all(keys[bisected(keys, order, key)] == key for key in keys)
        assert bisected(keys, order, b"z") == -1
