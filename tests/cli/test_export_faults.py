"""What goes wrong while an export is written: one sentence, an exit code, and nothing left under the target's name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from tests.builders.torch_values import Storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.core.export.reading import open_folder
from tests.shared import ROOT
from viewer import torch_client
from viewer.cli import main
from viewer.core.errors import CancelledError
from viewer.core.export import atomic, exporter_of
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress

needs_root = pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can mount and change users")
posix = pytest.mark.skipif(os.name == "nt", reason="no such signals and files on Windows")
MB: Final = 1_000_000
FILES: Final = ("npz", "state_dict", "safetensors", "legacy_state_dict")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A checkpoint of 3 MB, in a folder of its own."""
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    path = tmp_path / "in" / "in.pt"
    value = {name: tensor(Storage("uint8", bytes([number]) * MB), (MB,)) for number, name in enumerate("abc")}
    path.write_bytes(torch_zip(value))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where exports go."""
    return tmp_path / "out"


def export(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    """Exit code and the last line that is said."""
    code = main(["export", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return code, err.splitlines()[-1]


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@pytest.fixture
def at_block(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, Callable[[], object]], None]:
    """Let something happen when a block of an export is about to be written."""

    def install(number: int, then: Callable[[], object], what: str = "export") -> None:
        plain, seen = Progress.step, []

        def step(self: Progress, code: str, done: int, total: int = 0) -> None:
            if code == what:
                seen.append(done)
                if len(seen) == number:
                    then()
            plain(self, code, done, total)

        monkeypatch.setattr(Progress, "step", step)

    return install


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of two megabytes."""
    place = tmp_path / "small"
    place.mkdir()
    if os.name == "nt" or shutil.which("mount") is None:
        pytest.skip("there is no mount here")
    command = ["mount", "-t", "tmpfs", "-o", "size=2m,mode=755", "none", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


@needs_root
def test_a_disk_without_room_is_told_before(
    source: Path, small_disk: Path, capsys: pytest.CaptureFixture[str], at_block: Callable[..., None]
) -> None:
    at_block(1, lambda: pytest.fail("nothing may be written"))
    code, told = export(capsys, source, small_disk / "out.pt")
    assert code == 2
    assert told.startswith(f"picklescope: {small_disk}/out.pt needs 3,00")
    assert told.endswith(" bytes, and 2,097,152 are free there. Nothing was written.")
    assert names(small_disk) == []


@needs_root
@pytest.mark.parametrize("form", [*FILES, "safetensors_shards", "bytes"])
@pytest.mark.parametrize("nameless", [True, False])
def test_a_disk_that_fills_up(
    form: str,
    nameless: bool,
    source: Path,
    small_disk: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its room is taken by someone else after it was looked at."""
    usage = type(shutil.disk_usage(small_disk))
    monkeypatch.setattr(atomic.shutil, "disk_usage", lambda path: usage(2**40, 0, 2**40))
    if not nameless:
        monkeypatch.setattr(atomic, "NAMELESS", 0)
    (small_disk / "old").write_bytes(b"old")
    code, told = export(capsys, source, small_disk / "out", "--as", form)
    words = f"The disk of {small_disk}/out is full. Nothing was left there; make room and try again."
    assert (code, told) == (2, f"picklescope: {words}")
    assert names(small_disk) == ["old"]
    if form != "safetensors_shards":
        code, told = export(capsys, source, small_disk / "old", "--as", form, "--overwrite")
        assert (code, (small_disk / "old").read_bytes()) == (2, b"old")


@pytest.mark.parametrize("form", [*FILES, "bytes"])
def test_a_source_that_shrinks_in_the_middle(
    form: str, source: Path, folder: Path, capsys: pytest.CaptureFixture[str], at_block: Callable[..., None]
) -> None:
    at_block(2, lambda: os.truncate(source, 2000))
    code, told = export(capsys, source, folder / "out", "--as", form)
    place = "0x100000" if form == "bytes" else "0x80000"
    words = f"The open file was cut while it was read, at {place} of a storage. Nothing was written."
    assert (code, told) == (2, f"picklescope: {words}")
    assert names(folder) == []


@posix
def test_a_source_that_vanishes_in_the_middle_is_read_to_its_end(
    source: Path, folder: Path, capsys: pytest.CaptureFixture[str], at_block: Callable[..., None]
) -> None:
    """Its bytes stay for as long as it is open."""
    at_block(2, source.unlink)
    code, told = export(capsys, source, folder / "out.npz")
    assert (code, told) == (0, "Verified: numpy reads the same arrays (3).")
    assert names(folder) == ["out.npz"]


@pytest.mark.parametrize("form", ["npz", "source"])
def test_a_target_folder_that_is_not_there(
    form: str, source: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = source if form == "npz" else ROOT / "resources" / "samples" / "whole_model_legacy.pth"
    code, told = export(capsys, path, folder / "none" / "out", "--as", form)
    assert (code, told) == (*(2, f"picklescope: There is no folder {folder}/none. Make it first, or choose another."),)


@posix
@pytest.mark.parametrize("form", [*FILES, "safetensors_shards"])
def test_a_target_folder_that_vanishes(
    form: str, source: Path, folder: Path, capsys: pytest.CaptureFixture[str], at_block: Callable[..., None]
) -> None:
    at_block(2, lambda: shutil.rmtree(folder))
    code, told = export(capsys, source, folder / "out", "--as", form)
    assert (code, told) == (2, f"picklescope: There is no folder {folder}. Make it first, or choose another.")
    assert names(folder.parent) == ["in"]


@posix
@pytest.mark.parametrize("overwrite", [(), ("--overwrite",)])
def test_targets_that_are_none(
    overwrite: tuple[str, ...], source: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(folder / "pipe.npz")
    (folder / "folder.npz").mkdir()
    (folder / "device.npz").symlink_to("/dev/null")
    (folder / "self.npz").symlink_to("self.npz")
    long = "x" * 252 + ".npz"
    for name, words in (
        ("pipe.npz", "{path} is a device or a pipe, not a file. Choose another name."),
        ("device.npz", "{path} is a device or a pipe, not a file. Choose another name."),
        ("folder.npz", "{path} is a folder. Choose the name of a file in it."),
        (long, "The name of {path} is too long for its file system. Choose a shorter one."),
        ("self.npz", "{path} could not be written: Too many levels of symbolic links. Nothing was left there."),
    ):
        path = folder / name
        told = f"picklescope: {words.format(path=path)}"
        assert export(capsys, source, path, "--as", "npz", *overwrite) == (2, told)
    assert names(folder) == ["device.npz", "folder.npz", "pipe.npz", "self.npz"]


@posix
@pytest.mark.parametrize("way", ["same", "hard link", "link", "spelling", "open file"])
def test_the_open_file_under_another_name(
    way: str, source: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, path = source.read_bytes(), str(folder / "other.pt")
    with source.open("rb") as file:
        if way == "hard link":
            os.link(source, path)
        elif way == "link":
            Path(path).symlink_to(source)
        else:
            spelled = f"{source.parent}/../in//./in.pt"
            path = {"same": str(source), "spelling": spelled, "open file": f"/proc/self/fd/{file.fileno()}"}[way]
        if not Path(path).exists():
            pytest.skip("this system has no files of open files")
        code, told = export(capsys, source, path, "--as", "state_dict", "--overwrite")
    words = f"{path} is the open file, or one that it is made of. Choose another name."
    assert (code, told.replace(str(Path(path)), path)) == (2, f"picklescope: {words}")
    assert source.read_bytes() == before
    assert names(source.parent) == ["in.pt"]


@needs_root
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="there is no setpriv here")
@pytest.mark.parametrize("form", ["npz", "safetensors_shards"])
def test_a_folder_that_only_others_may_write_in(form: str, source: Path) -> None:
    with open_folder() as folder:
        closed, mine = folder / "closed", folder / "in.pt"
        closed.mkdir(mode=0o555)
        shutil.copy(source, mine)
        mine.chmod(0o644)
        program = [sys.executable, "-P", "-c", "import sys; from viewer.cli import main; sys.exit(main(sys.argv[1:]))"]
        arguments = ["export", str(mine), str(closed / "out"), "--as", form]
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *program, *arguments]
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True, check=False)
        left = names(closed)
    if "ModuleNotFoundError" in done.stderr or "Permission denied" in done.stderr:
        pytest.skip("the other user may not read the program")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        *(2, f"picklescope: Writing in {closed} is not permitted. Choose another folder."),
    )
    assert left == []


def test_a_part_of_a_set_is_never_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither by its name nor by another one, also where the set was opened by its folder."""
    (tmp_path / "model").mkdir()
    value = {name: tensor(Storage("uint8", bytes(9)), (9,)) for name in "abcd"}
    (tmp_path / "in.pt").write_bytes(torch_zip(value))
    shards = tmp_path / "model"
    form = ("--as", "safetensors", "--shard-size", "20", "--overwrite")
    assert export(capsys, tmp_path / "in.pt", shards, *form)[0] == 0
    part = "model-00002-of-00002.safetensors"
    before = {entry.name: entry.read_bytes() for entry in shards.iterdir()}
    assert part in before
    targets = [shards / part, shards / "model.safetensors.index.json"]
    if os.name != "nt":
        os.link(shards / part, tmp_path / "hard")
        (tmp_path / "soft").symlink_to(shards / part)
        targets += [tmp_path / "hard", tmp_path / "soft"]
    for target in targets:
        code, told = export(capsys, shards, target, "--as", "safetensors", "--overwrite")
        words = f"{target} is the open file, or one that it is made of. Choose another name."
        assert (code, told) == (2, f"picklescope: {words}")
    assert {entry.name: entry.read_bytes() for entry in shards.iterdir()} == before


def test_neither_optimizer_nor_averages_are_taken_unasked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, third = (tensor(Storage("uint8", bytes([at]) * 4), (4,)) for at in range(3))
    value = {"model": {"w": first}, "ema": {"w": second}, "optimizer": {"state": {0: {"exp_avg": third}}}}
    (tmp_path / "in.pt").write_bytes(torch_zip({**value, "epoch": 3}))
    for asked in ((), ("--root", "model")):
        code, _ = export(capsys, tmp_path / "in.pt", tmp_path / "out.pt", "--no-verify", "--overwrite", *asked)
        assert code == 0, asked
        document = open_document(tmp_path / "out.pt")
        document.source.close()
        assert [found.name for found in document.tensors] == ["w"]
        assert (tmp_path / "out.pt").read_bytes().count(bytes(4)) > 0


@posix
def test_a_torch_that_is_killed_while_it_verifies(
    source: Path, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dying = [sys.executable, "-c", "import os, sys; sys.stdin.readline(); os.kill(os.getpid(), 9)"]
    monkeypatch.setattr(torch_client, "child_command", lambda: dying)
    monkeypatch.setattr(torch_client, "torch_is_there", lambda: True)
    code, told = export(capsys, source, folder / "out.pt")
    assert (code, told) == (1, "Not verified: the torch process ended before it answered (signal 9).")
    assert names(folder) == ["out.pt"]


class Stopping(Progress):
    """Counts the places to stop, and stops at one of them."""

    def __init__(self, at: int = 0) -> None:
        super().__init__()
        self.looks = 0
        self._at = at

    def check(self) -> None:
        self.looks += 1
        if self.looks == self._at:
            self.cancel()
        super().check()


@pytest.mark.parametrize("form", [*FILES, "safetensors_shards"])
def test_cancelled_at_ten_points(form: str, source: Path, folder: Path) -> None:
    exporter, document = exporter_of(form), open_document(source)
    try:
        plan = exporter.plan(document, Wanted())
        whole = Stopping()
        exporter.write(plan, folder / "whole", whole)
        assert whole.looks >= 10
        for point in range(10):
            with pytest.raises(CancelledError):
                exporter.write(plan, folder / "out", Stopping(1 + point * (whole.looks - 1) // 9))
            assert names(folder) == ["whole"]
    finally:
        document.source.close()


@pytest.mark.parametrize(
    ("form", "deflate", "most"),
    [*((form, False, 1 << 20) for form in (*FILES, "safetensors_shards", "bytes")), ("npz", True, 1 << 16)],
)
def test_between_two_places_to_stop_little_is_written(
    form: str, deflate: bool, most: int, source: Path, folder: Path
) -> None:
    seen: list[int] = []

    class Noting(Progress):
        def step(self, what: str, done: int, total: int = 0) -> None:
            if what == "export":
                seen.append(done)
                assert 0 <= done <= total

    exporter, document = exporter_of(form), open_document(source)
    try:
        exporter.write(exporter.plan(document, Wanted(deflate=deflate)), folder / "out", Noting())
    finally:
        document.source.close()
    assert max(after - before for before, after in pairwise(seen)) <= most
    assert seen == sorted(seen)
    assert 3 * MB - seen[-1] <= most
