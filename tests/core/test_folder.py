"""A folder and its files: what is in it, what stays outside, and how many are open at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.core.errors import SourceError
from viewer.core.folder import FilePool, Folder, is_inside, set_name
from viewer.core.source import identity_of


@pytest.mark.parametrize(
    ("name", "inside"),
    [
        ("a.bin", True),
        ("sub/a.bin", True),
        ("../a.bin", False),
        ("sub/../../a.bin", False),
        ("/etc/passwd", False),
        ("\\\\host\\share", False),
        ("..\\a.bin", False),
        ("C:a.bin", False),
        ("", False),
        ("a\0b", False),
    ],
)
def test_names_inside(name: str, inside: bool) -> None:
    assert is_inside(name) == inside


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    path = tmp_path / "model"
    (path / "step" / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "secret").write_bytes(b"no")
    (path / "part").write_bytes(b"yes, part")
    (path / "step" / "rank").write_bytes(b"yes, rank")
    (path / "step" / "a" / "b" / "c" / "deep").write_bytes(b"too deep")
    (path / "link").symlink_to(tmp_path / "secret")
    (path / "inner").symlink_to(path / "part")
    return Folder(path)


def test_names_of_files(folder: Folder) -> None:
    assert folder.names() == ["inner", "link", "part", "step/rank"]


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="absent"):
        Folder(tmp_path / "absent").names()


def test_files_stay_in_the_folder(folder: Folder) -> None:
    found = folder.open("part")
    assert found is not None
    assert found.read(0, 3) == b"yes"
    found.close()
    assert [folder.open(name) for name in ("link", "../secret", "absent", "step", ".", "x" * 300)] == [None] * 6
    inner = folder.member("inner")
    assert inner is not None
    assert inner.read(5, 99) == b"part"


def test_links_of_the_hub_cache_are_followed(tmp_path: Path) -> None:
    model = tmp_path / "models--a--b"
    (model / "blobs").mkdir(parents=True)
    (model / "snapshots" / "f00").mkdir(parents=True)
    (model / "blobs" / "abc").write_bytes(b"weights")
    (model / "snapshots" / "f00" / "model.bin").symlink_to(Path("..") / ".." / "blobs" / "abc")
    member = Folder(model / "snapshots" / "f00").member("model.bin")
    assert member is not None
    assert member.read(0, 9) == b"weights"


def test_a_member_gives_what_was_there_when_it_was_opened(folder: Folder) -> None:
    member = folder.member("step/rank")
    assert member is not None
    with (folder.path / "step" / "rank").open("ab") as file:
        file.write(b", longer")
    buffer = bytearray(20)
    assert member.size == 9
    assert (member.read(5, 99), member.read_into(0, memoryview(buffer)), bytes(buffer[:10])) == (
        b"rank",
        9,
        b"yes, rank\0",
    )
    assert member.to_outer(4) == 4
    folder.close()
    (folder.path / "step" / "rank").unlink()
    with pytest.raises(SourceError):
        member.read(0, 1)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("gpt/.metadata", "gpt"),
        ("gpt/model.safetensors.index.json", "gpt"),
        ("models--org--gpt-neo/snapshots/f00d/model.safetensors.index.json", "gpt-neo"),
        ("snapshots/f00d/model.safetensors.index.json", "f00d"),
    ],
)
def test_the_name_of_a_set_is_its_folder(tmp_path: Path, path: str, name: str) -> None:
    assert set_name(tmp_path / path) == name


def test_a_folder_of_ranks_gives_its_own_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "step").mkdir()
    monkeypatch.chdir(tmp_path / "step")
    assert [set_name(Path(path)) for path in (str(tmp_path / "step"), ".", ".metadata")] == ["step"] * 3
    assert set_name(Path("/")) == ""


def descriptors() -> int:
    """Files that this process has open; 0 where the system does not tell."""
    listed = Path("/proc/self/fd")
    return len(list(listed.iterdir())) if listed.is_dir() else 0


def test_few_files_are_open_at_once(tmp_path: Path) -> None:
    paths = [tmp_path / str(number) for number in range(10)]
    for path in paths:
        path.write_bytes(path.name.encode())
    pool = FilePool(limit=3)
    before = descriptors()
    states = {path: identity_of(path.stat()) for path in paths}
    with pool.borrowed(str(paths[0]), states[paths[0]]) as first:
        for path in paths[1:]:
            with pool.borrowed(str(path), states[path]) as source:
                assert source.read(0, 1) == path.name.encode()
        assert first.read(0, 1) == b"0"
    assert descriptors() - before == (3 if before else 0)
    pool.close()
    assert descriptors() == before


def test_links_that_lead_to_one_another_are_no_files(folder: Folder) -> None:
    (folder.path / "loop").symlink_to("loop")
    assert "loop" not in folder.names()
    assert folder.open("loop") is None
    with pytest.raises(SourceError, match="symbolic links"):
        folder.member("loop")


@pytest.mark.parametrize(("name", "reason"), [("step", "it is a folder"), ("link", "a link out of the folder")])
def test_what_is_there_and_no_file_of_the_folder_is_told(folder: Folder, name: str, reason: str) -> None:
    with pytest.raises(SourceError, match=reason):
        folder.member(name)
    assert folder.member("absent") is None
    assert folder.member("../secret") is None
