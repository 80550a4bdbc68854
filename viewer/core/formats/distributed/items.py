"""One item of a .distcp file: a whole torch.save zip, most often of one tensor, found without reading the archive.

torch writes data.pkl first, then small records, then the storage, each with a descriptor behind it that states its
length. These are walked through in the first bytes of an item; what is otherwise is read as any zip.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from viewer.core.archive.unpacking import Room, unpack
from viewer.core.archive.zip_layout import LOCAL_SIGNATURE
from viewer.core.archive.zip_reader import read_zip
from viewer.core.document import Document
from viewer.core.errors import SourceError, ViewerError
from viewer.core.formats.base import Context, Options
from viewer.core.formats.recognition import recognise
from viewer.core.formats.zip_reading import read_byteorder, read_pickle_objects, read_record, root_prefix
from viewer.core.objects.walk import find_tensors
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.values import Values
from viewer.core.progress import Progress
from viewer.core.source import ByteSource, MemorySource
from viewer.core.span import Span
from viewer.core.tensors.rebuild import Rebuilder
from viewer.core.tensors.table import StorageTable
from viewer.core.tensors.tensor import Tensor
from viewer.wording import Phrase, bare
from viewer.wording.phrases import phrase
from viewer.wording.rows import FORMATS

HEAD: Final = 2048
MOST_RECORDS: Final = 8
HEADER: Final = struct.Struct("<4sHHHHHIIIHH")
DESCRIPTOR: Final = b"PK\x07\x08"
DESCRIPTOR_SIZE: Final = 16
OBJECT: Final = b"data.pkl"
KIND: Final = "torch-zip"
ZSTD: Final = "stream.zstd"


@dataclass(frozen=True, slots=True)
class Item:
    """The bytes of one item in a file of the set. `transforms`: how they were changed, the last change first."""

    source: ByteSource
    start: int
    length: int
    transforms: tuple[str, ...] = ()

    def packed(self) -> ByteSource:
        """Its bytes as they stand in the file, as many as are there."""
        return self.source.slice(self.start, self.start + self.length)

    def opened(self, options: Options, progress: Progress | None = None) -> ByteSource:
        """Its bytes, unpacked. Raises SourceError where that cannot be done or is more than may be."""
        found = self.packed()
        for transform in self.transforms:
            name, _, version = transform.partition("/")
            if name != ZSTD or version.partition(".")[0] != "1":
                raise SourceError("transform-unknown", name=transform)
            unpacked = unpack(found, "zstd", Room(options.most_unpacked), progress or Progress())
            if unpacked.content is None:
                raise SourceError("inflated-too-large", name=transform, size=found.size, limit=options.most_unpacked)
            found = unpacked.content
        return found


class Record(NamedTuple):
    """A record that local headers tell of: its name, and its bytes [start, stop)."""

    name: bytes
    start: int
    stop: int


def read_item(item: Item, options: Options) -> Tensor | None:
    """The tensor that an item is; None where it is another value, or cannot be read.

    The span of its storage counts in the file of the set; None where the item had to be unpacked. Raises SourceError.
    """
    source = item.opened(options)
    found = read_tensor(source, options)
    if found is None or found.storage is None:
        return found
    span = found.storage.span
    moved = span.shifted(item.start) if span is not None and not item.transforms else None
    found.storage = replace(found.storage, span=moved)
    return found


def read_tensor(source: ByteSource, options: Options) -> Tensor | None:
    """The tensor that a torch.save zip is; None where it is another value. Spans count in the source."""
    return quickly(source, options) or thoroughly(source, options)


# -- as torch writes it ------------------------------------------------------------------------------------------


def quickly(source: ByteSource, options: Options) -> Tensor | None:
    """The tensor by the first bytes of an item; None where they are not as torch writes them."""
    head = source.peek(0, HEAD)
    first = record_at(head, 0)
    if first is None or not first.name.endswith(b"/" + OBJECT):
        return None
    facts = tensor_facts(head[first.start : first.stop])
    if facts is None or facts.storage is None:
        return None
    root = first.name.removesuffix(OBJECT)
    wanted = root + b"data/" + str(facts.storage.key).encode()
    at, order = after(first), options.byteorder
    for _ in range(MOST_RECORDS):
        name, start = name_at(head, at)
        if name == wanted:
            return placed(source, facts, start, order or "little")
        record = record_at(head, at)
        if record is None:
            return None
        if record.name == root + b"byteorder" and head[record.start : record.stop] == b"big":
            order = order or "big"
        at = after(record)
    return None


def placed(source: ByteSource, facts: Tensor, start: int, byteorder: str) -> Tensor | None:
    """The tensor with the bytes of its storage, where a descriptor behind them says that they are those."""
    storage = facts.storage
    assert storage is not None
    stop = start + storage.nbytes
    if storage.nbytes:
        raw = source.peek(stop, DESCRIPTOR_SIZE)
        if len(raw) < DESCRIPTOR_SIZE or raw[:4] != DESCRIPTOR or packed_size(raw, 0) != storage.nbytes & 0xFFFFFFFF:
            return None
    held = replace(storage, span=Span(start, stop), source=source.slice(start, stop), byteorder=byteorder)
    return replace(facts, storage=held)


def name_at(head: bytes, at: int) -> tuple[bytes, int]:
    """The name of the record whose local header stands at a byte, and where its bytes begin; "" where none does."""
    if at + HEADER.size > len(head):
        return b"", 0
    fields = HEADER.unpack_from(head, at)
    if fields[0] != LOCAL_SIGNATURE or fields[3] != 0:
        return b"", 0
    name_stop = at + HEADER.size + fields[9]
    return head[at + HEADER.size : name_stop], name_stop + fields[10]


def record_at(head: bytes, at: int) -> Record | None:
    """A stored record of a few bytes, by its local header and the descriptor behind it."""
    name, start = name_at(head, at)
    if not name:
        return None
    stop = head.find(DESCRIPTOR, start)
    while stop >= 0 and stop + DESCRIPTOR_SIZE <= len(head):
        if packed_size(head, stop) == stop - start:
            return Record(name, start, stop)
        stop = head.find(DESCRIPTOR, stop + 1)
    return None


def packed_size(raw: bytes, at: int) -> int:
    """The length that a descriptor states, as far as 32 bits hold it."""
    return int.from_bytes(raw[at + 8 : at + 12], "little")


def after(record: Record) -> int:
    """Where the next local header begins."""
    return record.stop + DESCRIPTOR_SIZE


@lru_cache(maxsize=4096)
def tensor_facts(body: bytes) -> Tensor | None:
    """The tensor that a stream in data.pkl rebuilds, its storage without bytes; None where the root is none."""
    code = disassemble(MemorySource(body))
    values = Values(code)
    if not code.complete or code.stop != len(body):
        return None
    table = StorageTable(values, "utf-8")
    rebuild = Rebuilder(values, 0, table, False)
    found = find_tensors(values, 0, rebuild.tensor)
    if len(found) != 1 or found[0].path or found[0].parts or rebuild.problems:
        return None
    return replace(found[0], value=None)


# -- as any zip --------------------------------------------------------------------------------------------------


def thoroughly(source: ByteSource, options: Options) -> Tensor | None:
    """The tensor by the directory of the zip; None where the root is none."""
    guess = recognise(source)
    if guess.format != KIND:
        return None
    context = Context(source, Progress(), guess, options)
    archive = read_zip(source, context.progress, options.most_unpacked)
    prefix = root_prefix(archive)
    record = archive.find(prefix + OBJECT.decode())
    if record is None:
        return None
    document = Document(source, KIND, records=archive.records)
    document.byteorder = read_byteorder(document, archive, prefix, options.byteorder)
    pickle = read_record(document, record, context)
    if pickle is None:
        return None
    read_pickle_objects(document, archive, pickle, lambda key: [f"{prefix}data/{key}"], context)
    tensors = document.tensors
    if len(tensors) != 1 or tensors[0].path:
        return None
    return replace(tensors[0], value=None)


def why_unreadable(item: Item, options: Options) -> str:
    """Why no tensor can be read from an item, in words."""
    try:
        source = item.opened(options)
        guess = recognise(source)
    except ViewerError as failure:
        return bare(str(failure))
    if guess.format != KIND:
        return phrase("item-no-archive", format=Phrase(FORMATS.get(guess.format, guess.format)))
    return phrase("item-no-tensor")
