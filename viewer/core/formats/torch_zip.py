"""The zip that torch.save writes since 1.6: data.pkl with the object, a record for each storage."""

from __future__ import annotations

from typing import Final

from typing_extensions import override

from viewer.core.archive.inflated import InflatedSource
from viewer.core.archive.record import Record
from viewer.core.archive.zip_reader import ZipArchive, read_zip
from viewer.core.document import Document, Pickle
from viewer.core.errors import SourceError
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import LazyRegions, add_pickle, encoding, limited, open_records, read_objects
from viewer.core.pickles.disassembly import disassemble
from viewer.core.problem import error, note
from viewer.core.source import ByteSource
from viewer.core.span import Region, Span
from viewer.core.tensors.table import Key, Located, StorageTable

NAME: Final = "torch-zip"
OBJECT: Final = "data.pkl"
# torch 1.4 kept storages in the second folder.
FOLDERS: Final = ("data/", "tensors/")
MOST_PICKLES: Final = 100
LONGEST_MARK: Final = 64


class TorchZip(Format):
    """Storages are found by their names; a deflated record has offsets of its own."""

    @override
    def score(self, context: Context) -> int:
        return 100 if context.guess.format == NAME else 0

    @override
    def parse(self, context: Context) -> Document:
        archive = read_zip(context.source, context.progress, context.options.most_unpacked)
        document = Document(context.source, NAME, records=archive.records, problems=list(archive.problems))
        record = find_object(archive)
        prefix = record.name.removesuffix(OBJECT) if record is not None else root_prefix(archive)
        document.byteorder = read_byteorder(document, archive, prefix, context.options.byteorder)
        labels: dict[str, str] = {}
        if record is None:
            document.problems.append(error("torch-no-object"))
        elif read_record(document, record, context):
            labels = read_object(document, archive, prefix, record, context)
        skipped = (prefix + OBJECT, *(prefix + folder for folder in FOLDERS))
        open_records(document, archive, context, lambda name: name.startswith(skipped))
        document.regions = LazyRegions(lambda: [labelled(region, labels) for region in archive.regions])
        return document


def find_object(archive: ZipArchive) -> Record | None:
    """The record data.pkl: of the common folder, else the first in any folder."""
    found = archive.find(root_prefix(archive) + OBJECT)
    if found is not None:
        return found
    for name in archive.names:
        if name.endswith("/" + OBJECT) and name.count("/") == 1:
            return archive.find(name)
    return None


def root_prefix(archive: ZipArchive) -> str:
    """The common folder with its slash, or nothing."""
    return archive.root + "/" if archive.root else ""


def read_byteorder(document: Document, archive: ZipArchive, prefix: str, chosen: str | None) -> str:
    """The person's choice, or what the record byteorder says; little where there is none."""
    record = archive.find(prefix + "byteorder")
    if record is None or record.source is None:
        return chosen or "little"
    try:
        value = record.source.read(0, LONGEST_MARK)
    except SourceError as failure:
        document.problems.append(error("record-unreadable", record.data, name=record.name, reason=str(failure)))
        return chosen or "little"
    if value in (b"little", b"big"):
        return chosen or value.decode()
    used = "big" if value.strip() == b"big" else "little"
    stated = value.decode("ascii", "backslashreplace")
    document.problems.append(error("torch-byteorder", record.data, value=repr(stated), used=used))
    return chosen or used


def read_record(document: Document, record: Record, context: Context) -> Pickle | None:
    """The pickle of a record, and further ones that follow it there; the first is the document's main one."""
    source, start = pickle_source(document, record, context)
    if source is None or start >= source.size:
        if source is not None:
            document.problems.append(error("record-empty", record.data, name=record.name))
        return None
    place = None if record.stored else record.data
    document.main = len(document.pickles)
    main = None
    while start < source.size and len(document.pickles) < MOST_PICKLES:
        code = disassemble(source, start, context.progress)
        if main is not None and not code.complete:
            break
        if record.stored:
            code.source = document.source
        pickle = add_pickle(document, code, record.name, "object" if main is None else "", place)
        main = main or pickle
        start = code.stop
        if not code.complete:
            return main
    if start < source.size:
        rest = place or Span(start, source.size)
        document.problems.append(note("pickle-trailing", rest, count=source.size - start))
    return main


def pickle_source(document: Document, record: Record, context: Context) -> tuple[ByteSource | None, int]:
    """Where to decode a record from: the document's bytes up to the record's end, or its inflated bytes."""
    if record.source is None:
        return None, 0
    if record.stored:
        return document.source.slice(0, record.data.stop), record.data.start
    if isinstance(record.source, InflatedSource):
        try:
            record.source.prepare(context.progress)
        except SourceError as failure:
            document.problems.append(error("record-unreadable", record.data, name=record.name, reason=str(failure)))
            return None, 0
        document.problems += record.source.problems
    return record.source, 0


def read_object(
    document: Document, archive: ZipArchive, prefix: str, record: Record, context: Context
) -> dict[str, str]:
    """Tensors of the main pickle; gives the region label of each record that holds a storage."""
    pickle = document.main_pickle
    assert pickle is not None

    labels: dict[str, str] = {}
    source, byteorder = document.source, document.byteorder or "little"

    def locate(key: Key, nbytes: int) -> Located | None:
        for folder in FOLDERS:
            name = f"{prefix}{folder}{key}"
            place = archive.place(name)
            if place is not None:
                start, stop, size = place
                labels[name] = f"{declared[key].dtype} {key}"
                return Located(Span(start, start + nbytes), source.slice(start, stop), name, byteorder, size)
            found = archive.find(name)
            if found is not None:
                return Located(None, found.source, name, byteorder, found.size)
        return None

    table = StorageTable(pickle.values, encoding(context), locate, spans=record.stored)
    declared = table.declared()
    read_objects(document, pickle, table, context)
    table.all()
    document.problems += limited(table.problems)
    return labels


def labelled(region: Region, labels: dict[str, str]) -> Region:
    """The region of a storage says so; every other one stays."""
    label = labels.get(region.label) if region.kind == "record" else None
    return region if label is None else Region(region.span, "storage", label)
