"""Build the bundle that runs without Python, and say how large it is and how soon its window is up.

    python packaging/build.py TARGET [--torch] [--no-start]

TARGET: a folder that is made; it gets picklescope/ and picklescope-VERSION-SYSTEM.tar.xz (on Windows a zip). Needs what
`pip install -c packaging/constraints.txt '.[bundle]'` installs. The time is from the start of the program to a window
with the bytes of a sample, without a screen of its own: under Xvfb where that is there, else not told.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
SAMPLE: Final = ROOT / "resources" / "samples" / "whole_model_legacy.pth"
PATIENCE: Final = 60.0
STARTS: Final = 3

sys.path.insert(0, str(ROOT))
from viewer import __version__  # noqa: E402  # the one place of the version


def build(target: Path, *, with_torch: bool) -> Path:
    """The folder of the bundle."""
    with tempfile.TemporaryDirectory() as work:
        command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
        command += ["--distpath", str(target), "--workpath", work, str(ROOT / "packaging" / "picklescope.spec")]
        environment = os.environ | {"PICKLESCOPE_TORCH": "1" if with_torch else "0"}
        subprocess.run(command, check=True, env=environment)
    return target / "picklescope"


def pack(folder: Path) -> Path:
    """The bundle as one file."""
    system = f"{platform.system().lower()}-{platform.machine().lower()}"
    name = folder.parent / f"picklescope-{__version__}-{system}"
    if sys.platform == "win32":
        return Path(shutil.make_archive(str(name), "zip", folder.parent, folder.name))
    path = name.with_name(f"{name.name}.tar.xz")
    with tarfile.open(path, "w:xz", preset=6) as packed:
        packed.add(folder, folder.name, filter=_nobody)
    return path


def _nobody(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """The same file whoever builds it."""
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member


def size_of(folder: Path) -> int:
    """Bytes of all files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def seconds_to_window(program: Path) -> float | None:
    """From the start to a window that says what it shows; None where there is no screen to be had."""
    if any(shutil.which(tool) is None for tool in ("Xvfb", "xdotool")):
        return None
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1440x900x24"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as told:
            screen = f":{told.readline().strip().decode()}"
        with tempfile.TemporaryDirectory() as home:
            environment = {"HOME": home, "PATH": os.environ["PATH"], "DISPLAY": screen, "LC_ALL": "C.UTF-8"}
            return min(_started(program, environment) for _ in range(STARTS))
    finally:
        server.terminate()
        server.wait()


def _started(program: Path, environment: dict[str, str]) -> float:
    begin = time.perf_counter()
    running = subprocess.Popen([program, "--new-window", SAMPLE], env=environment)
    find = ["xdotool", "search", "--sync", "--onlyvisible", "--name", SAMPLE.name]
    try:
        subprocess.run(find, env=environment, check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL)
        return time.perf_counter() - begin
    finally:
        running.kill()
        running.wait()


def main() -> int:
    """Build, pack, measure."""
    parser = argparse.ArgumentParser(description="Build the bundle that runs without Python.")
    parser.add_argument("target", type=Path)
    parser.add_argument("--torch", action="store_true", help="take torch in")
    parser.add_argument("--no-start", action="store_true", help="do not measure the start")
    asked = parser.parse_args()
    folder = build(asked.target, with_torch=asked.torch)
    packed = pack(folder)
    print(f"{folder}: {size_of(folder):,} bytes")
    print(f"{packed}: {packed.stat().st_size:,} bytes")
    if not asked.no_start:
        seconds = seconds_to_window(folder / ("picklescope.exe" if sys.platform == "win32" else "picklescope"))
        print("window: not measured, Xvfb or xdotool is missing" if seconds is None else f"window: {seconds:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
