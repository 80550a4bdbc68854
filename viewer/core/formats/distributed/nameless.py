"""A folder of .distcp files whose metadata is lost: the items of each, without names."""

from __future__ import annotations

from typing import Final

from viewer.core.archive.findings import Findings
from viewer.core.document import Document, SetFile
from viewer.core.errors import SourceError
from viewer.core.formats.base import Context
from viewer.core.formats.distributed.lone import NAME, SUFFIX
from viewer.core.problem import error
from viewer.core.tensors.tensor import Tensor

KIND: Final = "distributed"
DETAIL: Final = "torch.distributed.checkpoint without .metadata"
STEP: Final = 64


def read_nameless(context: Context) -> Document:
    """The files as children; their tensors, by file and number of the item."""
    document = Document(context.source, NAME, DETAIL, byteorder=context.options.byteorder or "little")
    findings = Findings()
    findings.add(error("set-metadata-lost"))
    names = [name for name in context.folder.names(0) if name.endswith(SUFFIX)] if context.folder is not None else []
    files: list[SetFile] = []
    for number, name in enumerate(names):
        if number % STEP == 0:
            context.progress.step("opening", number, len(names))
        try:
            member = context.open_member(name)
        except SourceError as failure:
            findings.add(error("set-file-unreadable", file=name, reason=str(failure).rstrip("."), count=0, names=""))
            files.append(SetFile(name, None))
            continue
        if member is None:
            break
        files.append(SetFile(name, member.source.size))
        document.children.append(member)
        document.add_tensors(numbered(member, name, len(document.tensors)))
    document.files = files
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
