"""`--install-desktop` and `--uninstall-desktop`: file types, menu entry and icons for one person, without root.

Linux and its kin: below $XDG_DATA_HOME or ~/.local/share, in the places of the freedesktop specifications (desktop
entry, shared MIME info, icon theme). The two update-*-database programs make them known; without them nothing is lost,
the desktop only learns of the types later, which is said.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from viewer import resources
from viewer.cli.base import DONE, FAILED
from viewer.cli.output import say
from viewer.starting import INSTALL, UNINSTALL

NAME: Final = "io.github.picklescope.Picklescope"
TYPES: Final = "picklescope-mime.xml"
PROGRAM: Final = "picklescope"
RENEWING: Final = (
    ("update-mime-database", "mime", "shared-mime-info"),
    ("update-desktop-database", "applications", "desktop-file-utils"),
)
PATIENCE: Final = 120


def run(word: str) -> int:
    """Install or take away; gives the exit code. `word`: INSTALL or UNINSTALL."""
    if sys.platform in ("win32", "darwin"):
        say(f"{PROGRAM}: {word} is for Linux. Here choose the program in Open with, at a file of each kind.")
        return FAILED
    try:
        return _install(_data()) if word == INSTALL else _uninstall(_data())
    except OSError as failure:
        say(f"{PROGRAM}: {failure.filename or 'the desktop files'}: {failure.strerror}. Nothing more was done.")
        return FAILED


def _install(data: Path) -> int:
    program = command()
    if program is None:
        say(
            f"{PROGRAM}: the desktop needs a program to start, and {PROGRAM} is not on PATH. "
            f"Install it first, or start it by its full path: /path/to/{PROGRAM} {INSTALL}"
        )
        return FAILED
    for target, content in _files(data, program):
        target.parent.mkdir(parents=True, exist_ok=True)
        # Beside it and renamed: a desktop that looks meanwhile sees the old entry or the new one.
        part = target.with_name(f".{target.name}.part")
        part.write_bytes(content)
        part.replace(target)
    _renew(data)
    say(f"{PROGRAM}: checkpoints open here on double-click now. {PROGRAM} {UNINSTALL} takes that away again.")
    return DONE


def _uninstall(data: Path) -> int:
    found = False
    for target, _ in _files(data, ()):
        found = found or target.exists()
        target.unlink(missing_ok=True)
    if not found:
        say(f"{PROGRAM}: the desktop did not know it; there is nothing to take away.")
        return DONE
    _renew(data)
    for target, _ in _files(data, ()):
        _drop_empty(target.parent, data)
    say(f"{PROGRAM}: the desktop no longer knows it.")
    return DONE


def _files(data: Path, program: Sequence[str]) -> Iterator[tuple[Path, bytes]]:
    """Where each file goes, and what stands in it."""
    entry = resources.read_text(f"desktop/{NAME}.desktop")
    yield data / "applications" / f"{NAME}.desktop", "".join(_entry_lines(entry, program)).encode("utf-8")
    yield data / "mime" / "packages" / TYPES, resources.read_bytes(f"desktop/{TYPES}")
    icons = data / "icons" / "hicolor"
    yield icons / "scalable" / "apps" / f"{NAME}.svg", resources.read_bytes("icons/picklescope.svg")
    for name in resources.names("desktop/icons"):
        size = name.removesuffix(".png")
        yield icons / f"{size}x{size}" / "apps" / f"{NAME}.png", resources.read_bytes(f"desktop/icons/{name}")


def _entry_lines(entry: str, program: Sequence[str]) -> Iterator[str]:
    """The entry with the program in full: a desktop session does not know the PATH of a virtual environment."""
    for line in entry.splitlines():
        if line.startswith("Exec=") and program:
            yield f"Exec={' '.join(map(quoted, program))} %F\n"
        elif line.startswith("TryExec=") and program:
            yield f"TryExec={escaped(program[0])}\n"
        else:
            yield f"{line}\n"


def quoted(word: str) -> str:
    """A word of an Exec line: quoted by the rules for arguments, then escaped by those for values of the file."""
    for sign in '\\"`$':
        word = word.replace(sign, f"\\{sign}")
    return escaped(f'"{word.replace("%", "%%")}"')


def escaped(value: str) -> str:
    """A value of a desktop entry."""
    for sign, written in (("\\", "\\\\"), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r")):
        value = value.replace(sign, written)
    return value


def command() -> tuple[str, ...] | None:
    """How this program is started, in full; None where that is not known."""
    started = Path(sys.argv[0])
    if getattr(sys, "frozen", False):
        return (str(Path(sys.executable).absolute()),)
    if started.name == PROGRAM and os.access(started, os.X_OK):
        return (str(started.absolute()),)
    found = shutil.which(PROGRAM)
    return (str(Path(found).absolute()),) if found is not None else None


def _data() -> Path:
    given = os.environ.get("XDG_DATA_HOME", "")
    return Path(given) if given.startswith("/") else Path.home() / ".local" / "share"


def _renew(data: Path) -> None:
    for program, folder, package in RENEWING:
        place = data / folder
        (place / "packages" if folder == "mime" else place).mkdir(parents=True, exist_ok=True)
        if shutil.which(program) is None:
            say(f"{PROGRAM}: {program} is missing: install {package}, then run this again.")
            continue
        try:
            done = subprocess.run(
                [program, str(place)], capture_output=True, text=True, errors="replace", check=False, timeout=PATIENCE
            )
        except subprocess.TimeoutExpired:
            say(f"{PROGRAM}: {program} did not end in {PATIENCE} seconds and was stopped.")
            continue
        if done.returncode:
            say(f"{PROGRAM}: {program} did not work: {done.stderr.strip() or done.returncode}")


def _drop_empty(folder: Path, data: Path) -> None:
    """Remove folders that hold nothing, up to the data folder."""
    while folder != data and data in folder.parents:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent
