"""Tensors that a JSON record states, over records that hold nothing but their elements."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from viewer.core.archive.findings import Findings
from viewer.core.archive.inflated import InflatedSource
from viewer.core.archive.record import Record
from viewer.core.archive.zip_reader import ZipArchive
from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.formats.base import Context
from viewer.core.problem import error
from viewer.core.tensors import bounded_json
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.layout import Shape, reach
from viewer.core.tensors.path import Path
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor
from viewer.wording.phrases import phrase

MOST_AXES: Final = 1000
LARGEST: Final = 2**62


@dataclass(frozen=True, slots=True)
class Stated:
    """What an entry says of a tensor. `record`: full name of the member with its elements; sizes in elements."""

    name: str
    path: Path
    record: str
    dtype: str
    shape: Shape
    stride: Shape
    offset: int
    requires_grad: bool | None
    location: str = "cpu"


def layout_fault(shape: Shape | None, stride: Shape | None, offset: int | None) -> str:
    """Why sizes, strides and offset make no tensor; "" where they do."""
    if shape is None or stride is None or offset is None:
        return phrase("sizes-whole")
    if len(shape) != len(stride):
        return phrase("sizes-strides", sizes=len(shape), strides=len(stride))
    if offset < 0 or min(shape, default=0) < 0 or min(stride, default=0) < 0:
        return phrase("sizes-negative")
    if max((offset, *shape, *stride)) >= LARGEST or reach(shape, stride)[1] >= LARGEST:
        return phrase("sizes-large")
    return ""


def read_json(document: Document, record: Record, context: Context) -> object:
    """The content of a JSON record; None where it cannot be read, which becomes a Problem."""
    source = record.source
    if source is None:
        return None
    try:
        if isinstance(source, InflatedSource) and bounded_json.fits(record.size):
            source.prepare(context.progress)
            document.problems += source.problems
        size = max(record.size, source.size) if isinstance(source, InflatedSource) else source.size
        data = source.read(0, size) if bounded_json.fits(size) else b""
    except SourceError as failure:
        document.problems.append(error("record-unreadable", record.data, name=record.name, reason=str(failure)))
        return None
    context.progress.check()
    found = bounded_json.parse(data) if bounded_json.fits(size) else bounded_json.too_large(size)
    if found.code:
        document.problems.append(error(found.code, record.data, name=record.name, reason=found.reason))
    return found.value


@dataclass(slots=True)
class StatedTensors:
    """Makes the tensors of a document. `json`: the record that states them. Read `labels` for the regions."""

    document: Document
    archive: ZipArchive
    json: Record
    labels: dict[str, str] = field(default_factory=dict)
    findings: Findings = field(default_factory=Findings)
    _storages: dict[tuple[str, str], Storage] = field(default_factory=dict)

    def refuse(self, entry: str, reason: str) -> None:
        """An entry that is no tensor."""
        facts = {"name": self.json.name, "entry": entry, "reason": reason}
        self.findings.add(error("json-entry", self.json.data, **facts))

    def add(self, stated: Stated) -> Tensor:
        """One more tensor, with what is wrong with it."""
        storage = self._storage(stated)
        needed = (stated.offset + reach(stated.shape, stated.stride)[1] + 1) * DTYPES[stated.dtype].itemsize
        if 0 not in stated.shape and storage.source is not None and needed > storage.nbytes:
            facts = {"entry": stated.name, "record": stated.record, "needed": needed, "found": storage.nbytes}
            self.findings.add(error("json-record-short", storage.span or self.json.data, **facts))
        number = len(self.document.tensors)
        tensor = Tensor(
            *(number, stated.path, stated.name, "tensor", stated.dtype, stated.shape, stated.stride, stated.offset),
            *(storage, stated.requires_grad),
        )
        self.document.add_tensors((tensor,))
        return tensor

    def _storage(self, stated: Stated) -> Storage:
        known = self._storages.get((stated.record, stated.dtype))
        if known is None:
            known = self._storages[stated.record, stated.dtype] = self._made(stated)
        return known

    def _made(self, stated: Stated) -> Storage:
        size = DTYPES[stated.dtype].itemsize
        record = self.archive.find(stated.record)
        key = stated.record.rpartition("/")[2]
        byteorder = self.document.byteorder or "little"
        if record is None or record.source is None:
            facts = {"name": self.json.name, "entry": stated.name, "record": stated.record}
            self.findings.add(error("json-record-missing", self.json.data, **facts))
            count = 0 if 0 in stated.shape else stated.offset + reach(stated.shape, stated.stride)[1] + 1
            return Storage(*(key, stated.location, stated.dtype, False, count, count * size, None, None, "", byteorder))
        self.labels.setdefault(record.name, f"{stated.dtype} {key}")
        span = record.data if record.stored else None
        count = record.size // size
        return Storage(
            *(key, stated.location, stated.dtype, False, count, record.size, span, record.source, record.name),
            byteorder,
        )
