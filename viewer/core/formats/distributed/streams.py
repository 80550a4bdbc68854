"""The files with the metadata: `.metadata`, or that of each rank, read as documents and into columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from viewer.core.archive.findings import Findings
from viewer.core.document import Document, SetFile, member_how
from viewer.core.errors import SourceError
from viewer.core.folder import listed, why
from viewer.core.formats.base import Context
from viewer.core.formats.distributed.copies import MOST_COMPARED, ItemCopies
from viewer.core.formats.distributed.lone import METADATA, NAME
from viewer.core.formats.distributed.metadata import Columns, Metadata
from viewer.core.formats.distributed.ranks import Copies, Joined
from viewer.core.formats.reading import add_pickle, finish
from viewer.core.pickles.disassembly import disassemble
from viewer.core.problem import Problem, error, note, warning
from viewer.core.source import ByteSource, printable
from viewer.core.span import Region, Span
from viewer.wording.phrases import phrase

DETAIL: Final = "torch.distributed.checkpoint"
RANKS: Final = "distributed-ranks"
RANKS_DETAIL: Final = phrase("detail-ranks")
TEMPORARY: Final = ".tmp"
UNFINISHED: Final = METADATA + TEMPORARY
MOST_MISSING: Final = 100_000


def rank_of(name: str) -> int:
    """The rank whose metadata a file is by its name, also where its save did not end; -1: it is none."""
    word = name.removesuffix(TEMPORARY)
    number = word.removeprefix("__").removesuffix(METADATA)
    is_rank = word == f"__{number}{METADATA}" and number.isascii() and number.isdigit() and len(number) < 10
    return int(number) if is_rank else -1


def rank_metadata(names: Sequence[str]) -> list[str]:
    """The metadata of each rank, in the order of the ranks; of a save that did not end only where there is no other."""
    found: dict[int, str] = {}
    for name in sorted(names, key=lambda name: (name.endswith(TEMPORARY), name)):
        rank = rank_of(name)
        if rank >= 0:
            found.setdefault(rank, name)
    return [found[rank] for rank in sorted(found)]


def metadata_document(source: ByteSource, context: Context) -> Document:
    """A file with metadata as a document: its stream, and bytes behind it."""
    document = Document(source, NAME, DETAIL, byteorder=context.options.byteorder or "little")
    code = disassemble(source, 0, context.progress)
    add_pickle(document, code, role="object")
    document.main = 0
    document.regions = [Region(Span(0, code.stop), "pickle", "")]
    if code.complete and code.stop < source.size:
        rest = Span(code.stop, source.size)
        document.regions = [*document.regions, Region(rest, "trailing", "")]
        document.problems.append(note("pickle-trailing", rest, count=rest.length))
    finish(document)
    return document


def read_ranks(document: Document, first: Metadata, context: Context, findings: Findings) -> Columns:
    """The metadata of all ranks as one; the files of the others become children. `first`: that of the document."""
    folder = context.folder
    names = rank_metadata(folder.names_seen(0)) if folder is not None else []
    ranks = [(rank_of(context.name), first)]
    files = [SetFile(context.name, context.source.size)]
    for number, name in enumerate(names):
        context.progress.step("opening", number, len(names))
        if name == context.name:
            continue
        source, reason = None, ""
        try:
            source = folder.member(name) if folder is not None else None
            child = metadata_document(source, context) if source is not None else None
        except SourceError as failure:
            child, reason = None, why(failure)
        files.append(SetFile(name, source.size if source is not None and child is not None else None))
        if child is None:
            findings.add(error("set-metadata-unreadable", None, file=printable(name), reason=reason))
            continue
        child.how = member_how(name)
        document.children.append(child)
        ranks.append((rank_of(name), Metadata(child.pickles[0].values)))
    document.files, document.detail = files, RANKS_DETAIL
    joined = Joined(ranks)
    copies = ItemCopies(joined.items, folder, context.options)
    joined.join(Copies(copies.is_there, copies.alike), context.progress)
    for problem in joined_problems(joined, len(ranks), copies.asked):
        findings.add(problem)
    return joined


def joined_problems(joined: Joined, count: int, asked: int) -> Iterator[Problem]:
    """What there is to say of the metadata of several ranks."""
    yield note("set-metadata-joined", None, count=count)
    if joined.apart:
        yield warning("set-copies-differ", None, count=len(joined.apart), names=listed(joined.apart))
    if asked > MOST_COMPARED:
        yield note("set-copies-unchecked", None, count=MOST_COMPARED, total=asked)


def metadata_problems(context: Context) -> Iterator[Problem]:
    """What is odd about the metadata by the names: of one rank only, of some ranks, of a save that did not end."""
    names = context.folder.names_seen(0) if context.folder is not None else []
    ranks = rank_metadata(names)
    read = ranks if context.kind == RANKS else [context.name]
    unfinished = [name for name in read if name.endswith(TEMPORARY)]
    if unfinished:
        yield error("set-metadata-temporary", None, file=listed(unfinished))
    if context.kind == RANKS:
        known = {rank_of(name) for name in ranks}
        lost = [str(rank) for rank in range(min(max(known, default=0), MOST_MISSING)) if rank not in known]
        if lost:
            yield error("set-metadata-rank-lost", None, count=len(lost), ranks=listed(lost))
        return
    others = [name for name in ranks if name != context.name]
    if others and rank_of(context.name) >= 0:
        yield note("set-metadata-ranks", None, files=listed(others))
    elif others:
        yield warning("set-metadata-passed", None, file=context.name, files=listed(others))
