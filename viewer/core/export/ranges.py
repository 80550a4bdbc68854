"""Ranges of bytes of any source, written one behind the other into one file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from viewer.core.errors import ExportError
from viewer.core.export.atomic import FileId, check_space, check_target, whole_or_absent
from viewer.core.progress import Progress
from viewer.core.source import BLOCK, ByteSource
from viewer.core.span import Span

WRITING: Final = "export"


def save_ranges(
    source: ByteSource,
    spans: Sequence[Span],
    path: Path,
    progress: Progress,
    *,
    overwrite: bool = False,
    kept: Collection[FileId] = (),
) -> int:
    """Write the ranges; gives the number of bytes. The file is whole or absent. Raises ExportError, CancelledError.

    `kept`: files that must stay as they are, the open one among them.
    """
    whole, done = sum(span.length for span in spans), 0
    target = check_target(path, overwrite, kept)
    check_space(target, whole)
    with whole_or_absent(target, overwrite) as file:
        for span in spans:
            for start in range(span.start, span.stop, BLOCK):
                progress.step(WRITING, done, whole)
                wanted = min(BLOCK, span.stop - start)
                data = source.read(start, wanted)
                if len(data) != wanted:
                    raise ExportError("source-cut", offset=start + len(data))
                file.write(data)
                done += len(data)
    return done
