"""Archives that hold code beside weights: TorchScript, torch.package, torch.export. Records in torch's layout."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from typing_extensions import override

from tests.builders.torch_values import Storage
from tests.builders.torch_zip import ZipPickler, ZipWriter
from tests.builders.values import Call, Global, Instance, Persistent

INTLIST: Final = Global("torch.jit._pickle", "build_intlist")
TAG: Final = Global("torch.jit._pickle", "restore_type_tag")
FROM_ID: Final = Global("torch.jit._pickle", "build_tensor_from_id")
UNPACK: Final = Global("torch.jit._script", "unpackage_script_module")

NET_CODE: Final = b"""class Net(Module):
  __parameters__ = ["weight", ]
  __buffers__ = ["mean", ]
  weight : Tensor
  mean : Tensor
  other : Tensor
  inner : __torch__.nets.Inner
  def forward(self: __torch__.Net, x: Tensor) -> Tensor:
    return torch.mul(x, self.weight)
"""
INNER_CODE: Final = b"""class Inner(Module):
  __parameters__ = ["bias", ]
  __buffers__ = []
  bias : Tensor
def helper(x: Tensor) -> Tensor:
  return x
"""


def scripted(module: str, name: str, **attributes: object) -> Instance:
    """An object of TorchScript."""
    return Instance(Global(module, name), (), attributes)


def int_list(*numbers: int) -> Call:
    """A typed list."""
    return Call(INTLIST, (list(numbers),))


def add_pickle(writer: ZipWriter, name: str, value: object, folder: str) -> None:
    """A pickle, behind its storages, which stand in a folder of their own."""
    pickler = ZipPickler()
    body = pickler.dumps(value)
    for key, storage in pickler.storages.items():
        writer.add(f"{folder}{key}", storage.data)
    writer.add(name, body)


def torch_script(
    value: object,
    code: Mapping[str, bytes],
    constants: tuple[object, ...] = (),
    more: Mapping[str, object] | None = None,
    deflated: bool = True,
    records: Mapping[str, bytes] | None = None,
) -> bytes:
    """An archive as torch 2.x writes it. `code`: texts by name below code/; `more`: further pickles by name."""
    writer = ZipWriter("net")
    add_pickle(writer, "data.pkl", value, "data/")
    for name, text in code.items():
        writer.add(f"code/{name}", text, deflated)
    add_pickle(writer, "constants.pkl", constants, "constants/")
    for name, inner in (more or {}).items():
        add_pickle(writer, name, inner, name.partition(".")[0] + "/")
    for name, data in (records or {}).items():
        writer.add(name, data)
    writer.add("version", b"3\n")
    writer.add("byteorder", b"little")
    return writer.finish()


def script_json(model: object, records: Mapping[str, bytes]) -> bytes:
    """An archive of torch 1.0 to 1.2. `model`: the content of model.json, or its bytes."""
    writer = ZipWriter("net")
    writer.add("version", b"1\n")
    for name, data in records.items():
        writer.add(name, data)
    writer.add("model.json", model if isinstance(model, bytes) else json.dumps(model).encode())
    return writer.finish()


class PackagePickler(ZipPickler):
    """Keys of storages are numbers that go on through all pickles of a package."""

    def __init__(self, first: int = 0) -> None:
        super().__init__(3)
        self.numbers: dict[int, int] = {}
        self.first = first
        self.kept: list[Storage] = []

    @override
    def persistent_id(self, value: object) -> object:
        if not isinstance(value, Storage):
            return super().persistent_id(value)
        if id(value) not in self.numbers:
            self.numbers[id(value)] = self.first + len(self.kept)
            self.kept.append(value)
        return ("storage", value.global_class, self.numbers[id(value)], value.location, value.count)


def script_id(entry: str) -> Persistent:
    """What a package writes for a TorchScript module."""
    return Persistent(("reduce_package", 140_000, UNPACK, entry))


def torch_package(pickles: Mapping[str, object], records: Mapping[str, bytes], extern: str = "torch\n") -> bytes:
    """A package: its pickles by name, and further records."""
    writer = ZipWriter("pkg")
    first = 0
    for name, value in pickles.items():
        pickler = PackagePickler(first)
        body = pickler.dumps(value)
        for number, storage in enumerate(pickler.kept, first):
            writer.add(f".data/{number}.storage", storage.data)
        first += len(pickler.kept)
        writer.add(name, body)
    for name, data in records.items():
        writer.add(name, data)
    writer.add(".data/extern_modules", extern.encode())
    writer.add(".data/python_version", b"3.11.7")
    writer.add(".data/version", b"6\n")
    return writer.finish()


def meta(dtype: int, sizes: tuple[int, ...], strides: tuple[int, ...], offset: int = 0) -> dict[str, object]:
    """tensor_meta of an exported program."""
    return {
        "dtype": dtype,
        "sizes": [{"as_int": size} for size in sizes],
        "strides": [{"as_int": stride} for stride in strides],
        "storage_offset": {"as_int": offset},
        "requires_grad": True,
        "device": {"type": "cpu", "index": None},
        "layout": 7,
    }


def exported(config: object, records: Mapping[str, bytes]) -> bytes:
    """A .pt2 of today. `config`: that of the weights, or its bytes; `records`: below the root."""
    writer = ZipWriter("model")
    text = config if isinstance(config, bytes) else json.dumps({"config": config}).encode()
    writer.add("data/weights/model_weights_config.json", text)
    for name, data in records.items():
        writer.add(name, data)
    writer.add("models/model.json", b"{}")
    writer.add("archive_format", b"pt2")
    writer.add("archive_version", b"0")
    writer.add(".data/version", b"6\n")
    return writer.finish()
