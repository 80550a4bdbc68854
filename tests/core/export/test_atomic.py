"""An export is whole or absent, whatever happens to it."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.core.export.reading import open_folder
from tests.shared import ROOT
from viewer.core.errors import CancelledError, ExportError, SpaceError, TargetExistsError
from viewer.core.export import atomic
from viewer.core.export.atomic import FileId, check_space, check_target, whole_or_absent
from viewer.core.export.hidden import hidden_name
from viewer.core.progress import Progress

needs_links = pytest.mark.skipif(os.name == "nt", reason="making links needs rights on Windows")
needs_rights = pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can become another user")


def write(path: Path, overwrite: bool = False, then: Callable[[], object] = lambda: None) -> None:
    """Write "new" there; `then` is what happens before the end."""
    with whole_or_absent(check_target(path, overwrite, ()), overwrite, Progress()) as file:
        file.write(b"new")
        then()


def raising(failure: BaseException) -> Callable[[], None]:
    def fail() -> None:
        raise failure

    return fail


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def code_of(path: Path, overwrite: bool = False, kept: tuple[FileId, ...] = ()) -> str:
    with pytest.raises(ExportError) as caught:
        check_target(path, overwrite, kept)
    assert str(caught.value).endswith(".")
    assert "{" not in str(caught.value)
    return caught.value.code


def test_a_file_appears_whole_and_nothing_else(tmp_path: Path) -> None:
    with whole_or_absent(check_target(tmp_path / "out.pt", False, ()), False, Progress()) as file:
        file.write(b"half")
        file.flush()
        assert not (tmp_path / "out.pt").exists()
        assert [name for name in names(tmp_path) if not name.startswith(".out.pt.")] == []
        file.write(b" and half")
    assert names(tmp_path) == ["out.pt"]
    assert (tmp_path / "out.pt").read_bytes() == b"half and half"


@pytest.mark.parametrize("failure", [CancelledError(), RuntimeError("anything"), KeyboardInterrupt()])
def test_a_failure_leaves_nothing(tmp_path: Path, failure: BaseException) -> None:
    with pytest.raises(type(failure)):
        write(tmp_path / "out.pt", then=raising(failure))
    assert names(tmp_path) == []


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "out.pt").write_bytes(b"old")
    with pytest.raises(CancelledError):
        write(tmp_path / "out.pt", overwrite=True, then=raising(CancelledError()))
    assert names(tmp_path) == ["out.pt"]
    assert (tmp_path / "out.pt").read_bytes() == b"old"


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SpaceError) as caught:
        write(tmp_path / "out.pt", then=raising(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    assert caught.value.code == "target-disk-full"
    assert names(tmp_path) == []


def test_another_fault_of_the_disk_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ExportError) as caught:
        write(tmp_path / "out.pt", then=raising(OSError(errno.EFBIG, os.strerror(errno.EFBIG))))
    assert str(caught.value) == f"{tmp_path / 'out.pt'} could not be written: File too large. Nothing was left there."


def test_room_is_looked_for_first(tmp_path: Path) -> None:
    target = check_target(tmp_path / "out.pt", False, ())
    check_space(target, 1)
    with pytest.raises(SpaceError) as caught:
        check_space(target, 2**60)
    assert caught.value.code == "target-no-room"
    assert "1,152,921,504,606,846,976 bytes" in str(caught.value)


def test_an_existing_file_is_replaced_only_when_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "out.pt"
    path.write_bytes(b"old")
    path.chmod(0o640)
    with pytest.raises(TargetExistsError):
        write(path)
    assert path.read_bytes() == b"old"
    write(path, overwrite=True)
    assert path.read_bytes() == b"new"
    if os.name != "nt":
        assert path.stat().st_mode & 0o777 == 0o640


def test_a_file_that_appears_meanwhile_stays(tmp_path: Path) -> None:
    path = tmp_path / "out.pt"
    with pytest.raises(TargetExistsError):
        write(path, then=lambda: path.write_bytes(b"of someone else"))
    assert path.read_bytes() == b"of someone else"
    assert names(tmp_path) == ["out.pt"]


def test_file_systems_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(atomic, "NAMELESS", 0)
    monkeypatch.setattr(atomic.os, "link", refuse)
    write(tmp_path / "out.pt")
    assert names(tmp_path) == ["out.pt"]
    with pytest.raises(TargetExistsError):
        write(tmp_path / "b.pt", then=lambda: (tmp_path / "b.pt").write_bytes(b"of someone else"))
    assert names(tmp_path) == ["b.pt", "out.pt"]


@pytest.fixture(params=["nameless", "hidden"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Both ways to write: a file without a name, and one with a hidden name."""
    if request.param == "hidden":
        monkeypatch.setattr(atomic, "NAMELESS", 0)
    elif (descriptor := atomic.opened_nameless(tmp_path)) is None:
        pytest.skip("this file system knows no files without a name")
    else:
        os.close(descriptor)
    return str(request.param)


def test_what_is_seen_while_a_file_is_written(tmp_path: Path, way: str) -> None:
    with whole_or_absent(check_target(tmp_path / "out.pt", False, ()), False, Progress()) as file:
        file.write(b"new")
        seen = names(tmp_path)
    assert len(seen) == (0 if way == "nameless" else 1)
    assert all(name.startswith(".out.pt.") and name.endswith(".part") for name in seen)
    assert names(tmp_path) == ["out.pt"]


@pytest.mark.usefixtures("way")
def test_either_way_a_name_is_taken_only_when_it_may_be(tmp_path: Path) -> None:
    path = tmp_path / "out.pt"
    with pytest.raises(TargetExistsError):
        write(path, then=lambda: path.write_bytes(b"of someone else"))
    assert (names(tmp_path), path.read_bytes()) == (["out.pt"], b"of someone else")
    write(path, overwrite=True)
    assert (names(tmp_path), path.read_bytes()) == (["out.pt"], b"new")


@pytest.mark.usefixtures("way")
def test_either_way_a_folder_may_vanish(tmp_path: Path) -> None:
    folder = tmp_path / "sub"
    folder.mkdir()
    with pytest.raises(ExportError) as caught:
        write(folder / "out.pt", then=lambda: shutil.rmtree(folder))
    assert str(caught.value) == f"There is no folder {folder}. Make it first, or choose another."
    assert names(tmp_path) == []


@pytest.mark.usefixtures("way")
def test_either_way_the_name_is_of_the_usual_rights(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"")
    write(tmp_path / "out.pt")
    assert (tmp_path / "out.pt").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.skipif(os.name == "nt", reason="Windows lets nobody remove a file that is open, so that nobody tries")
@pytest.mark.usefixtures("way")
def test_what_dead_exports_left_goes_at_the_next(tmp_path: Path) -> None:
    for name in (".out.pt.0123abcd.part", ".out.pt.0123abcd.old", ".out.pt.0123ABCD.part", ".other.pt.0123abcd.part"):
        (tmp_path / name).write_bytes(b"half")
    (tmp_path / ".out.pt.ffffffff.part").mkdir()
    (tmp_path / ".out.pt.eeeeeeee.part").symlink_to(tmp_path / ".other.pt.0123abcd.part")
    write(tmp_path / "out.pt")
    assert names(tmp_path) == [
        ".other.pt.0123abcd.part",
        ".out.pt.0123ABCD.part",
        ".out.pt.0123abcd.old",
        ".out.pt.eeeeeeee.part",
        ".out.pt.ffffffff.part",
        "out.pt",
    ]


def test_an_export_that_lives_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic, "NAMELESS", 0)
    path = tmp_path / "out.pt"
    with whole_or_absent(check_target(path, True, ()), True, Progress()) as file:
        file.write(b"first")
        write(path)
        assert path.read_bytes() == b"new"
    assert (names(tmp_path), path.read_bytes()) == (["out.pt"], b"first")


def test_a_draft_that_was_taken_for_dead_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [False, True]
    monkeypatch.setattr(atomic, "NAMELESS", 0)
    monkeypatch.setattr(atomic, "hold", lambda descriptor: answers.pop(0))
    with whole_or_absent(check_target(tmp_path / "out.pt", False, ()), False, Progress()) as file:
        file.write(b"new")
    assert answers == []
    assert (tmp_path / "out.pt").read_bytes() == b"new"


def test_targets_that_cannot_be_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert code_of(tmp_path) == "target-is-folder"
    assert code_of(tmp_path / "file") == "target-exists"
    assert code_of(tmp_path / "none" / "out.pt") == "target-folder-missing"
    assert code_of(tmp_path / "file" / "out.pt") == "target-folder-is-file"
    assert code_of(tmp_path / ("x" * 300)) == "target-name-too-long"
    assert code_of(Path("a\0b")) == "target-unwritable"


@needs_links
def test_a_device_is_no_target() -> None:
    assert code_of(Path(os.devnull), overwrite=True) == "target-not-regular"


@needs_links
@pytest.mark.parametrize("kind", ["same", "hard", "soft", "soft to soft", "spelling", "descriptor"])
def test_the_open_file_is_never_the_target(tmp_path: Path, kind: str) -> None:
    source = tmp_path / "model.pt"
    source.write_bytes(b"weights")
    facts = source.stat()
    if kind == "descriptor":
        if not Path("/proc/self/fd").exists():
            pytest.skip("this system has no files of open files")
        with source.open("rb") as file:
            path = Path(f"/proc/self/fd/{file.fileno()}")
            assert code_of(path, True, (FileId(facts.st_dev, facts.st_ino),)) == "target-is-source"
        return
    path = source if kind == "same" else tmp_path / "other.pt"
    if kind == "hard":
        os.link(source, path)
    elif kind == "soft":
        path.symlink_to(source)
    elif kind == "spelling":
        (tmp_path / "sub").mkdir()
        path = Path(f"{tmp_path}//sub/./../model.pt")
    elif kind == "soft to soft":
        (tmp_path / "middle").symlink_to("model.pt")
        path.symlink_to("middle")
    assert code_of(path, True, (FileId(facts.st_dev, facts.st_ino),)) == "target-is-source"
    assert source.read_bytes() == b"weights"


@needs_links
def test_links_stay_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "out.pt").write_bytes(b"old")
    (tmp_path / "link.pt").symlink_to(tmp_path / "real" / "out.pt")
    write(tmp_path / "link.pt", overwrite=True)
    assert (tmp_path / "link.pt").is_symlink()
    assert (tmp_path / "real" / "out.pt").read_bytes() == b"new"
    (tmp_path / "gone.pt").symlink_to(tmp_path / "nowhere.pt")
    assert code_of(tmp_path / "gone.pt") == "target-exists"


def test_the_hidden_name_fits_any_file_system() -> None:
    place = Path("folder") / ("\u00e9" * 120 + ".pt")
    hidden = hidden_name(place)
    assert hidden.parent == Path("folder")
    assert hidden.name.startswith(".\u00e9")
    assert len(os.fsencode(hidden.name)) <= 48
    assert hidden != hidden_name(place)


AS_NOBODY = """
import os, sys, pathlib
from viewer.core.errors import ExportError
from viewer.core.export.atomic import check_target
os.setgid(65534)
os.setuid(65534)
try:
    check_target(pathlib.Path(sys.argv[1]), False, ())
except ExportError as failure:
    print(failure.code)
"""


@needs_rights
def test_a_folder_without_rights_is_one_sentence() -> None:
    with open_folder() as folder:
        (folder / "closed").mkdir(mode=0o555)
        command = [sys.executable, "-c", AS_NOBODY, str(folder / "closed" / "out.pt")]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "target-not-permitted\n", done.stderr


KILLED = """
import os, signal, sys, pathlib
from viewer.core.export.atomic import check_target, whole_or_absent
from viewer.core.progress import Progress
path = pathlib.Path(sys.argv[1])
with whole_or_absent(check_target(path, True, ()), True, Progress()) as file:
    for number in range(10):
        file.write(b"x" * 10000)
        file.flush()
        if number == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL on Windows")
@pytest.mark.parametrize("at", [0, 9])
def test_a_killed_program_leaves_no_half_target(tmp_path: Path, at: int) -> None:
    path = tmp_path / "out.pt"
    path.write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", KILLED, str(path), str(at)], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old"
    assert all(name == "out.pt" or name.startswith(".out.pt.") for name in names(tmp_path))
