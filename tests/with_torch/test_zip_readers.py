"""What torch and Python's zipfile read of archives that they read differently: as our Problems say."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Final

import pytest

from tests.builders.zips import UTF8, Member, plain_zip
from tests.with_torch.warm import run_clean
from viewer.core.archive.zip_reader import ZipArchive, read_zip
from viewer.core.progress import Progress
from viewer.core.source import FileSource

pytestmark = pytest.mark.torch
CHILD: Final = Path(__file__).with_name("zip_readers_child.py")
ROUNDS: Final = 150


def archive(names: list[str]) -> bytes:
    """Records that hold their own numbers, but for the version."""
    held = [
        Member(f"a/{name}", b"3" if name == "version" else b"%d" % row, flags=UTF8) for row, name in enumerate(names)
    ]
    return plain_zip(held)


def read(path: Path, for_python: bool = False) -> ZipArchive:
    return read_zip(FileSource(path), Progress(), for_python=for_python)


def content(found: ZipArchive, name: str) -> str | None:
    record = found.find(name)
    return None if record is None or record.source is None else record.source.read(0, 9).decode()


def test_records_of_one_name(tmp_path: Path) -> None:
    dice = random.Random(7)
    for number in range(ROUNDS):
        names = ["data.pkl", "version", *(f"data/{dice.randrange(1, 40)}" for _ in range(dice.randrange(30)))]
        names += [dice.choice(["data/0", "data/0", "DATA/0"]) for _ in range(dice.randrange(1, 4))] + ["data/0"]
        dice.shuffle(names)
        (tmp_path / f"{number}.zip").write_bytes(archive(names))
    done = run_clean(CHILD, tmp_path, "data/0")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert len(told) == ROUNDS
    differ = 0
    for name, (torch, python) in told.items():
        path = tmp_path / name
        found = read(path)
        assert content(found, "a/data/0") == torch, found.names
        assert content(read(path, for_python=True), "a/data/0") == python, found.names
        differ += torch != python
        codes = {problem.code for problem in found.problems}
        assert codes & {"zip-name-twice", "zip-name-case"}
        for problem in found.problems:
            if problem.params.get("name") == "a/data/0" and problem.code == "zip-name-twice":
                rows = [row for row, each in enumerate(found.names) if each == "a/data/0"]
                assert str(rows[int(str(problem.params["first"])) - 1]) == torch
    assert differ > ROUNDS // 3


@pytest.mark.parametrize(
    ("code", "member", "torch", "python"),
    [
        ("zip-local-name", Member("a/data/0", b"x", local_name=b"a/data/1"), "x", None),
        ("zip-stored-size", Member("a/data/0", b"xyz", size=5), None, "xyz"),
        ("zip-local-facts", Member("a/data/0", b"xyz", crc=7), "xyz", None),
    ],
)
def test_one_record(tmp_path: Path, code: str, member: Member, torch: str | None, python: str | None) -> None:
    data = bytearray(plain_zip([Member("a/data.pkl", b"N."), member, Member("a/version", b"3")]))
    if code == "zip-local-facts":
        at = data.index(b"a/data/0") - 16
        data[at] ^= 1
    (tmp_path / "one.zip").write_bytes(data)
    done = run_clean(CHILD, tmp_path, "data/0")
    assert json.loads(done.stdout) == {"one.zip": [torch, python]}
    assert [problem.code for problem in read(tmp_path / "one.zip").problems] == [code]


def test_bytes_in_front_and_a_number_that_is_too_small(tmp_path: Path) -> None:
    records = [Member("a/version", b"3"), Member("a/data.pkl", b"N."), Member("a/data/0", b"x")]
    (tmp_path / "front.zip").write_bytes(plain_zip(records, prefix=b"junk"))
    (tmp_path / "few.zip").write_bytes(plain_zip(records, count=2))
    told = json.loads(run_clean(CHILD, tmp_path, "data/0").stdout)
    assert told == {"front.zip": [None, "x"], "few.zip": [None, "x"]}
    assert [problem.code for problem in read(tmp_path / "front.zip").problems] == ["zip-prefix"]
    assert [problem.code for problem in read(tmp_path / "few.zip").problems] == ["zip-entry-count"]
