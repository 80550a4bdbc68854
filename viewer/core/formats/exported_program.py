"""torch.export programs: `.pt2` archives of torch 2.7 and later, those of torch 2.1 to 2.6, AOTInductor packages.

    data/weights/<model>_weights_config.json      {"config": {name: {path_name, use_pickle, tensor_meta}}}
    data/weights/weight_0                         elements of a whole storage, or a torch file (use_pickle)
    data/constants/<model>_constants_config.json, data/constants/tensor_0       the same
    data/sample_inputs/<model>.pt                 a torch file
    models/<model>.json                           the graph, of which an outline is made
    data/aotinductor/<model>/*                    compiled code

Before 2.7: a zip without a folder, whose serialized_state_dict.json is a torch file in spite of its name.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from typing_extensions import override

from viewer.core.archive.checks import check_torch
from viewer.core.archive.record import Record
from viewer.core.archive.zip_reader import ZipArchive
from viewer.core.document import Document
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import LazyRegions, open_known, open_records
from viewer.core.formats.script_reading import add_texts
from viewer.core.formats.stated_tensors import MOST_AXES, Stated, StatedTensors, layout_fault, read_json
from viewer.core.formats.zip_reading import labelled, open_zip, read_byteorder, root_prefix, state_text
from viewer.core.objects.export_graph import TYPES, graph_outline
from viewer.core.objects.outline import pairs_outline
from viewer.core.objects.walk import share
from viewer.core.problem import note, warning
from viewer.core.tensors.bounded_json import entries, fields, whole
from viewer.core.tensors.path import Key, key_part
from viewer.wording.phrases import phrase

EXPORT, BEFORE = "torch-export", "torch-export-json"
CONFIGS: Final = (("data/weights/", "_weights_config.json"), ("data/constants/", "_constants_config.json"))
MODELS: Final = "models/"
COMPILED: Final = "data/aotinductor/"
EXTRA: Final = "extra/"
MARKS: Final = ("archive_version", ".data/version")
NAMED: Final = 3
AOTI: Final = "AOTInductor"
FACTS: Final = "_metadata.json"
LARGEST_FACTS: Final = 64 * 1024
STRIDED: Final = 7
# Before 2.7, the records of these names are torch files.
PACKED: Final = ("serialized_state_dict.json", "serialized_constants.json", "serialized_example_inputs.pt")
GRAPH: Final = "serialized_exported_program.json"


class ExportedProgram(Format):
    """Tensors are those of the configs; torch files inside are documents of their own."""

    @override
    def score(self, context: Context) -> int:
        return 100 if context.guess.format == EXPORT else 0

    @override
    def parse(self, context: Context) -> Document:
        archive, document = open_zip(context, EXPORT)
        prefix = root_prefix(archive)
        document.byteorder = read_byteorder(document, archive, prefix, context.options.byteorder)
        document.problems += check_torch(archive, prefix)
        for name in MARKS:
            state_text(document, archive.find(prefix + name), name)
        reader = _Reader(document, archive, context, prefix)
        for folder, ending in CONFIGS:
            for name in dict.fromkeys(archive.names):
                record = archive.find(name) if name.startswith(prefix + folder) and name.endswith(ending) else None
                if record is not None:
                    reader.config(record, prefix + folder)
        share(document.tensors)
        names = [name for name in dict.fromkeys(archive.names) if name.startswith(prefix)]
        for name in names:
            if name.startswith(prefix + MODELS) and name.endswith(".json"):
                add_graph(document, archive.find(name), context)
            elif name.startswith(prefix + COMPILED) and name.endswith(FACTS):
                add_facts(document, archive.find(name), context)
        add_texts(document, archive, [name for name in names if name.startswith(prefix + EXTRA)])
        tell_compiled(document, [name for name in names if name.startswith(prefix + COMPILED)])
        # Raw elements are looked at by no one else; what is a torch file was opened.
        known = {*reader.read, *reader.labels, *document.outlines}
        open_records(document, archive, context, lambda name: name in known)
        document.regions = LazyRegions(lambda: [labelled(region, reader.labels) for region in archive.regions])
        return document


class ExportedJson(Format):
    """A program of torch 2.1 to 2.6: all its tensors stand in torch files inside."""

    @override
    def score(self, context: Context) -> int:
        return 100 if context.guess.format == BEFORE else 0

    @override
    def parse(self, context: Context) -> Document:
        archive, document = open_zip(context, BEFORE)
        prefix = root_prefix(archive)
        state_text(document, archive.find(prefix + "version"), "version")
        names = [prefix + name for name in PACKED]
        for name in names:
            record = archive.find(name)
            if record is not None and record.source is not None and record.size:
                child = open_known(record.source, phrase("how-record", name=name), context)
                if child is None:
                    document.problems.append(warning("export-inner", record.data, name=name))
                else:
                    document.children.append(child)
        add_graph(document, archive.find(prefix + GRAPH), context)
        open_records(document, archive, context, lambda name: name in names or name in document.outlines)
        document.regions = LazyRegions(lambda: archive.regions)
        return document


def add_graph(document: Document, record: Record | None, context: Context) -> None:
    """An outline of a graph; one that is too large for it is named."""
    if record is None:
        return
    content = read_json(document, record, context)
    if content is not None:
        document.outlines[record.name] = graph_outline(content)
    elif document.problems and document.problems[-1].code in ("json-bounds", "json-memory"):
        reason = document.problems.pop().params["reason"]
        document.problems.append(note("export-graph", record.data, name=record.name, reason=reason))


def add_facts(document: Document, record: Record | None, context: Context) -> None:
    """What stands beside compiled code: the machine that it was made for."""
    if record is not None and record.size <= LARGEST_FACTS:
        document.outlines[record.name] = pairs_outline("compiled", fields(read_json(document, record, context)))


def tell_compiled(document: Document, names: list[str]) -> None:
    """Compiled code is named."""
    compiled = [name for name in names if not name.endswith("/")]
    if compiled:
        document.detail = AOTI
        short = [name.rpartition("/")[2] for name in compiled if name.endswith(".so")] or [
            name.rpartition("/")[2] for name in compiled
        ]
        shown = ", ".join(short[:NAMED]) + (", \u2026" if len(short) > NAMED else "")
        document.problems.append(note("export-compiled", count=len(compiled), names=shown))
        if not any(outline.label == "graph" for outline in document.outlines.values()):
            document.problems[0] = note("kind-torch-export-compiled", document.problems[0].span)


class _Reader:
    def __init__(self, document: Document, archive: ZipArchive, context: Context, prefix: str) -> None:
        self.document, self.archive, self.context, self.prefix = document, archive, context, prefix
        self.labels: dict[str, str] = {}
        self.read: set[str] = set()
        self._names: Counter[str] = Counter()

    def config(self, record: Record, folder: str) -> None:
        """All tensors of one config."""
        self.read.add(record.name)
        made = StatedTensors(self.document, self.archive, record, self.labels)
        content = fields(read_json(self.document, record, self.context))
        for number, (name, entry) in enumerate(fields(content.get("config")).items()):
            if not number % 1000:
                self.context.progress.step("objects", number)
            self._entry(made, name, fields(entry), folder)
        self.document.problems += made.findings.problems()

    def _entry(self, made: StatedTensors, name: str, entry: dict[str, object], folder: str) -> None:
        place = entry.get("path_name")
        if not isinstance(place, str):
            made.refuse(name, phrase("program-no-record"))
        elif entry.get("use_pickle") is True:
            self._packed(made, name, folder + place)
        else:
            self._tensor(made, name, folder + place, fields(entry.get("tensor_meta")))

    def _packed(self, made: StatedTensors, name: str, record_name: str) -> None:
        """An entry whose record is a torch file."""
        if record_name in self.read:
            return
        self.read.add(record_name)
        record = self.archive.find(record_name)
        child = None
        if record is not None and record.source is not None and record.size:
            child = open_known(record.source, phrase("how-record", name=record_name), self.context)
        if child is None:
            made.refuse(name, phrase("program-no-file"))
        else:
            self.document.children.append(child)

    def _tensor(self, made: StatedTensors, name: str, record: str, meta: dict[str, object]) -> None:
        number = whole(meta.get("dtype"))
        kind = TYPES.get(-1 if number is None else number)
        shape, stride = sizes(meta.get("sizes")), sizes(meta.get("strides"))
        offset = size(meta.get("storage_offset"))
        fault = layout_fault(shape, stride, offset)
        if kind is None:
            made.refuse(name, phrase("program-dtype", number=number))
        elif whole(meta.get("layout", STRIDED)) != STRIDED:
            made.refuse(name, phrase("program-layout"))
        elif fault or shape is None or stride is None or offset is None:
            made.refuse(name, fault)
        else:
            grad = meta.get("requires_grad")
            device = fields(meta.get("device"))
            self._names[name] += 1
            count = self._names[name]
            path = (key_part(name),) if count == 1 else (key_part(name), Key(f"place {count}"))
            is_grad = grad if isinstance(grad, bool) else None
            made.add(Stated(name, path, record, kind, shape, stride, offset, is_grad, location_of(device)))


def size(value: object) -> int | None:
    """A size: `{"as_int": 3}`. None for all else, as for sizes that only an expression tells."""
    return whole(fields(value).get("as_int"))


def sizes(value: object) -> tuple[int, ...] | None:
    """A list of sizes; None where one of them is none."""
    given = entries(value)
    found = tuple(number for number in map(size, given[:MOST_AXES]) if number is not None)
    return found if isinstance(value, list) and len(found) == len(given) else None


def location_of(device: dict[str, object]) -> str:
    """`cpu`, `cuda:1`."""
    kind, index = device.get("type"), whole(device.get("index"))
    name = kind if isinstance(kind, str) else "cpu"
    return name if index is None else f"{name}:{index}"
