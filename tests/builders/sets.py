"""Sets of files as Hugging Face writes them: an index in JSON, and shards beside it."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from tests.builders.safetensors import entry, safetensors
from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip

INDEX: Final = "model.safetensors.index.json"
BIN_INDEX: Final = "pytorch_model.bin.index.json"


def index(weight_map: Mapping[str, object], total_size: object = None) -> bytes:
    """An index as transformers writes it."""
    metadata = {} if total_size is None else {"total_size": total_size}
    return json.dumps({"metadata": metadata, "weight_map": weight_map}, indent=2, sort_keys=True).encode() + b"\n"


def raw_index(entries: Iterable[tuple[str, str]]) -> bytes:
    """An index of any entries: names and values as they stand in the text, the same name as often as wanted."""
    rows = ", ".join(f'"{name}": {value}' for name, value in entries)
    return f'{{"weight_map": {{{rows}}}}}'.encode()


def shard(tensors: Mapping[str, tuple[list[int], list[float]]], metadata: Mapping[str, str] | None = None) -> bytes:
    """A safetensors file of float32 tensors: name -> (shape, numbers)."""
    header: dict[str, object] = {} if metadata is None else {"__metadata__": dict(metadata)}
    data = b""
    for name, (shape, numbers) in tensors.items():
        raw = struct.pack(f"<{len(numbers)}f", *numbers)
        header[name] = entry("F32", shape, len(data), len(data) + len(raw))
        data += raw
    return safetensors(header, data)


def bin_shard(tensors: Mapping[str, tuple[list[int], list[float]]]) -> bytes:
    """The same as torch.save writes it."""
    return torch_zip(
        state_dict({name: full("float32", tuple(shape), numbers) for name, (shape, numbers) in tensors.items()})
    )


def numbered(number: int, count: int, stem: str = "model", suffix: str = "safetensors") -> str:
    """The name of a shard, from 1."""
    return f"{stem}-{number:05d}-of-{count:05d}.{suffix}"


def write_set(
    folder: Path, files: Mapping[str, bytes], weight_map: Mapping[str, object], total_size: object = None
) -> Path:
    """Shards and an index over them in a folder; gives the path of the index."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    path = folder / INDEX
    path.write_bytes(index(weight_map, total_size))
    return path


def sparse_set(folder: Path, shards: int, names: int, shape: tuple[int, int] = (4096, 4096)) -> Path:
    """A set of bfloat16 tensors, `names` in each shard, whose elements are holes; gives the path of the index."""
    nbytes = shape[0] * shape[1] * 2
    weight_map: dict[str, object] = {}
    for number in range(shards):
        name = numbered(number + 1, shards)
        header: dict[str, object] = {"__metadata__": {"format": "pt"}}
        for row in range(names):
            tensor = f"model.layers.{number:05d}.mlp.experts.{row:03d}.gate_proj.weight"
            header[tensor] = entry("BF16", list(shape), row * nbytes, (row + 1) * nbytes)
            weight_map[tensor] = name
        head = safetensors(header)
        with (folder / name).open("wb") as file:
            file.write(head)
            file.truncate(len(head) + names * nbytes)
    path = folder / INDEX
    path.write_bytes(index(weight_map, shards * names * nbytes))
    return path
