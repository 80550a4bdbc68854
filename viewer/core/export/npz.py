"""An npz as numpy.savez writes it: stored members, C order, little-endian; types that numpy lacks are widened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, ClassVar, Final

import numpy as np
from typing_extensions import override

from viewer.core.archive.zip_writer import NpzWriter
from viewer.core.errors import ExportError
from viewer.core.export.base import STEP, Draft, FileExporter
from viewer.core.export.elements import Written, written
from viewer.core.export.npz_check import compare
from viewer.core.export.npz_names import SUFFIX, member_names
from viewer.core.export.npz_table import table_of, table_text
from viewer.core.export.options import DEFLATE, DTYPE, NAMES_TABLE, Option
from viewer.core.export.plan import Beside, Content, Converted, Item, Plan, Renamed, Report, Verdict
from viewer.core.export.special import OF_NUMPY, expanded
from viewer.core.progress import Progress
from viewer.core.tensors.layout import row_major
from viewer.core.tensors.tensor import Tensor
from viewer.wording import QT_TRANSLATE_NOOP

MAGIC: Final = b"\x93NUMPY"
LONGEST_SHORT: Final = 0x10000
ALIGNMENT: Final = 64
GROWTH: Final = 21
PER_MEMBER: Final = 300
MOST: Final = 1 << 20
"""Bytes between two places to stop."""
DEFLATED: Final = 64 * 1024
"""The same where they are deflated, which may take a second for some megabytes."""


class Npz(FileExporter):
    """One array a tensor, named as in the state_dict; any program that knows numpy's format reads it.

    Where a name cannot be used there, a table of all names stands beside it: see npz_names and npz_table.
    """

    form: ClassVar[str] = "npz"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "npz")
    summary: ClassVar[str] = QT_TRANSLATE_NOOP("wording", ".npz, one array for each tensor")
    suffixes: ClassVar[tuple[str, ...]] = (".npz",)
    judge: ClassVar[str] = "numpy"
    options: ClassVar[tuple[Option, ...]] = (DTYPE, DEFLATE, NAMES_TABLE)

    @override
    def fill(self, draft: Draft, content: Content) -> tuple[int, str]:
        found: list[tuple[str, Tensor, str, Written]] = []
        for name, tensor, entry in expanded(draft, content, OF_NUMPY):
            elements = written(tensor)
            if elements is None:
                draft.drop(name, "dtype", dtype=tensor.dtype, form=OF_NUMPY.form)
            else:
                found.append((name, tensor, entry, elements))
        nbytes = PER_MEMBER
        members = member_names([name for name, *_ in found], draft.progress)
        for (name, tensor, entry, elements), member in zip(found, members, strict=True):
            draft.items.append(Item(member, elements.name, tensor, row_major(tensor.shape), entry=entry))
            if member != name:
                draft.renamed.append(Renamed(name, member))
            if elements.name != tensor.dtype:
                draft.converted.append(Converted(name, tensor.dtype, elements.name))
            nbytes += elements.nbytes + PER_MEMBER + 2 * len(member.encode())
        for name in (*(name for name, _ in content.plain), *content.objects):
            draft.drop(name, "not-tensor")
        return nbytes, "numpy 1.0"

    @override
    def stream(self, plan: Plan, file: BinaryIO, name: str, progress: Progress) -> None:
        every = [written(item.tensor) for item in progress.each(plan.items)]
        total = sum(elements.nbytes for elements in every if elements is not None)
        done, most = 0, DEFLATED if plan.content.deflate else MOST
        with NpzWriter(file, plan.content.deflate, progress) as archive:
            for number, (item, elements) in enumerate(zip(plan.items, every, strict=True), 1):
                progress.at(item.name, number, len(every))
                if elements is None:
                    raise ExportError("source-changed", path=item.name)
                head = header(elements)
                pieces = member_bytes(head, elements, progress, done, total, most)
                archive.add_stream(item.name + SUFFIX, len(head) + elements.nbytes, pieces)
                done += elements.nbytes

    @override
    def in_order(self, plan: Plan) -> Sequence[str]:
        return [item.name for item in plan.items]

    @override
    def beside(self, plan: Plan, path: Path) -> Beside | None:
        return table_of(plan, path)

    @override
    def stream_beside(self, plan: Plan, file: BinaryIO, name: str, progress: Progress) -> None:
        file.writelines(table_text(plan, name, progress))

    @override
    def verify(self, report: Report, progress: Progress) -> Verdict:
        return compare(report, progress)


def header(elements: Written) -> bytes:
    """The head of a npy of version 1.0, or of 2.0 where it is longer than 65,535 bytes; elements in C order follow."""
    shape = elements.tensor.shape
    descr = np.lib.format.dtype_to_descr(elements.dtype)
    text = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape!r}, }}"
    if shape:
        text += " " * max(0, GROWTH - len(repr(shape[0])))
    raw = text.encode("ascii")
    width = 2 if len(raw) + ALIGNMENT < LONGEST_SHORT else 4
    padded = raw + b" " * (-(len(MAGIC) + 2 + width + len(raw) + 1) % ALIGNMENT) + b"\n"
    return MAGIC + bytes((width // 2, 0)) + len(padded).to_bytes(width, "little") + padded


def member_bytes(
    head: bytes, elements: Written, progress: Progress, done: int, total: int, most: int = MOST
) -> Iterator[bytes | memoryview]:
    """A whole npy, each piece of its elements a place to report and to stop. `most`: bytes of a piece."""
    yield head
    for block in elements.blocks(progress):
        for at in range(0, len(block), most):
            progress.step(STEP, done + at, total)
            yield block[at : at + most]
        done += len(block)
