r"""Pieces in safetensors files, as HuggingFaceStorageWriter of torch.distributed.checkpoint saves them on each rank.

    shard-00001-model-00001-of-00002.safetensors       rank 1, first of two files
    __metadata__ {"DCP_SHARDING_INFO": "{name: {\"saved_offsets\": [0, 0]}}", "DCP_VERSION": "1.0", ...}

No file says how large a tensor is: it reaches as far as its pieces do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Final

from viewer.core.archive.findings import Findings
from viewer.core.document import Document
from viewer.core.formats.base import Context
from viewer.core.formats.distributed.lone import NAME, unreadable
from viewer.core.formats.distributed.tensors import PIECE, whole_of
from viewer.core.formats.reading import open_members
from viewer.core.problem import Problem, error, warning
from viewer.core.tensors import bounded_json
from viewer.core.tensors.assembled import overlapping
from viewer.core.tensors.layout import Shape, row_major
from viewer.core.tensors.path import Attribute, key_part
from viewer.core.tensors.tensor import Tensor
from viewer.wording.phrases import phrase

KIND: Final = "distributed-safetensors"
DETAIL: Final = phrase("detail-shards")
SHARD: Final = re.compile(r"shard-\d+-model-\d+-of-\d+\.safetensors")
INFO: Final = "DCP_SHARDING_INFO"
OFFSETS: Final = "saved_offsets"
LARGEST: Final = 2**62


@dataclass(frozen=True, slots=True)
class Piece:
    """A tensor of a file, and where its first element lies in the whole."""

    file: str
    tensor: Tensor
    offsets: Shape


def is_shard(name: str) -> bool:
    """True for the name of a shard in the folder itself."""
    return SHARD.fullmatch(name) is not None


def read_shards(context: Context) -> Document:
    """The set of all shards of a folder."""
    document = Document(context.source, NAME, DETAIL, byteorder=context.options.byteorder or "little")
    names = [name for name in context.folder.names_seen(0) if is_shard(name)] if context.folder is not None else []
    findings = Findings()
    pieces: dict[str, list[Piece]] = {}
    for number, member in open_members(document, context, names, partial(unreadable, findings)):
        take_pieces(member, names[number], pieces, findings)
    tensors = [logical(number, name, found, findings) for number, (name, found) in enumerate(pieces.items())]
    document.add_tensors(tensors)
    document.problems = findings.problems()
    return document


def take_pieces(member: Document, file: str, pieces: dict[str, list[Piece]], findings: Findings) -> None:
    """The tensors of a file, by name, with their places."""
    info = sharding_info(member)
    for tensor in member.tensors:
        name = tensor.name
        if name is None:
            continue
        offsets = offsets_of(info, name, tensor)
        if offsets is None:
            findings.add(warning("set-sharding-info", file=file, name=name))
            offsets = (0,) * len(tensor.shape)
        pieces.setdefault(name, []).append(Piece(file, tensor, offsets))


def sharding_info(member: Document) -> Mapping[str, object]:
    """What a file says of the places of its pieces."""
    text = next((stated.value for stated in member.metadata if stated.key == INFO), "")
    found = bounded_json.parse(text.encode("utf-8", "surrogatepass")).value if text else None
    return found if isinstance(found, dict) else {}


def offsets_of(info: Mapping[str, object], name: str, tensor: Tensor) -> Shape | None:
    """The place of a piece; None where it is not stated as whole numbers for its axes."""
    entry = info.get(name)
    stated = entry.get(OFFSETS) if isinstance(entry, dict) else None
    if not isinstance(stated, list) or len(stated) != len(tensor.shape):
        return None
    sound = all(isinstance(at, int) and not isinstance(at, bool) and 0 <= at < LARGEST for at in stated)
    return tuple(stated) if sound else None


def logical(number: int, name: str, found: list[Piece], findings: Findings) -> Tensor:
    """The tensor that pieces of one name make."""
    first = found[0].tensor
    fitting = [
        piece
        for piece in found
        if (piece.tensor.dtype, piece.tensor.note) == (first.dtype, first.note)
        and len(piece.offsets) == len(first.shape)
    ]
    for piece in found:
        if piece not in fitting:
            facts = {"found": stated(piece.tensor), "expected": stated(first)}
            findings.add(error("set-sharding-differs", None, name=name, file=piece.file, **facts))
    shape = tuple(
        max(piece.offsets[axis] + piece.tensor.shape[axis] for piece in fitting) for axis in range(len(first.shape))
    )
    if prod(shape) >= LARGEST:
        # No file has room for it: places that cannot be are left out.
        facts = {"found": f"at {list(found[-1].offsets)}", "expected": stated(first)}
        findings.add(error("set-sharding-differs", None, name=name, file=found[-1].file, **facts))
        fitting, shape = [replace(fitting[0], offsets=(0,) * len(shape))], first.shape
    path = (key_part(name),)
    if first.shape == shape and len(fitting) == 1:
        return replace(first, index=number, path=path, stated=None, member=found[0].file, shared_with=[])
    parts = [
        replace(
            piece.tensor,
            index=number,
            path=(*path, Attribute(f"{PIECE} {order}")),
            stated=None,
            member=piece.file,
            offsets=piece.offsets,
        )
        for order, piece in enumerate(fitting)
    ]
    for problem in piece_problems(name, shape, parts):
        findings.add(problem)
    storage = whole_of(name, first.dtype, shape, parts)
    whole = Tensor(number, path, name, "tensor", first.dtype, shape, row_major(shape), 0, storage, False)
    whole.note, whole.parts = first.note, tuple((PIECE, part) for part in parts)
    return whole


def piece_problems(name: str, shape: Shape, parts: list[Tensor]) -> Iterator[Problem]:
    """Pieces over one another, and elements that none has."""
    if overlapping(parts):
        yield warning("set-pieces-overlap", name=name)
    missing = prod(shape) - sum(part.elements for part in parts)
    if missing > 0:
        yield error("set-pieces-hole", name=name, missing=missing, count=prod(shape))


def stated(tensor: Tensor) -> str:
    """Its dtype and shape in words."""
    return f"{tensor.note or tensor.dtype} {list(tensor.shape)}"
