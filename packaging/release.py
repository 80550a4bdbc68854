"""Build wheel and sdist twice, hold the two against each other, try the wheel: `python packaging/release.py TARGET`.

Builds what is committed, from two checkouts in other folders; the bytes must be the same. twine reads what the two say
of themselves, and the wheel is installed into a fresh environment, where tests/installed ask it. Needs git, and what
`pip install -c packaging/constraints.txt '.[test,release]'` installs.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
CONSTRAINTS: Final = ROOT / "packaging" / "constraints.txt"


def committed(folder: Path) -> dict[str, str]:
    """A checkout of what is committed; gives the environment that says when that was."""
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    told = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True, text=True)
    return os.environ | {"SOURCE_DATE_EPOCH": told.stdout.strip()}


def build(folder: Path, number: int) -> list[Path]:
    """Wheel and sdist of a checkout of its own."""
    source = folder / f"checkout {number}"
    environment = committed(source)
    target = folder / f"built {number}"
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), str(source)]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    return sorted(target.iterdir())


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def compare(first: list[Path], second: list[Path]) -> None:
    """Fail where the second build gave other bytes."""
    if [path.name for path in first] != [path.name for path in second]:
        sys.exit(f"The two builds have other files: {first} and {second}.")
    for one, other in zip(first, second, strict=True):
        if digest(one) != digest(other):
            sys.exit(f"{one.name} differs between two builds of one commit.")
        print(f"{one.name}: {one.stat().st_size:,} bytes, sha256 {digest(one)}, the same twice", flush=True)


def try_wheel(wheel: Path, folder: Path) -> None:
    """Install the wheel into a fresh environment, and ask it what tests/installed ask."""
    place = folder / "environment"
    venv.create(place, with_pip=True)
    programs = place / ("Scripts" if sys.platform == "win32" else "bin")
    pip = [programs / "python", "-m", "pip", "install", "--quiet", "-c", CONSTRAINTS, wheel]
    subprocess.run(pip, check=True, cwd=folder)
    environment = os.environ | {"PICKLESCOPE_INSTALLED": str(programs / "picklescope")}
    tests = [sys.executable, "-m", "pytest", "-q", "tests/installed"]
    subprocess.run(tests, check=True, cwd=ROOT, env=environment)


def main() -> int:
    """Build, compare, check, try."""
    parser = argparse.ArgumentParser(description="Build wheel and sdist, and try them.")
    parser.add_argument("target", type=Path)
    asked = parser.parse_args()
    asked.target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first, second = build(folder, 1), build(folder, 2)
        compare(first, second)
        subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *first], check=True)
        try_wheel(next(path for path in first if path.suffix == ".whl"), folder)
        for path in first:
            shutil.copy(path, asked.target / path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
