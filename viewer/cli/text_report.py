"""`picklescope inspect` without `--json`: what a file is and holds, in lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.source import one_line, printable
from viewer.core.summary.facts import facts as summarised
from viewer.core.summary.facts import root_type
from viewer.core.summary.import_facts import import_lines
from viewer.core.summary.originals import find_originals
from viewer.core.summary.remarks.byte_order import is_unstated
from viewer.core.summary.rows.checks import check_lines
from viewer.core.summary.rows.health import health_lines
from viewer.core.summary.rows.inspection import Wanted, keys_of
from viewer.core.summary.rows.loading import loading_lines
from viewer.core.summary.rows.opcodes import opcode_rows
from viewer.core.summary.rows.outlines import outline_lines
from viewer.core.summary.rows.tensors import tensor_hash
from viewer.core.summary.rows.training import training_text
from viewer.core.summary.rows.values import value_rows
from viewer.core.summary.rows.versions import version_lines
from viewer.core.tensors import window
from viewer.core.tensors.path import shown
from viewer.core.tensors.tensor import Tensor
from viewer.wording import fill

MOST: Final = 1000
KEYS: Final = 20


def report(document: Document, wanted: Wanted) -> str:
    """All lines, each ended. Long lists are cut at a thousand rows and say so."""
    lines = [
        *_head(document),
        *_structure(document, wanted.encoding),
        *_content(document, wanted.encoding),
        *_tensors(document, wanted.hashes),
        *_sources(document),
        *_outlines(document),
    ]
    lines += _imports(document, wanted.encoding)
    lines += _section("Loading with torch", loading_lines(document, wanted.encoding, wanted.torch))
    lines += _training(document, wanted.encoding)
    lines += _section("Health", health_lines(document, wanted.health)) if wanted.health is not None else []
    lines += [*_versions(document, wanted.encoding), *_checks(document, wanted), *_problems(document)]
    if wanted.regions:
        lines += _section("Regions", (f"  {region.span}  {region.kind}  {region.label}" for region in document.regions))
    if wanted.opcodes:
        lines += _opcodes(document)
    if wanted.values:
        lines += _values(document, wanted.encoding)
    return "".join(f"{one_line(line)}\n" for line in lines)


def _head(document: Document) -> Iterator[str]:
    path = printable(str(document.path)) if document.path is not None else ""
    yield f"{path}: {document.format}, {_size(document)}"
    if document.detail:
        yield f"  {document.detail}"
    if document.written_by:
        yield f"  written by {document.written_by}"
    if document.byteorder:
        doubt = ", as torch takes it where the file does not say" if is_unstated(document) else ""
        yield f"  {document.byteorder}-endian{doubt}"
    inner = [part for part in document.walk() if part.parent is not None]
    for part in inner[:MOST]:
        where = "inflated" if part.offset is None else f"at 0x{part.offset:X}"
        yield f"  document {part.index}: {part.how}: {part.format}, {where}"
    if len(inner) > MOST:
        yield f"  and {len(inner) - MOST:,} more documents"


def _size(document: Document) -> str:
    """Bytes; of a set those of all its files, and how many of them are missing."""
    sizes = [file.size for file in document.files] or [document.source.size]
    there = [size for size in sizes if size is not None]
    words = f"{sum(there):,} bytes"
    if document.files:
        words += f" in {len(there):,} {'file' if len(there) == 1 else 'files'}"
    return words + (f", missing: {len(sizes) - len(there):,}" if len(sizes) > len(there) else "")


def _structure(document: Document, encoding: str) -> Iterator[str]:
    for part in document.walk():
        for pickle in part.pickles:
            name = " ".join(text for text in (pickle.record, pickle.role) if text)
            state = "" if pickle.code.complete else ", incomplete"
            yield (
                f"  pickle {name}: protocol {pickle.code.protocol}, {len(pickle.code):,} opcodes, "
                f"{pickle.span()}{state}{_inside(part)}"
            )
        if not part.pickles:
            yield from _records(part)
    root = root_type(document.content, encoding or "utf-8")
    if root is not None:
        yield f"  root: {root}"
    keys = keys_of(document.content, encoding)
    if keys:
        more = f", and {len(keys) - KEYS:,} more" if len(keys) > KEYS else ""
        yield f"  keys: {', '.join(keys[:KEYS])}{more}"


def _inside(part: Document) -> str:
    """Behind a row: the document in which its offsets count, where that is not the file itself."""
    return "" if part.parent is None else f", in document {part.index}"


def _records(document: Document) -> Iterator[str]:
    """The first records of an archive, where no object tells what is in it."""
    for record in document.records[:KEYS]:
        yield f"  record {record.name}: {record.size:,} bytes"
    if len(document.records) > KEYS:
        yield f"  and {len(document.records) - KEYS:,} more records"


def _content(document: Document, encoding: str) -> Iterator[str]:
    """What it holds, and how many numbers, as Summary says it."""
    found = summarised(document, encoding or "utf-8")
    yield from (f"  {fill(said.text, said.params)}" for said in found.holds)
    if found.tensors:
        shared = found.parameters - found.unique_parameters
        more = f", {found.unique_parameters:,} where each is counted once" if shared else ""
        yield f"  parameters: {found.parameters:,}{more}; {found.parameter_bytes:,} bytes"
    if found.buffers:
        yield f"  buffers: {found.buffers:,}; {found.buffer_bytes:,} bytes"


def _tensors(document: Document, hashes: bool) -> list[str]:
    number = sum(len(part.tensors) for part in document.holders())
    lines = (_tensor(tensor, hashes) + _inside(part) for part in document.holders() for tensor in part.tensors)
    return _section(f"Tensors ({number:,})", lines, number) if number else []


def _tensor(tensor: Tensor, hashes: bool) -> str:
    name = tensor.name or shown(tensor.path) or tensor.kind
    parts = [f"  {name}", tensor.dtype, str(list(tensor.shape))]
    span = window.span(tensor)
    if span is not None:
        parts.append(f"{printable(tensor.member)} {span}" if tensor.member else str(span))
    pieces = [part for role, part in tensor.parts if role == "piece"]
    if pieces:
        files = len({piece.member for piece in pieces})
        words = "piece" if len(pieces) == 1 else "pieces", "file" if files == 1 else "files"
        parts.append(f"{len(pieces):,} {words[0]} in {files:,} {words[1]}")
    if tensor.note:
        parts.append(tensor.note)
    elif not window.complete(tensor):
        parts.append(f"cut: {window.available(tensor):,} bytes are there")
    if hashes:
        parts.append(tensor_hash(tensor) or "no hash")
    return "  ".join(parts)


def _sources(document: Document) -> list[str]:
    number = sum(len(part.sources) for part in document.walk())
    return _section(f"Sources ({number:,})", _source_lines(document), number) if number else []


def _outlines(document: Document) -> list[str]:
    found = list(outline_lines(document))
    return _section("Records", found, len(found)) if found else []


def _source_lines(document: Document) -> Iterator[str]:
    for part in document.walk():
        originals = find_originals(part, Progress())
        for code, source in enumerate(part.sources):
            lines = "no source" if source.text is None else f"{len(source.text.splitlines()):,} lines"
            files = originals.files(code)
            made_from = f"  made from {', '.join(files)}" if files else ""
            yield f"  {source.name}  {source.file or 'no file'}  {lines}{made_from}"


def _imports(document: Document, encoding: str) -> list[str]:
    found = list(import_lines(document, encoding))
    number = sum(not line.startswith("    ") for line in found)
    return _section(f"Imports ({number:,})", found, len(found)) if found else []


def _training(document: Document, encoding: str) -> list[str]:
    found = training_text(document, encoding)
    return _section("Training state", found, len(found)) if found else []


def _versions(document: Document, encoding: str) -> list[str]:
    found = list(version_lines(document, encoding))
    return _section("Versions of modules", found, len(found)) if found else []


def _checks(document: Document, wanted: Wanted) -> list[str]:
    found = check_lines(document, wanted.encoding, wanted.supplied)
    return _section("Objects and their classes", found, len(found)) if found else []


def _problems(document: Document) -> list[str]:
    found = [(problem, _inside(part)) for part in document.walk() for problem in part.problems]
    if not found:
        return ["No damage found."]
    rows = (
        f"  {problem.severity}: {problem.text}" + (f" [{problem.span}{inside}]" if problem.span is not None else inside)
        for problem, inside in found
    )
    return _section(f"Problems ({len(found):,})", rows, len(found))


def _opcodes(document: Document) -> Iterator[str]:
    """Every opcode; nothing is cut here, as they were asked for."""
    for part in document.walk():
        for pickle in part.pickles:
            code = pickle.code
            yield f"Opcodes of {' '.join(text for text in (pickle.record, pickle.role) if text) or 'the pickle'}"
            for opcode, row in enumerate(opcode_rows(code)):
                argument = row["argument"]
                text = "" if argument is None else f"  {_short(argument)}"
                yield f"  {code.offset(opcode):10d}  {row['name']}{text}"


def _short(argument: object) -> str:
    if isinstance(argument, dict):
        text = argument.get("int") or argument.get("float") or f"{argument['hex']} ({argument['length']:,} bytes)"
    else:
        text = " ".join(argument) if isinstance(argument, list) else repr(argument)
    return text if len(text) <= MOST else text[:MOST] + "…"


def _values(document: Document, encoding: str) -> Iterator[str]:
    yield "Values"
    for part in document.walk():
        for row in value_rows(part, encoding):
            steps: Sequence[object] = row["path"]
            path = ".".join(str(step["py"]) if isinstance(step, dict) else str(step) for step in steps)
            yield f"  {path or 'root'}  {row['type']}  {row['value']!r}"


def _section(title: str, rows: Iterable[str], count: int = 0) -> list[str]:
    lines = ["", title]
    for number, row in enumerate(rows):
        if number == MOST and count > MOST:
            lines.append(f"  and {count - MOST:,} more")
            break
        lines.append(row)
    return lines
