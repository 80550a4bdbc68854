"""A file that is whole or absent: written under a hidden name beside the target, flushed, then renamed.

A program that is killed leaves at most the hidden file (`.name.xxxxxxxx.part`), never half a target.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from viewer.core.errors import ExportError, SpaceError, TargetExistsError
from viewer.core.source import printable

NAME_KEPT: Final = 32
FULL: Final = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})
REFUSED: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
FLAGS: Final = (
    os.O_RDWR
    | os.O_CREAT
    | os.O_EXCL
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
)


class FileId(NamedTuple):
    """What tells one file of this machine from another, under whatever name."""

    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class Target:
    """Where an export goes. `place`: the name that is written in the end, links followed. `mode`: of what is there."""

    path: Path
    place: Path
    mode: int | None

    @property
    def shown(self) -> str:
        """The name as the person gave it."""
        return printable(str(self.path))


def check_target(path: Path, overwrite: bool, kept: Collection[FileId]) -> Target:
    """The target, when something may be written there. Raises ExportError with the sentence when not.

    `kept`: files that must stay as they are, under any name: the open one and all that it is made of.
    """
    shown = printable(str(path))
    try:
        place = Path(os.path.realpath(path))
        there = facts_of(place)
        if there is not None:
            _check_there(there, path, overwrite, kept)
        elif path.is_symlink() and not overwrite:
            raise TargetExistsError("target-exists", path=shown)
        check_parent(place.parent)
    except (OSError, ValueError) as failure:
        raise failed(failure, shown) from failure
    return Target(path, place, None if there is None else there.st_mode & 0o777)


def _check_there(there: os.stat_result, path: Path, overwrite: bool, kept: Collection[FileId]) -> None:
    shown = printable(str(path))
    if stat.S_ISDIR(there.st_mode):
        raise ExportError("target-is-folder", path=shown)
    if not stat.S_ISREG(there.st_mode):
        raise ExportError("target-not-regular", path=shown)
    if FileId(there.st_dev, there.st_ino) in kept:
        raise ExportError("target-is-source", path=shown)
    if not overwrite:
        raise TargetExistsError("target-exists", path=shown)


def check_parent(folder: Path) -> None:
    """Raises ExportError when nothing can be made in a folder."""
    facts = facts_of(folder)
    shown = printable(str(folder))
    if facts is None:
        raise ExportError("target-folder-missing", folder=shown)
    if not stat.S_ISDIR(facts.st_mode):
        raise ExportError("target-folder-is-file", folder=shown)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ExportError("target-not-permitted", folder=shown)


def facts_of(path: Path) -> os.stat_result | None:
    """What stands under a name; None: nothing."""
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None


def check_space(target: Target, nbytes: int) -> None:
    """Raises SpaceError when the target's file system has less room than the export needs."""
    try:
        usage = shutil.disk_usage(target.place.parent)
    except OSError:
        return
    # Some file systems of networks say nothing about their size.
    if usage.total > 0 and usage.free < nbytes:
        raise SpaceError("target-no-room", path=target.shown, needed=nbytes, free=usage.free)


@contextmanager
def whole_or_absent(target: Target, overwrite: bool) -> Iterator[BinaryIO]:
    """A file to write to, which takes the target's name when the block ends well and is removed when it does not.

    Raises ExportError for what the file system refuses; SourceError and CancelledError of the block pass through.
    """
    hidden = hidden_name(target.place)
    try:
        with _opened(hidden, target) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _take_name(hidden, target, overwrite)
    except OSError as failure:
        _remove(hidden)
        raise failed(failure, target.shown) from failure
    except BaseException:
        _remove(hidden)
        raise
    flush_folder(target.place.parent)


def hidden_name(place: Path) -> Path:
    """A name beside the target that nobody else uses and most listings hide; short enough for any file system."""
    kept = os.fsencode(place.name)[:NAME_KEPT].decode("utf-8", "ignore")
    return place.with_name(f".{kept}.{secrets.token_hex(4)}.part")


def _opened(hidden: Path, target: Target) -> BinaryIO:
    descriptor = os.open(hidden, FLAGS, 0o666)
    if target.mode is not None and hasattr(os, "fchmod"):
        with contextlib.suppress(OSError):
            os.fchmod(descriptor, target.mode)
    return os.fdopen(descriptor, "wb")


def _take_name(hidden: Path, target: Target, overwrite: bool) -> None:
    """Rename; a file that came to stand under the name in the meantime is overwritten only when that was asked for."""
    if overwrite:
        hidden.replace(target.place)
        return
    try:
        _rename_to_new(hidden, target.place)
    except FileExistsError as failure:
        raise TargetExistsError("target-exists", path=target.shown) from failure


def _rename_to_new(hidden: Path, place: Path) -> None:
    """As rename on Windows: raises FileExistsError when the name is taken."""
    if os.name == "nt":
        hidden.rename(place)
        return
    try:
        os.link(hidden, place, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:
        # This file system has no second names for a file, so between looking and renaming is a moment.
        if os.path.lexists(place):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        hidden.rename(place)
        return
    _remove(hidden)


def _remove(hidden: Path) -> None:
    with contextlib.suppress(OSError):
        hidden.unlink(missing_ok=True)


def flush_folder(folder: Path) -> None:
    """The new name is safe on the disk too, where the system lets a folder be flushed."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def failed(failure: OSError | ValueError, shown: str) -> ExportError:
    """The sentence for what the file system said."""
    number = failure.errno if isinstance(failure, OSError) else None
    reason = failure.strerror if isinstance(failure, OSError) and failure.strerror else str(failure)
    if number in FULL:
        return SpaceError("target-disk-full", path=shown)
    if number in REFUSED:
        return ExportError("target-not-permitted", folder=printable(str(Path(shown).parent)))
    return ExportError("target-unwritable", path=shown, reason=reason)
