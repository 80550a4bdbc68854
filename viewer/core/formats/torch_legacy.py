"""The legacy stream of torch 0.1.10 to 1.5: five pickles one after another, then the storages by their keys."""

from __future__ import annotations

from typing import Final

from typing_extensions import override

from viewer.core.document import Document
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import add_beside, add_pickle, encoding, finish, limited, read_objects, stream_problems
from viewer.core.formats.recognition import recognise
from viewer.core.pickles.behind import pickles_behind
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.values import Kind, Values
from viewer.core.problem import Problem, error, note, warning
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.span import Region, Span
from viewer.core.tensors import window
from viewer.core.tensors.id_checks import id_problems
from viewer.core.tensors.legacy_keys import settled_keys
from viewer.core.tensors.legacy_storages import StorageWalk
from viewer.core.tensors.storage_names import with_names
from viewer.core.tensors.table import Key, StorageTable
from viewer.wording import Phrase, rows
from viewer.wording.phrases import phrase

NAME: Final = "torch-legacy"
ROLES: Final = ("magic number", "protocol version", "system info", "object", "storage keys")
VERSION, OBJECT, KEYS = 1, 3, 4
PROTOCOL_VERSION: Final = 1001
ID_ITEMS: Final = (6,)
"""Items of the id of a storage: the last is the view, or None."""
MOST_STREAMS: Final = 1000


class TorchLegacy(Format):
    """Several saves in one file follow each other; those after the first are children."""

    @override
    def score(self, context: Context) -> int:
        return 100 if context.guess.format == NAME else 0

    @override
    def parse(self, context: Context) -> Document:
        source = context.source
        document, end = read_stream(context, source)
        while end < source.size and len(document.children) < MOST_STREAMS:
            rest = source.slice(end, source.size)
            if recognise(rest).format != NAME:
                break
            child, length = read_stream(context, rest)
            child.source = rest.slice(0, length)
            child.how, child.offset = phrase("how-next-stream"), rest.to_outer(0)
            finish(child)
            add_beside(document, child)
            end += length
        left = source.size - end
        if left > 0 and document.main_pickle is not None:
            more = len(document.children) == MOST_STREAMS
            document.problems.append(
                warning("streams-more", Span(end, source.size), limit=MOST_STREAMS, count=left)
                if more
                else note("torch-trailing", Span(end, source.size), count=left)
            )
            document.regions = [*document.regions, Region(Span(end, source.size), "trailing", "")]
        finish(document)
        return document


def read_stream(context: Context, source: ByteSource) -> tuple[Document, int]:
    """One save that begins with the source, its regions not yet tiled; and the offset behind it."""
    document = Document(source, NAME, byteorder=context.options.byteorder or "little")
    end = read_pickles(document, context.progress)
    regions = [Region(pickle.span(), "pickle", pickle.role) for pickle in document.pickles]
    document.regions = regions
    if len(document.pickles) <= OBJECT:
        return document, source.size
    document.main = OBJECT
    pickle = document.pickles[OBJECT]
    # Without the whole list of keys nothing has a known place.
    known = len(document.pickles) > KEYS and document.pickles[KEYS].code.complete
    keys = storage_keys(document.pickles[KEYS].values, encoding(context)) if known else None
    table = StorageTable(pickle.values, encoding(context))
    walk = StorageWalk(source, table.declared(), document.byteorder or "little")
    settled = settled_keys(source, table.declared(), keys, pickle.code.stop, end)
    if settled is not None:
        facts = {"offset": settled.start, "count": len(settled.keys)}
        document.problems.append(warning("legacy-keys-settled", Span(pickle.code.stop, settled.start), **facts))
        keys, end = settled
    if keys is not None:
        end = walk.run(keys, end, context.progress)
        regions += walk.regions
    elif table.declared():
        span = Span(max(source.size - 1, 0), source.size)
        document.problems.append(error("legacy-keys-cut", span, whole=0, count=len(table.declared())))
    table.locate = walk.locate
    read_objects(document, pickle, table, context)
    names = walk.names_of(document.tensors)
    found = [problem for problem in table.problems if keys is not None or problem.code != "storage-missing"]
    found = with_names(found, document.tensors)
    document.problems += [*ends_early(document), *limited([*found, *walk.problems(names)])]
    document.problems += id_problems(table, True, ID_ITEMS, ("storage", "module"))
    document.problems += unlisted(table, keys)
    return document, source.size if keys is None else end


def unlisted(table: StorageTable, keys: list[Key] | None) -> list[Problem]:
    """Storages that are named by ids and not in the list, whose bytes torch does not miss."""
    listed = set(keys or ())
    lost = [(key, first) for key, first in table.declared().items() if key not in listed and first.nbytes]
    if keys is None or not lost:
        return []
    key, first = lost[0]
    return [warning("legacy-keys", table.values.span(first.value), count=len(lost), key=key)]


def ends_early(document: Document) -> list[Problem]:
    """The one finding behind all cut storages: the file stops before the last of them ends."""
    size = document.source.size
    held = [tensor for tensor in document.tensors if tensor.storage is not None]
    stops = [tensor.storage.span.stop for tensor in held if tensor.storage is not None and tensor.storage.span]
    expected = max(stops, default=0)
    if expected <= size:
        return []
    whole = sum(window.complete(tensor) for tensor in held)
    span = Span(max(size - 1, 0), size)
    return [error("file-ends-early", span, size=size, expected=expected, whole=whole, count=len(held))]


def read_pickles(document: Document, progress: Progress) -> int:
    """The five pickles, as many as are there; gives the offset behind them."""
    source, at = document.source, 0
    for number, role in enumerate(ROLES):
        if at >= source.size:
            span = Span(source.size, source.size)
            kind = "legacy-save-failed" if number == OBJECT else "legacy-parts-missing"
            document.problems.append(error(kind, span, part=Phrase(rows.ROLES[role]), count=number))
            break
        code = disassemble(source, at, progress)
        if not len(code):
            document.problems += stream_problems(code)
            break
        pickle = add_pickle(document, code, role=role)
        if not code.complete:
            return keys_behind(document, code.stop, progress) if number == OBJECT else at
        if number == VERSION:
            document.problems += version_problems(pickle.values)
        at = code.stop
    return at


def keys_behind(document: Document, at: int, progress: Progress) -> int:
    """Take up the list of storage keys behind a broken object; gives the offset behind it, or `at`: there is none."""
    for start, _ in pickles_behind(document.source, at, progress):
        code = disassemble(document.source, start, progress)
        values = Values(code)
        if values.kind(values.root) is Kind.LIST and values.has_items(values.root):
            add_pickle(document, code, role=ROLES[KEYS])
            span = Span(code.start, code.stop)
            document.problems.append(warning("pickle-behind-break", span, count=1, offset=code.start))
            return code.stop
    return at


def version_problems(values: Values) -> list[Problem]:
    """A protocol version that is not the one that is known."""
    version = values.integer(values.root)
    if version == PROTOCOL_VERSION:
        return []
    return [error("legacy-version", values.span(values.root), version="?" if version is None else str(version))]


def storage_keys(values: Values, coding: str) -> list[Key]:
    """The keys of the last pickle, in the order in which the storages follow. Those of Python 2 are bytes."""
    keys: list[Key] = []
    for item in values.items(values.root) if values.root >= 0 else []:
        text = values.text(item, coding)
        key = values.integer(item) if text is None else text
        keys.append("" if key is None else key)
    return keys
