"""Ranges of bytes of any source, written one behind the other into one file: as they are, or as a dump."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from viewer.core.dumped import dump
from viewer.core.errors import ExportError
from viewer.core.export.atomic import FileId, check_space, check_target, whole_or_absent
from viewer.core.progress import Progress
from viewer.core.source import BLOCK, ByteSource
from viewer.core.span import Span

WRITING: Final = "export"
DUMPED: Final = 5


def save_ranges(
    source: ByteSource,
    spans: Sequence[Span],
    path: Path,
    progress: Progress,
    *,
    overwrite: bool = False,
    kept: Collection[FileId] = (),
    as_dump: bool = False,
) -> int:
    """Write the ranges; gives the number of bytes. The file is whole or absent. Raises ExportError, CancelledError.

    `kept`: files that must stay as they are, the open one among them. `as_dump`: write them as text, which takes
    five times as many bytes.
    """
    whole, done = sum(span.length for span in spans), 0
    target = check_target(path, overwrite, kept)
    check_space(target, whole * DUMPED if as_dump else whole)
    with whole_or_absent(target, overwrite, progress) as file:
        for span in spans:
            for start, stop in _blocks(span):
                progress.step(WRITING, done, whole)
                wanted = stop - start
                data = source.read(start, wanted)
                if len(data) != wanted:
                    raise ExportError("source-cut", offset=start + len(data))
                file.write(dump(start, data).encode("ascii") if as_dump else data)
                done += len(data)
    return done


def _blocks(span: Span) -> Iterator[tuple[int, int]]:
    """The bytes in blocks that end at multiples of their size, so that no row of a dump is cut in two."""
    at = span.start
    while at < span.stop:
        stop = min(at - at % BLOCK + BLOCK, span.stop)
        yield at, stop
        at = stop
