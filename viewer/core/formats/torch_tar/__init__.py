"""The tar that torch wrote until 0.1.9: members sys_info, pickle, tensors and storages."""

from __future__ import annotations

from typing import Final

from typing_extensions import override

from viewer.core.archive.tar_reader import HERE, TarArchive, read_tar
from viewer.core.document import Document
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import encoding, finish, limited, open_records, read_objects
from viewer.core.formats.torch_tar.members import Cursor, Entry, Parts, read_storages, read_tensors
from viewer.core.objects.walk import share
from viewer.core.pickles.values import Values
from viewer.core.problem import Problem, error, warning
from viewer.core.span import Span
from viewer.core.tensors import window
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.layout import reach
from viewer.core.tensors.path import key_part, shown
from viewer.core.tensors.rebuild import Outside
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.storage_names import with_names
from viewer.core.tensors.table import NO_NAMES, Key, StorageTable
from viewer.core.tensors.tensor import Tensor

NAME: Final = "torch-tar"
INFO, OBJECT, TENSORS, STORAGES = MEMBERS = ("sys_info", "pickle", "tensors", "storages")
LITTLE: Final = "little_endian"
NAMED: Final = 5


class TorchTar(Format):
    """Members are found by name, so their order does not matter; `./` before the names neither."""

    @override
    def score(self, context: Context) -> int:
        return 100 if context.guess.format == NAME else 0

    @override
    def parse(self, context: Context) -> Document:
        archive = read_tar(context.source, context.progress)
        document = Document(context.source, NAME, records=archive.records, problems=list(archive.problems))
        reader = _Reader(document, archive, context)
        reader.read()
        open_records(document, archive, context, lambda name: name.removeprefix(HERE) in MEMBERS)
        read = {record.data.start for name in MEMBERS if (record := archive.find(name)) is not None}
        rest = [region for region in archive.regions if region.kind != "record" or region.span.start not in read]
        document.regions = [*reader.parts.regions, *rest]
        finish(document)
        return document


class _Reader:
    """Reads the four members into the document."""

    def __init__(self, document: Document, archive: TarArchive, context: Context) -> None:
        self.document, self.archive, self.context = document, archive, context
        self.coding = encoding(context)
        self.parts = Parts()
        self._missing: dict[Key, Storage] = {}

    def read(self) -> None:
        """All members, then the objects."""
        self.document.byteorder = self._byteorder()
        main = self._cursor(OBJECT)
        if main is not None and main.pickle("object") is not None:
            main.finish()
        if main is not None and self.document.pickles and self.document.pickles[-1].role == "object":
            self.document.main = len(self.document.pickles) - 1
        tensors, storages = self._cursor(TENSORS), self._cursor(STORAGES)
        if tensors is not None:
            read_tensors(tensors)
        if storages is not None:
            read_storages(storages)
        self._read_objects()
        self.document.problems += [*self._ends_early(), *self._cut_storages(), *self._refused()]

    def _cursor(self, name: str) -> Cursor | None:
        record = self.archive.find(name)
        if record is not None and record.source is not None:
            return Cursor(self.document, record, self.context, self.parts)
        if name != INFO:
            self.document.problems.append(error("tar-member-missing", None, name=name))
        return None

    def _byteorder(self) -> str:
        """The person's choice, or that of the machine that wrote the file; nothing else depends on sys_info."""
        cursor = self._cursor(INFO)
        values = cursor.pickle("system info") if cursor is not None else None
        if cursor is not None:
            cursor.finish()
        is_little = values is None or said_little(values, self.coding)
        return self.context.options.byteorder or ("little" if is_little else "big")

    def _read_objects(self) -> None:
        pickle = self.document.main_pickle
        if pickle is not None:
            table = StorageTable(pickle.values, self.coding)
            read_objects(self.document, pickle, table, self.context, lambda value: self._named(pickle.values, value))
            self.document.problems += limited(table.problems)
        if pickle is None or not pickle.code.complete:
            self._add_unnamed()
        self.document.problems = with_names(self.document.problems, self.document.tensors)

    def _named(self, values: Values, value: int) -> Outside | None:
        """What an id of the object names: the text of the key of a tensor or a storage."""
        identity = values.persistent(value)
        text = values.persistent_text(value) if identity < 0 else values.text(identity, self.coding)
        if text is None:
            return None
        key: Key = int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else text
        for known in (key, text):
            if known in self.parts.tensors:
                return self._tensor(self.parts.tensors[known])
            if known in self.parts.storages:
                storage = self.parts.storages[known]
                return storage, storage.dtype, None
        return None

    def _tensor(self, entry: Entry) -> Outside:
        if entry.storage is None:
            return None, entry.dtype, entry.layout
        storage = self.parts.storages.get(entry.storage) or self._lost(entry, entry.storage)
        return storage, entry.dtype if entry.dtype in DTYPES else storage.dtype, entry.layout

    def _lost(self, entry: Entry, key: Key) -> Storage:
        """A storage that is not in the file; as long as its first tensor needs it."""
        if key not in self._missing:
            offset, shape, stride = entry.layout
            known = DTYPES.get(entry.dtype)
            count = max(0, offset + reach(shape, stride)[1] + 1)
            nbytes = count * (known.itemsize if known is not None else 0)
            self._missing[key] = Storage(key, "cpu", entry.dtype, False, count, nbytes, None, None, STORAGES)
            facts = {"key": str(key), "size": nbytes, "names": NO_NAMES}
            self.document.problems.append(error("storage-missing", entry.place, **facts))
        return self._missing[key]

    def _add_unnamed(self) -> None:
        """Where the object is lost, all tensors that it did not name, by their keys."""
        tensors = list(self.document.tensors)
        held = {id(tensor.storage) for tensor in tensors}
        for entry in self.parts.tensors.values():
            storage, kind, _ = self._tensor(entry)
            if id(storage) in held:
                continue
            offset, shape, stride = entry.layout
            path = (key_part(entry.key),)
            tensors.append(Tensor(len(tensors), path, None, "tensor", kind, shape, stride, offset, storage, False))
        self.document.tensors = tensors
        share(tensors)

    def _ends_early(self) -> list[Problem]:
        """The one finding behind all that is cut."""
        records = self.archive.records
        size = self.document.source.size
        expected = max((record.data.start + record.size for record in records), default=0)
        if expected <= size:
            return []
        tensors = [tensor for tensor in self.document.tensors if tensor.storage is not None]
        whole = sum(window.complete(tensor) for tensor in tensors)
        facts = {"size": size, "expected": expected, "whole": whole, "count": len(tensors)}
        return [error("file-ends-early", Span(size - 1, size), **facts)]

    def _refused(self) -> list[Problem]:
        """What is read here and refused by torch."""
        found = [record for name in MEMBERS if (record := self.archive.find(name)) is not None]
        problems: list[Problem] = []
        if any(record.name.startswith(HERE) for record in found):
            problems.append(warning("tar-names-dotted", found[0].header))
        if self.parts.early:
            problems.append(warning("tar-early", None))
        bare = [entry for entry in self.parts.tensors.values() if entry.storage is None]
        if bare:
            problems.append(warning("tar-without-storage", bare[0].place, count=len(bare)))
        return problems

    def _cut_storages(self) -> list[Problem]:
        """A Problem for each storage of which bytes are missing, with the tensors in it."""
        names: dict[int, list[str]] = {}
        for tensor in self.document.tensors:
            names.setdefault(id(tensor.storage), []).append(tensor.name or shown(tensor.path))
        return limited(
            cut_problem(storage, names.get(id(storage), []), self.document.source.size)
            for storage in self.parts.storages.values()
            if not storage.complete and storage.span is not None
        )


def cut_problem(storage: Storage, names: list[str], size: int) -> Problem:
    """How much of a storage is there, and who needs it."""
    facts = {"stated": storage.nbytes, "present": storage.available, "missing": storage.nbytes - storage.available}
    start = storage.span.start if storage.span is not None else 0
    span = Span(start, start + storage.available).clipped(size)
    return error("storage-cut", span, key=str(storage.key), names=", ".join(names[:NAMED]) or "\u2013", **facts)


def said_little(values: Values, coding: str) -> bool:
    """False when sys_info says that the machine was big-endian."""
    pairs = values.pairs(values.root) if values.root >= 0 else []
    found = [values.plain(value) for key, value in pairs if values.text(key, coding) == LITTLE]
    return found[-1] is not False if found else True
