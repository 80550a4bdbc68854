"""A pickle without a container, or several one after another; and joblib's, with arrays between the opcodes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

import numpy as np
from typing_extensions import override

from viewer.core.document import NEXT_PICKLE, Document, Pickle, member_how
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import add_beside, add_pickle, encoding, finish, limited, open_known, read_objects
from viewer.core.formats.unpacked_folder import FileBeside, UnpackedFolder
from viewer.core.pickles.behind import pickles_behind
from viewer.core.pickles.disassembly import Disassembly, disassemble
from viewer.core.pickles.gaps import is_wrapper
from viewer.core.pickles.opcodes import code as code_of
from viewer.core.pickles.values import Kind, Values
from viewer.core.problem import Problem, error, note, warning
from viewer.core.source import ByteSource, FileSource
from viewer.core.span import Region, Span
from viewer.core.tensors.npy_header import MAGIC
from viewer.core.tensors.storage_names import with_names
from viewer.core.tensors.table import StorageTable
from viewer.wording.phrases import phrase

NAME: Final = "pickle"
JOBLIB: Final = "joblib"
ZFILE: Final = b"ZF"
# Classes of joblib to 0.9 that stand for arrays in files of their own.
SIDE_WRAPPERS: Final = frozenset({"NDArrayWrapper", "ZNDArrayWrapper"})
SIDE_MODULES: Final = ("joblib.numpy_pickle", "joblib.numpy_pickle_compat")
MOST_STREAMS: Final = 1000
BREAK: Final = "behind the break"
NEXT_BUFFER: Final = code_of("NEXT_BUFFER")
OF_ARRAY: Final = "array-buffer-missing"


class BarePickle(Format):
    """Pickles that follow the first are children, and so is any other file that follows."""

    @override
    def score(self, context: Context) -> int:
        is_stream = context.guess.format == JOBLIB and context.source.read(0, len(ZFILE)) != ZFILE
        return 80 if context.guess.format == NAME or is_stream else 0

    @override
    def parse(self, context: Context) -> Document:
        source = context.source
        code = decoded(context, source)
        document = read_pickle(context, source, code)
        end = code.stop
        while code.complete and end < source.size and len(document.children) < MOST_STREAMS:
            code = decoded(context, source.slice(end, source.size))
            if not code.complete:
                break
            child = read_pickle(context, source.slice(end, end + code.stop), code)
            child.how, child.offset = NEXT_PICKLE, source.to_outer(end)
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
            self._behind_break(document, context, end)
            return
        if len(document.children) >= MOST_STREAMS:
            document.problems.append(warning("streams-more", rest, limit=MOST_STREAMS, count=rest.length))
        else:
            child = open_known(context.source.slice(end, size), phrase("how-after-pickle"), context)
            if child is not None:
                add_beside(document, child)
                return
            document.problems.append(note("pickle-trailing", rest, count=rest.length))
        document.regions = [*document.regions, Region(rest, "trailing", "")]

    def _behind_break(self, document: Document, context: Context, end: int) -> None:
        """The whole pickles behind the break of the only one that was read; the bytes between them are unknown."""
        source, first = context.source, len(document.children)
        begun = None
        for start, code in islice(pickles_behind(source, end, context.progress), MOST_STREAMS - first):
            child = read_pickle(context, source.slice(start, start + code.stop), code)
            child.how, child.offset = phrase("how-behind-break"), source.to_outer(start)
            finish(child)
            document.regions = [*document.regions, *region(end, start, "unknown", BREAK)]
            add_beside(document, child)
            begun = start if begun is None else begun
            end = start + code.stop
        document.regions = [*document.regions, *region(end, source.size, "unknown", BREAK)]
        if begun is not None:
            count = len(document.children) - first
            document.problems.append(warning("pickle-behind-break", Span(begun, end), count=count, offset=begun))


def decoded(context: Context, source: ByteSource) -> Disassembly:
    """The stream that begins with a source; where joblib wrote it, without the arrays between its opcodes."""
    if context.guess.format == JOBLIB:
        return disassemble(source, 0, context.progress, arrays=True)
    code = disassemble(source, 0, context.progress)
    # A stream that names the wrapper late is told only by where it breaks, or by the values that it leaves.
    if (code.broken is not None or code.depth_before(len(code) - 1) > 1) and names_wrapper(code):
        return disassemble(source, 0, context.progress, arrays=True)
    return code


def names_wrapper(code: Disassembly) -> bool:
    """Whether a stream names joblib's wrapper of arrays."""
    values = Values(code)
    names = (values.global_name(value) for value in values.globals())
    return any(name is not None and is_wrapper(*name) for name in names)


def gap_regions(code: Disassembly) -> list[Region]:
    """The regions of a stream: its opcodes, and the arrays between them."""
    regions: list[Region] = []
    at = code.start
    for gap in code.gaps.values():
        regions += [
            *region(at, gap.start, "pickle"),
            *region(gap.start, min(gap.data.start, code.stop), "padding"),
            *region(gap.data.start, min(gap.data.stop, code.stop), "pickle" if gap.objects else "storage"),
        ]
        at = gap.data.stop
    return [*regions, *region(at, code.stop, "pickle")]


def region(start: int, stop: int, kind: str, label: str = "") -> list[Region]:
    """A region, where it has any bytes."""
    return [Region(Span(start, stop), kind, label)] if stop > start else []


def read_pickle(context: Context, source: ByteSource, code: Disassembly) -> Document:
    """The document of one pickle, its regions not yet tiled. The stream begins with the source."""
    code.source = source
    is_joblib = context.guess.format == JOBLIB or bool(code.gaps)
    document = Document(source, JOBLIB if is_joblib else NAME, byteorder=context.options.byteorder)
    pickle = add_pickle(document, code, role="object")
    document.main = 0
    document.regions = gap_regions(code)
    table = StorageTable(pickle.values, encoding(context))
    if isinstance(context.source, FileSource) and table.declared():
        folder = UnpackedFolder(context)
        table.locate, document.byteorder = folder.locate, folder.byteorder
    read_objects(document, pickle, table, context)
    document.problems += [*limited(with_names(table.problems, document.tensors)), *missing_buffers(document, pickle)]
    for gap in code.gaps.values():
        if gap.objects:
            child = context.open_child(source.slice(gap.data.start, gap.data.stop), phrase("how-objects"))
            document.children += [] if child is None else [child]
    if document.format == JOBLIB and isinstance(context.source, FileSource):
        read_side_files(document, pickle, context)
    return document


def missing_buffers(document: Document, pickle: Pickle) -> Iterator[Problem]:
    """The buffers that the stream takes from outside and that no array is made of: those are told by their arrays."""
    opcodes = np.flatnonzero(pickle.code.codes == NEXT_BUFFER)
    told = (problem for problem in document.problems if OF_ARRAY in (problem.code, problem.params.get("kind")))
    arrays = sum(1 if problem.code == OF_ARRAY else int(str(problem.params["count"])) for problem in told)
    if len(opcodes) > arrays:
        yield error("buffers-missing", pickle.code.span(int(opcodes[0])), count=len(opcodes) - arrays)


def read_side_files(document: Document, pickle: Pickle, context: Context) -> None:
    """The arrays that joblib to 0.9 wrote to files beside the pickle: each is a child."""
    missing = []
    for name, value in side_files(pickle.values, encoding(context)).items():
        if len(document.children) >= MOST_STREAMS:
            break
        source = FileBeside.of(context.sibling, name)
        # Only arrays: a pickle could name itself under many names.
        is_array = source is not None and source.read(0, len(MAGIC)).startswith((MAGIC, ZFILE))
        child = context.open_child(source, member_how(name)) if source is not None and is_array else None
        if child is not None:
            document.children.append(child)
        else:
            missing.append(error("array-file-missing", pickle.values.span(value), file=name))
    document.problems += limited(missing)


def side_files(values: Values, coding: str) -> dict[str, int]:
    """The names of the files that the wrappers of a stream name, and the value of each wrapper."""
    found: dict[str, int] = {}
    for value in values.calls():
        name = values.call_name(value)
        if name is None or name[1] not in SIDE_WRAPPERS or not name[0].endswith(SIDE_MODULES):
            continue
        for state in values.states(value):
            for key, item in values.pairs(state) if values.kind(state) is Kind.DICT else ():
                file = values.text(item, coding) if values.text(key) == "filename" else None
                if file:
                    found.setdefault(file, value)
    return found
