"""Whatever goes out comes back: random trees of tensors through each form."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from safetensors import deserialize

from tests.builders.torch_zip import torch_zip
from tests.core.export.reading import exported, exported_or_none, groups, read_npz
from tests.core.export.trees import Array, Tree, trees
from viewer.core.document import Document
from viewer.core.export import exporter_of
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource
from viewer.core.tensors.hashing import sha256

EXAMPLES = 80


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("out")


def opened(tree: Tree) -> Document:
    data = torch_zip(tree.value, byteorder="big" if tree.big else "little", deflated=tree.deflated)
    return open_document(MemorySource(data))


def fresh(path: Path) -> Path:
    path.unlink(missing_ok=True)
    path.with_suffix(".names.json").unlink(missing_ok=True)
    return path


@given(trees())
@settings(max_examples=EXAMPLES)
def test_state_dicts(folder: Path, tree: Tree) -> None:
    document = opened(tree)
    report = exported(document, fresh(folder / "out.pt"))
    assert report.plan.dropped == ()
    back = open_document(folder / "out.pt")
    tensors = {item.name: tensor for item, tensor in zip(report.plan.items, back.tensors, strict=True)}
    assert [tensor.name for tensor in back.tensors] == [item.name for item in report.plan.items]
    for (name, view), tensor in zip(tree.views.items(), tensors.values(), strict=True):
        assert (tensor.shape, tensor.stride, tensor.storage_offset) == (view.shape, view.stride, view.offset)
        assert sha256(tensor) == hashlib.sha256(tree.arrays[name].tobytes()).hexdigest()
    assert groups(tensors) == groups({item.name: item.tensor for item in report.plan.items})
    back.source.close()


@given(trees())
@settings(max_examples=EXAMPLES)
def test_npz(folder: Path, tree: Tree) -> None:
    report = exported(opened(tree), fresh(folder / "out.npz"), "npz")
    assert report.plan.dropped == ()
    found = read_npz(folder / "out.npz")
    assert len(found) == len(tree.arrays)
    for array, meant in zip(found.values(), tree.arrays.values(), strict=True):
        np.testing.assert_array_equal(array, as_numpy(meant), strict=True)
    verdict = exporter_of("npz").verify(report, Progress())
    assert verdict is not None
    assert verdict.good is True


@given(trees())
@settings(max_examples=EXAMPLES // 2)
def test_safetensors(folder: Path, tree: Tree) -> None:
    """The library gives raw bytes; what the form lacks is left out and said, and complex32 is widened."""
    report = exported_or_none(opened(tree), fresh(folder / "out.safetensors"), "safetensors")
    if report is None:
        assert all(name.startswith("bits") for name in tree.types)
        return
    assert {dropped.reason for dropped in report.plan.dropped} <= {"dtype"}
    found = dict(deserialize((folder / "out.safetensors").read_bytes()))
    assert len(found) == len(report.plan.items)
    for item in report.plan.items:
        name = list(tree.views)[item.tensor.index]
        array = tree.arrays[name]
        meant = as_numpy(array) if array.dtype.names or array.dtype == np.bool_ else array
        assert (found[item.name]["shape"], bytes(found[item.name]["data"])) == (list(meant.shape), meant.tobytes())
    verdict = exporter_of("safetensors").verify(report, Progress())
    assert verdict is not None
    assert verdict.good is True


@given(trees())
@settings(max_examples=EXAMPLES // 2)
def test_one_tensor_forms(folder: Path, tree: Tree) -> None:
    name = next(iter(tree.views))
    document = opened(tree)
    wanted = Wanted(tensors=[next(tensor for tensor in document.tensors if tensor.name == name)])
    exported(document, fresh(folder / "out.npy"), "npy", wanted)
    found = np.load(folder / "out.npy", allow_pickle=False)
    np.testing.assert_array_equal(found, as_numpy(tree.arrays[name]), strict=True)
    report = exported(document, fresh(folder / "out.csv"), "csv", wanted)
    verdict = exporter_of("csv").verify(report, Progress())
    assert verdict is not None
    assert verdict.good is True


def as_numpy(array: Array) -> Array:
    """What numpy itself makes of an array whose type it lacks."""
    if array.dtype.names:
        pairs = np.stack([array["real"], array["imag"]], axis=-1).astype("<f4")
        return np.ascontiguousarray(pairs).view("<c8")[..., 0].reshape(array.shape)
    if array.dtype == np.bool_:
        return array.view(np.uint8) != 0
    if array.dtype.name.startswith(("bfloat16", "float8")):
        with np.errstate(invalid="ignore"):
            return array.astype("<f4")
    return array
