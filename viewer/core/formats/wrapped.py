"""Compressed files: what is inside is unpacked and is a document of its own, with offsets of its own.

gzip, bz2, xz, zlib, zstd; and the ZFile of joblib 0.9 and before, a zlib stream behind a header.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from typing_extensions import override

from viewer.core.archive.unpacking import Unpacked, unpack
from viewer.core.document import WRAPPERS, ZFILE, Document
from viewer.core.errors import SourceError
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import finish
from viewer.core.problem import error, note
from viewer.core.source import ByteSource
from viewer.core.span import Region, Span

ALONE: Final = "lzma"
# "ZF", then the size of what is inside as 0x and hexadecimal digits, with spaces to 19 characters.
ZFILE_START: Final = b"ZF"
ZFILE_HEADER: Final = 21
ALONE_START: Final = b"\x5d"


class Wrapped(Format):
    """gzip, bz2, xz, lzma without a container, zlib, zstd; zlib behind the header of a ZFile."""

    @override
    def score(self, context: Context) -> int:
        name = context.guess.format
        return 90 if name in WRAPPERS or (name == ZFILE and zfile_header(context.source)) else 0

    @override
    def parse(self, context: Context) -> Document:
        source, guess = context.source, context.guess
        document = Document(source, guess.format, guess.detail)
        kind = kind_of(source, guess.format)
        header = zfile_header(source) if kind == ZFILE else 0
        if header:
            kind, source = "zlib", source.slice(header, source.size)
        found = unpacked(source, context, kind)
        document.detail = found.name or guess.detail
        if header:
            shift(found, header)
        whole = Span(0, context.source.size)
        document.regions = found.regions or [Region(whole, "packed", "")]
        content = found.content
        if content is not None:
            facts = {"kind": kind, "size": content.size, "ratio": ratio(content.size, whole.length)}
            document.problems.append(note("unpacked", whole, **facts))
            child = context.open_child(content, kind)
            if child is None:
                document.problems.append(error("unpack-depth", whole))
            else:
                document.children.append(child)
        document.problems += found.problems
        finish(document)
        return document


def zfile_header(source: ByteSource) -> int:
    """Bytes before the zlib stream of a ZFile; 0: it is none. To joblib 0.8.4 in Python 2 it has a space more."""
    head = source.read(0, ZFILE_HEADER + 1)
    if not head.startswith(ZFILE_START):
        return 0
    return len(head) if head[ZFILE_HEADER:] == b" " else ZFILE_HEADER


def shift(found: Unpacked, header: int) -> None:
    """Let what was unpacked from behind a header count from the start of the file."""
    moved = (Region(region.span.shifted(header), region.kind, region.label) for region in found.regions)
    found.regions = [Region(Span(0, header), "packed-header", ""), *moved]
    found.problems = [
        replace(problem, span=problem.span.shifted(header)) if problem.span is not None else problem
        for problem in found.problems
    ]


def unpacked(source: ByteSource, context: Context, kind: str) -> Unpacked:
    """What can be unpacked; nothing where the temporary folder has no room for it."""
    try:
        return unpack(source, kind, context.room, context.progress)
    except SourceError as failure:
        problem = error("unpack-failed", Span(0, source.size), reason=str(failure))
        return Unpacked(problems=[problem])


def kind_of(source: ByteSource, name: str) -> str:
    """The kind of the stream: `xz` is also said of lzma without a container."""
    return ALONE if name == "xz" and source.read(0, 1) == ALONE_START else name


def ratio(size: int, packed: int) -> str:
    """How many bytes came out of one."""
    return f"{size / max(1, packed):.1f}"
