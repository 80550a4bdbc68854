"""A file that is whole or absent: written without a name in the target's folder, flushed, then named.

A program that is killed leaves nothing then. Where a file system knows no files without a name, a hidden one is written
beside the target (`.name.xxxxxxxx.part`) and renamed; what a killed program left of it goes at the next export.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from viewer.core.errors import CancelledError, ExportError, SpaceError, TargetExistsError
from viewer.core.export.flushing import SteadyWriter, flushed
from viewer.core.export.hidden import hidden_name, hold, remove_dead_files, remove_file
from viewer.core.progress import Progress
from viewer.core.source import printable

NAMELESS: Final = getattr(os, "O_TMPFILE", 0)
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
def whole_or_absent(target: Target, overwrite: bool, progress: Progress) -> Iterator[SteadyWriter]:
    """A file to write to, which takes the target's name when the block ends well and is removed when it does not.

    Raises ExportError for what the file system refuses, and CancelledError until it is named; what the block raises
    passes through.
    """
    remove_dead_files(target.place)
    draft = FileDraft(target.place)
    try:
        with draft.opened(progress) as file:
            if target.mode is not None and hasattr(os, "fchmod"):
                with contextlib.suppress(OSError):
                    os.fchmod(file.fileno(), target.mode)
            yield file
            file.settle()
            progress.check()
            if os.name != "nt":
                draft.take_name(file.fileno(), overwrite)
        if os.name == "nt":
            draft.take_name(-1, overwrite)
    except FileExistsError as failure:
        draft.remove()
        raise TargetExistsError("target-exists", path=target.shown) from failure
    except OSError as failure:
        draft.remove()
        raise failed(failure, target.shown) from failure
    except BaseException:
        draft.remove()
        raise
    flush_folder(target.place.parent, progress)


class FileDraft:
    """The file that becomes the target: without a name as long as it is written, or with a hidden one. Raises OSError.

    It keeps its lock to the end, so that nobody takes it for dead: it is named while it is open. (Windows has neither.)
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._hidden: Path | None = None

    def opened(self, progress: Progress) -> SteadyWriter:
        """The new file."""
        descriptor = opened_nameless(self._place.parent)
        return SteadyWriter(self._opened_hidden() if descriptor is None else descriptor, progress)

    def take_name(self, descriptor: int, overwrite: bool) -> None:
        """Give it its name. Raises FileExistsError when a file came to stand there and must not be replaced."""
        if self._hidden is not None:
            self._rename(self._hidden, overwrite)
            return
        try:
            link(descriptor, self._place)
        except FileExistsError:
            if not overwrite:
                raise
            # nothing but a rename puts one file in the place of another
            self._hidden = hidden_name(self._place)
            link(descriptor, self._hidden)
            self._hidden.replace(self._place)

    def remove(self) -> None:
        """Take away what has a hidden name."""
        if self._hidden is not None:
            remove_file(self._hidden)

    def _opened_hidden(self) -> int:
        while True:
            hidden = hidden_name(self._place)
            descriptor = os.open(hidden, FLAGS, 0o666)
            self._hidden = hidden
            if hold(descriptor):
                return descriptor
            os.close(descriptor)

    def _rename(self, hidden: Path, overwrite: bool) -> None:
        if overwrite:
            hidden.replace(self._place)
            return
        if os.name == "nt":
            hidden.rename(self._place)
            return
        try:
            os.link(hidden, self._place, follow_symlinks=False)
        except FileExistsError:
            raise
        except OSError:
            # This file system has no second names for a file, so between looking and renaming is a moment.
            if os.path.lexists(self._place):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
            hidden.rename(self._place)
            return
        self.remove()


def opened_nameless(folder: Path) -> int | None:
    """A new file in a folder that has no name and is gone when it is closed; None where that cannot be."""
    if not NAMELESS:
        return None
    try:
        descriptor = os.open(folder, NAMELESS | os.O_RDWR | os.O_CLOEXEC, 0o666)
    except OSError:
        return None
    # it is named by way of this path
    if not Path(reached(descriptor)).exists():
        os.close(descriptor)
        return None
    hold(descriptor)
    return descriptor


def reached(descriptor: int) -> str:
    """The path of an open file that may have no name."""
    return f"/proc/self/fd/{descriptor}"


def link(descriptor: int, place: Path) -> None:
    """Give an open file a name. Raises FileExistsError when it is taken."""
    folder = os.open(place.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        # Python follows the link in /proc only when it is given folders
        os.link(reached(descriptor), place.name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


def flush_folder(folder: Path, progress: Progress) -> None:
    """The new name is safe on the disk too, where the system lets a folder be flushed.

    The file is there by now: who stops it waits no longer, and that is all.
    """
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            with contextlib.suppress(CancelledError):
                flushed(descriptor, os.fsync, progress)
        finally:
            os.close(descriptor)


def failed(failure: OSError | ValueError, shown: str) -> ExportError:
    """The sentence for what the file system said."""
    number = failure.errno if isinstance(failure, OSError) else None
    reason = failure.strerror if isinstance(failure, OSError) and failure.strerror else str(failure)
    folder = Path(shown).parent
    if number in FULL:
        return SpaceError("target-disk-full", path=shown)
    if number in REFUSED:
        return ExportError("target-not-permitted", folder=printable(str(folder)))
    if number == errno.ENAMETOOLONG:
        return ExportError("target-name-too-long", path=shown)
    if number == errno.ENOENT and not folder.exists():
        return ExportError("target-folder-missing", folder=printable(str(folder)))
    return ExportError("target-unwritable", path=shown, reason=reason)
