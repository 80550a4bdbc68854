"""What the zips of torch have in common: pickles in records, storages in records, small records that say how."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import islice
from typing import Final

from viewer.core.archive.checks import crc_of, sum_problem
from viewer.core.archive.inflated import InflatedSource
from viewer.core.archive.record import Record
from viewer.core.archive.zip_reader import ZipArchive, read_zip
from viewer.core.document import Document, Pickle, Stated
from viewer.core.errors import SourceError
from viewer.core.formats.base import Context
from viewer.core.formats.reading import add_pickle, encoding, limited, open_known, read_objects
from viewer.core.pickles.behind import pickles_behind
from viewer.core.pickles.disassembly import disassemble
from viewer.core.problem import Problem, error, note, warning
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.span import Region, Span
from viewer.core.tensors.id_checks import STORAGE, id_problems
from viewer.core.tensors.path import Key as OtherKey
from viewer.core.tensors.path import Path
from viewer.core.tensors.storage_names import with_names
from viewer.core.tensors.table import Key, Located, StorageTable
from viewer.core.tensors.tensor import Tensor
from viewer.wording.phrases import phrase

MOST_PICKLES: Final = 100
CUT: Final = frozenset({"zip-directory-cut", "zip-directory-missing"})
"""Problems of an archive of which some records may not be known."""
LONGEST_MARK: Final = 64
LARGEST_CHECKED: Final = 64 * 1024 * 1024
SAVED, SCRIPTED = (5,), (5, 6)
"""Items of the id of a storage: as torch.save has them, and as TorchScript does, which wrote six to torch 1.4."""
IN_FRONT, BEHIND = phrase("how-in-front"), phrase("how-behind")
LITTLE: Final = "little"
RecordOf = Callable[[Key], Sequence[str]]


def open_zip(context: Context, kind: str, detail: str | None = None) -> tuple[ZipArchive, Document]:
    """The records of a zip, and the document over them, which says of what kind it is."""
    archive = read_zip(context.source, context.progress, context.options.most_unpacked)
    document = Document(context.source, kind, detail, records=archive.records)
    document.problems = [note(f"kind-{kind}", Span(0, context.source.size)), *archive.problems]
    return archive, document


def root_prefix(archive: ZipArchive) -> str:
    """The common folder with its slash, or nothing."""
    return archive.root + "/" if archive.root else ""


def read_small(document: Document, record: Record | None, longest: int) -> bytes | None:
    """The first bytes of a record; None where it cannot be read, which becomes a Problem."""
    if record is None or record.source is None:
        return None
    try:
        return record.source.read(0, longest)
    except SourceError as failure:
        document.problems.append(error("record-unreadable", record.data, name=record.name, reason=str(failure)))
        return None


def state_text(document: Document, record: Record | None, key: str, longest: int = LONGEST_MARK) -> None:
    """A small record as a text that the container keeps under a key."""
    raw = read_small(document, record, longest)
    if record is not None and raw:
        text = raw.decode("utf-8", "backslashreplace").strip()
        document.metadata.append(Stated(key, text, record.data if record.stored else None))


def read_byteorder(document: Document, archive: ZipArchive, prefix: str, chosen: str | None) -> str:
    """The person's choice, or what the record byteorder says; little where there is none."""
    record = archive.find(prefix + "byteorder")
    value = read_small(document, record, LONGEST_MARK)
    if record is None or value is None:
        return chosen or LITTLE
    if value in (b"little", b"big"):
        return chosen or value.decode()
    used = "big" if value.strip() == b"big" else LITTLE
    stated = value.decode("ascii", "backslashreplace")
    document.problems.append(error("torch-byteorder", record.data, value=repr(stated), used=used))
    return chosen or used


def read_record(document: Document, record: Record, context: Context, role: str = "object") -> Pickle | None:
    """The pickle of a record, and further ones that follow it there or stand behind its break; the first is given."""
    source, start = pickle_source(document, record, context)
    if source is None or start >= source.size:
        if source is not None:
            document.problems.append(error("record-empty", record.data, name=record.name))
        return None
    place = None if record.stored else record.data
    document.problems += object_sum(record)
    main = None
    first = len(document.pickles)
    while start < source.size and len(document.pickles) < first + MOST_PICKLES:
        code = disassemble(source, start, context.progress)
        if main is not None and not code.complete:
            break
        if record.stored:
            code.source = document.source
        pickle = add_pickle(document, code, record.name, role if main is None else "", place)
        main = main or pickle
        start = code.stop
        if not code.complete:
            read_behind(document, record, source, start, context)
            return main
    if start < source.size:
        rest = place or Span(start, source.size)
        document.problems.append(note("pickle-trailing", rest, count=source.size - start))
    return main


def read_behind(document: Document, record: Record, source: ByteSource, start: int, context: Context) -> None:
    """The whole pickles behind the break of a record's pickle, from an offset of its source on."""
    place = None if record.stored else record.data
    begun, count = None, 0
    for at, _ in islice(pickles_behind(source, start, context.progress), MOST_PICKLES):
        # Once more from where it begins, so that its offsets count as those of the other pickles do.
        code = disassemble(source, at, context.progress)
        if record.stored:
            code.source = document.source
        add_pickle(document, code, record.name, "", place)
        begun, count, start = at if begun is None else begun, count + 1, code.stop
    if begun is not None:
        span = place or Span(begun, start)
        document.problems.append(warning("pickle-behind-break", span, count=count, offset=begun))


def object_sum(record: Record) -> list[Problem]:
    """A checksum that the bytes of a pickle do not have: what is read of them may not be what was saved."""
    if not record.stored or not record.crc or record.extra.get("cut") or record.size > LARGEST_CHECKED:
        return []
    found = crc_of(record.source, Progress(), 0, record.size) if record.source is not None else record.crc
    return [] if found == record.crc else [sum_problem(record, (), found)]


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


def prepare(document: Document, record: Record, context: Context) -> int:
    """Unpack a deflated record that is cut, to know what is left of it; its bytes, -1 where that cannot be told."""
    if not isinstance(record.source, InflatedSource):
        return record.size
    try:
        record.source.prepare(context.progress)
    except SourceError as failure:
        document.problems.append(error("record-unreadable", record.data, name=record.name, reason=str(failure)))
        record.source = None
        return -1
    document.problems += record.source.problems
    return record.source.size


def read_pickle_objects(
    document: Document,
    archive: ZipArchive,
    pickle: Pickle,
    records_of: RecordOf,
    context: Context,
    items: Collection[int] = SAVED,
    kinds: Collection[str] = (STORAGE,),
) -> dict[str, str]:
    """Tensors of a pickle; gives the region label of each record that holds a storage.

    `records_of(key)`: the full names of the records that a storage may stand in, the first that is there counts.
    `items`, `kinds`: of persistent ids that torch takes in such an archive.
    """
    labels: dict[str, str] = {}
    source, byteorder = document.source, document.byteorder or LITTLE

    def locate(key: Key, nbytes: int) -> Located | None:
        for name in records_of(key):
            place = archive.place(name)
            if place is not None:
                start, stop, size = place
                labels[name] = f"{declared[key].dtype} {key}"
                return Located(Span(start, start + nbytes), source.slice(start, stop), name, byteorder, size)
            found = archive.find(name)
            if found is not None:
                size = found.size
                if found.extra.get("cut"):
                    size = prepare(document, found, context)
                return Located(None, found.source, name, byteorder, size)
        return None

    table = StorageTable(pickle.values, encoding(context), locate, spans=pickle.base is not None)
    declared = table.declared()
    read_objects(document, pickle, table, context)
    table.all()
    is_whole = all(problem.code not in CUT for problem in archive.problems)
    record_of = (lambda key: records_of(key)[0]) if is_whole else None
    document.problems += limited(with_names(table.problems, document.tensors, record_of))
    document.problems += id_problems(table, pickle.base is not None, items, kinds)
    return labels


def open_beside(document: Document, archive: ZipArchive, context: Context) -> None:
    """Archives in front of this one and behind it: several that were saved into one file, the last may be cut."""
    front, behind = archive.neighbours()
    document.children[:0] = archives_at(document, front, IN_FRONT, context)
    document.children += archives_at(document, behind, BEHIND, context)


def archives_at(document: Document, places: Sequence[Span], how: str, context: Context) -> list[Document]:
    """The documents at these places of the source of another one."""
    parts = (document.source.slice(place.start, place.stop) for place in places)
    found = (open_known(part, how, context) for part in parts)
    return [child for child in found if child is not None]


def part_paths(tensors: Sequence[Tensor], first: int) -> None:
    """Give the tensors from `first` on paths of their own, where an earlier pickle has a tensor of the same path."""
    taken = {tensor.path for tensor in tensors[:first]}
    following: dict[Path, int] = {}
    for tensor in tensors[first:] if taken else ():
        path, number = tensor.path, following.get(tensor.path, 2)
        while tensor.path in taken:
            tensor.path, number = (*path, OtherKey(f"place {number}")), number + 1
        following[path] = number
        taken.add(tensor.path)


def labelled(region: Region, labels: dict[str, str]) -> Region:
    """The region of a storage says so; every other one stays."""
    label = labels.get(region.label) if region.kind == "record" else None
    return region if label is None else Region(region.span, "storage", label)
