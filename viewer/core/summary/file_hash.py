"""The SHA-256 of a whole file, by which people name it to one another."""

from __future__ import annotations

import hashlib
from typing import Final

from viewer.core.document import Document
from viewer.core.progress import Progress

STEP: Final = "hashing"
LARGEST: Final = 1024**3
BLOCK: Final = 1024**2


def file_sha256(document: Document, progress: Progress) -> str:
    """In hexadecimal; "" for a set of files, for one of more than a GiB, and where bytes cannot be had any more.

    Raises CancelledError, SourceError.
    """
    source = document.source
    if document.files or source.size > LARGEST:
        return ""
    digest = hashlib.sha256()
    for offset in range(0, source.size, BLOCK):
        progress.step(STEP, offset, source.size)
        block = source.read(offset, min(BLOCK, source.size - offset))
        if len(block) < min(BLOCK, source.size - offset):
            return ""
        digest.update(block)
    return digest.hexdigest()
