"""The one object of `inspect --json`. Its keys are a contract: some may be added, none goes away.

Offsets count in the outermost file. Where bytes are deflated or computed they are null, and `source_start` and
`source_stop` count in the bytes that came out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from viewer.core.code.supplied import SuppliedFile
from viewer.core.document import Document, Pickle
from viewer.core.problem import Problem
from viewer.core.progress import Progress
from viewer.core.span import Region
from viewer.core.summary.facts import root_keys, root_type
from viewer.core.summary.import_facts import import_rows
from viewer.core.summary.originals import find_originals
from viewer.core.summary.rows.checks import check_rows
from viewer.core.summary.rows.health import health_rows
from viewer.core.summary.rows.json_texts import Stream
from viewer.core.summary.rows.loading import loading_row
from viewer.core.summary.rows.opcodes import opcode_rows
from viewer.core.summary.rows.outlines import outline_rows
from viewer.core.summary.rows.places import place_row
from viewer.core.summary.rows.space import space_rows
from viewer.core.summary.rows.tensors import tensor_rows
from viewer.core.summary.rows.training import training_json
from viewer.core.summary.rows.values import value_rows
from viewer.core.summary.rows.versions import version_rows
from viewer.core.summary.torch_answer import TorchAnswer
from viewer.core.tensors.health import Health

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The long parts that were asked for. `encoding`: of Python 2 strings. `supplied`: .py files of the person.

    `torch`: what torch said of the file, None where it was not asked. `health`: what the scan of values found in each
    document whose tensors are counted, None where it was not asked for.
    """

    hashes: bool = False
    opcodes: bool = False
    regions: bool = False
    values: bool = False
    encoding: str = ""
    supplied: tuple[SuppliedFile, ...] = ()
    torch: TorchAnswer | None = None
    health: tuple[Health, ...] | None = None
    space: bool = False


def facts(document: Document, wanted: Wanted, progress: Progress | None = None) -> Row:
    """Everything about a file, ready for JSON; what may be long are streams, made as they are written.

    Raises CancelledError, as the streams do.
    """
    progress = progress or Progress()
    documents = list(document.walk())
    pickles = pickles_in_order(documents)
    return {
        "file": {"path": path_of(document), "size": document.source.size},
        "format": document.format,
        "detail": document.detail,
        "written_by": document.written_by,
        "documents": [document_row(part) for part in documents],
        "regions": Stream(lambda: map(region_row, document.regions)) if wanted.regions else None,
        "pickles": [pickle_row(part, pickle) for part, pickle in pickles],
        "opcodes": [_opcode_rows(pickle) for _, pickle in pickles] if wanted.opcodes else None,
        "root": root_type(document.content, wanted.encoding or "utf-8"),
        "keys": keys_of(document.content, wanted.encoding),
        "tensors": Stream(lambda: tensor_rows(document, wanted.hashes, progress)),
        "sources": [row for part in documents for row in source_rows(part, progress)],
        "outlines": Stream(lambda: outline_rows(document)),
        "imports": [row for part in documents for row in import_rows(part, wanted.encoding, progress=progress)],
        "problems": [problem_row(part, problem) for part in documents for problem in part.problems],
        "values": Stream(lambda: _value_rows(documents, wanted.encoding)) if wanted.values else None,
        "training": list(training_json(document, wanted.encoding)),
        "loading": loading_row(document, wanted.encoding, wanted.torch, progress),
        "checks": list(check_rows(document, wanted.encoding, wanted.supplied)),
        "versions": Stream(lambda: version_rows(document, wanted.encoding, progress)),
        "health": list(health_rows(document, wanted.health)) if wanted.health is not None else None,
        "space": list(space_rows(document)) if wanted.space else None,
        "files": file_rows(document),
    }


def keys_of(document: Document, encoding: str) -> list[str]:
    """The keys of the object when it is a mapping, the names in an npz or safetensors file; none for all else."""
    keys = root_keys(document, encoding or "utf-8")
    if keys is None and document.format in ("npz", "safetensors"):
        keys = [tensor.name for tensor in document.tensors if tensor.name is not None]
    return list(dict.fromkeys(keys or ()))


def path_of(document: Document) -> str:
    """The path of the file; "" of what is in memory."""
    return "" if document.path is None else str(document.path)


def document_row(document: Document) -> Row:
    """What a document is, and how it lies in its parent."""
    return {
        "index": document.index,
        "parent": document.parent,
        "how": document.how,
        "format": document.format,
        "offset": document.offset,
        "file": document.file,
        "byteorder": document.byteorder,
    }


def region_row(region: Region) -> Row:
    """What some bytes of document 0 belong to."""
    return {
        "start": region.span.start,
        "stop": region.span.stop,
        "kind": region.kind,
        "label": region.label,
    }


def pickles_in_order(documents: Iterable[Document]) -> list[tuple[Document, Pickle]]:
    """All pickles, each with its document, by their place in the outermost file."""
    pairs = ((part, pickle) for part in documents for pickle in part.pickles)
    return sorted(pairs, key=lambda pair: pickle_order(*pair))


def pickle_order(document: Document, pickle: Pickle) -> tuple[bool, int, int, int]:
    """Those that were inflated come last."""
    outer = pickle.code.source.to_outer(pickle.code.start)
    return outer is None, outer or 0, document.index, pickle.code.start


def pickle_row(document: Document, pickle: Pickle) -> Row:
    """Where a stream stands, and how long it is."""
    return {
        "document": document.index,
        "record": pickle.record,
        **place_row(pickle.code.source, pickle.span()),
        "protocol": pickle.code.protocol,
        "opcodes": len(pickle.code),
        "complete": pickle.code.complete,
    }


def _opcode_rows(pickle: Pickle) -> Stream:
    return Stream(lambda: opcode_rows(pickle.code))


def _value_rows(documents: Iterable[Document], encoding: str) -> Iterator[Row]:
    for document in documents:
        yield from value_rows(document, encoding)


def file_rows(document: Document) -> list[Row]:
    """The file, or all files of a set; those that are missing have no size."""
    if not document.files:
        return [{"path": path_of(document), "size": document.source.size}]
    return [{"path": file.name, "size": file.size} for file in document.files]


def source_rows(document: Document, progress: Progress) -> Iterator[Row]:
    """One row a text; none for a class whose text is not stored: it is an import.

    `originals`: the Python files that the code of TorchScript was made from, as far as it tells.
    """
    originals = find_originals(document, progress)
    for code, source in enumerate(document.sources):
        if source.text is not None:
            yield {
                "document": document.index,
                "class": source.name,
                "file": source.file,
                **place_row(document.source, source.span),
                "sha256": hashlib.sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest(),
                "lines": len(source.text.splitlines()),
                "originals": originals.files(code),
            }


def problem_row(document: Document, problem: Problem) -> Row:
    """A fault of the file."""
    return {
        "code": problem.code,
        "severity": str(problem.severity),
        "text": problem.text,
        "params": {name: _param(value) for name, value in problem.params.items()},
        "document": document.index,
        **place_row(document.source, problem.span),
    }


def _param(value: object) -> object:
    if value is None or isinstance(value, bool | int | str):
        return value
    return [_param(part) for part in value] if isinstance(value, list | tuple) else str(value)
