"""requires_grad of tensors that are more than plain elements: kept where torch can have it, else named as dropped."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

import pytest

from tests.builders.torch_values import Storage, full, parameter
from tests.builders.values import Call, Global
from tests.core.export.reading import document_of, exported
from tests.core.export.test_special import HOOKS, coo, csr, nested
from viewer import torch_client
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.tensors.tensor import Tensor

TORCH = "torch._utils"


def meta(needs_grad: bool) -> Call:
    facts = (Global("torch", "float16"), (2, 3), (1, 2), needs_grad)
    return Call(Global(TORCH, "_rebuild_meta_tensor_no_storage"), facts)


def quantised(needs_grad: bool) -> Call:
    scheme = (Global("torch", "per_tensor_affine"), 0.5, 3)
    return Call(Global(TORCH, "_rebuild_qtensor"), (Storage("quint8", b"ab"), 0, (2,), (1,), scheme, needs_grad, HOOKS))


def value() -> OrderedDict[str, object]:
    held = {"coo": coo(True), "csr": csr(), "nested": nested(), "plain": full("float32", (2,), [1, 2])}
    every = {
        **{name: parameter(call) for name, call in held.items()},
        "meta": meta(True),
        "frozen": parameter(csr(), False),
    }
    return OrderedDict(every)


def written(path: Path, wanted: Wanted) -> dict[str, Tensor]:
    report = exported(document_of(value()), path, "state_dict", wanted)
    assert report.plan.dropped == ()
    verdict = torch_client.verify(report, Progress())
    assert verdict.good is True or verdict.code == "torch-absent"
    document = open_document(path)
    document.close()
    return {str(tensor.name): tensor for tensor in document.tensors}


def test_it_is_kept_where_it_is_asked_for(tmp_path: Path) -> None:
    found = written(tmp_path / "out.pt", Wanted(keep_grad=True))
    needing = {name for name, tensor in found.items() if tensor.requires_grad}
    assert needing == {"coo", "csr", "nested", "plain", "meta"}
    assert list(found) == list(value())


def test_it_is_off_else(tmp_path: Path) -> None:
    found = written(tmp_path / "out.pt", Wanted())
    assert not any(tensor.requires_grad for tensor in found.values())


@pytest.mark.parametrize("form", ["state_dict", "legacy_state_dict"])
def test_quantised_tensors_cannot_have_it_and_that_is_said(form: str, tmp_path: Path) -> None:
    document = document_of({"q": quantised(True), "r": quantised(False)})
    report = exported(document, tmp_path / "out.pt", form, Wanted(keep_grad=True))
    assert [item.name for item in report.plan.items] == ["q", "r"]
    assert [(dropped.name, dropped.text) for dropped in report.plan.dropped] == [
        ("q.requires_grad", "torch lets no quantised tensor require a gradient")
    ]
    verdict = torch_client.verify(report, Progress())
    assert verdict.good is True or verdict.code == "torch-absent"


@pytest.mark.parametrize("call", [coo(True), csr(), nested()], ids=["coo", "csr", "nested"])
def test_attributes_of_tensors_without_a_storage_are_named_too(call: Call, tmp_path: Path) -> None:
    state = {"scale": 2.0}
    with_state = Call(Global(TORCH, "_rebuild_parameter_with_state"), (call, True, HOOKS, state))
    report = exported(document_of(OrderedDict(w=with_state)), tmp_path / "out.pt")
    assert [(dropped.name, dropped.reason) for dropped in report.plan.dropped] == [("w.scale", "attribute")]
