"""Every function that torch rebuilds tensors with is known; tensors that no other test tries read as torch has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.with_torch.warm import run_clean
from viewer.core.objects.describe import class_name
from viewer.core.opening import open_document
from viewer.core.tensors.functions import FROM_HOST, FROM_TYPE, PARAMETERS, QUANTISED, STRIDED
from viewer.core.tensors.special import SPECIAL
from viewer.core.tensors.window import read

pytestmark = pytest.mark.torch
CHILD: Final = Path(__file__).with_name("rebuild_child.py")
KNOWN: Final = {*STRIDED, *PARAMETERS, *FROM_TYPE, *FROM_HOST, *SPECIAL, QUANTISED}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rebuilt")


@pytest.fixture(scope="module")
def told(folder: Path) -> dict[str, Any]:
    done = run_clean(CHILD, folder)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_every_function_is_known(told: dict[str, Any]) -> None:
    names = {(module, name) for module, name in told["names"]}
    assert len(names) >= 14
    assert names <= KNOWN


@pytest.mark.parametrize("form", ["zip", "legacy"])
def test_tensors(form: str, folder: Path, told: dict[str, Any]) -> None:
    document = open_document(folder / f"tensors.{form}.pt")
    found = {str(tensor.path[0]): tensor for tensor in document.tensors if len(tensor.path) == 1}
    assert list(found) == [name for name in told["tensors"] if form == "zip" or name != "untyped"]
    for name, tensor in found.items():
        expected = told["tensors"][name]
        if expected is None:
            assert tensor.storage is None, name
            continue
        part = dict(tensor.parts)["values"] if name == "jagged" else tensor
        assert read(part).tolist() == expected, name
    assert [tensor.kind for tensor in found.values()][-1] == "storage"
    assert {role: read(part).tolist() for role, part in found["jagged"].parts} == {
        "values": [0, 1, 2, 3, 4, 5],
        "offsets": [0, 4, 6],
        "lengths": [2, 1],
    }
    assert found["jagged"].layout == "jagged"
    document.source.close()


def test_what_they_are(folder: Path, told: dict[str, Any]) -> None:
    del told
    document = open_document(folder / "tensors.zip.pt")
    pickle = document.main_pickle
    assert pickle is not None
    kinds = {
        str(tensor.path[0]): class_name(pickle.values, tensor.value.value)
        for tensor in document.tensors
        if tensor.value is not None and len(tensor.path) == 1
    }
    assert kinds == {
        "noted": "torch.nn.parameter.Parameter",
        "plain": "torch.Tensor",
        "marked": "__main__.Marked",
        "buffer": "torch.Tensor",
        "jagged": "torch.nested._internal.nested_tensor.NestedTensor",
        "parameter_of_nothing": "torch.nn.parameter.UninitializedParameter",
        "buffer_of_nothing": "torch.nn.parameter.UninitializedBuffer",
        "storage": "torch.FloatStorage",
        "untyped": "torch.storage.UntypedStorage",
    }
    document.source.close()
