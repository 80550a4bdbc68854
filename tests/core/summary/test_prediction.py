"""The code that loads a file."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from tests.builders.torch_values import ModuleClass, full, module, parameter, state_dict
from tests.builders.torch_zip import torch_zip
from tests.opened import opened
from viewer.core.objects.state_dict import state_dicts
from viewer.core.summary.prediction import Loading, is_accepted, loading, subscripts
from viewer.core.tensors.path import Attribute, Key


def code(data: bytes) -> Loading | None:
    document = opened(data)
    document.path = Path("/somewhere/it's.pt")
    pickle = document.main_pickle
    branches = state_dicts(pickle.values, document.tensors, pickle.index) if pickle is not None else []
    return loading(document, branches)


def test_a_state_dict_needs_nothing() -> None:
    found = code(torch_zip(state_dict({"a": full("float32", (1,), [1])})))
    assert found is not None
    assert found.refused == []
    assert found.code.splitlines() == [
        "import torch",
        "",
        'loaded = torch.load("it\'s.pt", weights_only=True)',
        "state_dict = loaded",
    ]


def test_devices_and_branches() -> None:
    found = code(torch_zip({"epoch": 1, "model": {"a": full("float32", (1,), [1], "cuda:3")}}))
    assert found is not None
    assert found.code.splitlines()[2:] == [
        'loaded = torch.load("it\'s.pt", map_location="cpu", weights_only=True)',
        "state_dict = loaded['model']",
    ]


def test_a_whole_model_is_refused_by_weights_only() -> None:
    net = module(ModuleClass("nets", "Net"), {}, {"w": parameter(full("float32", (1,), [1]))})
    found = code(torch_zip({"net": net}))
    assert found is not None
    assert found.refused == ["nets.Net"]
    assert found.code.splitlines()[2:] == [
        "# This runs what the file asks for: only for files from people you trust.",
        'loaded = torch.load("it\'s.pt", weights_only=False)',
        "state_dict = loaded['net'].state_dict()",
    ]


def test_opcodes_that_are_refused() -> None:
    found = code(torch_zip({"a": b"raw"}, protocol=4))
    assert found is not None
    assert "STACK_GLOBAL" not in found.refused
    assert found.refused == ["SHORT_BINBYTES", "SHORT_BINUNICODE", "MEMOIZE", "FRAME"]


def test_arrays() -> None:
    file = io.BytesIO()
    np.savez(file, a=np.zeros(3))
    found = code(file.getvalue())
    assert found is not None
    assert found.code.splitlines()[-1] == 'arrays = numpy.load("it\'s.pt")'


def test_what_no_loader_reads() -> None:
    assert code(b"text" * 20) is None
    assert code(torch_zip({"a": full("float32", (1,), [1])})[:-200]) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (("collections", "OrderedDict"), True),
        (("torch", "FloatStorage"), True),
        (("torch.cuda", "HalfStorage"), True),
        (("torch", "bfloat16"), True),
        (("torch", "per_tensor_affine"), True),
        (("torch._utils", "_rebuild_tensor_v2"), True),
        (("torch.storage", "_UntypedStorage"), False),
        (("posix", "system"), False),
        (("evil", "FloatStorage"), False),
        (("torch", "load"), False),
    ],
)
def test_names(name: tuple[str, str], expected: bool) -> None:
    assert is_accepted(*name) is expected


def test_subscripts() -> None:
    assert subscripts(("a'b", 0, Attribute("net"), Key("(1, 2)"))) == '["a\'b"][0].net[(1, 2)]'
