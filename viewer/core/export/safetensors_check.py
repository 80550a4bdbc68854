"""A safetensors file opened by the reference library and compared with the open file, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from viewer.core.export.plan import Verdict
from viewer.core.progress import Progress
from viewer.core.source import FileSource
from viewer.wording import bare
from viewer.wording.phrases import phrase

STEP: Final = "verify"
LENGTH: Final = 8
BLOCK: Final = 4 * 1024 * 1024
# Types that the library knows and gives no numpy arrays of: their bytes are compared where the header says they are.
BYTES_ONLY: Final = frozenset({"F8_E4M3", "F8_E5M2", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "F8_E8M0", "F4"})


class Expected(Protocol):
    """One tensor that was meant to be written."""

    @property
    def name(self) -> str:
        """In the header."""
        ...

    @property
    def kind(self) -> str:
        """Its type there."""
        ...

    @property
    def shape(self) -> tuple[int, ...]:
        """In elements of that type."""
        ...

    @property
    def nbytes(self) -> int:
        """Of its elements."""
        ...

    def blocks(self, progress: Progress) -> Iterator[memoryview]:
        """Its bytes."""
        ...


class DiffersError(Exception):
    """What was read is not what was meant; the text says how."""


def compare(files: Sequence[tuple[Path, Sequence[Expected]]], progress: Progress) -> Verdict:
    """The verdict of the library on all files. Raises CancelledError, SourceError."""
    from safetensors import SafetensorError, __version__

    total = sum(entry.nbytes for _, entries in files for entry in entries)
    done = 0
    try:
        for path, entries in files:
            for compared in _compared(path, entries, progress):
                progress.step(STEP, done, total)
                done += compared
    except (DiffersError, SafetensorError, OSError, ValueError) as failure:
        return Verdict("safetensors-differs", False, {"reason": bare(str(failure)), "version": __version__})
    count = sum(len(entries) for _, entries in files)
    return Verdict("safetensors-verified", True, {"count": count, "version": __version__})


def _compared(path: Path, entries: Sequence[Expected], progress: Progress) -> Iterator[int]:
    """Compares one file, and gives the bytes of each block that is the same. Raises DiffersError, SafetensorError."""
    from safetensors import safe_open

    with safe_open(path, "numpy") as opened:
        check_names(opened, entries)
        offset = _data_start(path)
        for entry in entries:
            check_entry(opened, entry)
            for found, wanted in zip_blocks(pieces(opened, path, entry, offset), entry.blocks(progress)):
                if found != wanted:
                    raise DiffersError(phrase("differs-elements", name=entry.name))
                yield len(wanted)
            offset += entry.nbytes


def check_names(opened: Any, entries: Sequence[Expected]) -> None:
    """The same names. Raises DiffersError."""
    names = set(opened.keys())
    missing = [entry.name for entry in entries if entry.name not in names]
    if missing:
        raise DiffersError(phrase("differs-missing", name=missing[0]))
    if len(names) != len(entries):
        raise DiffersError(phrase("differs-tensor-count", found=len(names), expected=len(entries)))


def check_entry(opened: Any, entry: Expected) -> None:
    """The same type and shape. Raises DiffersError."""
    read = opened.get_slice(entry.name)
    found = (read.get_dtype(), tuple(read.get_shape()))
    if found != (entry.kind, entry.shape):
        expected = f"{entry.kind} {entry.shape}"
        raise DiffersError(phrase("differs-type", name=entry.name, found=f"{found[0]} {found[1]}", expected=expected))


def pieces(opened: Any, path: Path, entry: Expected, offset: int) -> Iterator[bytes]:
    """The bytes of a tensor as the library reads them, some rows at once."""
    if not entry.nbytes:
        return
    if entry.kind in BYTES_ONLY:
        yield from _stored(path, offset, entry.nbytes)
        return
    if not entry.shape:
        yield opened.get_tensor(entry.name).tobytes()
        return
    read = opened.get_slice(entry.name)
    row = entry.nbytes // entry.shape[0]
    step = max(1, BLOCK // max(1, row))
    for first in range(0, entry.shape[0], step):
        yield np.ascontiguousarray(read[first : min(first + step, entry.shape[0])]).tobytes()


def _stored(path: Path, offset: int, nbytes: int) -> Iterator[bytes]:
    source = FileSource(path)
    try:
        for at in range(offset, offset + nbytes, BLOCK):
            yield source.read(at, min(BLOCK, offset + nbytes - at))
    finally:
        source.close()


def _data_start(path: Path) -> int:
    source = FileSource(path)
    try:
        return LENGTH + int.from_bytes(source.read(0, LENGTH), "little")
    finally:
        source.close()


def zip_blocks(found: Iterator[bytes], wanted: Iterator[memoryview]) -> Iterator[tuple[memoryview, memoryview]]:
    """Pieces of two runs of bytes, cut so that each pair has one length; the rest of a longer one stands alone."""
    first, second = memoryview(b""), memoryview(b"")
    while True:
        first = first or memoryview(next(found, b""))
        second = second or memoryview(next(wanted, b""))
        if not first and not second:
            return
        size = min(len(first), len(second)) or max(len(first), len(second))
        yield first[:size], second[:size]
        first, second = first[size:], second[size:]
