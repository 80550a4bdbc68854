"""Whatever goes out comes back: random tensors that are more than plain elements through each form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import deserialize

from tests.builders.torch_values import contiguous
from tests.builders.torch_zip import torch_zip
from tests.core.export.reading import exported_or_none, read_npz
from tests.core.export.special_trees import Special, facts_of, host_array, lacking, over, special_trees, told
from tests.core.export.test_round_trips import as_numpy, fresh
from tests.core.export.trees import Array
from viewer.core.document import Document
from viewer.core.errors import ExportError
from viewer.core.export import exporter_of
from viewer.core.export.base import Exporter
from viewer.core.export.legacy_state_dict import CLASS_OF
from viewer.core.export.plan import Report
from viewer.core.export.safetensors import NAMES as SAFE
from viewer.core.export.selection import Wanted
from viewer.core.export.state_dict import HELD
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource
from viewer.core.tensors.tensor import Parameters, Tensor
from viewer.core.tensors.window import read

EXAMPLES: Final = 60
SPARSE: Final = "sparse"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("out")


def opened(tree: dict[str, Special]) -> Document:
    return open_document(MemorySource(torch_zip({name: special.value for name, special in tree.items()})))


def facts(tensor: Tensor) -> dict[str, Any]:
    """What our reader tells of a tensor."""
    if tensor.layout in ("nested", *(f"sparse_{kind}" for kind in ("coo", "csr", "csc", "bsr", "bsc"))):
        parts = {role: elements(part) for role, part in tensor.parts}
        if tensor.layout == "nested":
            return {"kind": "nested", "parts": parts}
        known = {"layout": tensor.layout, "shape": list(tensor.shape), "coalesced": tensor.coalesced}
        return {"kind": SPARSE, **known, "parts": parts}
    if tensor.storage is None and tensor.note:
        return {"kind": "meta", "elements": [tensor.dtype, list(tensor.shape), ""], "stride": list(tensor.stride)}
    known = {"elements": elements(tensor), "stride": list(tensor.stride)}
    quantizer = tensor.quantizer
    if quantizer is None:
        return {"kind": "plain", **known}
    scales = {"scale": parameter(quantizer.scale), "zero_point": parameter(quantizer.zero_point)}
    return {"kind": "quantised", **known, "scheme": quantizer.scheme, **scales, "axis": quantizer.axis}


def elements(tensor: Tensor) -> list[Any]:
    found = read(tensor)
    if tensor.dtype in ("quint4x2", "quint2x4"):
        return [tensor.dtype, list(tensor.shape), found.reshape(-1).tolist()]
    return told(tensor.dtype, found)


def parameter(given: Parameters) -> object:
    return elements(given) if isinstance(given, Tensor) else given


def assert_dropped(report: Report | None, reasons: dict[str, str]) -> None:
    """What is left out is told, each with its reason; without a report it is all."""
    if report is not None:
        assert {dropped.name: dropped.reason for dropped in report.plan.dropped} == reasons


@given(special_trees())
@settings(max_examples=EXAMPLES)
@pytest.mark.parametrize(("form", "held"), [("state_dict", HELD), ("legacy_state_dict", frozenset(CLASS_OF))])
def test_state_dicts(folder: Path, form: str, held: frozenset[str], tree: dict[str, Special]) -> None:
    kept = {name: each for name, each in tree.items() if not lacking(each, tuple(held))}
    report = exported_or_none(opened(tree), fresh(folder / "out.pt"), form)
    assert_dropped(report, {name: "dtype" for name in tree if name not in kept})
    assert (report is None) == (not kept)
    if report is not None:
        back = open_document(folder / "out.pt")
        assert {str(tensor.name): facts(tensor) for tensor in back.tensors} == dict(facts_of(kept, form))
        back.source.close()


def attempt(exporter: Exporter, document: Document, wanted: Wanted, path: Path) -> tuple[Report | None, str]:
    """The report, or the code of what was said instead."""
    try:
        return exporter.write(exporter.plan(document, wanted), path, Progress(), overwrite=True), ""
    except ExportError as refused:
        return None, refused.code


def arrays_of(tree: dict[str, Special], without: dict[str, str]) -> Iterator[tuple[str, str, Array]]:
    """Name, role and array of all that forms of plain arrays hold, in order."""
    for name, special in tree.items():
        for role, array in special.arrays.items() if name not in without else ():
            yield name, role, array


def left_out(tree: dict[str, Special]) -> dict[str, str]:
    """What no form of plain arrays holds."""
    return {name: "meta" for name, special in tree.items() if not special.arrays}


@given(special_trees())
@settings(max_examples=EXAMPLES)
def test_npz(folder: Path, tree: dict[str, Special]) -> None:
    reasons = left_out(tree)
    meant = list(arrays_of(tree, reasons))
    report = exported_or_none(opened(tree), fresh(folder / "out.npz"), "npz")
    assert_dropped(report, reasons)
    assert (report is None) == (not meant)
    if report is None:
        return
    found = read_npz(folder / "out.npz")
    assert [item.entry for item in report.plan.items] == [name if role else "" for name, role, _ in meant]
    for item, (_, role, array) in zip(report.plan.items, meant, strict=True):
        # names that come out alike get a number behind them
        assert re.sub(r"_\d+$", "", item.name).endswith(f".{role}" if role else "")
        np.testing.assert_array_equal(found[item.name], as_numpy(array), strict=True)
    verdict = exporter_of("npz").verify(report, Progress())
    assert verdict is not None
    assert verdict.good is True


@given(special_trees())
@settings(max_examples=EXAMPLES)
@pytest.mark.parametrize("form", ["safetensors", "safetensors_shards"])
def test_safetensors(folder: Path, form: str, tree: dict[str, Special]) -> None:
    reasons = left_out(tree) | {name: "dtype" for name, each in tree.items() if each.arrays and not is_safe(each)}
    meant = list(arrays_of(tree, reasons))
    path = fresh(folder / "out.safetensors") if form == "safetensors" else folder / "shards"
    exporter = exporter_of(form)
    report, refused = attempt(exporter, opened(tree), Wanted(), path)
    assert refused == ("" if meant else "export-none-left")
    if report is None:
        return
    assert_dropped(report, reasons)
    file = path if form == "safetensors" else path / "model.safetensors"
    found = dict(deserialize(file.read_bytes()))
    assert len(found) == len(report.plan.items) == len(meant)
    for item, (_, _, array) in zip(report.plan.items, meant, strict=True):
        data = as_numpy(array) if array.dtype.names or array.dtype == np.bool_ else array
        assert (found[item.name]["shape"], bytes(found[item.name]["data"])) == (list(array.shape), data.tobytes())
    verdict = exporter.verify(report, Progress())
    assert verdict is not None
    assert verdict.good is True


def is_safe(special: Special) -> bool:
    """True when the library has all types that it comes to."""
    if "" in special.arrays and special.arrays[""].dtype == "<f4":
        return True
    return not lacking(special, (*SAFE, "complex32"))


@given(special_trees())
@settings(max_examples=EXAMPLES)
def test_one_tensor_forms(folder: Path, tree: dict[str, Special]) -> None:
    document = opened(tree)
    for name, special in tree.items():
        wanted = Wanted(tensors=[next(tensor for tensor in document.tensors if tensor.name == name)])
        for form in ("npy", "csv"):
            one_tensor(document, wanted, folder, form, special)


def one_tensor(document: Document, wanted: Wanted, folder: Path, form: str, special: Special) -> None:
    """One of them: written, or told why not."""
    exporter = exporter_of(form)
    array = special.arrays.get("")
    report, refused = attempt(exporter, document, wanted, fresh(folder / "out"))
    if report is None or array is None:
        assert array is None or (form == "csv" and array.dtype.kind in "MU"), refused
        code = "export-no-numbers" if array is not None else "export-one-tensor"
        assert refused == (code if special.arrays else "export-none-left")
        return
    if form == "npy":
        np.testing.assert_array_equal(np.load(folder / "out", allow_pickle=False), as_numpy(array), strict=True)
    verdict = exporter.verify(report, Progress())
    assert verdict is not None
    assert verdict.good is True


@given(st.data())
@settings(max_examples=EXAMPLES)
def test_steps_backwards(folder: Path, data: st.DataObject) -> None:
    """Arrays may be read from their end; every form writes them in order."""
    dtype = data.draw(st.sampled_from(("float32", "int16", "complex64", "bool", "int64")))
    shape = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    view, array, raw = data.draw(over(dtype, shape, st.integers(-4, 4)))
    flat = np.frombuffer(raw, array.dtype)
    (whole,) = opened({"t": Special(host_array(flat, "C"), None, ())}).tensors
    turned = replace(whole, shape=view.shape, stride=view.stride, storage_offset=view.offset)
    document, wanted = opened({}), Wanted(tensors=[turned])
    for form in ("state_dict", "legacy_state_dict", "npz", "npy", "safetensors"):
        exporter = exporter_of(form)
        path = fresh(folder / f"turned.{form}")
        report = exporter.write(exporter.plan(document, wanted), path, Progress())
        assert report.plan.dropped == (), form
        (back,) = (tensor for part in open_document(path).walk() for tensor in part.tensors)
        assert elements(back) == told(dtype, array), form
        if min(view.stride) < 0:
            assert back.stride == contiguous(shape), form
