"""Checkpoints of torch.distributed.checkpoint: a folder of `.metadata` and the .distcp files that it names.

    .metadata          one pickle: names, shapes and chunks of all tensors, and where each item stands
    __0_0.distcp       items back to back, each a whole torch.save zip of one chunk or one value

Where each rank saved by itself its metadata is `__0.metadata`, and those of all ranks are read as one; a save that did
not end leaves `.metadata.tmp`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from typing_extensions import override

from viewer.core.archive.findings import Findings
from viewer.core.document import Document
from viewer.core.folder import Folder
from viewer.core.formats.base import Context, Entry, FileSet, Format
from viewer.core.formats.distributed import checks, shards
from viewer.core.formats.distributed.checkpoint import Checkpoint
from viewer.core.formats.distributed.lone import METADATA, SUFFIX, is_items, read_lone
from viewer.core.formats.distributed.members import extra_files, read_members, read_values
from viewer.core.formats.distributed.metadata import Columns, Metadata
from viewer.core.formats.distributed.nameless import KIND, read_nameless
from viewer.core.formats.distributed.streams import (
    RANKS,
    UNFINISHED,
    metadata_document,
    metadata_problems,
    rank_metadata,
    rank_of,
    read_ranks,
)
from viewer.core.formats.distributed.tensors import LogicalTensors

KINDS: Final = frozenset({KIND, RANKS, shards.KIND})
# In the first bytes of every metadata that torch wrote.
CLASSES: Final = (b"torch.distributed.checkpoint.metadata", b"torch.distributed._shard.checkpoint.metadata")
HEAD: Final = 512
ARCHIVE, PICKLE = "torch-zip", "pickle"
SURE: Final = 120


class Distributed(Format, FileSet):
    """The set by its metadata; a .distcp file by itself; such files without any metadata; pieces in safetensors."""

    @override
    def entry(self, names: Sequence[str], folder: Folder) -> Entry | None:
        found = metadata_among(names, folder)
        if found is not None:
            return found
        if any(name.endswith(SUFFIX) and "/" not in name for name in names):
            return Entry("", KIND)
        return Entry("", shards.KIND) if any(map(shards.is_shard, names)) else None

    @override
    def set_of(self, name: str, folder: Folder) -> Entry | None:
        if shards.is_shard(name):
            return Entry("", shards.KIND)
        is_rank = rank_of(name) >= 0
        if not (is_rank or name.endswith(SUFFIX)):
            return None
        names = folder.names_seen(0)
        found = metadata_among(names, folder)
        # Beside .metadata that of a rank stands for itself, as does the only one.
        return None if is_rank and found is not None and not found.kind else found

    @override
    def score(self, context: Context) -> int:
        if context.kind:
            return SURE if context.kind in KINDS else 0
        if context.guess.format == PICKLE:
            head = context.source.read(0, HEAD)
            return SURE if context.folder is not None and any(name in head for name in CLASSES) else 0
        if context.guess.format != ARCHIVE:
            return 0
        is_named = context.folder is not None and context.name.endswith(SUFFIX)
        return SURE if is_named or is_items(context.source) else 0

    @override
    def parse(self, context: Context) -> Document:
        if context.kind in (KIND, shards.KIND):
            return read_nameless(context) if context.kind == KIND else shards.read_shards(context)
        if context.kind == RANKS or context.guess.format == PICKLE:
            return read_checkpoint(context)
        return read_lone(context)


def metadata_among(names: Sequence[str], folder: Folder) -> Entry | None:
    """The metadata of a folder: that of all ranks, of each rank, of a save that did not end; None: there is none."""
    if METADATA in names:
        return Entry(METADATA)
    ranks = rank_metadata(names)
    if len(ranks) > 1:
        return Entry(next((name for name in ranks if is_readable(name, folder)), ranks[0]), RANKS)
    return Entry(ranks[0]) if ranks else Entry(UNFINISHED) if UNFINISHED in names else None


def is_readable(name: str, folder: Folder) -> bool:
    """True for a file that can be opened."""
    source = folder.open(name)
    if source is not None:
        source.close()
    return source is not None


def read_checkpoint(context: Context) -> Document:
    """The whole set, by its metadata."""
    document = metadata_document(context.source, context)
    context.progress.step("objects", 0)
    findings = Findings()
    metadata: Columns = Metadata(document.pickles[0].values)
    if context.kind == RANKS and isinstance(metadata, Metadata):
        metadata = read_ranks(document, metadata, context, findings)
    checkpoint = Checkpoint(metadata, context.options)
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
