"""The files of a distributed checkpoint as documents, and the values in them that are no tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from viewer.core.archive.findings import Findings
from viewer.core.document import Document, SetFile, SetValue, member_how
from viewer.core.errors import SourceError
from viewer.core.folder import is_inside, listed, why
from viewer.core.formats.base import Context
from viewer.core.formats.distributed.checkpoint import Checkpoint
from viewer.core.formats.distributed.checks import place_problems
from viewer.core.formats.distributed.lone import DETAIL, NAME, SUFFIX
from viewer.core.formats.distributed.pieces import key_of
from viewer.core.formats.distributed.tensors import FileTensors
from viewer.core.formats.reading import LazyRegions
from viewer.core.problem import Problem, error, note, warning
from viewer.core.source import ByteSource
from viewer.core.span import Region, Span, tile
from viewer.wording.phrases import phrase

MOST_FILES: Final = 100_000
MOST_VALUES: Final = 1000
STEP: Final = 64


def read_members(document: Document, checkpoint: Checkpoint, context: Context, findings: Findings) -> None:
    """The files that the metadata names: those that are there become children."""
    files = list(document.files) or [SetFile(context.name, context.source.size)]
    if len(checkpoint.files.names) > MOST_FILES:
        findings.add(error("set-too-many-files", None, count=len(checkpoint.files.names), limit=MOST_FILES))
    for number, name in enumerate(checkpoint.files.names[:MOST_FILES]):
        if number % STEP == 0:
            context.progress.step("opening", number, len(checkpoint.files.names))
        source: ByteSource | None = None
        if not is_inside(name):
            findings.add(error("set-file-outside", None, file=name, count=len(checkpoint.items_in(number))))
            continue
        try:
            source = context.folder.member(name) if context.folder is not None else None
            if source is not None:
                # What may not be opened is told once, not for each of its items.
                source.peek(0, 1)
        except SourceError as failure:
            source = None
            findings.add(lost(checkpoint, number, "set-file-unreadable", reason=why(failure)))
        else:
            if source is None:
                findings.add(lost(checkpoint, number, "set-file-lost"))
        files.append(SetFile(name, None if source is None else source.size))
        if source is not None:
            checkpoint.files.sources[number] = source
            document.children.append(member_document(checkpoint, number, source, len(files) - 1))
    document.files = files


def lost(checkpoint: Checkpoint, file: int, code: str, **params: object) -> Problem:
    """A file that cannot be had, and what is in it."""
    names = checkpoint.names_in(file)
    facts = {"file": checkpoint.files.names[file], "count": len(checkpoint.items_in(file)), "names": listed(names)}
    return error(code, None, **facts, **params)


def member_document(checkpoint: Checkpoint, file: int, source: ByteSource, number: int) -> Document:
    """A file of items: a region for each, and the tensors in it as they stand there."""
    member = Document(source, NAME, DETAIL, how=member_how(checkpoint.files.names[file]), file=number)
    member.byteorder = checkpoint.options.byteorder or "little"
    member.regions = LazyRegions(lambda: item_regions(checkpoint, file, source.size))
    member.tensors = FileTensors(checkpoint, file)
    findings = Findings()
    for problem in place_problems(checkpoint, file, member):
        findings.add(problem)
    member.problems = findings.problems()
    return member


def item_regions(checkpoint: Checkpoint, file: int, size: int) -> list[Region]:
    """Every byte with its owner."""
    items = checkpoint.metadata.items
    rows = checkpoint.items_in(file)
    spans = zip(rows.tolist(), items.starts[rows].tolist(), items.lengths[rows].tolist(), strict=True)
    regions = (
        Region(Span(start, start + length), "item", key_of(items.names[row] or "", items.offsets[row]))
        for row, start, length in spans
    )
    return tile(regions, size)[0]


def read_values(document: Document, checkpoint: Checkpoint, context: Context) -> Iterator[Problem]:
    """The values that are no tensors: each a document inside its file."""
    found: list[SetValue] = []
    for count, (name, row) in enumerate(checkpoint.value_items.items()):
        if count % STEP == 0:
            context.progress.step("objects", count, len(checkpoint.value_items))
        file = checkpoint.file_of(row)
        inner = None
        if count < MOST_VALUES:
            inner, problem = read_value(document, checkpoint, context, row)
            if problem is not None:
                yield problem
        found.append(SetValue(name, checkpoint.metadata.path(name), file, inner, span_of(checkpoint, row)))
    document.others = found
    if len(found) > MOST_VALUES:
        yield note("set-values-more", None, count=len(found) - MOST_VALUES, limit=MOST_VALUES)


def span_of(checkpoint: Checkpoint, row: int) -> Span | None:
    """The bytes of an item in its file, as many as are there."""
    item = checkpoint.item(row)
    return Span(item.start, item.start + item.length).clipped(item.source.size) if item is not None else None


def read_value(
    document: Document, checkpoint: Checkpoint, context: Context, row: int
) -> tuple[Document | None, Problem | None]:
    """One value, and why it cannot be read."""
    item, name = checkpoint.item(row), checkpoint.metadata.items.names[row]
    member = document.member(checkpoint.file_of(row))
    if item is None or member is None:
        return None, None
    try:
        inner = context.open_child(item.opened(context.options, context.progress), phrase("how-item", name=name))
    except SourceError as failure:
        span = checkpoint.metadata.span(int(checkpoint.metadata.items.values[row]))
        facts = {"name": name, "file": checkpoint.file_of(row), "reason": why(failure)}
        return None, error("set-item-unreadable", span, **facts)
    member.children += [] if inner is None else [inner]
    return inner, None


def extra_files(checkpoint: Checkpoint, context: Context) -> Iterator[Problem]:
    """Files of items in the folder that the metadata does not name."""
    named = set(checkpoint.files.names)
    there = context.folder.names_seen() if context.folder is not None else []
    extra = [name for name in there if name.endswith(SUFFIX) and name not in named]
    if extra:
        yield warning("set-file-extra", None, count=len(extra), files=listed(extra))
