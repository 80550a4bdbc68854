"""The files that open documents are made of: nothing is ever written over them, under whatever name."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from viewer.core.archive.inflated import InflatedSource
from viewer.core.document import Document
from viewer.core.export.atomic import FileId
from viewer.core.folder import MemberSource
from viewer.core.source import ByteSource, FileSource, SliceSource
from viewer.core.tensors.assembled import AssembledSource
from viewer.core.tensors.converted import ConvertedSource

AnyFile = FileSource | MemberSource


def layers(source: ByteSource | None) -> Iterator[ByteSource]:
    """The source, then what it is a part of, out to the file; of one that is put together all its pieces."""
    waiting = [source]
    while waiting:
        layer = waiting.pop()
        if layer is None:
            continue
        yield layer
        if isinstance(layer, SliceSource | ConvertedSource):
            waiting.append(layer.parent)
        elif isinstance(layer, InflatedSource):
            waiting.append(layer.packed)
        elif isinstance(layer, AssembledSource):
            waiting += layer.sources


def files_in(sources: Iterable[ByteSource]) -> list[AnyFile]:
    """The files that the bytes of some sources stand in, each once."""
    every = (layer for source in dict.fromkeys(sources) for layer in layers(source))
    return list(dict.fromkeys(layer for layer in every if isinstance(layer, AnyFile)))


def own_sources(document: Document) -> list[ByteSource]:
    """The source of a document, and those of all files of a set."""
    return [part.source for part in document.walk() if part is document or part.is_member]


def ids_of(files: Iterable[AnyFile], path: Path | None = None) -> set[FileId]:
    """What tells these files from others; `path`: with them what stands there by now."""
    found = {FileId(file.identity.device, file.identity.inode) for file in files}
    if path is not None:
        # the name may stand for another file by now, or for none that may be looked at
        with contextlib.suppress(OSError):
            facts = path.stat()
            found.add(FileId(facts.st_dev, facts.st_ino))
    return found


def kept_of(*opened: Document | ByteSource | None) -> set[FileId]:
    """All files that documents are made of, or that sources are of."""
    found: set[FileId] = set()
    for each in opened:
        if isinstance(each, Document):
            found |= ids_of(files_in(own_sources(each)), each.path)
        elif each is not None:
            found |= ids_of(files_in([each]))
    return found
