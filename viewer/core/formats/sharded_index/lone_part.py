"""A file of a model in several files that was opened alone: which part it is, and what stands elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.folder import Folder, listed
from viewer.core.formats.sharded_index.beside import LARGEST, LEAST, Numbered, index_naming, is_weights, numbered
from viewer.core.formats.sharded_index.index_text import IndexText, read_index
from viewer.core.formats.sharded_index.shards import MOST_FILES, MOST_LISTED
from viewer.core.memory import share
from viewer.core.problem import Problem, error, note, warning
from viewer.core.progress import Progress


def part_problems(document: Document, name: str, folder: Folder, progress: Progress) -> list[Problem]:
    """What is to be said of a file that is a part of a model. Raises CancelledError."""
    if not is_weights(name) or not document.tensors:
        return []
    own = numbered(name)
    index, others = index_naming(name, folder)
    text = _text_of(index, folder, progress) if index is not None else None
    if text is not None and index is not None and name in text.file_names:
        return [_by_index(name, index, text, folder)]
    if own is None or own.of < 2:
        return []
    if others:
        text = _text_of(others[0], folder, progress)
        files = sorted(text.file_names) if text is not None else []
        facts = {"part": own.number, "of": own.of, "index": others[0], "files": listed(files)}
        return [warning("set-part-other", None, **facts)]
    return list(_by_name(name, own, folder.names_seen(0)))


def _text_of(index: str, folder: Folder, progress: Progress) -> IndexText | None:
    source = folder.open(index)
    if source is None:
        return None
    try:
        return read_index(source.read(0, share(LARGEST, LEAST)), progress)
    except SourceError:
        return None
    finally:
        source.close()


def _by_index(name: str, index: str, text: IndexText, folder: Folder) -> Problem:
    """As the index says: how much of the model is in this file, what is not here at all."""
    files = sorted(text.file_names)
    own = numbered(name)
    part, of = (own.number, own.of) if own is not None else (files.index(name) + 1, len(files))
    mine = text.file_names.index(name)
    others = enumerate(text.file_names[:MOST_FILES])
    gone = [number for number, other in others if folder.locate(other) is None]
    lost = sorted(text.file_names[number] for number in gone)[:MOST_LISTED]
    facts = {
        "part": part,
        "of": of,
        "index": index,
        "count": text.files.count(mine),
        "total": len(set(text.names)),
        "missing_files": lost,
    }
    if not gone:
        return note("set-part", None, **facts, missing_keys=[])
    absent = set(gone)
    rows = [row for row, file in enumerate(text.files) if file in absent]
    keys = [text.name(row) for row in rows[:MOST_LISTED]]
    return error(
        "set-part-incomplete",
        None,
        **facts,
        files=listed(lost, len(gone)),
        missing=len(rows),
        names=listed(keys, len(rows)),
        missing_keys=keys,
    )


def _by_name(name: str, own: Numbered, beside: Sequence[str]) -> Iterator[Problem]:
    """As the name of the file says, where there is no index. `beside`: the files of its folder, as far as they show."""
    if name not in beside:
        return
    shards = [shard for shard in map(numbered, beside) if shard is not None and 0 < shard.number <= own.of]
    there = {shard.number for shard in shards if shard == own._replace(number=shard.number)}
    absent = (own.other(number, name) for number in range(1, own.of + 1) if number not in there)
    lost = list(islice(absent, MOST_LISTED))
    facts = {"part": own.number, "of": own.of, "missing_files": lost}
    if not lost:
        yield warning("set-part-alone", None, **facts)
    else:
        yield error("set-part-lost", None, **facts, files=listed(lost, own.of - len(there)))
