"""An npz as numpy.savez writes it: stored members, C order, little-endian; types that numpy lacks are widened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, ClassVar, Final

import numpy as np
from typing_extensions import override

from viewer.core.archive.zip_writer import NpzWriter
from viewer.core.errors import ExportError
from viewer.core.export.base import STEP, Draft, FileExporter
from viewer.core.export.elements import Written, written
from viewer.core.export.npz_check import compare
from viewer.core.export.options import DEFLATE, DTYPE, Option
from viewer.core.export.plan import Content, Converted, Item, Plan, Renamed, Report, Verdict
from viewer.core.export.special import expanded
from viewer.core.progress import Progress
from viewer.core.tensors.layout import row_major
from viewer.wording import QT_TRANSLATE_NOOP

SUFFIX: Final = ".npy"
MAGIC: Final = b"\x93NUMPY"
LONGEST_SHORT: Final = 0x10000
ALIGNMENT: Final = 64
GROWTH: Final = 21
LONGEST_NAME: Final = 60_000
PER_MEMBER: Final = 300


class Npz(FileExporter):
    """One array a tensor, named as in the state_dict; any program that knows numpy's format reads it."""

    form: ClassVar[str] = "npz"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "npz")
    summary: ClassVar[str] = QT_TRANSLATE_NOOP("wording", ".npz, one array for each tensor")
    suffixes: ClassVar[tuple[str, ...]] = (".npz",)
    judge: ClassVar[str] = "numpy"
    options: ClassVar[tuple[Option, ...]] = (DTYPE, DEFLATE)

    @override
    def fill(self, draft: Draft, content: Content) -> tuple[int, str]:
        names = Names()
        nbytes = PER_MEMBER
        for name, tensor, entry in expanded(draft, content, ()):
            elements = written(tensor)
            if elements is None:
                draft.drop(name, "dtype", dtype=tensor.dtype, form="numpy")
                continue
            member = names.member(name)
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
        every = [written(item.tensor) for item in plan.items]
        total = sum(elements.nbytes for elements in every if elements is not None)
        done = 0
        with NpzWriter(file, plan.content.deflate) as archive:
            for item, elements in zip(plan.items, every, strict=True):
                if elements is None:
                    raise ExportError("source-changed", path=item.name)
                head = header(elements)
                pieces = member_bytes(head, elements, progress, done, total)
                archive.add_stream(item.name + SUFFIX, len(head) + elements.nbytes, pieces)
                done += elements.nbytes

    @override
    def verify(self, report: Report, progress: Progress) -> Verdict:
        return compare(report, progress)


class Names:
    """Member names that are safe on any system and that numpy tells apart."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def member(self, name: str) -> str:
        """The name without `.npy`; the given one where it can be used."""
        safe = safe_name(name)
        found, number = safe, 2
        # numpy finds a member by its name with and without the suffix
        while not self._taken.isdisjoint((found, found + SUFFIX)):
            found, number = f"{safe}_{number}", number + 1
        self._taken.update((found, found + SUFFIX))
        return found


def safe_name(name: str) -> str:
    """A relative name that climbs nowhere, in UTF-8, without control characters; never empty."""
    text = name.encode("utf-8", "backslashreplace").decode("utf-8")
    text = "".join(char if char.isprintable() else "_" for char in text).replace("\\", "_").replace(":", "_")
    parts = [part for part in text.split("/") if part not in ("", ".")]
    text = "/".join("__" if part == ".." else part for part in parts)
    while len(text.encode()) > LONGEST_NAME:
        text = text[: len(text) // 2]
    return text or "unnamed"


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
    head: bytes, elements: Written, progress: Progress, done: int, total: int
) -> Iterator[bytes | memoryview]:
    """A whole npy, each block of elements a place to report and to stop."""
    yield head
    for block in elements.blocks():
        progress.step(STEP, done, total)
        yield block
        done += len(block)
