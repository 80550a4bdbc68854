"""TorchScript of torch 1.0 to 1.2: model.json states modules and tensors, tensors/N holds the elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from typing_extensions import override

from viewer.core.archive.record import Record
from viewer.core.document import Document, Pickle
from viewer.core.document import Stated as StatedText
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import LazyRegions, open_records
from viewer.core.formats.script_reading import ScriptReader, script_prefix
from viewer.core.formats.stated_tensors import MOST_AXES, Stated, StatedTensors, layout_fault, read_json
from viewer.core.formats.zip_reading import labelled, open_zip
from viewer.core.objects.walk import share
from viewer.core.pickles.values import Kind
from viewer.core.tensors.bounded_json import entries, fields, whole, wholes
from viewer.core.tensors.path import Path, key_part
from viewer.wording.phrases import phrase

NAME: Final = "torchscript-json"
MODEL: Final = "model.json"
ATTRIBUTES: Final = "attributes.pkl"
TEXTS: Final = ("producerName", "producerVersion", "protoVersion")
MOST_MODULES: Final = 100_000
FROM_ID: Final = ("torch.jit._pickle", "build_tensor_from_id")
TYPES: Final = {
    "FLOAT": "float32",
    "DOUBLE": "float64",
    "FLOAT16": "float16",
    "INT8": "int8",
    "UINT8": "uint8",
    "INT16": "int16",
    "UINT16": "uint16",
    "INT32": "int32",
    "INT64": "int64",
    "BOOL": "bool",
    "BFLOAT16": "bfloat16",
}
Slot = tuple[str, Path, int]
"""Name in the state_dict, path, number of the tensor."""


class TorchScriptJson(Format):
    """Numbers are texts in that JSON, as protobuf writes them."""

    @override
    def score(self, context: Context) -> int:
        return 100 if context.guess.format == NAME else 0

    @override
    def parse(self, context: Context) -> Document:
        archive, document = open_zip(context, NAME)
        document.byteorder = context.options.byteorder or "little"
        prefix = script_prefix(archive, (MODEL,))
        reader = ScriptReader(document, archive, context)
        reader.code(prefix + "code/")
        pickle = reader.pickle(prefix + ATTRIBUTES, (), "attributes")
        model = archive.find(prefix + MODEL)
        if model is not None:
            made = StatedTensors(document, archive, model, reader.labels)
            read_model(made, model, prefix, pickle, context)
            document.problems += made.findings.problems()
            share(document.tensors)
        debug = prefix + "debug/"
        reader.debug([name for name in archive.names if name.startswith(debug) and name.endswith(".pkl")])
        read = tuple(prefix + name for name in (MODEL, ATTRIBUTES, "code/", "tensors/", "debug/"))
        open_records(document, archive, context, lambda name: name.startswith(read))
        document.regions = LazyRegions(lambda: [labelled(region, reader.labels) for region in archive.regions])
        return document


def read_model(made: StatedTensors, model: Record, prefix: str, pickle: Pickle | None, context: Context) -> None:
    """The tensors that the modules name, in torch's order; those that no module names go by their number."""
    content = fields(read_json(made.document, model, context))
    place = model.data if model.stored else None
    for key in TEXTS:
        value = content.get(key)
        if isinstance(value, str):
            made.document.metadata.append(StatedText(key, value, place))
    tensors = entries(content.get("tensors"))
    named: set[int] = set()
    taken: set[Path] = set()
    for number, (name, path, at) in enumerate(slots(fields(content.get("mainModule")), pickle)):
        if not number % 1000:
            context.progress.step("objects", number)
        if path in taken:
            made.refuse(name, phrase("program-name-twice"))
            continue
        taken.add(path)
        named.add(at)
        if 0 <= at < len(tensors):
            read_tensor(made, name, path, fields(tensors[at]), prefix)
        else:
            made.refuse(name, phrase("program-no-tensor", number=at))
    for at, entry in enumerate(tensors):
        if at not in named and (at,) not in taken:
            read_tensor(made, str(at), (at,), fields(entry), prefix)


def read_tensor(made: StatedTensors, name: str, path: Path, entry: dict[str, object], prefix: str) -> None:
    """One entry of `tensors`."""
    kind = TYPES.get(str(entry.get("dataType")))
    key = fields(entry.get("data")).get("key")
    shape, stride = wholes(entry.get("dims", []), MOST_AXES), wholes(entry.get("strides", []), MOST_AXES)
    offset = whole(entry.get("offset", "0"))
    fault = layout_fault(shape, stride, offset)
    if kind is None:
        made.refuse(name, phrase("program-data-type"))
    elif not isinstance(key, str):
        made.refuse(name, phrase("program-no-record"))
    elif fault or shape is None or stride is None or offset is None:
        made.refuse(name, fault)
    else:
        grad = entry.get("requiresGrad")
        place = entry.get("device")
        location = place if isinstance(place, str) else "cpu"
        is_grad = grad if isinstance(grad, bool) else None
        made.add(Stated(name, path, prefix + key, kind, shape, stride, offset, is_grad, location))


def slots(main: dict[str, object], pickle: Pickle | None) -> Iterator[Slot]:
    """The parameters, buffers and tensor attributes of all modules, parents first."""
    waiting: list[tuple[dict[str, object], tuple[str, ...]]] = [(main, ())]
    attributes = attribute_tensors(pickle)
    count = 0
    while waiting and count < MOST_MODULES:
        module, names = waiting.pop()
        count += 1
        for entry in map(fields, entries(module.get("parameters"))):
            number = whole(entry.get("tensorId"))
            yield slot(names, entry, -1 if number is None else number)
        for entry in map(fields, entries(module.get("attributes"))):
            at = whole(entry.get("id"))
            number = attributes.get(-1 if at is None else at)
            if number is not None:
                yield slot(names, entry, number)
        inner = [fields(child) for child in entries(module.get("submodules"))]
        waiting += [(child, (*names, str(child.get("name", "")))) for child in reversed(inner)]


def slot(names: tuple[str, ...], entry: dict[str, object], number: int) -> Slot:
    """An entry under its name, in the module of these names."""
    own = (*names, str(entry.get("name", "")))
    return ".".join(own), tuple(map(key_part, own)), number


def attribute_tensors(pickle: Pickle | None) -> dict[int, int]:
    """The attributes that are tensors: number in attributes.pkl -> number of the tensor."""
    found: dict[int, int] = {}
    if pickle is None or pickle.values.kind(pickle.values.root) is not Kind.TUPLE:
        return found
    values = pickle.values
    for number, item in enumerate(values.items(values.root)):
        if values.kind(item) is Kind.CALL and values.call_name(item) == FROM_ID:
            arguments = values.arguments(item)
            tensor = values.integer(arguments[0]) if arguments else None
            if tensor is not None:
                found[number] = tensor
    return found
