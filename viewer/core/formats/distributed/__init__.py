"""Checkpoints of torch.distributed.checkpoint: a folder of `.metadata` and the .distcp files that it names.

    .metadata          one pickle: names, shapes and chunks of all tensors, and where each item stands
    __0_0.distcp       items back to back, each a whole torch.save zip of one chunk or one value

Where each rank saved by itself its metadata is `__0.metadata`; a save that did not end leaves `.metadata.tmp`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from typing_extensions import override

from viewer.core.archive.findings import Findings
from viewer.core.document import Document
from viewer.core.folder import Folder, listed
from viewer.core.formats.base import Context, Entry, FileSet, Format
from viewer.core.formats.distributed import checks, shards
from viewer.core.formats.distributed.checkpoint import Checkpoint
from viewer.core.formats.distributed.lone import METADATA, NAME, SUFFIX, is_items, read_lone
from viewer.core.formats.distributed.members import extra_files, read_members, read_values
from viewer.core.formats.distributed.metadata import Metadata
from viewer.core.formats.distributed.nameless import KIND, read_nameless
from viewer.core.formats.distributed.tensors import LogicalTensors
from viewer.core.formats.reading import add_pickle, finish
from viewer.core.pickles.disassembly import disassemble
from viewer.core.problem import Problem, error, note
from viewer.core.span import Region, Span

DETAIL: Final = "torch.distributed.checkpoint"
UNFINISHED: Final = ".metadata.tmp"
# In the first bytes of every metadata that torch wrote.
CLASSES: Final = (b"torch.distributed.checkpoint.metadata", b"torch.distributed._shard.checkpoint.metadata")
HEAD: Final = 512
ARCHIVE, PICKLE = "torch-zip", "pickle"
SURE: Final = 120


class Distributed(Format, FileSet):
    """The set by its metadata; a .distcp file by itself; such files without any metadata; pieces in safetensors."""

    @override
    def entry(self, names: Sequence[str], folder: Folder) -> Entry | None:
        found = metadata_among(names)
        if found:
            return Entry(found)
        if any(name.endswith(SUFFIX) and "/" not in name for name in names):
            return Entry("", KIND)
        return Entry("", shards.KIND) if any(map(shards.is_shard, names)) else None

    @override
    def set_of(self, name: str, folder: Folder) -> Entry | None:
        if shards.is_shard(name):
            return Entry("", shards.KIND)
        if not name.endswith(SUFFIX):
            return None
        found = metadata_among(folder.names_seen(0))
        return Entry(found) if found else None

    @override
    def score(self, context: Context) -> int:
        if context.kind:
            return SURE if context.kind in (KIND, shards.KIND) else 0
        if context.guess.format == PICKLE:
            head = context.source.read(0, HEAD)
            return SURE if context.folder is not None and any(name in head for name in CLASSES) else 0
        if context.guess.format != ARCHIVE:
            return 0
        is_named = context.folder is not None and context.name.endswith(SUFFIX)
        return SURE if is_named or is_items(context.source) else 0

    @override
    def parse(self, context: Context) -> Document:
        if context.kind:
            return read_nameless(context) if context.kind == KIND else shards.read_shards(context)
        return read_checkpoint(context) if context.guess.format == PICKLE else read_lone(context)


def metadata_among(names: Sequence[str]) -> str:
    """The metadata of a folder: that of all ranks, that of the first rank, that of a save that did not end; "" none."""
    for wanted in (METADATA, *sorted(name for name in names if is_rank_metadata(name)), UNFINISHED):
        if wanted in names:
            return wanted
    return ""


def is_rank_metadata(name: str) -> bool:
    """True for the metadata that one rank wrote for itself."""
    rank = name.removeprefix("__").removesuffix(METADATA)
    return name == f"__{rank}{METADATA}" and rank.isdecimal()


def read_checkpoint(context: Context) -> Document:
    """The whole set, by its metadata."""
    source = context.source
    document = Document(source, NAME, DETAIL, byteorder=context.options.byteorder or "little")
    code = disassemble(source, 0, context.progress)
    pickle = add_pickle(document, code, role="object")
    document.main = 0
    document.regions = [Region(Span(0, code.stop), "pickle", "")]
    if code.complete and code.stop < source.size:
        rest = Span(code.stop, source.size)
        document.regions = [*document.regions, Region(rest, "trailing", "")]
        document.problems.append(note("pickle-trailing", rest, count=rest.length))
    finish(document)
    context.progress.step("objects", 0)
    checkpoint = Checkpoint(Metadata(pickle.values), context.options)
    findings = Findings()
    read_members(document, checkpoint, context, findings)
    document.tensors = LogicalTensors(checkpoint)
    document.tensors_in = checkpoint.tensors_in
    for found in (
        metadata_problems(context),
        checks.entry_problems(checkpoint),
        extra_files(checkpoint, context),
        checks.piece_problems(checkpoint),
        checks.item_problems(checkpoint, context),
        read_values(document, checkpoint, context),
    ):
        context.progress.check()
        for problem in found:
            findings.add(problem)
    document.problems += findings.problems()
    return document


def metadata_problems(context: Context) -> list[Problem]:
    """What is odd about the metadata by its name: of one rank only, or of a save that did not end."""
    if context.name == UNFINISHED:
        return [error("set-metadata-temporary", None, file=context.name)]
    if not is_rank_metadata(context.name) or context.folder is None:
        return []
    names = context.folder.names_seen(0)
    others = [name for name in names if is_rank_metadata(name) and name != context.name]
    if not others:
        return []
    return [note("set-metadata-ranks", None, files=listed(others))]
