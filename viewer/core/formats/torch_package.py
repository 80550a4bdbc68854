"""torch.package: pickles with the modules whose classes they name, all storages in .data.

Pickles stand anywhere in the package (`model/model.pkl`). A TorchScript module in one is an id
('reduce_package', id, function, '0'); its own pickle is `.data/ts_code/0/data.pkl`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from typing_extensions import override

from viewer.core.archive.checks import check_torch
from viewer.core.archive.zip_reader import ZipArchive
from viewer.core.code.hidden import source_problems
from viewer.core.code.script_text import MOST_UNITS, CodeFile, class_sources, whole_source
from viewer.core.document import Document, Pickle
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import LazyRegions, limited, open_records
from viewer.core.formats.script_reading import ScriptReader, add_texts, script_prefix
from viewer.core.formats.zip_reading import labelled, open_zip, read_byteorder, state_text
from viewer.core.objects.names import persistent_parts
from viewer.core.objects.outline import lines_outline
from viewer.core.objects.walk import share
from viewer.core.problem import error, note
from viewer.core.tensors.storage import Storage

NAME: Final = "torch-package"
DATA: Final = ".data/"
BYTEORDER: Final = "byteorder"
OTHERS: Final = (".py", ".pkl", "/")
EXTERN: Final = ".data/extern_modules"
PYTHON_VERSION: Final = ".data/python_version"
SCRIPTS: Final = ".data/ts_code/"
OBJECT, DEBUG = "/data.pkl", ".debug_pkl"
OF_SCRIPTS: Final = (OBJECT, "/constants.pkl", DEBUG)
STORAGE: Final = ".storage"
STORAGE_ID: Final = "storage"
PACKAGE_FILE: Final = "/__init__"
REDUCED: Final = "reduce_package"
SCRIPT_FUNCTION: Final = ("torch.jit._script", "unpackage_script_module")
MOST_PICKLES: Final = 1000
MOST_IDS: Final = 10_000
LONGEST_LIST: Final = 1024 * 1024


class TorchPackage(Format):
    """The first pickle is the main one."""

    @override
    def score(self, context: Context) -> int:
        return 100 if context.guess.format == NAME else 0

    @override
    def parse(self, context: Context) -> Document:
        archive, document = open_zip(context, NAME)
        prefix = script_prefix(archive, ())
        if not prefix:
            prefix = next((name.removesuffix(EXTERN) for name in archive.names if name.endswith("/" + EXTERN)), "")
        document.byteorder = read_byteorder(document, archive, prefix, context.options.byteorder)
        document.problems += check_torch(archive, prefix)
        reader = _Reader(document, archive, context, prefix)
        reader.facts()
        reader.pickles()
        reader.scripts()
        reader.modules()
        reader.share_storages()
        read = {pickle.record for pickle in document.pickles}
        skipped = (prefix + DATA,)
        open_records(document, archive, context, lambda name: name in read or name.startswith(skipped))
        document.regions = LazyRegions(lambda: [labelled(region, reader.inner.labels) for region in archive.regions])
        return document


class _Reader:
    def __init__(self, document: Document, archive: ZipArchive, context: Context, prefix: str) -> None:
        self.document, self.archive, self.context, self.prefix = document, archive, context, prefix
        self.inner = ScriptReader(document, archive, context, (STORAGE_ID, REDUCED))

    def facts(self) -> None:
        """What the package says of the Python that wrote it, the modules that it takes from outside, its texts."""
        for name, label in ((EXTERN, "extern"), (PYTHON_VERSION, "python")):
            record = self.archive.find(self.prefix + name)
            first = len(self.document.metadata)
            state_text(self.document, record, name.removeprefix(DATA), LONGEST_LIST)
            for stated in self.document.metadata[first:]:
                self.document.outlines[self.prefix + name] = lines_outline(label, stated.value)
        names = [name for name in dict.fromkeys(self.archive.names) if self.is_resource(name)]
        add_texts(self.document, self.archive, names)

    def pickles(self) -> None:
        """The objects of the package."""
        names = self.named(self.is_object)
        for name in names[:MOST_PICKLES]:
            is_first = self.document.main < 0
            pickle = self.inner.module(name, [self.prefix + DATA], (), "object" if is_first else "", suffix=STORAGE)
            if pickle is not None and is_first:
                self.document.main = pickle.index
        if not names:
            self.document.problems.append(error("package-empty"))
        elif len(names) > MOST_PICKLES:
            left = len(names) - MOST_PICKLES
            self.document.problems.append(note("package-too-much", count=left, read=MOST_PICKLES))

    def named(self, is_meant: Callable[[str], bool]) -> list[str]:
        """The records whose names are meant: those of the local headers where the directory's own are not."""
        local = self.archive.columns.local_names
        names = (name if is_meant(name) else local.get(row, "") for row, name in enumerate(self.archive.names))
        return [name for name in dict.fromkeys(names) if is_meant(name)]

    def is_resource(self, name: str) -> bool:
        """True for a file that a person put into the package, which is no pickle and no module."""
        own = name.removeprefix(self.prefix)
        is_known = own == BYTEORDER or own.startswith(DATA) or own.endswith(OTHERS)
        return name.startswith(self.prefix) and not is_known

    def is_object(self, name: str) -> bool:
        """True for a pickle that a person saved, and not one of TorchScript."""
        return name.startswith(self.prefix) and name.endswith(".pkl") and not name.startswith(self.prefix + DATA)

    def scripts(self) -> None:
        """The TorchScript modules, each with its constants, and their code."""
        root = self.prefix + SCRIPTS
        files = self.inner.code(root + "code/")
        names = self.named(lambda name: name.startswith(root) and name.endswith(OF_SCRIPTS))
        # Keys of these storages end with `.storage` as they stand.
        folders = [self.prefix + DATA]
        for name in [name for name in names if not name.endswith(DEBUG)][:MOST_PICKLES]:
            if name.endswith(OBJECT):
                self.inner.module(name, folders, files, "")
            else:
                self.inner.pickle(name, folders, "constants")
        self.inner.debug([name for name in names if name.endswith(DEBUG)])
        for pickle in list(self.document.pickles):
            for entry in script_entries(pickle):
                record = f"{root}{entry}/data.pkl"
                if self.archive.find(record) is None:
                    facts = {"name": pickle.record, "entry": entry, "record": record}
                    self.document.problems.append(error("package-entry", pickle.in_document(pickle.span()), **facts))

    def modules(self) -> None:
        """The Python files as stored sources: each whole, then its classes."""
        skipped = self.prefix + SCRIPTS
        read = self.inner.files(self.prefix, self.prefix, skipped)
        files = [module_file(file) for file in read]
        sources = [whole_source(file) for file in files]
        self.document.problems += limited(source_problems(sources))
        for file, source in zip(files, sources, strict=True):
            classes = class_sources(file) if len(self.document.sources) < MOST_UNITS else []
            self.document.sources += [source, *classes]

    def share_storages(self) -> None:
        """Let the tensors of all pickles that name one record have one storage."""
        known: dict[tuple[str, str, int], Storage] = {}
        for tensor in self.document.tensors:
            storage = tensor.storage
            if storage is not None and storage.record:
                key = (storage.record, storage.dtype, storage.count)
                tensor.storage = known.setdefault(key, storage)
        share(self.document.tensors)


def module_file(file: CodeFile) -> CodeFile:
    """A file under the name of its module: `nets/__init__.py` is `nets`."""
    path = file.path.removesuffix(".py").removesuffix(PACKAGE_FILE)
    return CodeFile(path.replace("/", "."), file.path, file.record, file.text, file.place)


def script_entries(pickle: Pickle) -> Iterator[str]:
    """The names of the TorchScript modules that a pickle refers to."""
    values = pickle.values
    for value in values.persistents()[:MOST_IDS]:
        parts = persistent_parts(values, value)
        if len(parts) > 3 and values.text(parts[0]) == REDUCED and values.global_name(parts[2]) == SCRIPT_FUNCTION:
            entry = values.text(parts[3])
            if entry is not None:
                yield entry
