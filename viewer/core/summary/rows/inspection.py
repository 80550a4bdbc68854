"""The one object of `inspect --json`. Its keys are a contract: some may be added, none goes away.

Offsets count in the outermost file. Where bytes are deflated or computed they are null, and `source_start` and
`source_stop` count in the bytes that came out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final, NamedTuple

from viewer.core.code.supplied import SuppliedFile
from viewer.core.document import Document, Pickle
from viewer.core.errors import SourceError, ViewerError
from viewer.core.objects.describe import class_name
from viewer.core.problem import Problem
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.span import Region, Span
from viewer.core.summary.facts import root_keys, root_type
from viewer.core.summary.import_facts import import_rows
from viewer.core.summary.originals import find_originals
from viewer.core.summary.rows.checks import check_rows
from viewer.core.summary.rows.health import health_rows
from viewer.core.summary.rows.json_texts import Stream
from viewer.core.summary.rows.loading import loading_row
from viewer.core.summary.rows.opcodes import int_text, opcode_rows
from viewer.core.summary.rows.outlines import outline_rows
from viewer.core.summary.rows.training import training_json
from viewer.core.summary.rows.values import value_rows
from viewer.core.summary.rows.versions import version_rows
from viewer.core.summary.torch_answer import TorchAnswer
from viewer.core.tensors import hashing, meaning, window
from viewer.core.tensors.health import Health
from viewer.core.tensors.path import to_json
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Parameters, Quantizer, Tensor

Row = dict[str, Any]
LONGEST: Final = 128
MOST_REPEATED: Final = 8 * 1024**3
"""Bytes of a tensor that repeats the elements of a smaller storage, of which a digest is still made."""


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


def facts(document: Document, wanted: Wanted) -> Row:
    """Everything about a file, ready for JSON; what may be long are streams, made as they are written."""
    documents = list(document.walk())
    pickles = sorted(
        ((part, pickle) for part in documents for pickle in part.pickles), key=lambda pair: _pickle_order(*pair)
    )
    return {
        "file": {"path": _path(document), "size": document.source.size},
        "format": document.format,
        "detail": document.detail,
        "written_by": document.written_by,
        "documents": [_document_row(part) for part in documents],
        "regions": Stream(lambda: map(_region_row, document.regions)) if wanted.regions else None,
        "pickles": [_pickle_row(part, pickle) for part, pickle in pickles],
        "opcodes": [_opcode_rows(pickle) for _, pickle in pickles] if wanted.opcodes else None,
        "root": root_type(document.content, wanted.encoding or "utf-8"),
        "keys": keys_of(document.content, wanted.encoding),
        "tensors": Stream(lambda: _tensor_rows(document, wanted.hashes)),
        "sources": [row for part in documents for row in _source_rows(part)],
        "outlines": Stream(lambda: outline_rows(document)),
        "imports": [row for part in documents for row in import_rows(part, wanted.encoding)],
        "problems": [_problem_row(part, problem) for part in documents for problem in part.problems],
        "values": Stream(lambda: _value_rows(documents, wanted.encoding)) if wanted.values else None,
        "training": list(training_json(document, wanted.encoding)),
        "loading": loading_row(document, wanted.encoding, wanted.torch),
        "checks": list(check_rows(document, wanted.encoding, wanted.supplied)),
        "versions": Stream(lambda: version_rows(document, wanted.encoding)),
        "health": list(health_rows(document, wanted.health)) if wanted.health is not None else None,
        "files": _file_rows(document),
    }


def keys_of(document: Document, encoding: str) -> list[str]:
    """The keys of the object when it is a mapping, the names in an npz or safetensors file; none for all else."""
    keys = root_keys(document, encoding or "utf-8")
    if keys is None and document.format in ("npz", "safetensors"):
        keys = [tensor.name for tensor in document.tensors if tensor.name is not None]
    return list(dict.fromkeys(keys or ()))


def _path(document: Document) -> str:
    return "" if document.path is None else str(document.path)


def _document_row(document: Document) -> Row:
    return {
        "index": document.index,
        "parent": document.parent,
        "how": document.how,
        "format": document.format,
        "offset": document.offset,
        "file": document.file,
        "byteorder": document.byteorder,
    }


def _region_row(region: Region) -> Row:
    return {
        "start": region.span.start,
        "stop": region.span.stop,
        "kind": region.kind,
        "label": region.label,
    }


def _place(source: ByteSource, span: Span | None) -> Row:
    """Start and stop in the outermost file, or null and the same in the bytes that came out of it."""
    if span is None:
        return {"start": None, "stop": None}
    return _between(source.to_outer(0), span.start, span.stop)


def _between(shift: int | None, start: int, stop: int) -> Row:
    """The same for a source whose first byte is at `shift` of the outermost file; None: nowhere."""
    if shift is None:
        return {"start": None, "stop": None, "source_start": start, "source_stop": stop}
    return {"start": start + shift, "stop": stop + shift}


def _pickle_order(document: Document, pickle: Pickle) -> tuple[bool, int, int, int]:
    outer = pickle.code.source.to_outer(pickle.code.start)
    return outer is None, outer or 0, document.index, pickle.code.start


def _pickle_row(document: Document, pickle: Pickle) -> Row:
    return {
        "document": document.index,
        "record": pickle.record,
        **_place(pickle.code.source, pickle.span()),
        "protocol": pickle.code.protocol,
        "opcodes": len(pickle.code),
        "complete": pickle.code.complete,
    }


def _opcode_rows(pickle: Pickle) -> Stream:
    return Stream(lambda: opcode_rows(pickle.code))


def _value_rows(documents: Iterable[Document], encoding: str) -> Iterator[Row]:
    for document in documents:
        yield from value_rows(document, encoding)


def _file_rows(document: Document) -> list[Row]:
    """The file, or all files of a set; those that are missing have no size."""
    if not document.files:
        return [{"path": _path(document), "size": document.source.size}]
    return [{"path": file.name, "size": file.size} for file in document.files]


def _tensor_rows(root: Document, hashes: bool) -> Iterator[Row]:
    """All tensors; `shared_with` names others by their place in this list. Those of a set stand for its files'."""
    first = 0
    files = {file.name: number for number, file in enumerate(root.files)}
    for document in root.holders():
        place = _Counting(document.index, document.source.to_outer(0), files, first, document.pickles)
        for tensor in document.tensors:
            yield _tensor_row(place, tensor, hashes)
        first += len(document.tensors)


class _Counting(NamedTuple):
    """What tensors are counted in. `shift`: of byte 0 of the document in the outermost file. `first`: in the list."""

    document: int
    shift: int | None
    files: Mapping[str, int]
    first: int
    pickles: Sequence[Pickle]


def _class_of(place: _Counting, tensor: Tensor) -> str | None:
    """The qualified type of the object that a pickle makes; None where no pickle makes it."""
    made = tensor.value
    return None if made is None else class_name(place.pickles[made.pickle].values, made.value)


def _tensor_row(place: _Counting, tensor: Tensor, hashes: bool) -> Row:
    storage, used = tensor.storage, window.extent(tensor)
    # Spans of a file of a set count in that file.
    shift = 0 if tensor.member else place.shift
    length = available = 0
    at: Row = {"start": None, "stop": None}
    if storage is not None and used is not None:
        length = used.length
        available = max(0, min(used.stop, storage.available) - used.start)
        if storage.span is not None:
            at = _between(shift, storage.span.start + used.start, storage.span.start + used.stop)
    return {
        "document": place.document,
        "name": tensor.name,
        "path": to_json(tensor.path),
        "kind": tensor.kind,
        "class": _class_of(place, tensor),
        "dtype": tensor.dtype,
        "shape": tensor.shape,
        "stride": tensor.stride,
        "storage_offset": tensor.storage_offset,
        "layout": tensor.layout,
        "quantizer": _quantizer_row(tensor.quantizer),
        "parts": [{"role": role, **_tensor_row(place, part, hashes)} for role, part in tensor.parts],
        "storage": _storage_row(shift, storage),
        **at,
        **_member_row(place.files, tensor),
        "nbytes": number(window.nbytes(tensor)),
        "available": available,
        "complete": available == length,
        "requires_grad": tensor.requires_grad,
        "shared_with": [place.first + other for other in tensor.shared_with],
        "sha256": tensor_hash(tensor) if hashes else None,
    }


def _member_row(files: Mapping[str, int], tensor: Tensor) -> Row:
    """Of a set: the number of the file that the bytes stand in, null where in several; of a piece its place."""
    if not files:
        return {}
    is_split = not tensor.member and tensor.offsets is None and any(role == "piece" for role, _ in tensor.parts)
    row: Row = {"file": None if is_split else files.get(tensor.member, 0)}
    return row if tensor.offsets is None else {**row, "offsets": tensor.offsets}


def _quantizer_row(quantizer: Quantizer | None) -> Row | None:
    if quantizer is None:
        return None
    return {
        "scheme": quantizer.scheme,
        "scale": _numbers(quantizer.scale),
        "zero_point": _numbers(quantizer.zero_point),
        "axis": quantizer.axis,
    }


def _numbers(given: Parameters) -> object:
    """Scales or zero points as one number or a list; None where their bytes cannot be had."""
    try:
        found = meaning.numbers(given).tolist()
    except ViewerError:
        return None
    return [_finite(value) for value in found] if isinstance(found, list) else _finite(found)


def _finite(value: float) -> object:
    return value if isfinite(value) else {"float": repr(value)}


def number(value: int) -> int | dict[str, str]:
    """A count as it is; as text where a file states more than any reader can hold."""
    return value if value.bit_length() <= LONGEST else {"int": int_text(value)}


def tensor_hash(tensor: Tensor) -> str | None:
    """The digest, None also where the bytes cannot be had, or where a few repeat for hours."""
    held = tensor.storage.nbytes if tensor.storage is not None else 0
    if window.nbytes(tensor) > max(held, MOST_REPEATED):
        return None
    try:
        return hashing.sha256(tensor)
    except SourceError:
        return None


def _storage_row(shift: int | None, storage: Storage | None) -> Row | None:
    if storage is None:
        return None
    span = storage.span
    return {
        "key": storage.key,
        "location": storage.location,
        "record": storage.record,
        **({"start": None, "stop": None} if span is None else _between(shift, span.start, span.stop)),
    }


def _source_rows(document: Document) -> Iterator[Row]:
    """One row a text; none for a class whose text is not stored: it is an import.

    `originals`: the Python files that the code of TorchScript was made from, as far as it tells.
    """
    originals = find_originals(document, Progress())
    for code, source in enumerate(document.sources):
        if source.text is not None:
            yield {
                "document": document.index,
                "class": source.name,
                "file": source.file,
                **_place(document.source, source.span),
                "sha256": hashlib.sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest(),
                "lines": len(source.text.splitlines()),
                "originals": originals.files(code),
            }


def _problem_row(document: Document, problem: Problem) -> Row:
    return {
        "code": problem.code,
        "severity": str(problem.severity),
        "text": problem.text,
        "params": {name: _param(value) for name, value in problem.params.items()},
        "document": document.index,
        **_place(document.source, problem.span),
    }


def _param(value: object) -> object:
    if value is None or isinstance(value, bool | int | str):
        return value
    return [_param(part) for part in value] if isinstance(value, list | tuple) else str(value)
