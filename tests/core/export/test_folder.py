"""A folder is whole or absent; nothing is lost that the export did not write."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, ClassVar

import pytest
from typing_extensions import override

from viewer.core.document import Document
from viewer.core.errors import CancelledError, ExportError, SpaceError, TargetExistsError
from viewer.core.export import atomic, folder
from viewer.core.export.folder import FolderExporter, put
from viewer.core.export.plan import Content, Plan
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource

Files = dict[str, Callable[[BinaryIO], None] | bytes]


class Made(FolderExporter):
    """Writes what it is given."""

    form: ClassVar[str] = "made"
    title: ClassVar[str] = "Made"
    summary: ClassVar[str] = ""
    judge: ClassVar[str] = ""

    def __init__(self, files: Files) -> None:
        self._files = files

    @override
    def plan(self, document: Document, wanted: Wanted) -> Plan:
        return Plan(
            *("made", document, Content("", ()), (), (), (), (), ()), nbytes=10, needs="", files=tuple(self._files)
        )

    @override
    def files(
        self, plan: Plan, progress: Progress
    ) -> Iterator[tuple[tuple[str, ...], Callable[[BinaryIO], None] | bytes]]:
        for name, content in self._files.items():
            yield tuple(name.split("/")), content


TWO: Files = {"a.py": b"one", "sub/b.py": lambda file: print(file.write(b"tw"), file.write(b"o"), sep="", end="")}


def write(target: Path, files: Files = TWO, overwrite: bool = False, document: Document | None = None) -> int:
    exporter = Made(files)
    document = document or open_document(MemorySource(b"text"))
    return exporter.write(exporter.plan(document, Wanted()), target, Progress(), overwrite).nbytes


def tree(place: Path) -> dict[str, bytes]:
    """All files below a folder, hidden ones too, and empty folders."""
    found = {path.relative_to(place).as_posix(): path for path in place.rglob("*")}
    return {
        name: path.read_bytes() if path.is_file() else b"/"
        for name, path in found.items()
        if path.is_file() or not list(path.iterdir())
    }


WRITTEN = {"out/a.py": b"one", "out/sub/b.py": b"two"}


def test_a_new_folder(tmp_path: Path) -> None:
    assert write(tmp_path / "out") == 6
    assert tree(tmp_path) == WRITTEN


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir(mode=0o700)
    write(tmp_path / "out")
    assert tree(tmp_path) == WRITTEN
    assert os.name == "nt" or (tmp_path / "out").stat().st_mode & 0o777 == 0o700


def test_overwriting_replaces_all_that_the_form_writes(tmp_path: Path) -> None:
    write(tmp_path / "out")
    (tmp_path / "out" / "a.py").write_bytes(b"changed")
    cache = tmp_path / "out" / "sub" / "__pycache__"
    cache.mkdir()
    (cache / "b.cpython-311.pyc").write_bytes(b"x")
    (tmp_path / "out" / "empty").mkdir()
    with pytest.raises(TargetExistsError):
        write(tmp_path / "out")
    assert tree(tmp_path)["out/a.py"] == b"changed"
    write(tmp_path / "out", overwrite=True)
    assert tree(tmp_path) == WRITTEN


@pytest.mark.parametrize("name", ["notes.txt", "sub/c.py", "sub/__pycache__/x.py", ".git/HEAD", "A.py"])
@pytest.mark.parametrize("overwrite", [False, True])
def test_files_of_others_are_never_replaced(tmp_path: Path, name: str, overwrite: bool) -> None:
    write(tmp_path / "out")
    place = tmp_path / "out" / name
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(b"mine")
    before = tree(tmp_path)
    with pytest.raises(ExportError) as caught:
        write(tmp_path / "out", {"a.py": b"new", "sub/b.py": b"new"}, overwrite)
    assert caught.value.code == "target-holds-others"
    assert f"holds {name}, which is not of such an export." in str(caught.value)
    assert tree(tmp_path) == before


@pytest.mark.skipif(os.name == "nt", reason="links need a right on Windows")
def test_links_are_of_others(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "b.py").write_bytes(b"mine")
    write(tmp_path / "out", {"a.py": b"one"})
    (tmp_path / "out" / "sub").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    with pytest.raises(ExportError) as caught:
        write(tmp_path / "out", overwrite=True)
    assert caught.value.code == "target-holds-others"
    assert (tmp_path / "elsewhere" / "b.py").read_bytes() == b"mine"


@pytest.mark.skipif(os.name == "nt", reason="links need a right on Windows")
def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "real", target_is_directory=True)
    write(tmp_path / "out")
    assert (tmp_path / "out").is_symlink()
    assert (tmp_path / "real" / "a.py").read_bytes() == b"one"
    (tmp_path / "lost").symlink_to(tmp_path / "none")
    with pytest.raises(TargetExistsError):
        write(tmp_path / "lost")


def test_the_open_file_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    place = tmp_path / "out" / "a.py"
    place.write_bytes(b"text")
    document = open_document(place)
    try:
        for overwrite in (False, True):
            with pytest.raises(ExportError) as caught:
                write(tmp_path / "out", TWO, overwrite, document)
            assert caught.value.code == "target-is-source"
    finally:
        document.source.close()
    assert place.read_bytes() == b"text"


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("file", "target-is-file"),
        ("none/out", "target-folder-missing"),
        ("file/out", "target-folder-is-file"),
        ("a\0b", "target-unwritable"),
    ],
)
def test_targets_that_are_none(tmp_path: Path, target: str, code: str) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    for overwrite in (False, True):
        with pytest.raises(ExportError) as caught:
            write(tmp_path / target, TWO, overwrite)
        assert caught.value.code == code
    assert tree(tmp_path) == {"file": b"mine"}


def test_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type(atomic.shutil.disk_usage(tmp_path))
    monkeypatch.setattr(atomic.shutil, "disk_usage", lambda path: usage(1000, 995, 5))
    with pytest.raises(SpaceError):
        write(tmp_path / "out")
    assert tree(tmp_path) == {}


def fail(error: BaseException) -> Callable[[BinaryIO], None]:
    def content(file: BinaryIO) -> None:
        file.write(b"half")
        raise error

    return content


@pytest.mark.parametrize(
    ("error", "expected"),
    [(CancelledError(), CancelledError), (OSError(28, "No space"), SpaceError), (RuntimeError("x"), RuntimeError)],
)
@pytest.mark.parametrize("there", [False, True])
def test_what_fails_leaves_all_as_it_was(
    tmp_path: Path, error: BaseException, expected: type[BaseException], there: bool
) -> None:
    if there:
        write(tmp_path / "out")
    before = tree(tmp_path)
    with pytest.raises(expected):
        write(tmp_path / "out", {"a.py": b"new", "sub/b.py": fail(error)}, overwrite=True)
    assert tree(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == (["out"] if there else [])


def test_a_file_that_comes_while_writing_is_kept(tmp_path: Path) -> None:
    def content(file: BinaryIO) -> None:
        file.write(b"new")
        (tmp_path / "out" / "mine.txt").write_bytes(b"mine")

    write(tmp_path / "out")
    with pytest.raises(ExportError) as caught:
        write(tmp_path / "out", {"a.py": content, "sub/b.py": b"new"}, overwrite=True)
    assert caught.value.code == "target-holds-others"
    assert tree(tmp_path) == {**WRITTEN, "out/mine.txt": b"mine"}


def test_a_folder_that_comes_while_writing_is_kept(tmp_path: Path) -> None:
    def content(file: BinaryIO) -> None:
        file.write(b"new")
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "a.py").write_bytes(b"mine")

    with pytest.raises(TargetExistsError):
        write(tmp_path / "out", {"a.py": content})
    assert tree(tmp_path) == {"out/a.py": b"mine"}


def test_the_old_folder_comes_back_when_the_new_one_cannot_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "out")
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if target.name == "out" and (self / "a.py").read_bytes() == b"new":
            raise PermissionError(13, "refused")
        return rename(self, target)

    monkeypatch.setattr(folder.Path, "rename", refuse)
    with pytest.raises(ExportError) as caught:
        write(tmp_path / "out", {"a.py": b"new", "sub/b.py": b"new"}, overwrite=True)
    assert caught.value.code == "target-not-permitted"
    assert tree(tmp_path) == WRITTEN
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.skipif(os.name == "nt", reason="nothing is taken for dead on Windows")
def test_what_dead_exports_left_goes_at_the_next(tmp_path: Path) -> None:
    for name, held in (
        (".out.0123abcd.part", "a.py"),
        (".out.eeeeeeee.part", "mine.txt"),
        (".out.ffffffff.old", "a.py"),
    ):
        (tmp_path / name / "sub").mkdir(parents=True)
        (tmp_path / name / held).write_bytes(b"half")
    write(tmp_path / "out")
    assert (tmp_path / "out" / "sub" / "b.py").read_bytes() == b"two"
    assert (tmp_path / ".out.eeeeeeee.part" / "mine.txt").exists()
    assert (tmp_path / ".out.ffffffff.old" / "a.py").exists()
    assert not (tmp_path / ".out.0123abcd.part").exists()


@pytest.mark.parametrize(
    "parts",
    [(), ("",), ("..", "x"), (".",), ("a/b",), ("a\\b",), ("C:", "x"), ("a\0",), ("a", "..", "b"), ("/etc", "x")],
)
def test_no_path_leads_out(tmp_path: Path, parts: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="not a path within a folder"):
        put(tmp_path, parts, b"x", Progress())
    assert tree(tmp_path) == {}
