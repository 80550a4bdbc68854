"""Checkpoints of torch.distributed.checkpoint: `.metadata` and .distcp files, opcode for opcode as torch 2.13 writes.

    save(folder, [Saved("w", "float32", (4, 2), [Chunk((0, 0), (2, 2), "__0_0.distcp", item), ...])])

`item` are the bytes of a whole torch.save archive: `tensor_item` and `torch_zip` make them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Final

from typing_extensions import override

from tests.builders.pickles import Stream
from tests.builders.torch_values import Storage, contiguous, packed, tensor
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, Instance, Pickler

MODULE: Final = "torch.distributed.checkpoint.metadata"
STORAGE_MODULE: Final = "torch.distributed.checkpoint.filesystem"
METADATA: Final = Global(MODULE, "Metadata")
TENSOR: Final = Global(MODULE, "TensorStorageMetadata")
PROPERTIES: Final = Global(MODULE, "TensorProperties")
CHUNK: Final = Global(MODULE, "ChunkStorageMetadata")
BYTES: Final = Global(MODULE, "BytesStorageMetadata")
INDEX: Final = Global(MODULE, "MetadataIndex")
INFO: Final = Global(STORAGE_MODULE, "_StorageInfo")
STORAGE_META: Final = Global(MODULE, "StorageMeta")
SIZE: Final = Global("torch", "Size")
STRIDED: Final = Call(Global("torch.serialization", "_get_layout"), ("torch.strided",))
FORMAT: Final = Call(Global(MODULE, "_MEM_FORMAT_ENCODING"), (0,))
FILE: Final = "__0_0.distcp"
Place = tuple[str, int, int]
"""A file, and offset and length of an item in it."""


@dataclass(slots=True)
class Chunk:
    """A piece of a tensor. `item`: its bytes; `place`: where they are said to be, where that is elsewhere."""

    offsets: tuple[int, ...]
    sizes: tuple[int, ...]
    file: str = FILE
    item: bytes = b""
    place: Place | None = None


@dataclass(slots=True)
class Saved:
    """A tensor as the metadata states it. `path`: in the nested state_dict; None: the name alone."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    chunks: Sequence[Chunk]
    path: tuple[str | int, ...] | None = None


@dataclass(slots=True)
class Value:
    """A value that is no tensor: its item is a torch.save archive of it."""

    name: str
    item: bytes
    file: str = FILE
    path: tuple[str | int, ...] | None = None


@dataclass(slots=True)
class Layout:
    """What a version writes, and what is wrong on purpose. `transforms`: of all items."""

    version: str | None = "1.0.0"
    storage_meta: bool = True
    planner_data: bool = True
    transforms: Sequence[str] = ()
    extra: dict[str, Place] = field(default_factory=dict)


class MetadataPickler(Pickler):
    """As torch's pickle of `.metadata`; without frames where it is longer than one."""

    def __init__(self) -> None:
        super().__init__(4)

    @override
    def dumps(self, value: object) -> bytes:
        self.save(value)
        self.stream.op("STOP")
        body = self.stream.data
        frame = Stream(4).op("FRAME", len(body)).data if len(body) < 65536 else b""
        return Stream(4).start().data + frame + body


def size(numbers: Iterable[int]) -> Call:
    """torch.Size."""
    return Call(SIZE, (tuple(numbers),))


def tensor_item(
    dtype: str, shape: tuple[int, ...], numbers: Sequence[float], stride: tuple[int, ...] | None = None
) -> bytes:
    """A torch.save archive of one tensor, its storage in the order of `numbers`."""
    storage = Storage(dtype, packed(dtype, numbers))
    return torch_zip(tensor(storage, shape, stride if stride is not None else contiguous(shape)))


def entry(saved: Saved) -> Instance:
    """TensorStorageMetadata."""
    state = (Global("torch", saved.dtype), STRIDED, False, FORMAT, False)
    chunks = [
        Instance(CHUNK, (), {"offsets": size(chunk.offsets), "sizes": size(chunk.sizes)}) for chunk in saved.chunks
    ]
    properties = Instance(PROPERTIES, (), state)
    return Instance(TENSOR, (), {"properties": properties, "size": size(saved.shape), "chunks": chunks})


def info(place: Place, transforms: Sequence[str] = ()) -> Instance:
    """_StorageInfo."""
    state: dict[str, object] = {"relative_path": place[0], "offset": place[1], "length": place[2]}
    return Instance(INFO, (), {**state, "transform_descriptors": list(transforms)} if transforms else state)


def index(name: str, offsets: tuple[int, ...] | None = None, number: int | None = None) -> Instance:
    """MetadataIndex; a value has no offset."""
    state: dict[str, object] = {"fqn": name, "index": number}
    return Instance(INDEX, (), state if offsets is None else {**state, "offset": size(offsets)})


def metadata(
    saved: Sequence[Saved],
    values: Sequence[Value] = (),
    places: Mapping[int, Place] | None = None,
    layout: Layout | None = None,
) -> bytes:
    """The stream of `.metadata`. `places`: of the items of chunks and values, by their identity."""
    layout, places = layout or Layout(), places or {}
    entries: dict[str, object] = {one.name: Instance(BYTES) for one in values}
    entries |= {one.name: entry(one) for one in saved}
    items: dict[object, object] = {
        index(one.name): info(places[id(one)], layout.transforms) for one in values if id(one) in places
    }
    for one in saved:
        for number, chunk in enumerate(one.chunks):
            place = chunk.place or places.get(id(chunk))
            if place is not None:
                items[index(one.name, chunk.offsets, number)] = info(place, layout.transforms)
    items |= {index(name, (0,), 0): info(place) for name, place in layout.extra.items()}
    paths = {one.name: one.path or (one.name,) for one in values}
    paths |= {one.name: one.path or (one.name,) for one in saved}
    state: dict[str, object] = {
        "state_dict_metadata": entries,
        "planner_data": paths if layout.planner_data else None,
        "storage_data": items,
    }
    if layout.storage_meta:
        facts: dict[str, object] = {"checkpoint_id": "/a/b", "save_id": "c", "load_id": None, "modules": []}
        state["storage_meta"] = Instance(STORAGE_META, (), facts)
    if layout.version is not None:
        state["version"] = layout.version
    return MetadataPickler().dumps(Instance(METADATA, (), state))


def save(
    folder: Path, saved: Sequence[Saved], values: Sequence[Value] = (), layout: Layout | None = None
) -> dict[str, Place]:
    """Write the files and their metadata, values before tensors; gives the places of all items by name."""
    files: dict[str, bytearray] = {}
    places: dict[int, Place] = {}
    named: dict[str, Place] = {}
    parts: list[tuple[str, Value | Chunk]] = [(one.name, one) for one in values]
    parts += [(one.name, chunk) for one in saved for chunk in one.chunks]
    for name, part in parts:
        if part.item:
            held = files.setdefault(part.file, bytearray())
            places[id(part)] = named[name] = (part.file, len(held), len(part.item))
            held += part.item
    for name, held in files.items():
        (folder / name).write_bytes(held)
    (folder / ".metadata").write_bytes(metadata(saved, values, places, layout))
    return named


def whole(name: str, dtype: str, shape: tuple[int, ...], numbers: Sequence[float], file: str = FILE) -> Saved:
    """A tensor in one chunk."""
    return Saved(name, dtype, shape, [Chunk((0,) * len(shape), shape, file, tensor_item(dtype, shape, numbers))])


def large_set(folder: Path, tensors: int, files: int, shape: tuple[int, int] = (8, 8)) -> int:
    """A checkpoint of that many bfloat16 tensors of zeros; gives the length of its metadata."""
    item = torch_zip(tensor(Storage("bfloat16", bytes(prod(shape) * 2)), shape, contiguous(shape)))
    saved: list[Saved] = []
    for row in range(tensors):
        name = f"layers.{row // 10:05d}.experts.{row % 10}.down_proj.weight"
        place = (f"__{row % files}_0.distcp", row // files * len(item), len(item))
        saved.append(Saved(f"model.{name}", "bfloat16", shape, [Chunk((0, 0), shape, place=place)], ("model", name)))
    for number in range(files):
        with (folder / f"__{number}_0.distcp").open("wb") as file:
            for _ in range(len(range(number, tensors, files))):
                file.write(item)
    data = metadata(saved)
    (folder / ".metadata").write_bytes(data)
    return len(data)
