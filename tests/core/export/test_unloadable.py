"""Files that torch of today does not load although their data is complete: they say so, and export."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_tar import TarStorage, TarTensor, TorchTar, named
from tests.builders.torch_values import Storage, full, tensor
from tests.builders.torch_zip import ZipPickler, ZipWriter, torch_zip
from tests.builders.values import Call, Global, Persistent, dumps
from tests.core.export.reading import exported, read_npz
from tests.opened import opened
from viewer.core.opening import open_document
from viewer.core.problem import Severity
from viewer.core.summary.prediction import predict
from viewer.core.tensors import window

ONE = {"a": full("float32", (2,), [1.5, 2.5])}


def records(**more: bytes | None) -> bytes:
    """A zip of torch with other records: None leaves one out."""
    pickler = ZipPickler()
    held = {"data.pkl": pickler.dumps(ONE), "data/0": pickler.storages["0"].data, "version": b"3\n"}
    writer = ZipWriter("archive")
    for name, data in {**held, **more}.items():
        if data is not None:
            writer.add(name, data)
    return writer.finish()


def tar(**more: Any) -> bytes:
    storages = [TarStorage(1, "Float", [1.5, 2.5])]
    return TorchTar({"a": named(2)}, storages, [TarTensor(2, 1, "Float", (2,), (1,))], **more).data


def as_text() -> bytes:
    text = "('storage', <class 'torch.FloatStorage'>, '0', 'cpu', 2)"
    rebuild = Global("torch._utils", "_rebuild_tensor_v2")
    body = dumps({"a": Call(rebuild, (Persistent(text), 0, (2,), (1,), False, None))}, 0)
    return torch_zip(ONE, change=lambda _: body)


def placed(folder: str, more: str = "") -> bytes:
    """The same records in a folder, and one with a name of its own."""
    pickler = ZipPickler()
    held = {"data.pkl": pickler.dumps(ONE), "data/0": pickler.storages["0"].data, "version": b"3\n"}
    writer = ZipWriter("")
    for name, data in held.items():
        writer.add(folder + name, data)
    if more:
        writer.add(more, b"x")
    return writer.finish()


FILES: Mapping[str, Callable[[], bytes]] = {
    "the archive has no version": lambda: records(version=None),
    "the archive has a later version": lambda: records(version=b"11\n"),
    "the version is a word": lambda: records(version=b"three"),
    "no folder in the archive": lambda: placed(""),
    "a record beside the folder": lambda: placed("archive/", "other/readme.txt"),
    "the byte order has a line end": lambda: records(byteorder=b"little\n"),
    "storages in the folder of torch 1.4": lambda: records(
        **{"data/0": None, "tensors/0": np.array([1.5, 2.5], "<f4").tobytes()}
    ),
    "bytes before the archive": lambda: b"#!junk\xff" * 3 + torch_zip(ONE),
    "a damaged first header": lambda: b"PX" + torch_zip(ONE)[2:],
    "ids as text": as_text,
    "a tar of 2016": lambda: tar(early=True),
    "a tar with ./ before its names": lambda: tar(prefix="./"),
}


@pytest.mark.parametrize("name", FILES)
def test_what_torch_refuses_is_exported(name: str, tmp_path: Path) -> None:
    document = opened(FILES[name]())
    expected = predict(document)
    assert expected.code is None
    assert any(each.severity is Severity.ERROR for each in expected.expectations)
    assert window.read(document.tensors[0]).tolist() == [1.5, 2.5]
    exported(document, tmp_path / "out.pt")
    back = open_document(tmp_path / "out.pt")
    assert [(each.name, window.read(each).tolist()) for each in back.tensors] == [("a", [1.5, 2.5])]
    assert "loads" in [each.code for each in predict(back).expectations]
    back.source.close()
    exported(document, tmp_path / "out.npz", "npz")
    assert {key: array.tolist() for key, array in read_npz(tmp_path / "out.npz").items()} == {"a": [1.5, 2.5]}


def test_types_that_the_legacy_form_cannot_give_back(tmp_path: Path) -> None:
    numbers = tensor(Storage("uint16", bytes([1, 0, 2, 1])), (2,))
    document = opened(legacy({"u": numbers}))
    assert [each.code for each in predict(document).expectations] == ["untyped-legacy"]
    exported(document, tmp_path / "out.npz", "npz")
    assert read_npz(tmp_path / "out.npz")["u"].tolist() == [1, 258]


def test_a_tensor_that_never_had_a_storage(tmp_path: Path) -> None:
    built = TorchTar(
        {"none": named(3), "a": named(2)},
        [TarStorage(1, "Float", [1.5, 2.5])],
        [TarTensor(2, 1, "Float", (2,), (1,)), TarTensor(3, None, "Float", (0,), (1,))],
    )
    exported(opened(built.data), tmp_path / "out.pt")
    back = open_document(tmp_path / "out.pt")
    assert [(each.name, each.shape) for each in back.tensors] == [("none", (0,)), ("a", (2,))]
    assert predict(back).expectations[0].code == "loads"
    back.source.close()
