"""By what a file is known after it was moved: what the system calls it, its size, and what stands at both its ends.

The number of a file alone does not tell: systems give that of a removed file to the next one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from itertools import islice
from pathlib import Path
from typing import Final

from viewer.core.errors import ViewerError
from viewer.core.source import FileSource, Identity, identity_of

END: Final = 4096
"""Bytes of each end."""
MOST: Final = 10_000
"""Files of a folder among which a renamed one is looked for."""


class KnownFiles:
    """Paths and marks of the files that were opened; a mark is that of the opening, since later it may be gone."""

    def __init__(self) -> None:
        self._opened: dict[str, tuple[Identity, str]] = {}

    def names(self, path: str | os.PathLike[str], identity: Identity) -> tuple[str, str]:
        """Its path, absolute, and its mark."""
        name = str(Path(path).absolute())
        known = self._opened.get(name)
        if known is None or known[0] != identity:
            known = self._opened[name] = identity, mark_of(Path(path), identity)
        return name, known[1]

    def paths(self) -> list[str]:
        """Of all of them."""
        return list(self._opened)


def renamed(path: Path, mark: str) -> str:
    """The file with this mark that stands in the folder of a path where none stands; "" where there is none.

    The number that the system gives a file is looked for first: nothing is read of the others.
    """
    number = mark.split(":")[1:2]
    with contextlib.suppress(OSError), os.scandir(path.parent) as entries:
        for entry in islice(entries, MOST):
            if [str(entry.inode())] != number or not entry.is_file():
                continue
            if mark_of(Path(entry.path), identity_of(entry.stat())) == mark:
                return entry.path
    return ""


def mark_of(path: Path, identity: Identity) -> str:
    """`device:inode:size:digest`; the digest of what cannot be read, as of a folder, is empty."""
    digest = ""
    with contextlib.suppress(ViewerError, OSError):
        source = FileSource(path)
        try:
            ends = source.read(0, END) + source.read(max(0, source.size - END), END)
        finally:
            source.close()
        digest = hashlib.sha256(ends).hexdigest()[:32]
    return f"{identity.device}:{identity.inode}:{identity.size}:{digest}"
