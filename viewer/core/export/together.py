"""Files that belong together, as an npz and its table of names: all are there, or none is.

A program that is killed between two names leaves the first file alone: of files that stood there, all but the first are
set aside before (`.name.xxxxxxxx.old`), so that no old one ever stands beside a new one.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from viewer.core.errors import TargetExistsError
from viewer.core.export.atomic import FileId, Target, facts_of, failed, whole_or_absent
from viewer.core.export.flushing import SteadyWriter
from viewer.core.export.hidden import ASIDE, hidden_name, remove_file
from viewer.core.progress import Progress


def check_apart(targets: Sequence[Target]) -> None:
    """Raises TargetExistsError where two names lead to one file."""
    places: set[Path] = set()
    for target in targets:
        if target.place in places:
            raise TargetExistsError("target-exists", path=target.shown)
        places.add(target.place)


@contextmanager
def all_or_none(
    targets: Sequence[Target], overwrite: bool, progress: Progress, gone: Sequence[Target] = ()
) -> Iterator[list[SteadyWriter]]:
    """Files to write to, which take their names in this order when the block ends well, or not at all.

    `gone`: files that are taken away then. What stood under the names stays, or is put back, when one cannot be
    replaced. Raises as `whole_or_absent`.
    """
    swap = Swap()
    with swap.undone_by_failure(), ExitStack() as opened:
        # they are named as they are left: the last one first
        files = [opened.enter_context(whole_or_absent(target, overwrite, progress)) for target in reversed(targets)][
            ::-1
        ]
        yield files
        if len(targets) + len(gone) > 1:
            for file, target in zip(files, targets, strict=True):
                swap.expect(file, target)
            for target in (*gone, *reversed(targets)) if overwrite else ():
                swap.set_aside(target, keep=target is targets[0])


class Swap:
    """What is done to names that stand there already, until all files have theirs."""

    def __init__(self) -> None:
        self._new: list[tuple[FileId, Path]] = []
        self._aside: list[tuple[Path, Path]] = []

    @contextmanager
    def undone_by_failure(self) -> Iterator[None]:
        """At the end the old files go; after a failure they have their names again, and the new ones are gone."""
        try:
            yield
        except BaseException:
            for mine, place in self._new:
                with contextlib.suppress(OSError):
                    # somebody else's may have come there in the meantime
                    if file_id(place) == mine:
                        place.unlink()
            for hidden, place in self._aside:
                with contextlib.suppress(OSError):
                    hidden.replace(place)
                    # where both are names of one file, the system leaves both
                    remove_file(hidden)
            raise
        for hidden, _ in self._aside:
            remove_file(hidden)

    def expect(self, file: SteadyWriter, target: Target) -> None:
        """Make a new file safe on the disk, so that naming takes a moment only.

        Raises ExportError and CancelledError.
        """
        try:
            file.settle()
            facts = os.fstat(file.fileno())
        except OSError as failure:
            raise failed(failure, target.shown) from failure
        self._new.append((FileId(facts.st_dev, facts.st_ino), target.place))

    def set_aside(self, target: Target, keep: bool) -> None:
        """Give what stands there a hidden name instead of its own; to `keep` that, beside it where that can be.

        Raises ExportError.
        """
        if not os.path.lexists(target.place):
            return
        hidden = hidden_name(target.place, ASIDE)
        try:
            if not keep or not linked(target.place, hidden):
                target.place.rename(hidden)
        except OSError as failure:
            raise failed(failure, target.shown) from failure
        self._aside.append((hidden, target.place))


def linked(place: Path, hidden: Path) -> bool:
    """Give a file a second name; False where the file system knows none."""
    try:
        os.link(place, hidden, follow_symlinks=False)
    except OSError:
        return False
    return True


def file_id(place: Path) -> FileId | None:
    """Which file stands under a name."""
    facts = facts_of(place)
    return FileId(facts.st_dev, facts.st_ino) if facts is not None else None
