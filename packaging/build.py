"""Build the bundle that runs without Python, and say how large it is and how soon its window is up.

    python packaging/build.py TARGET [--torch] [--no-start]

TARGET: a folder that is made; it gets picklescope/ and picklescope-VERSION-SYSTEM.tar.xz; on macOS of the .app,
on Windows a zip, with the script for file associations. Needs what
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
        shutil.copy(ROOT / "packaging" / "windows" / "associate.ps1", folder)
        return Path(shutil.make_archive(str(name), "zip", folder.parent, folder.name))
    if sys.platform == "darwin":
        folder = folder.parent / "Picklescope.app"
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
        ["Xvfb", "-noreset", "-displayfd", str(writing), "-screen", "0", "1440x900x24"],
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
    find = ["xdotool", "search", "--onlyvisible", "--name", SAMPLE.name]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        while subprocess.run(find, env=environment, check=False, **quiet).returncode:
            if running.poll() is not None:
                sys.exit(f"{program} ended with {running.returncode} and showed no window.")
            if time.perf_counter() - begin > PATIENCE:
                sys.exit(f"{program} showed no window in {PATIENCE:.0f} s.")
        return time.perf_counter() - begin
    finally:
        running.kill()
        running.wait()


def check_starts(program: Path) -> None:
    """Fail where the program cannot start: a module that the bundle lacks shows itself before anything is packed."""
    told = subprocess.run([program, "--version"], check=False, capture_output=True, text=True)
    if told.returncode or __version__ not in told.stdout:
        sys.exit(f"{program} --version ended with {told.returncode}:\n{told.stdout}{told.stderr}")


def missing_libraries(folder: Path) -> list[str]:
    """Shared libraries that the bundle needs, holds not, and that this system lacks too; Linux only."""
    if shutil.which("ldd") is None:
        return []
    found: set[str] = set()
    for path in folder.rglob("*.so*"):
        told = subprocess.run(["ldd", path], check=False, capture_output=True, text=True).stdout
        found.update(line.split()[0] for line in told.splitlines() if line.endswith("not found"))
    return sorted(found)


def main() -> int:
    """Build, pack, measure."""
    parser = argparse.ArgumentParser(description="Build the bundle that runs without Python.")
    parser.add_argument("target", type=Path)
    parser.add_argument("--torch", action="store_true", help="take torch in")
    parser.add_argument("--no-start", action="store_true", help="do not measure the start")
    asked = parser.parse_args()
    folder = build(asked.target, with_torch=asked.torch)
    program = folder / ("picklescope.exe" if sys.platform == "win32" else "picklescope")
    check_starts(program)
    if missing := missing_libraries(folder):
        print(f"not in the bundle and not here: {', '.join(missing)}")
    packed = pack(folder)
    print(f"{folder}: {size_of(folder):,} bytes")
    print(f"{packed}: {packed.stat().st_size:,} bytes")
    if not asked.no_start:
        seconds = seconds_to_window(program)
        print("window: not measured, Xvfb or xdotool is missing" if seconds is None else f"window: {seconds:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
