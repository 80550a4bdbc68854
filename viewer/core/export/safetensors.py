"""safetensors: a header in JSON and all elements behind it, in C order, little-endian, larger elements first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO, ClassVar, Final

from typing_extensions import override

from viewer.core.document import Document
from viewer.core.errors import ExportError
from viewer.core.export.base import STEP, Draft, FileExporter
from viewer.core.export.elements import BLOCK, Buffer, halves, raw, stored, truths
from viewer.core.export.options import DTYPE, Option
from viewer.core.export.plan import Content, Converted, Item, Plan, Renamed, Report, Verdict
from viewer.core.export.safetensors_check import compare
from viewer.core.export.special import Held, expanded
from viewer.core.progress import Progress
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.elements import elements
from viewer.core.tensors.layout import is_row_major, row_major
from viewer.core.tensors.meaning import has_numbers, meant_blocks
from viewer.core.tensors.safetensors_types import PAIRS, TYPES
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import blocks
from viewer.wording import QT_TRANSLATE_NOOP

LENGTH: Final = 8
ALIGNMENT: Final = 8
LARGEST_HEADER: Final = 100_000_000
"""Bytes that the library reads a header of."""
METADATA: Final = "__metadata__"
NAMES: Final = {torch: name for name, (torch, _) in TYPES.items() if torch}
"""The name in a file for each type of torch that has one."""
UNITS: Final = {name: bits for name, (_, bits) in TYPES.items()}
"""Bits of an element by the type's name."""
PER_ENTRY: Final = 90
FORMAT: Final = "format"
WRITER: Final = "pt"
"""What transformers and others want `format` to be before they load a file with torch."""
WIDENED: Final = {"complex32": "complex64"}
MEANT: Final = "float32"
"""What quantised elements are written as."""
NEEDS: Final = "safetensors 0.3"
_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Safetensors(FileExporter):
    """One tensor an entry; nothing in it can be executed. Storages that tensors share are written for each of them."""

    form: ClassVar[str] = "safetensors"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "safetensors")
    summary: ClassVar[str] = QT_TRANSLATE_NOOP("wording", ".safetensors, tensors and texts only")
    suffixes: ClassVar[tuple[str, ...]] = (".safetensors",)
    judge: ClassVar[str] = "safetensors"
    options: ClassVar[tuple[Option, ...]] = (DTYPE,)

    @override
    def fill(self, draft: Draft, content: Content) -> tuple[int, str]:
        return fill(draft, content), NEEDS

    @override
    def stream(self, plan: Plan, file: BinaryIO, name: str, progress: Progress) -> None:
        texts = texts_of(plan.document, plan.content)
        write(file, aligned(entries_of(progress.each(plan.items))), texts, Counted(progress, plan.items))

    @override
    def in_order(self, plan: Plan) -> Sequence[str]:
        return [entry.name for entry in aligned(entries_of(plan.items))]

    @override
    def verify(self, report: Report, progress: Progress) -> Verdict:
        return compare([(report.path, aligned(entries_of(progress.each(report.plan.items))))], progress)


@dataclass(frozen=True, slots=True)
class Entry:
    """One tensor as it is written. `name`: in the header; `kind`: its type there, `shape` in elements of that."""

    name: str
    kind: str
    shape: tuple[int, ...]
    nbytes: int
    tensor: Tensor

    def blocks(self, progress: Progress) -> Iterator[memoryview]:
        """All its bytes, block by block; each block is good until the next is asked for. `progress`: only stops it."""
        tensor, storage = self.tensor, self.tensor.storage
        kind = elements(tensor)
        if has_numbers(tensor):
            yield from (raw(numbers) for numbers in meant_blocks(tensor, BLOCK, progress.silent()))
            return
        is_kept = kind is not None and kind.plain and self.kind != "BOOL" and tensor.dtype not in WIDENED
        if kind is not None and is_kept and is_row_major(tensor.shape, tensor.stride):
            if storage is not None and storage.source is not None:
                yield from stored(storage.source, tensor.storage_offset * kind.itemsize, self.nbytes, Buffer())
            return
        for numbers in blocks(tensor, progress.silent(), BLOCK):
            if self.kind == "BOOL":
                yield raw(truths(numbers))
            else:
                yield raw(halves(numbers) if tensor.dtype in WIDENED else numbers)


class Counted:
    """The bytes written up to now, of several files together."""

    def __init__(self, progress: Progress, items: Sequence[Item]) -> None:
        self.progress = progress
        self._total = sum(entry.nbytes for entry in entries_of(progress.each(items)))
        self._done = 0
        self._number = 0
        self._count = len(items)

    def begin(self, name: str) -> None:
        """The next tensor."""
        self._number += 1
        self.progress.at(name, self._number, self._count)

    def add(self, count: int) -> None:
        """So many more; a place to stop."""
        self.progress.step(STEP, self._done, self._total)
        self._done += count


def type_of(tensor: Tensor) -> str:
    """The type, by torch's name, that its elements are written as; "" where there is none."""
    if has_numbers(tensor):
        return MEANT
    known = WIDENED.get(tensor.dtype, tensor.dtype)
    return known if known in NAMES and elements(tensor) is not None else ""


OF_SAFETENSORS: Final = Held((), lambda tensor: "" if type_of(tensor) else tensor.dtype, "safetensors")


def fill(draft: Draft, content: Content) -> int:
    """Sort entries into the draft; gives the size of one file with all of them."""
    names = Names()
    nbytes = LENGTH + PER_ENTRY
    for name, tensor, entry in expanded(draft, content, OF_SAFETENSORS):
        known = type_of(tensor)
        if not known:
            draft.drop(name, "dtype", dtype=tensor.dtype, form=OF_SAFETENSORS.form)
            continue
        member = names.member(name)
        draft.items.append(Item(member, known, tensor, row_major(tensor.shape), entry=entry))
        if member != name:
            draft.renamed.append(Renamed(name, member))
        if known != tensor.dtype:
            draft.converted.append(Converted(name, tensor.dtype, known))
        nbytes += DTYPES[known].nbytes(tensor.elements) + PER_ENTRY + len(member.encode())
    draft.kept += [name for name, value in content.plain if isinstance(value, str) and name != FORMAT]
    for name, value in content.plain:
        if not isinstance(value, str) or name == FORMAT:
            draft.drop(name, "not-text")
    for name in content.objects:
        draft.drop(name, "not-text")
    return nbytes


class Names:
    """Names that a header can hold: texts that UTF-8 has, none twice, none that stands for the texts beside them."""

    def __init__(self) -> None:
        self._taken: set[str] = {METADATA}

    def member(self, name: str) -> str:
        """The given name where it can be used."""
        safe = name.encode("utf-8", "backslashreplace").decode("utf-8")
        found, number = safe, 2
        while found in self._taken:
            found, number = f"{safe}_{number}", number + 1
        self._taken.add(found)
        return found


def entries_of(items: Iterable[Item]) -> list[Entry]:
    """The entries in the order of the items."""
    found = []
    for item in items:
        kind = NAMES[item.dtype]
        shape = item.tensor.shape
        if kind == PAIRS:
            shape = (*shape[:-1], 2 * shape[-1]) if shape else (2,)
        found.append(Entry(item.name, kind, shape, DTYPES[item.dtype].nbytes(item.tensor.elements), item.tensor))
    return found


def aligned(entries: Iterable[Entry]) -> list[Entry]:
    """The entries of one file in the order of their elements: larger types first, so that each is aligned."""
    return sorted(entries, key=lambda entry: -UNITS[entry.kind])


def texts_of(document: Document, content: Content) -> dict[str, str]:
    """The texts of the header: those of the file itself, and entries that are texts."""
    kept = {name: value for name, value in content.plain if isinstance(value, str)}
    return {**{text.key: text.value for text in document.metadata}, **kept, FORMAT: WRITER}


def header(entries: Iterable[Entry], texts: dict[str, str]) -> bytes:
    """The length and the header, padded so that the elements begin aligned. Raises ExportError where it is too long."""
    found = [f"{_encode(METADATA)}:{_encode(texts)}"]
    at = 0
    for entry in entries:
        facts = {"dtype": entry.kind, "shape": entry.shape, "data_offsets": (at, at + entry.nbytes)}
        found.append(f"{_encode(entry.name)}:{_encode(facts)}")
        at += entry.nbytes
    data = f"{{{','.join(found)}}}".encode("utf-8", "backslashreplace")
    data += b" " * (-len(data) % ALIGNMENT)
    if len(data) > LARGEST_HEADER:
        raise ExportError("export-header-long", length=len(data), limit=LARGEST_HEADER)
    return len(data).to_bytes(LENGTH, "little") + data


def write(file: BinaryIO, entries: Sequence[Entry], texts: dict[str, str], counted: Counted) -> None:
    """One whole file."""
    file.write(header(counted.progress.each(entries), texts))
    for entry in entries:
        counted.begin(entry.name)
        for block in entry.blocks(counted.progress):
            counted.add(len(block))
            file.write(block)
