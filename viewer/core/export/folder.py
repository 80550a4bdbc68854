"""Forms that write a folder: everything is made under a hidden name beside the target, then renamed. Whole or absent.

A program that is killed leaves at most the hidden folder (`.name.xxxxxxxx.part`), which goes at the next export; or,
between two renames, the folder that is replaced as `.name.xxxxxxxx.old`, which stays.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, ClassVar, Final

from typing_extensions import override

from viewer.core.errors import ExportError, TargetExistsError
from viewer.core.export.atomic import (
    FLAGS,
    FileId,
    Target,
    check_parent,
    check_space,
    facts_of,
    failed,
    flush_folder,
)
from viewer.core.export.base import Exporter, check_unchanged, made_of
from viewer.core.export.flushing import SteadyWriter
from viewer.core.export.hidden import ASIDE, held_folder, hidden_name, remove_dead
from viewer.core.export.plan import Plan, Report
from viewer.core.progress import Progress
from viewer.core.source import printable

FORBIDDEN: Final = frozenset("/\\:\0")
CACHE: Final = "__pycache__"
"""The folder that Python makes beside files that were imported."""


class FolderExporter(Exporter):
    """A form that is a folder of files. `Plan.files` says their paths, `files` gives their content."""

    suffixes: ClassVar[tuple[str, ...]] = ()
    folder: ClassVar[bool] = True

    @abstractmethod
    def files(
        self, plan: Plan, progress: Progress
    ) -> Iterator[tuple[tuple[str, ...], Callable[[BinaryIO], None] | bytes]]:
        """Each file's path in the folder, as parts, and its bytes or a function that writes them."""

    def replaces(self, plan: Plan, name: str) -> bool:
        """True for a file (its path with `/`) that may stand in a folder that is overwritten, and is then gone."""
        parts = PurePosixPath(name).parts
        return name in plan.files or (CACHE in parts[:-1] and name.endswith(".pyc"))

    @override
    def write(self, plan: Plan, path: Path, progress: Progress, overwrite: bool = False) -> Report:
        kept = made_of(plan, progress)

        def allowed(name: str) -> bool:
            return self.replaces(plan, name)

        target = check_folder(path, overwrite, kept, allowed)
        check_space(target, plan.nbytes)
        nbytes = 0
        with whole_folder(target, overwrite, progress, kept, allowed) as folder:
            for parts, content in self.files(plan, progress):
                progress.check()
                nbytes += put(folder, parts, content, progress)
            check_unchanged(plan, progress)
        return Report(plan, path, nbytes)


def check_folder(path: Path, overwrite: bool, kept: Collection[FileId], allowed: Callable[[str], bool]) -> Target:
    """The target, when a folder may be made there. Raises ExportError with the sentence when not.

    It may be absent, an empty folder, or with `overwrite` a folder of `allowed` files only, none of them `kept`.
    """
    shown = printable(str(path))
    try:
        place = Path(os.path.realpath(path))
        there = facts_of(place)
        if there is not None:
            if not stat.S_ISDIR(there.st_mode):
                raise ExportError("target-is-file", path=shown)
            check_held(place, shown, overwrite, kept, allowed)
        elif path.is_symlink() and not overwrite:
            raise TargetExistsError("target-exists", path=shown)
        check_parent(place.parent)
    except (OSError, ValueError) as failure:
        raise failed(failure, shown) from failure
    return Target(path, place, None if there is None else there.st_mode & 0o777)


def check_held(
    place: Path, shown: str, overwrite: bool, kept: Collection[FileId], allowed: Callable[[str], bool]
) -> list[Path]:
    """The files and folders in a folder that is replaced, inner ones first. Raises ExportError when one must stay."""
    found: list[Path] = []
    for name, entry in held(place):
        found.append(place / name)
        if entry.is_dir(follow_symlinks=False):
            continue
        facts = entry.stat(follow_symlinks=False)
        if FileId(facts.st_dev, facts.st_ino) in kept:
            raise ExportError("target-is-source", path=printable(str(place / name)))
        if not stat.S_ISREG(facts.st_mode) or not allowed(name):
            raise ExportError("target-holds-others", path=shown, name=printable(name))
    if found and not overwrite:
        raise TargetExistsError("target-exists", path=shown)
    return found[::-1]


def held(place: Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """All entries below a folder, by their path in it with `/`; folders before what is in them, links not followed."""
    waiting = [""]
    while waiting:
        above = waiting.pop()
        with os.scandir(place / above) as entries:
            for entry in entries:
                yield above + entry.name, entry
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{above}{entry.name}/")


@contextmanager
def whole_folder(
    target: Target,
    overwrite: bool,
    progress: Progress,
    kept: Collection[FileId] = (),
    allowed: Callable[[str], bool] = lambda name: False,
) -> Iterator[Path]:
    """A folder to write in, which takes the target's name when the block ends well and is removed when it does not.

    Raises ExportError for what the file system refuses; SourceError and CancelledError of the block pass through.
    """
    remove_dead(target.place, stat.S_ISDIR, lambda dead: remove_ours(dead, kept, allowed))
    hidden = hidden_name(target.place)
    try:
        with held_folder(hidden):
            yield hidden
            if target.mode is not None:
                with contextlib.suppress(OSError):
                    hidden.chmod(target.mode)
            _take_name(hidden, target, overwrite, kept, allowed)
    except OSError as failure:
        shutil.rmtree(hidden, ignore_errors=True)
        raise failed(failure, target.shown) from failure
    except BaseException:
        shutil.rmtree(hidden, ignore_errors=True)
        raise
    flush_folder(target.place.parent, progress)


def _take_name(
    hidden: Path, target: Target, overwrite: bool, kept: Collection[FileId], allowed: Callable[[str], bool]
) -> None:
    """Rename. What stands there is looked at once more: it may have come in the meantime."""
    place = target.place
    there = facts_of(place)
    old = check_held(place, target.shown, overwrite, kept, allowed) if there is not None else []
    if not old:
        if there is not None and os.name == "nt":
            place.rmdir()
        # elsewhere an empty folder is replaced in one step, and one that is no longer empty is refused
        hidden.rename(place)
        return
    aside = hidden_name(place, ASIDE)
    place.rename(aside)
    try:
        hidden.rename(place)
    except OSError:
        aside.rename(place)
        raise
    _remove(aside, [aside / entry.relative_to(place) for entry in old])


def remove_ours(dead: Path, kept: Collection[FileId], allowed: Callable[[str], bool]) -> None:
    """Take away the folder of a killed export, unless it holds what is of no such export."""
    with contextlib.suppress(ExportError):
        _remove(dead, check_held(dead, printable(str(dead)), True, kept, allowed))


def _remove(folder: Path, entries: Collection[Path]) -> None:
    """Take away the files that were looked at; what came in between stays, and its folder with it."""
    for entry in (*entries, folder):
        with contextlib.suppress(OSError):
            if entry.is_dir():
                entry.rmdir()
            else:
                entry.unlink()


def put(folder: Path, parts: tuple[str, ...], content: Callable[[BinaryIO], None] | bytes, progress: Progress) -> int:
    """Write one new file, and the folders above it; gives its size. Raises ValueError for a path that leads out."""
    if not parts or any(part in ("", ".", "..") or not FORBIDDEN.isdisjoint(part) for part in parts):
        raise ValueError(f"not a path within a folder: {parts!r}")
    place = folder.joinpath(*parts)
    place.parent.mkdir(parents=True, exist_ok=True)
    with SteadyWriter(os.open(place, FLAGS, 0o666), progress) as file:
        if isinstance(content, bytes):
            file.write(content)
        else:
            content(file)
        file.settle()
        return file.tell()
