"""An npz read back by numpy, without pickles, and compared with the elements of the open file, block by block."""

from __future__ import annotations

import threading
import zipfile
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.lib.npyio import NpzFile
from typing_extensions import override

from viewer.core.errors import CancelledError
from viewer.core.export.elements import Written, written
from viewer.core.export.plan import Report, Verdict
from viewer.core.progress import Progress
from viewer.wording import bare
from viewer.wording.phrases import phrase

STEP: Final = "verify"
LONGEST_HEADER: Final = 1 << 20


LOOK: Final = 0.05
"""Seconds between two looks whether to stop while numpy reads the names."""


class DiffersError(Exception):
    """What was read is not what was meant; the text says how."""


def compare(report: Report, progress: Progress) -> Verdict:
    """The verdict of numpy. Raises CancelledError, SourceError."""
    items = report.plan.items
    done = 0
    try:
        with loaded(report.path, progress) as archive:
            assert archive.zip is not None
            check_names(archive.files, [item.name for item in items])
            for item in items:
                elements = written(item.tensor)
                if elements is None:
                    raise DiffersError(phrase("incomparable", name=item.name))
                done = compare_member(archive.zip, item.name, elements, progress, done, report.nbytes)
    except (DiffersError, OSError, ValueError, zipfile.BadZipFile) as failure:
        return Verdict("numpy-differs", False, {"reason": bare(str(failure))})
    return Verdict("numpy-verified", True, {"count": len(items)})


def loaded(path: Path, progress: Progress) -> NpzFile:
    """The archive, its names read: of 100,000 in one go, so a thread does it, which a cancel leaves to end by itself.

    Raises what numpy does, and CancelledError while it still reads.
    """
    loading = _Loading(path)
    loading.start()
    while not loading.ended.wait(LOOK):
        if progress.cancelled:
            loading.leave()
            raise CancelledError
    return loading.archive()


class _Loading(threading.Thread):
    """numpy's reader of one archive; closes it where nobody waits any more."""

    def __init__(self, path: Path) -> None:
        super().__init__(name="reading names", daemon=True)
        self._path = path
        self._lock = threading.Lock()
        self._left = False
        self._archive: NpzFile | None = None
        self._failure: Exception | None = None
        self.ended = threading.Event()

    @override
    def run(self) -> None:
        try:
            archive = np.load(self._path, allow_pickle=False)
            with self._lock:
                self._archive = archive
                if self._left:
                    archive.close()
        except Exception as failure:  # noqa: BLE001  whatever it is, who waits gets it
            self._failure = failure
        finally:
            self.ended.set()

    def leave(self) -> None:
        """Nobody waits any more."""
        with self._lock:
            self._left = True
            if self._archive is not None:
                self._archive.close()

    def archive(self) -> NpzFile:
        """What was read. Raises what numpy raised."""
        if self._failure is not None:
            raise self._failure
        assert self._archive is not None
        return self._archive


def check_names(found: list[str], wanted: list[str]) -> None:
    """The same names in the same order. Raises DiffersError."""
    known = set(found)
    missing = [name for name in wanted if name not in known]
    if missing:
        raise DiffersError(phrase("differs-missing", name=missing[0]))
    if found != wanted:
        raise DiffersError(phrase("differs-array-count", found=len(found), expected=len(wanted)))


def compare_member(
    archive: zipfile.ZipFile, name: str, elements: Written, progress: Progress, done: int, total: int
) -> int:
    """Compare one array; gives the bytes compared up to now. Raises DiffersError."""
    with archive.open(name + ".npy") as member:
        return compare_elements(member, name, elements, progress, done, total)


def compare_elements(member: IO[bytes], name: str, elements: Written, progress: Progress, done: int, total: int) -> int:
    """Compare a whole npy; gives the bytes compared up to now. Raises DiffersError."""
    check_header(member, name, elements)
    for block in elements.blocks(progress):
        progress.step(STEP, done, total)
        if member.read(len(block)) != bytes(block):
            raise DiffersError(phrase("differs-elements", name=name))
        done += len(block)
    if member.read(1):
        raise DiffersError(phrase("differs-more", name=name, shape=elements.tensor.shape))
    return done


def check_header(member: IO[bytes], name: str, elements: Written) -> None:
    """Compare type, shape and order. Raises DiffersError, ValueError."""
    version = np.lib.format.read_magic(member)
    read: Any = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran, dtype = read(member, max_header_size=LONGEST_HEADER)
    if dtype != elements.dtype or shape != elements.tensor.shape or fortran:
        expected = f"{elements.dtype} {elements.tensor.shape}"
        raise DiffersError(phrase("differs-type", name=name, found=f"{dtype} {shape}", expected=expected))
