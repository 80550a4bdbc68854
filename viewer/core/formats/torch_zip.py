"""The zip that torch.save writes since 1.6: data.pkl with the object, a record for each storage."""

from __future__ import annotations

from typing import Final

from typing_extensions import override

from viewer.core.archive.checks import check_deflated, check_torch, check_unused
from viewer.core.archive.layout_checks import check_save
from viewer.core.archive.record import Record
from viewer.core.archive.zip_reader import ZipArchive, read_zip
from viewer.core.document import Document
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import LazyRegions, open_records
from viewer.core.formats.zip_reading import (
    labelled,
    open_beside,
    read_byteorder,
    read_pickle_objects,
    read_record,
    root_prefix,
)
from viewer.core.problem import Problem, Severity, error, warning
from viewer.core.span import Span

NAME: Final = "torch-zip"
OBJECT: Final = "data.pkl"
# torch 1.4 kept storages in the second folder.
FOLDERS: Final = ("data/", "tensors/")


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
        prefix = folder_of(archive, record)
        document.byteorder = read_byteorder(document, archive, prefix, context.options.byteorder)
        labels: dict[str, str] = {}
        if record is None:
            document.problems.append(error("torch-no-object", count=len(archive.records)))
        elif (pickle := read_record(document, record, context)) is not None:
            document.main = pickle.index
            folders = [prefix + folder for folder in FOLDERS]
            labels = read_pickle_objects(
                document, archive, pickle, lambda key: [f"{folder}{key}" for folder in folders], context
            )
            if all(problem.severity is not Severity.ERROR for problem in document.problems):
                # what could not be read may need them
                used = {tensor.storage.record for tensor in document.tensors if tensor.storage is not None}
                document.problems += check_unused(archive, folders, used | labels.keys())
        if record is not None and prefix.count("/") > 1:
            document.problems.append(warning("torch-deeper", record.header, name=record.name))
        storages = [prefix + folder for folder in FOLDERS]
        document.problems += [*check_torch(archive, prefix), *check_deflated(archive, storages)]
        document.problems += [*check_era(archive, prefix), *check_save(archive, prefix)]
        skipped = (prefix + OBJECT, *(prefix + folder for folder in FOLDERS))
        own = None if record is None else record.name
        open_records(document, archive, context, lambda name: name.startswith(skipped) or name == own)
        open_beside(document, archive, context)
        document.regions = LazyRegions(lambda: [labelled(region, labels) for region in archive.regions])
        return document


def check_era(archive: ZipArchive, prefix: str) -> list[Problem]:
    """What only torch 1.4 wrote, and no later torch finds."""
    later, older = (prefix + folder for folder in FOLDERS)
    if any(name.startswith(later) for name in archive.names):
        return []
    if not any(name.startswith(older) for name in archive.names):
        return []
    return [warning("torch-tensors-folder", Span(0, archive.source.size))]


def folder_of(archive: ZipArchive, record: Record | None) -> str:
    """The folder of the object with its slash; its name in the directory may be damaged where that of others is not."""
    common = root_prefix(archive)
    return common if record is None or record is archive.find(common + OBJECT) else record.name.removesuffix(OBJECT)


def find_object(archive: ZipArchive) -> Record | None:
    """The record data.pkl: of the common folder, else the first in any folder, those of the first level before others.

    Some tools pack a checkpoint again with the folders above it.
    """
    found = archive.find(root_prefix(archive) + OBJECT)
    if found is not None:
        return found
    names = [name for name in archive.names if name.endswith("/" + OBJECT)]
    return archive.find(min(names, key=lambda name: name.count("/"))) if names else None
