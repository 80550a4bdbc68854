"""Reading a safetensors file: its header, the tensors that it states, what is wrong with them, its regions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from viewer.core.archive.findings import Findings
from viewer.core.document import Document, Stated
from viewer.core.formats.reading import LazyRegions
from viewer.core.problem import error, note, warning
from viewer.core.progress import Progress
from viewer.core.source import ByteSource, SliceSource
from viewer.core.span import Region, Span, tile
from viewer.core.tensors import window
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.layout import Shape
from viewer.core.tensors.path import Path, key_part
from viewer.core.tensors.safetensors_header import Entry, Fault, Header, Text, read_header
from viewer.core.tensors.safetensors_types import RAW, Meaning, meaning_of
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor

NAME: Final = "safetensors"
LENGTH: Final = 8
LARGEST_HEADER: Final = 100_000_000
STEP: Final = 4096


def read_safetensors(source: ByteSource, byteorder: str, progress: Progress) -> Document:
    """The document of a source. Tensors stand in the order of the header."""
    document = Document(source, NAME, byteorder=byteorder or "little")
    findings = Findings()
    length = int.from_bytes(source.read(0, LENGTH), "little")
    progress.check()
    data = source.read(LENGTH, min(length, LARGEST_HEADER))
    header = read_header(data, progress)
    check_header(header, length, source.size, findings)
    document.metadata = [Stated(text.key, text.value, place_of(text)) for text in header.metadata]
    _Reader(document, header, LENGTH + length, progress, findings).read()
    check_places(header, LENGTH + length, source.size, document.tensors, findings)
    document.problems = findings.problems()
    document.regions = LazyRegions(lambda: regions(document, header, length))
    return document


def check_header(header: Header, length: int, size: int, findings: Findings) -> None:
    """What is wrong with the header itself."""
    place = Span(0, min(LENGTH, size))
    if length > LARGEST_HEADER:
        findings.add(error("safetensors-header-long", place, length=length, limit=LARGEST_HEADER))
    is_cut = LENGTH + length > size
    if is_cut:
        facts = {"length": length, "present": max(0, size - LENGTH)}
        findings.add(error("safetensors-header-cut", place, **facts))
    for fault in header.faults:
        # A header that is cut breaks off where it ends, which was said.
        if not (is_cut and fault.code == "safetensors-json" and fault.start >= size - LENGTH):
            findings.add(error(fault.code, place_of(fault).clipped(size), **fault.params))


class _Reader:
    """Makes the tensors of the entries. `base`: where the data begins."""

    def __init__(self, document: Document, header: Header, base: int, progress: Progress, findings: Findings) -> None:
        self.document, self.entries, self.base = document, header.entries, base
        self.told = {fault.start for fault in header.faults if fault.code == "safetensors-entry"}
        self.progress, self.findings = progress, findings
        self.byteorder = document.byteorder or "little"
        self.raw: dict[str, int] = {}
        self._known: dict[tuple[str, Shape], tuple[Meaning | None, int, str]] = {}

    def read(self) -> None:
        """All tensors; of entries of one name the last has the name."""
        places = paths(self.entries, self.findings)
        tensors: list[Tensor] = []
        for number, (entry, path) in enumerate(zip(self.entries, places, strict=True)):
            if number % STEP == 0:
                self.progress.step("objects", number, len(self.entries))
            kind, shape, stride, remark = self._meaning(entry)
            name = entry.name if len(path) == 1 else None
            storage = self._storage(entry, kind)
            tensor = Tensor(number, path, name, "tensor", kind, shape, stride, 0, storage, False, note=remark)
            tensor.stated = place_of(entry)
            tensors.append(tensor)
        self.document.add_tensors(tensors)
        for kind, count in self.raw.items():
            self.findings.add(note("safetensors-raw", None, dtype=kind, count=count))

    def _storage(self, entry: Entry, kind: str) -> Storage:
        source, first = self.document.source, max(0, entry.begin)
        begin = self.base + first
        nbytes = max(0, entry.end - first)
        stop = begin + nbytes
        count = nbytes // DTYPES[kind].itemsize
        held = SliceSource(source, begin, stop) if stop <= source.size else source.slice(begin, stop)
        return Storage(*(entry.name, "cpu", kind, False, count, nbytes, Span(begin, stop), held, "", self.byteorder))

    def _meaning(self, entry: Entry) -> Meaning:
        """dtype, shape, stride and remark of a tensor; what cannot be read as numbers is bytes of a remarked type."""
        known = self._known.get((entry.dtype, entry.shape))
        if known is None:
            known = self._known[entry.dtype, entry.shape] = meaning_of(entry.dtype, entry.shape)
        found, bits, code = known
        length = max(0, entry.end - max(0, entry.begin))
        if entry.start in self.told:  # what does not fit follows from what cannot be read
            pass
        elif code:
            self._error(code, entry, dtype=entry.dtype, shape=short(entry.shape))
        elif 0 <= entry.begin <= entry.end and bits != (entry.end - entry.begin) * 8:
            facts = {"shape": short(entry.shape), "dtype": entry.dtype}
            self._error("safetensors-size", entry, expected=-(-bits // 8), found=entry.end - entry.begin, **facts)
        if found is not None:
            return found
        if not code:
            self.raw[entry.dtype] = self.raw.get(entry.dtype, 0) + 1
        return RAW, (length,), (1,), entry.dtype or "raw"

    def _error(self, code: str, entry: Entry, **params: object) -> None:
        self.findings.add(error(code, place_of(entry), name=entry.name, **params))


def place_of(part: Entry | Text | Fault) -> Span:
    """The bytes of a part of the header, counted in the file."""
    return Span(part.start + LENGTH, part.stop + LENGTH)


def short(shape: Sequence[int]) -> str:
    """A shape in a sentence."""
    text = str(list(shape[:16]))
    return text if len(shape) <= 16 else text[:-1] + ", \u2026]"


def paths(entries: Sequence[Entry], findings: Findings) -> list[Path]:
    """A path for each entry. Where a name stands more than once, the last entry has it."""
    last = {entry.name: number for number, entry in enumerate(entries)}
    if len(last) == len(entries):
        return [(key_part(entry.name),) for entry in entries]
    found: list[Path] = []
    counts: dict[str, int] = {}
    for number, entry in enumerate(entries):
        if last[entry.name] == number:
            found.append((key_part(entry.name),))
            continue
        counts[entry.name] = counts.get(entry.name, 1) + 1
        found.append((key_part(entry.name), f"place {counts[entry.name]}"))
    for name, count in counts.items():
        findings.add(error("safetensors-name-twice", place_of(entries[last[name]]), name=name, count=count))
    return found


def check_places(header: Header, base: int, size: int, tensors: Sequence[Tensor], findings: Findings) -> None:
    """Whether the tensors follow one another without a gap, from the first byte of the data to the last."""
    reached, before = 0, ""
    for entry in sorted(header.entries, key=lambda entry: (entry.begin, entry.end)):
        span = place_of(entry)
        if entry.end < entry.begin or entry.begin < 0:
            findings.add(error("safetensors-reverse", span, name=entry.name, begin=entry.begin, end=entry.end))
            continue
        if entry.begin > reached:
            hole = Span(min(base + reached, size), min(base + entry.begin, size))
            findings.add(error("safetensors-hole", hole, name=entry.name, count=entry.begin - reached))
        elif entry.begin < reached:
            findings.add(error("safetensors-overlap", span, name=entry.name, other=before, count=reached - entry.begin))
        if entry.end > reached:
            reached, before = entry.end, entry.name
    is_unsure = header.broken >= 0 or base > size or any(fault.code == "safetensors-entry" for fault in header.faults)
    check_end(base + reached, size, tensors, findings, is_unsure)


def check_end(stop: int, size: int, tensors: Sequence[Tensor], findings: Findings, is_unsure: bool) -> None:
    """Whether the file ends with the last tensor. `is_unsure`: entries may be missing."""
    if stop > size and tensors:
        whole = sum(window.complete(tensor) for tensor in tensors)
        facts = {"size": size, "expected": stop, "whole": whole, "count": len(tensors)}
        findings.add(error("file-ends-early", Span(max(0, size - 1), size), **facts))
    elif stop < size:
        make = warning if is_unsure else error
        findings.add(make("safetensors-trailing", Span(stop, size), count=size - stop))


def regions(document: Document, header: Header, length: int) -> list[Region]:
    """Every byte with its owner: the length, each entry of the header, each tensor."""
    size = document.source.size
    parts = [Region(Span(0, min(LENGTH, size)), "safetensors-length", "")]
    parts += header_regions(header, Span(LENGTH, LENGTH + length).clipped(size))
    parts += data_regions(document.tensors, size)
    last = max((part.span.stop for part in parts), default=0)
    if last < size:
        parts.append(Region(Span(last, size), "trailing", ""))
    return tile(parts, size)[0]


def header_regions(header: Header, whole: Span) -> Iterator[Region]:
    """An entry reaches to the next one, with the comma between them."""
    owned = [(entry.start, entry.stop, "safetensors-entry", entry.name) for entry in header.entries]
    if header.metadata_place[1]:
        owned.append((*header.metadata_place, "safetensors-entry", "__metadata__"))
    owned.sort()
    at = whole.start
    for number, (start, stop, kind, label) in enumerate(owned):
        end = owned[number + 1][0] if number + 1 < len(owned) else stop
        if start + LENGTH > at:
            yield Region(Span(at, start + LENGTH), "safetensors-header", "")
        at = max(at, min(end + LENGTH, whole.stop))
        yield Region(Span(start + LENGTH, max(start + LENGTH, at)), kind, label)
    if at < whole.stop:
        yield Region(Span(at, whole.stop), "safetensors-header", "")


def data_regions(tensors: Iterable[Tensor], size: int) -> Iterator[Region]:
    """The elements of each tensor that are there."""
    for tensor in tensors:
        storage = tensor.storage
        if storage is not None and storage.span is not None and storage.span.start < size and storage.nbytes:
            label = f"{tensor.note or tensor.dtype} {storage.key}"
            yield Region(storage.span.clipped(size), "storage", label)
