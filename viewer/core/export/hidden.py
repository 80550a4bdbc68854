"""Hidden names beside a target (`.name.xxxxxxxx.part`): whose they are, and what dead exports left under them.

What an export writes there is locked for as long as it lives, and a lock goes with its program, however that ends.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

if sys.platform != "win32":
    import fcntl

NAME_KEPT: Final = 32
PART: Final = ".part"
ASIDE: Final = ".old"
"""The end of the name of a folder that is being replaced; it is a person's until the new one stands."""
RANDOM: Final = re.compile(r"[0-9a-f]{8}")
LOOKING: Final = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def hidden_name(place: Path, suffix: str = PART) -> Path:
    """A name beside the target that nobody else uses and most listings hide; short enough for any file system."""
    return place.with_name(f"{beginning(place)}{secrets.token_hex(4)}{suffix}")


def beginning(place: Path) -> str:
    """What the hidden names of a target begin with."""
    kept = os.fsencode(place.name)[:NAME_KEPT].decode("utf-8", "ignore")
    return f".{kept}."


def hold(descriptor: int) -> bool:
    """Lock what was just made, for as long as it is open; False when another export took it for dead before that."""
    if sys.platform == "win32":
        return True
    # where there are no locks nothing is ever taken for dead
    with contextlib.suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    return os.fstat(descriptor).st_nlink > 0


@contextmanager
def held_folder(folder: Path) -> Iterator[None]:
    """Make a folder, and lock it while the block runs. Raises OSError."""
    folder.mkdir()
    with held(folder):
        yield


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Lock a folder while the block runs. Raises OSError."""
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, LOOKING)
    try:
        hold(descriptor)
        yield
    finally:
        os.close(descriptor)


def is_free(folder: Path) -> bool:
    """Whether a folder is this user's and locked by no program; True on systems without such locks."""
    if sys.platform == "win32":
        return True
    try:
        descriptor = os.open(folder, LOOKING)
        try:
            return is_dead(descriptor, stat.S_ISDIR)
        finally:
            os.close(descriptor)
    except OSError:
        return False


def remove_dead(place: Path, is_kind: Callable[[int], bool], remove: Callable[[Path], object]) -> None:
    """Take away what killed exports to this name left beside it. `is_kind`: of their modes, file or folder.

    Only what is this user's, and what no program holds. What cannot be looked at or removed stays.
    """
    for hidden in left_behind(place):
        with contextlib.suppress(OSError):
            descriptor = os.open(hidden, LOOKING)
            try:
                if is_dead(descriptor, is_kind):
                    remove(hidden)
            finally:
                os.close(descriptor)


def left_behind(place: Path) -> list[Path]:
    """What stands beside a target under one of its hidden names."""
    start, found = beginning(place), []
    with contextlib.suppress(OSError), os.scandir(place.parent) as entries:
        for entry in entries:
            if entry.name.startswith(start) and entry.name.endswith(PART):
                middle = entry.name.removesuffix(PART)[len(start) :]
                if RANDOM.fullmatch(middle):
                    found.append(place.with_name(entry.name))
    return found


def is_dead(descriptor: int, is_kind: Callable[[int], bool]) -> bool:
    """Whether what is open is of its kind, this user's, and of no export that lives. Raises OSError when it lives."""
    if sys.platform == "win32":
        return False
    facts = os.fstat(descriptor)
    if not is_kind(facts.st_mode) or facts.st_uid != os.geteuid():
        return False
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return True


def remove_file(hidden: Path) -> None:
    """Remove a hidden file, when that can be."""
    with contextlib.suppress(OSError):
        hidden.unlink(missing_ok=True)


def remove_dead_files(place: Path) -> None:
    """The files that killed exports left."""
    remove_dead(place, stat.S_ISREG, remove_file)
