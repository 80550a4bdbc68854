"""A pickle without a container, or several one after another."""

from __future__ import annotations

from typing import Final

from typing_extensions import override

from viewer.core.document import Document
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import add_beside, add_pickle, encoding, finish, limited, open_known, read_objects
from viewer.core.pickles.disassembly import Disassembly, disassemble
from viewer.core.problem import note, warning
from viewer.core.source import ByteSource
from viewer.core.span import Region, Span
from viewer.core.tensors.table import StorageTable

NAME: Final = "pickle"
MOST_STREAMS: Final = 1000


class BarePickle(Format):
    """Pickles that follow the first are children, and so is any other file that follows."""

    @override
    def score(self, context: Context) -> int:
        return 80 if context.guess.format == NAME else 0

    @override
    def parse(self, context: Context) -> Document:
        source = context.source
        code = disassemble(source, 0, context.progress)
        document = read_pickle(context, source, code)
        end = code.stop
        while code.complete and end < source.size and len(document.children) < MOST_STREAMS:
            code = disassemble(source.slice(end, source.size), 0, context.progress)
            if not code.complete:
                break
            child = read_pickle(context, source.slice(end, end + code.stop), code)
            child.how, child.offset = "next pickle", source.to_outer(end)
            finish(child)
            add_beside(document, child)
            end += code.stop
        self._rest(document, context, end)
        finish(document)
        return document

    def _rest(self, document: Document, context: Context, end: int) -> None:
        """The bytes behind the last pickle: a file of another kind, or nothing that is known."""
        size = context.source.size
        if end >= size:
            return
        rest = Span(end, size)
        if not document.pickles[-1].code.complete:
            document.regions = [*document.regions, Region(rest, "unknown", "behind the break")]
            return
        if len(document.children) >= MOST_STREAMS:
            document.problems.append(warning("streams-more", rest, limit=MOST_STREAMS, count=rest.length))
        else:
            child = open_known(context.source.slice(end, size), "after the pickle", context)
            if child is not None:
                add_beside(document, child)
                return
            document.problems.append(note("pickle-trailing", rest, count=rest.length))
        document.regions = [*document.regions, Region(rest, "trailing", "")]


def read_pickle(context: Context, source: ByteSource, code: Disassembly) -> Document:
    """The document of one pickle, its regions not yet tiled. The stream begins with the source."""
    code.source = source
    document = Document(source, NAME, byteorder=context.options.byteorder)
    pickle = add_pickle(document, code, role="object")
    document.main = 0
    document.regions = [Region(pickle.span(), "pickle", "")]
    table = StorageTable(pickle.values, encoding(context))
    read_objects(document, pickle, table, context)
    document.problems += limited(table.problems)
    return document
