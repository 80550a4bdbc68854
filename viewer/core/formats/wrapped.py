"""Compressed files: what is inside is unpacked and is a document of its own, with offsets of its own."""

from __future__ import annotations

from typing import Final

from typing_extensions import override

from viewer.core.archive.unpacking import Unpacked, unpack
from viewer.core.document import WRAPPERS, Document
from viewer.core.errors import SourceError
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import finish
from viewer.core.problem import error, note
from viewer.core.source import ByteSource
from viewer.core.span import Region, Span

ALONE: Final = "lzma"
ALONE_START: Final = b"\x5d"


class Wrapped(Format):
    """gzip, bz2, xz, lzma without a container, zlib, zstd."""

    @override
    def score(self, context: Context) -> int:
        return 90 if context.guess.format in WRAPPERS else 0

    @override
    def parse(self, context: Context) -> Document:
        source, guess = context.source, context.guess
        document = Document(source, guess.format, guess.detail)
        kind = kind_of(source, guess.format)
        found = unpacked(context, kind)
        document.detail = found.name or guess.detail
        whole = Span(0, source.size)
        document.regions = found.regions or [Region(whole, "packed", "")]
        content = found.content
        if content is not None:
            facts = {"kind": kind, "size": content.size, "ratio": ratio(content.size, source.size)}
            document.problems.append(note("unpacked", whole, **facts))
            child = context.open_child(content, kind)
            if child is None:
                document.problems.append(error("unpack-depth", whole))
            else:
                document.children.append(child)
        document.problems += found.problems
        finish(document)
        return document


def unpacked(context: Context, kind: str) -> Unpacked:
    """What can be unpacked; nothing where the temporary folder has no room for it."""
    try:
        return unpack(context.source, kind, context.room, context.progress)
    except SourceError as failure:
        problem = error("unpack-failed", Span(0, context.source.size), reason=str(failure))
        return Unpacked(problems=[problem])


def kind_of(source: ByteSource, name: str) -> str:
    """The kind of the stream: `xz` is also said of lzma without a container."""
    return ALONE if name == "xz" and source.read(0, 1) == ALONE_START else name


def ratio(size: int, packed: int) -> str:
    """How many bytes came out of one."""
    return f"{size / max(1, packed):.1f}"
