"""A model in several files with an index in JSON, as Hugging Face writes it: one document over all of them.

The index names the file that holds each tensor. Its bytes are the document's own; the files are its children.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from typing_extensions import override

from viewer.core.archive.findings import Findings
from viewer.core.document import Document
from viewer.core.folder import Folder
from viewer.core.formats.base import Context, Entry, FileSet, Format
from viewer.core.formats.reading import LazyRegions, kind_problem
from viewer.core.formats.sharded_index.beside import LARGEST, LEAST, NAME, beside, index_naming, indexes, is_weights
from viewer.core.formats.sharded_index.index_text import IndexText, read_index
from viewer.core.formats.sharded_index.lone_part import part_problems
from viewer.core.formats.sharded_index.matching import Matching, check_total, counting_entries
from viewer.core.formats.sharded_index.shards import read_shards
from viewer.core.memory import share
from viewer.core.problem import Problem, error
from viewer.core.progress import Progress
from viewer.core.span import Region, Span, tile
from viewer.core.tensors.indexed import IndexedTensors
from viewer.core.tensors.json_text import NESTED, text_of

MOST_REGIONS: Final = 100_000
LONGEST: Final = 100


class ShardedIndex(Format, FileSet):
    """Tensors stand in the order of the index; those that it does not name come last."""

    @override
    def score(self, context: Context) -> int:
        return 90 if context.guess.format == NAME else 0

    @override
    def parse(self, context: Context) -> Document:
        source = context.source
        document = Document(source, NAME)
        findings = Findings()
        most = share(LARGEST, LEAST)
        data = source.read(0, min(source.size, most))
        if source.size > most:
            code = "set-index-large" if source.size > LARGEST else "set-index-memory"
            findings.add(error(code, Span(0, source.size), size=source.size, limit=most))
        text = read_index(data, context.progress)
        del data
        for problem in text.problems:
            findings.add(problem)
        stated = ", ".join(f"{key} {fact.value}" for key, fact in text.metadata.items() if fact.value is not NESTED)
        metadata, place = text.metadata_place, text.map_place
        head = Region(metadata, "index-metadata", stated[:LONGEST]) if metadata is not None else None
        document.regions = LazyRegions(lambda: regions(document, place, head))
        if context.folder is None or not context.name:
            document.problems = [*findings.problems(), kind_problem(context.guess, source.size)]
            return document
        read_set(document, text, context, findings)
        document.problems = findings.problems()
        return document

    @override
    def entry(self, names: Sequence[str], folder: Folder) -> Entry | None:
        found = indexes(names, folder)
        here = [name for name in found if "/" not in name]
        # Of folders below this one only a single one can be meant.
        chosen = here[:1] or (found if len(found) == 1 else [])
        return Entry(chosen[0]) if chosen else None

    @override
    def set_of(self, name: str, folder: Folder) -> Entry | None:
        index = index_naming(name, folder)[0] if is_weights(name) else None
        return Entry(index) if index is not None else None

    @override
    def remarks(self, document: Document, name: str, folder: Folder, progress: Progress) -> list[Problem]:
        return part_problems(document, name, folder, progress)


def read_set(document: Document, text: IndexText, context: Context, findings: Findings) -> None:
    """The files of an index, and the tensors of the whole model."""
    assert context.folder is not None
    counting = counting_entries(text, findings)
    shards = read_shards(context, text, counting, findings)
    matching = Matching(text, shards, counting, findings)
    matching.run()
    byteorder = context.options.byteorder or "little"
    tensors = IndexedTensors(context.source, shards.columns, shards.found, matching.more, byteorder)
    document.tensors, document.tensors_in = tensors, tensors.numbers_in
    document.files, document.children = shards.files, shards.children
    document.byteorder = byteorder
    document.written_by = next((child.written_by for child in shards.children if child.written_by), None)
    check_total(text, shards, tensors, counting, findings)
    for problem in beside(context.name, context.folder, text.file_names):
        findings.add(problem)


def regions(document: Document, map_place: Span | None, metadata: Region | None) -> list[Region]:
    """Every byte with its owner: the entries, the metadata, the text around them."""
    size = document.source.size
    found = [Region(Span(0, size), "index-text", "")] if size else []
    parts = [metadata] if metadata is not None else []
    tensors = document.tensors
    if isinstance(tensors, IndexedTensors) and tensors.entry_count:
        parts += entry_regions(document, tensors)
    elif map_place is not None:
        parts.append(Region(map_place, "index-map", ""))
    if not parts:
        return found
    flat, _ = tile(parts, size)
    return [Region(region.span, "index-text", "") if region.kind == "gap" else region for region in flat]


def entry_regions(document: Document, tensors: IndexedTensors) -> Iterator[Region]:
    """The entries in the order of the file, each with the comma behind it; very many are one region."""
    columns, source = tensors.columns, document.source
    starts, stop = columns.starts.tolist(), int(columns.stops[-1])
    if len(starts) > MOST_REGIONS:
        yield Region(Span(starts[0], stop), "index-map", "")
        return
    for start, following, length in zip(starts, [*starts[1:], stop], columns.lengths.tolist(), strict=True):
        yield Region(Span(start, following), "index-entry", label_of(source.read(start + 1, length - 2)))


def label_of(raw: bytes) -> str:
    """The name of an entry; what is no text any more as its bytes."""
    try:
        return text_of(raw)
    except ValueError:
        return raw.decode("utf-8", "backslashreplace")
