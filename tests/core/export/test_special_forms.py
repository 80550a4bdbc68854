"""Tensors that are more than plain elements in forms that hold plain ones only: numbers, parts, the reason."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from pathlib import Path

import numpy as np
import pytest

from tests.builders.torch_values import Storage, full, storage, tensor
from tests.builders.values import Call, Global
from tests.core.export.reading import document_of, exported, read_npz
from tests.core.export.test_special import (
    coo,
    csr,
    meta,
    nested,
    per_channel,
    plan_of,
    quantised,
    sparse,
    subclass,
)
from tests.opened import opened
from viewer import torch_client
from viewer.core.document import Document
from viewer.core.errors import ExportError
from viewer.core.export import exporter_of
from viewer.core.export.plan import Converted, Dropped, Plan
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import read

ODD = (Storage("bits8", bytes(4)), 0, (2,), (1,), False, OrderedDict())
"""What a tensor of a type that nobody knows is made of."""


def test_npz_holds_the_numbers_that_are_meant(tmp_path: Path) -> None:
    report = exported(document_of({"t": per_channel()}), tmp_path / "a.npz", "npz")
    assert report.plan.converted == (Converted("t", "qint8", "float32"),)
    found = read_npz(tmp_path / "a.npz")["t"]
    assert (found.dtype.name, found.tolist()) == ("float32", [[0, 0.5], [6, 8]])
    assert torch_client.verify(report, Progress()).code == "numpy-verified"


def test_scales_along_a_middle_axis_over_many_blocks(tmp_path: Path) -> None:
    numbers = np.arange(3 * 5 * 40_000) % 100
    scales, zeros = full("float64", (5,), [1, 2, 4, 8, 16]), full("int64", (5,), [0, 1, 2, 3, 4])
    value = quantised(storage("qint8", numbers), (3, 5, 40_000), "per_channel_affine", scales, zeros, 1)
    exported(document_of({"t": value}), tmp_path / "a.npz", "npz")
    expected = (numbers.reshape(3, 5, -1) - np.arange(5)[:, None]) * 2.0 ** np.arange(5)[:, None]
    assert np.array_equal(read_npz(tmp_path / "a.npz")["t"], expected)


@pytest.mark.parametrize("form", ["npz", "safetensors"])
def test_parts_are_entries_of_their_own(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"a.{form}"
    report = exported(document_of({"c": coo(True), "r": csr(), "n": nested()}), path, form)
    assert [(each.name, each.source, each.result) for each in report.plan.converted] == [
        ("c", "sparse_coo", "c.indices, c.values, c.size"),
        ("r", "sparse_csr", "r.crow_indices, r.col_indices, r.values, r.size"),
        ("n", "nested", "n.values, n.sizes, n.strides, n.offsets"),
    ]
    assert report.plan.dropped == ()
    found = {each.name or each.path[0]: read(each).tolist() for each in tensors_of(path)}
    assert found["c.indices"] == [[0, 1], [1, 0]]
    assert (found["c.values"], found["c.size"], found["r.size"]) == ([3, 4], [2, 3], [2, 3])
    assert (found["r.crow_indices"], found["n.offsets"]) == ([0, 1, 2], [0, 2])
    assert torch_client.verify(report, Progress()).good


def tensors_of(path: Path) -> list[Tensor]:
    return [each for part in open_document(path).walk() for each in part.tensors]


def test_safetensors_holds_the_numbers_that_are_meant(tmp_path: Path) -> None:
    report = exported(document_of({"t": per_channel(), "s": subclass()}), tmp_path / "a.safetensors", "safetensors")
    back = {each.name: each for each in open_document(tmp_path / "a.safetensors").tensors}
    assert (back["t"].dtype, read(back["t"]).tolist(), read(back["s"]).tolist()) == (
        "float32",
        [[0, 0.5], [6, 8]],
        [1, 2],
    )
    assert torch_client.verify(report, Progress()).code == "safetensors-verified"


@pytest.mark.parametrize("form", ["npz", "safetensors"])
def test_forms_of_values_have_no_place_for_none(form: str) -> None:
    with pytest.raises(ExportError) as caught:
        plan_of({"t": meta()}, form)
    assert caught.value.params["reason"] == "t: it is on the meta device, which keeps no values"


@pytest.mark.parametrize("form", ["state_dict", "npz", "safetensors", "safetensors_shards"])
def test_attributes_of_tensors_are_named_as_left_out(form: str) -> None:
    kept = Global("torch._utils", "_rebuild_parameter_with_state")
    given = Call(kept, (full("float32", (1,), [3]), True, OrderedDict(), {"tag": "frozen", "rate": 2}))
    document = document_of({"s": subclass(), "p": given, "q": full("float32", (1,), [1])})
    every = [Dropped("s.a", "attribute"), Dropped("p.tag", "attribute"), Dropped("p.rate", "attribute")]
    assert list(plan_in(document, form).dropped) == every
    assert list(plan_in(document, form, Wanted(only=("p",))).dropped) == every[1:]
    assert list(plan_in(document, form, Wanted(tensors=(document.tensors[0],))).dropped) == every[:1]


@pytest.mark.parametrize("form", ["state_dict", "npz", "safetensors"])
def test_the_mask_of_an_array_is_named_as_left_out(form: str) -> None:
    masked: object = np.ma.masked_array([1, 2, 3], mask=[False, True, False], dtype="<i4")
    document = opened(pickle.dumps({"m": masked, "w": np.zeros(1, "<f4")}, 4))
    plan = plan_in(document, form)
    assert [item.name for item in plan.items] == ["m", "w"]
    assert plan.dropped == (Dropped("m.mask", "mask"),)


def plan_in(document: Document, form: str, wanted: Wanted | None = None) -> Plan:
    return exporter_of(form).plan(document, wanted or Wanted())


@pytest.mark.parametrize(
    ("form", "dtype", "value"),
    [
        ("safetensors", "complex128", tensor(Storage("complex128", bytes(32)), (2,))),
        ("npz", "int3", Call(Global("torch._utils", "_rebuild_tensor_v3"), (*ODD, Global("torch", "int3")))),
    ],
)
def test_a_tensor_is_not_taken_apart_where_one_part_cannot_be_held(form: str, dtype: str, value: Call) -> None:
    indices = full("int64", (1, 2), [0, 1])
    plan = plan_of({"c": sparse("sparse_coo", indices, value, (4,)), "w": full("float32", (1,), [1])}, form)
    assert [item.name for item in plan.items] == ["w"]
    assert [(each.name, each.reason, each.params["dtype"]) for each in plan.dropped] == [("c", "dtype", dtype)]
    assert plan.converted == ()
