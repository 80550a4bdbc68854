"""A folder of safetensors files of a chosen size, with the index that Hugging Face's libraries read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import BinaryIO, ClassVar, Final

from typing_extensions import override

from viewer.core.collector import collector_paused
from viewer.core.document import Document
from viewer.core.export.base import draft_of, planned
from viewer.core.export.folder import FolderExporter
from viewer.core.export.options import DTYPE, SHARD_SIZE, Option
from viewer.core.export.plan import Content, Line, Plan, Report, Verdict
from viewer.core.export.safetensors import NEEDS, Counted, Entry, aligned, entries_of, fill, texts_of, write
from viewer.core.export.safetensors_check import compare
from viewer.core.export.selection import Wanted, choose
from viewer.core.progress import Progress
from viewer.wording import QT_TRANSLATE_NOOP

INDEX: Final = "model.safetensors.index.json"
SINGLE: Final = "model.safetensors"
USUAL: Final = 5_000_000_000
"""Bytes of a shard where no size is given: what Hugging Face's own writer took for years."""


class SafetensorsShards(FolderExporter):
    """No tensor is cut: one that is larger than the size has a shard of its own. One shard needs no index."""

    form: ClassVar[str] = "safetensors_shards"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "safetensors in shards")
    summary: ClassVar[str] = QT_TRANSLATE_NOOP(
        "wording", "A folder of .safetensors files of a chosen size, with their index"
    )
    judge: ClassVar[str] = "safetensors"
    options: ClassVar[tuple[Option, ...]] = (SHARD_SIZE, DTYPE)

    @override
    def plan(self, document: Document, wanted: Wanted) -> Plan:
        with collector_paused():
            return self._cut(document, choose(document, wanted), wanted)

    def _cut(self, document: Document, content: Content, wanted: Wanted) -> Plan:
        draft = draft_of(content, wanted.progress)
        plan = planned(self.form, document, content, draft, fill(draft, content), NEEDS)
        size = wanted.shard_size or USUAL
        shards = cut(entries_of(draft.progress.each(draft.items)), size)
        names = shard_names(len(shards))
        facts = {"count": len(draft.items), "dropped": len(draft.dropped), "shards": len(shards), "size": size}
        files = (*names, INDEX) if len(shards) > 1 else names
        return replace(plan, files=files, lines=(Line("shards", facts),), shard_size=size)

    @override
    def files(
        self, plan: Plan, progress: Progress
    ) -> Iterator[tuple[tuple[str, ...], Callable[[BinaryIO], None] | bytes]]:
        shards = cut(entries_of(progress.each(plan.items)), plan.shard_size)
        names = shard_names(len(shards))
        texts, counted = texts_of(plan.document, plan.content), Counted(progress, plan.items)
        for name, entries in zip(names, shards, strict=True):
            yield (name,), partial(write, entries=entries, texts=texts, counted=counted)
        if len(shards) > 1:
            yield (INDEX,), index(names, shards)

    @override
    def replaces(self, plan: Plan, name: str) -> bool:
        """Also shards of another export of this form: with other sizes there are more or fewer of them."""
        return name in plan.files or (PurePosixPath(name).name == name and is_own(name))

    @override
    def verify(self, report: Report, progress: Progress) -> Verdict:
        shards = cut(entries_of(progress.each(report.plan.items)), report.plan.shard_size)
        paths = [Path(report.path) / name for name in shard_names(len(shards))]
        return compare(list(zip(paths, shards, strict=True)), progress)


def cut(entries: Sequence[Entry], size: int) -> list[list[Entry]]:
    """The entries in runs of at most `size` bytes of tensors, as they follow one another."""
    shards: list[list[Entry]] = [[]]
    filled = 0
    for entry in entries:
        if shards[-1] and filled + entry.nbytes > size:
            shards.append([])
            filled = 0
        shards[-1].append(entry)
        filled += entry.nbytes
    return [aligned(shard) for shard in shards]


def shard_names(count: int) -> tuple[str, ...]:
    """The names of so many shards."""
    if count == 1:
        return (SINGLE,)
    return tuple(f"model-{number:05}-of-{count:05}.safetensors" for number in range(1, count + 1))


def is_own(name: str) -> bool:
    """True for a name that this form gives."""
    if name in (INDEX, SINGLE):
        return True
    parts = name.removesuffix(".safetensors").split("-")
    return name.endswith(".safetensors") and len(parts) == 4 and parts[::2] == ["model", "of"] and is_number(parts)


def is_number(parts: Sequence[str]) -> bool:
    """True where the two numbers of a shard's name are such."""
    return all(part.isascii() and part.isdigit() and len(part) >= 5 for part in parts[1::2])


def index(names: Sequence[str], shards: Sequence[Sequence[Entry]]) -> bytes:
    """The index: the shard of each tensor, and the bytes of all."""
    total = sum(entry.nbytes for entries in shards for entry in entries)
    weights = {entry.name: name for name, entries in zip(names, shards, strict=True) for entry in entries}
    found = {"metadata": {"total_size": total}, "weight_map": dict(sorted(weights.items()))}
    return (json.dumps(found, ensure_ascii=False, indent=2) + "\n").encode("utf-8")
