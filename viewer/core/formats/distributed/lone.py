"""A .distcp file by itself: torch.save archives back to back, without a list of them.

Each archive ends with its zip64 end record, the locator of that and the end record, so that the last one tells where
it begins; the one before ends there.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from viewer.core.archive.findings import Findings
from viewer.core.archive.zip_layout import END64_SIGNATURE, END_SIGNATURE, LOCAL_SIGNATURE, LOCATOR_SIGNATURE
from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.formats.base import Context
from viewer.core.formats.distributed.items import Item, read_item
from viewer.core.problem import Problem, error, note, warning
from viewer.core.source import BLOCK, ByteSource
from viewer.core.span import Region, Span, tile
from viewer.wording.phrases import phrase

NAME: Final = "distributed"
DETAIL: Final = phrase("detail-items")
METADATA: Final = ".metadata"
SUFFIX: Final = ".distcp"
MOST_ITEMS: Final = 1_000_000
MOST_TENSORS: Final = 20_000
MOST_CHILDREN: Final = 1000
STEP: Final = 256
RECORDS_OF_ITEM: Final = 7
"""Records of an archive with one storage: the object, it, and five small ones."""
# zip64 end record, its locator, end record: as torch writes them, without a comment.
END64: Final = struct.Struct("<4sQHHIIQQQQ")
LOCATOR: Final = struct.Struct("<4sIQI")
END: Final = struct.Struct("<4sHHHHIIH")
OVERLAP: Final = len(END64_SIGNATURE) - 1
TAIL: Final = END64.size + LOCATOR.size + END.size


def unreadable(findings: Findings, file: str, reason: str) -> None:
    """Say that a file of a set cannot be read."""
    findings.add(error("set-file-unreadable", file=file, reason=reason, count=0, names=""))


def item_before(source: ByteSource, stop: int) -> int:
    """Where the archive begins that ends at a byte; -1 where none ends there."""
    raw = source.peek(stop - TAIL, TAIL) if stop >= TAIL else b""
    if len(raw) < TAIL:
        return -1
    end64, locator = END64.unpack_from(raw), LOCATOR.unpack_from(raw, END64.size)
    end = END.unpack_from(raw, END64.size + LOCATOR.size)
    signatures = (end64[0], locator[0], end[0])
    if signatures != (END64_SIGNATURE, LOCATOR_SIGNATURE, END_SIGNATURE) or end[7]:
        return -1
    size, offset = int(end64[8]), int(end64[9])
    return max(-1, stop - TAIL - size - offset)


def item_spans(source: ByteSource, context: Context) -> list[Span]:
    """The archives of a file, found from its end; in front of bytes that are none, by looking for their ends."""
    spans: list[Span] = []
    stop = source.size
    while stop > 0 and len(spans) < MOST_ITEMS:
        start = item_before(source, stop)
        if start < 0 or start >= stop:
            break
        spans.append(Span(start, stop))
        stop = start
        if len(spans) % STEP == 0:
            context.progress.step("archive", source.size - stop, source.size)
    return [*spans_before(source, stop, context), *spans[::-1]] if stop > 0 else spans[::-1]


def spans_before(source: ByteSource, stop: int, context: Context) -> list[Span]:
    """The archives in the first bytes of a damaged file; what is left of the last one too."""
    spans: list[Span] = []
    reached = at = 0
    while at < stop and len(spans) < MOST_ITEMS:
        context.progress.step("archive", at, stop)
        block = source.read(at, min(BLOCK, stop - at))
        place = block.find(END64_SIGNATURE)
        while place >= 0:
            end = at + place + TAIL
            start = item_before(source, end) if end <= stop else -1
            if start >= reached:
                spans.append(Span(start, end))
                reached = end
            place = block.find(END64_SIGNATURE, place + 1)
        # A signature may lie across two blocks.
        at = at + len(block) - OVERLAP if at + len(block) < stop and len(block) > OVERLAP else stop
    if reached < stop and source.peek(reached, 4) == LOCAL_SIGNATURE:
        spans.append(Span(reached, stop))
    return spans


def is_items(source: ByteSource) -> bool:
    """True where a file is more than one archive of torch.save back to back, the last of one tensor. Reads little.

    Checkpoints that were saved into one file one after another hold more.
    """
    start = item_before(source, source.size)
    if start <= 0 or source.peek(start, 4) != LOCAL_SIGNATURE:
        return False
    if END.unpack(source.peek(source.size - END.size, END.size))[4] > RECORDS_OF_ITEM:
        return False
    before = item_before(source, start)
    return before >= 0 and source.peek(before, 4) == LOCAL_SIGNATURE


def read_lone(context: Context) -> Document:
    """The document of a file of items: its tensors have numbers, no names."""
    source = context.source
    document = Document(source, NAME, DETAIL, byteorder=context.options.byteorder or "little")
    spans = item_spans(source, context)
    others = 0
    for number, span in enumerate(spans):
        if number % STEP == 0:
            context.progress.step("objects", number, len(spans))
        if len(document.tensors) >= MOST_TENSORS:
            rest = Span(span.start, spans[-1].stop)
            document.problems.append(note("set-items-more", rest, count=len(spans) - number, limit=number))
            break
        others += not take_item(document, context, number, span)
    if others > MOST_CHILDREN:
        document.problems.append(note("set-values-more", count=others - MOST_CHILDREN, limit=MOST_CHILDREN))
    regions = [Region(span, "item", str(number)) for number, span in enumerate(spans)]
    document.regions, _ = tile(regions, source.size)
    document.problems += part_problems(context, len(spans))
    gaps = [region.span for region in document.regions if region.kind == "gap"]
    if gaps:
        facts = {"file": context.name or SUFFIX, "count": sum(gap.length for gap in gaps), "offset": gaps[0].start}
        document.problems.append(warning("set-file-gap", gaps[0], **facts))
    return document


def take_item(document: Document, context: Context, number: int, span: Span) -> bool:
    """An item that is a tensor becomes one; any other value is a document of its own. True for a tensor."""
    item = Item(context.source, span.start, span.length)
    try:
        tensor = read_item(item, context.options)
    except SourceError:
        tensor = None
    if tensor is not None:
        tensor.index, tensor.path, tensor.name = len(document.tensors), (number,), None
        document.add_tensors((tensor,))
    elif len(document.children) < MOST_CHILDREN:
        child = context.open_child(item.packed(), phrase("how-item", name=number))
        document.children += [] if child is None else [child]
    return tensor is not None


def part_problems(context: Context, count: int) -> Iterator[Problem]:
    """What the file is a part of."""
    beside = context.sibling(METADATA)
    whole = Span(0, context.source.size)
    if beside is None:
        yield warning("set-part-of-nothing", whole, count=count)
        return
    beside.close()
    yield note("set-part-of-checkpoint", whole, file=METADATA, count=count)
