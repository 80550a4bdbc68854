"""What packaging/ promises: pins that are complete, and a desktop that knows the files."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImageReader

from tests.builders.arrays import floats, npz
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.shared import ROOT
from viewer.cli import desktop

DESKTOP: Final = ROOT / "resources" / "desktop"
NAME: Final = "io.github.picklescope.Picklescope"
SAMPLES: Final = ROOT / "resources" / "samples"
ASK: Final = """
import json, sys
from PySide6.QtCore import QMimeDatabase
database = QMimeDatabase()
print(json.dumps({path: database.mimeTypeForFile(path).name() for path in sys.argv[1:]}))
"""


def tool(name: str) -> str:
    """A program of the system, or a skip with a sentence."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed, so the desktop files could not be tried")
    return found


def pins() -> dict[str, Version]:
    """The pinned versions by normalised name."""
    lines = (ROOT / "packaging" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): Version(version) for name, version in rows}


def wanted() -> list[Requirement]:
    """What pyproject.toml asks for, extras too."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    return [Requirement(text) for group in groups for text in group]


def required(name: str) -> list[str]:
    """What an installed package states; nothing of one that is in no command of the README."""
    try:
        return importlib.metadata.requires(name) or []
    except importlib.metadata.PackageNotFoundError:
        return []


def needed(names: list[str], found: dict[str, None] | None = None) -> dict[str, None]:
    """Everything that the installed packages of these names require, on this system."""
    found = {} if found is None else found
    for name in names:
        if canonicalize_name(name) in found:
            continue
        found[canonicalize_name(name)] = None
        inner = [Requirement(text) for text in required(name)]
        ours = [one.name for one in inner if one.marker is None or one.marker.evaluate({"extra": ""})]
        needed([one for one in ours if not one.startswith(("nvidia-", "triton", "cuda-"))], found)
    return found


def test_pins_meet_the_requirements() -> None:
    versions = pins()
    assert {str(one) for one in wanted() if not one.specifier.contains(versions[canonicalize_name(one.name)])} == set()


def test_everything_that_is_needed_is_pinned() -> None:
    assert set(needed([one.name for one in wanted()])) - set(pins()) == set()


def test_torch_is_pinned_without_a_local_version() -> None:
    assert str(pins()["torch"]) == "2.13.0"


def test_the_desktop_entry_is_valid() -> None:
    done = subprocess.run(
        [tool("desktop-file-validate"), str(DESKTOP / f"{NAME}.desktop")], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_entry_and_the_types_name_the_same() -> None:
    entry = (DESKTOP / f"{NAME}.desktop").read_text(encoding="utf-8")
    listed = re.search(r"^MimeType=(.*);$", entry, re.MULTILINE)
    assert listed is not None
    root = ET.parse(DESKTOP / "picklescope-mime.xml").getroot()
    assert listed[1].split(";") == [kind.get("type") for kind in root]


def install(
    data: Path, word: str = "--install-desktop", program: str = sys.executable
) -> subprocess.CompletedProcess[str]:
    """Run the program's own installing for a person whose data lie in that folder, as started by that path."""
    tool("update-mime-database")
    tool("update-desktop-database")
    start = "import sys; sys.argv[:2] = [sys.argv[1]]; from viewer.__main__ import main; sys.exit(main())"
    environment = os.environ | {"XDG_DATA_HOME": str(data), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", start, program, word]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def program(tmp_path: Path) -> str:
    """A program of the right name, in a folder of an odd one."""
    path = tmp_path / 'my $own 100% "place"' / "picklescope"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def tar(name: str) -> bytes:
    """The header of a first member."""
    return name.encode().ljust(257, b"\0") + b"ustar\x0000" + bytes(247)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Paths of files of all kinds, with the type each must have."""
    checkpoint = (SAMPLES / "checkpoint_adam.pt").read_bytes()
    legacy = (SAMPLES / "whole_model_legacy.pth").read_bytes()
    made = {
        "zip.pt": (checkpoint, "application/x-pytorch-checkpoint"),
        "zip.bin": (checkpoint, "application/x-pytorch-checkpoint"),
        "older.bin": (torch_zip({"w": full("int64", (1,), [1])}, version="1.6"), "application/x-pytorch-checkpoint"),
        "zip.pth.tar": (checkpoint, "application/x-pytorch-checkpoint"),
        "part.distcp": (checkpoint, "application/x-pytorch-checkpoint"),
        "whole.pth": (legacy, "application/x-pytorch-legacy"),
        "whole.bin": (legacy, "application/x-pytorch-legacy"),
        "whole.pth.tar": (legacy, "application/x-pytorch-legacy"),
        "half.ckpt": ((SAMPLES / "half_download.pth").read_bytes(), "application/x-pytorch-legacy"),
        "runs.pkl": ((SAMPLES / "runs_a_command.pkl").read_bytes(), "application/x-python-pickle"),
        "runs": ((SAMPLES / "runs_a_command.pkl").read_bytes(), "application/x-python-pickle"),
        "one.npy": (floats([1.0]), "application/x-numpy-array"),
        "one": (floats([1.0]), "application/x-numpy-array"),
        "two.npz": (npz({"a": floats([1.0])}), "application/x-numpy-archive"),
        "model.safetensors": (b"\x08" + bytes(7) + b'{"a":{} }', "application/x-safetensors"),
        "firmware.bin": (bytes(range(1, 200)), "application/octet-stream"),
        "plain.tar": (tar("notes.txt"), "application/x-tar"),
        "packed.pth.tar": (tar("notes.txt"), "application/x-pytorch-tar"),
        "2016.pt": (tar("sys_info"), "application/x-pytorch-tar"),
        "2016.bin": (tar("./sys_info"), "application/x-pytorch-tar"),
        "2016.pth": (tar("././@PaxHeader") + bytes(512) + tar("sys_info"), "application/x-pytorch-tar"),
        "2016.pth.tar": (tar("pickle"), "application/x-pytorch-tar"),
        "nothing.pth.tar": (b"nothing is known of it", "application/x-pytorch-checkpoint"),
    }
    for name, (data, _) in made.items():
        (tmp_path / name).write_bytes(data)
    return {str(tmp_path / name): kind for name, (_, kind) in made.items()}


def test_a_desktop_program_that_hangs_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def hang(command: list[str], **_: object) -> None:
        raise subprocess.TimeoutExpired(command, desktop.PATIENCE)

    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(subprocess, "run", hang)
    desktop._renew(tmp_path)
    said = capsys.readouterr().err.splitlines()
    assert [line.split(": ", 1)[1] for line in said] == [
        "update-mime-database did not end in 120 seconds and was stopped.",
        "update-desktop-database did not end in 120 seconds and was stopped.",
    ]


def test_a_person_installs_and_files_are_known(tmp_path: Path, files: dict[str, str], program: str) -> None:
    data = tmp_path / "data"
    done = install(data, program=program)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    done = subprocess.run(
        [sys.executable, "-c", ASK, *files],
        env=os.environ | {"XDG_DATA_HOME": str(data)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == files
    icons = data / "icons/hicolor"
    assert (icons / "scalable/apps" / f"{NAME}.svg").is_file()
    sizes = {path.parents[1].name: png_size(path) for path in icons.rglob("*.png")}
    assert sizes == {f"{size}x{size}": (size, size) for size in (16, 22, 24, 32, 48, 64, 128, 256)}
    cache = (data / "applications/mimeinfo.cache").read_text(encoding="utf-8")
    assert f"application/x-pytorch-legacy={NAME}.desktop;" in cache
    for kind in set(files.values()) - {"application/octet-stream", "application/x-tar"}:
        done = subprocess.run(
            [tool("xdg-mime"), "query", "default", kind],
            env=os.environ | {"XDG_DATA_HOME": str(data), "XDG_CONFIG_HOME": str(tmp_path / "config")},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == f"{NAME}.desktop\n", kind


def png_size(path: Path) -> tuple[int, int]:
    """Width and height of a picture."""
    width, height = struct.unpack(">II", path.read_bytes()[16:24])
    return width, height


def test_uninstalling_leaves_nothing_of_ours(tmp_path: Path, program: str) -> None:
    data = tmp_path / "data"
    (data / "icons/hicolor/48x48/apps").mkdir(parents=True)
    other = data / "icons/hicolor/48x48/apps/other.png"
    other.write_bytes(b"")
    assert install(data, program=program).returncode == 0
    done = install(data, "--uninstall-desktop")
    assert (done.returncode, done.stderr) == (0, "picklescope: the desktop no longer knows it.\n")
    assert [path for path in data.rglob("*") if "picklescope" in path.name.lower()] == []
    assert "picklescope" not in (data / "applications/mimeinfo.cache").read_text(encoding="utf-8").lower()
    assert [path for path in (data / "icons").rglob("*") if path.is_file()] == [other]
    assert not (data / "icons/hicolor/scalable").exists()
    done = install(data, "--uninstall-desktop")
    assert (done.returncode, done.stderr.count("nothing to take away")) == (0, 1)


def test_the_entry_names_the_program_in_full(tmp_path: Path, program: str) -> None:
    assert install(tmp_path / "data", program=program).returncode == 0
    path = tmp_path / "data/applications" / f"{NAME}.desktop"
    entry = path.read_text(encoding="utf-8")
    assert f'\nExec="{tmp_path}/my \\\\$own 100%% \\\\"place\\\\"/picklescope" %F\n' in entry
    assert f"\nTryExec={program}\n" in entry
    done = subprocess.run([tool("desktop-file-validate"), str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_without_the_program_nothing_is_installed(tmp_path: Path) -> None:
    done = install(tmp_path, program=str(tmp_path / "absent"))
    assert done.returncode == 2
    assert "is not on PATH" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, program: str) -> None:
    data = tmp_path / "data"
    data.write_text("a file", encoding="utf-8")
    done = install(data, program=program)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert str(data) in done.stderr


def test_windows_and_macos_have_the_icon_in_their_own_form() -> None:
    spec = importlib.util.spec_from_file_location("icon_files", ROOT / "packaging" / "icon_files.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    known = {bytes(one.data()).decode() for one in QImageReader.supportedImageFormats()}
    for form, content in (("ico", module.ico()), ("icns", module.icns())):
        if form not in known:
            pytest.skip(f"Qt has no reader of .{form} here")
        device = QBuffer()
        device.setData(content)
        device.open(QIODevice.OpenModeFlag.ReadOnly)
        reader = QImageReader(device, QByteArray(form.encode()))
        assert reader.canRead(), reader.errorString()
        sizes = set()
        for number in range(reader.imageCount()):
            reader.jumpToImage(number)
            picture = reader.read()
            assert not picture.isNull(), reader.errorString()
            sizes.add(picture.width())
        assert {32, 256} <= sizes
