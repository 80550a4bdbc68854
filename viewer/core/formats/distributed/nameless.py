"""A folder of .distcp files whose metadata is lost: the items of each, without names."""

from __future__ import annotations

from functools import partial
from typing import Final

from viewer.core.archive.findings import Findings
from viewer.core.document import Document
from viewer.core.formats.base import Context
from viewer.core.formats.distributed.lone import NAME, SUFFIX, unreadable
from viewer.core.formats.reading import open_members
from viewer.core.problem import error
from viewer.core.tensors.tensor import Tensor
from viewer.wording.phrases import phrase

KIND: Final = "distributed"
DETAIL: Final = phrase("detail-nameless")


def read_nameless(context: Context) -> Document:
    """The files as children; their tensors, by file and number of the item."""
    document = Document(context.source, NAME, DETAIL, byteorder=context.options.byteorder or "little")
    findings = Findings()
    findings.add(error("set-metadata-lost"))
    names = (
        [name for name in context.folder.names_seen(0) if name.endswith(SUFFIX)] if context.folder is not None else []
    )
    for number, member in open_members(document, context, names, partial(unreadable, findings)):
        document.add_tensors(numbered(member, names[number], len(document.tensors)))
    document.problems = findings.problems()
    return document


def numbered(member: Document, name: str, first: int) -> list[Tensor]:
    """The tensors of a file as those of the set."""
    return [
        Tensor(
            *(first + number, (name, *tensor.path), None, tensor.kind, tensor.dtype, tensor.shape, tensor.stride),
            *(tensor.storage_offset, tensor.storage, tensor.requires_grad),
            conj=tensor.conj,
            neg=tensor.neg,
            member=name,
        )
        for number, tensor in enumerate(member.tensors)
    ]
