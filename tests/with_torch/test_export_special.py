"""Exported tensors that are more than plain elements, as torch loads them with weights_only=True."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.builders.torch_values import full, storage
from tests.core.export.reading import document_of, exported, record
from tests.core.export.test_special import csr, jagged, meta, nested, per_channel, quantised, sparse
from tests.shared import ROOT
from viewer import torch_client
from viewer.core.export.plan import Report
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress

pytestmark = pytest.mark.torch
NAMES: Final = (
    *("per_tensor", "turned", "wide", "per_channel", "float_zero", "four_bits", "coo", "coo_twice", "hybrid", "empty"),
    *("csr", "csc", "bsr", "bsc", "half", "nested", "meta", "plain"),
)


def child(what: str, folder: Path) -> Any:
    """The answer of special_child.py."""
    command = [sys.executable, "-m", "tests.with_torch.special_child", what, str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """What torch saved, and our exports of it."""
    saved, ours = tmp_path_factory.mktemp("saved"), tmp_path_factory.mktemp("ours")
    assert tuple(child("save", saved)) == NAMES
    for name in NAMES:
        document = open_document(saved / f"{name}.pt")
        report = exported(document, ours / f"{name}.pt")
        document.source.close()
        assert (report.plan.dropped, report.plan.converted) == ((), ())
    return saved, ours


@pytest.mark.parametrize("name", NAMES)
def test_what_torch_saved_comes_out_the_same(folders: tuple[Path, Path], name: str) -> None:
    theirs, ours = (record(folder / f"{name}.pt", "data.pkl") for folder in folders)
    assert ours == theirs


def test_torch_loads_the_same_numbers(folders: tuple[Path, Path]) -> None:
    theirs, ours = (child("load", folder) for folder in folders)
    assert ours == theirs
    assert ours["per_tensor"]["per_tensor"]["meant"] == [[0, 1.5, 0, 0], [2, 0, 0, -1.5]]
    assert ours["coo_twice"]["coo_twice"]["values"] == [1, 2]
    assert ours["bsc"]["bsc"]["dense"] == [[0, 1.5, 0, 0], [2, 0, 0, -3]]
    assert ours["nested"]["nested"]["nested"] == [[[0, 1, 2], [3, 4, 5]], [[1, 1, 1]]]
    assert (ours["meta"]["meta"]["device"], ours["meta"]["meta"]["stride"]) == ("meta", [1, 2])


# -- samples ------------------------------------------------------------------------------------------

SAMPLES: Final = (
    *("B_legacy_quant", "C_zip_subbyte_q", "J_qtensor", "J_qtensor_list", "J_meta", "J_nested_strided"),
    *("J_sparse_compressed", "J_sparse_coo", "J_sparse_coo_3", "J_t222_csr"),
    *(f"J_t{version}_quant" for version in ("131", "140py2", "151", "160", "1102", "1121", "222")),
    *(f"J_t{version}_sparse" for version in ("140py2", "151", "160", "1102", "1121", "222")),
    *(f"J_t{version}_meta" for version in ("1102", "1121", "222")),
)
UNLOADABLE: Final[dict[str, dict[str, object]]] = {
    "J_t1121_csr": {"layout": "torch.sparse_csr", "dense": [[0, 1], [2, 3]]},
    "J_dtensor": {"layout": "torch.strided", "values": [0, 1, 2, 3]},
    "J_subclass": {"layout": "torch.strided", "values": [0, 1, 2]},
    "J_device_from_numpy": {"dtype": "torch.float64", "values": [0, 1, 2]},
    "J_from_type_v1": {"layout": "torch.strided", "values": [1, 2]},
}
"""What weights_only refuses as it was saved -> what is loaded of its export, in part."""
ATTRIBUTES: Final = {"J_from_type_v1": ["tensor.note"]}
"""Python attributes, which are left out."""


def export_sample(samples: Path, name: str, path: Path) -> Report:
    document = open_document(samples / f"{name}.pt")
    report = exported(document, path, wanted=Wanted(tensors=tuple(document.tensors)))
    document.source.close()
    assert [each.name for each in report.plan.dropped] == ATTRIBUTES.get(name, [])
    return report


def test_samples_load_as_they_did(shared: Path, tmp_path: Path) -> None:
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    for folder in (theirs, ours):
        folder.mkdir()
    for name in SAMPLES:
        (theirs / f"{name}.pt").write_bytes((shared / "samples" / f"{name}.pt").read_bytes())
        export_sample(shared / "samples", name, ours / f"{name}.pt")
    expected, found = child("load", theirs), child("load", ours)
    assert list(found) == sorted(SAMPLES)
    for name in SAMPLES:
        assert found[name] == expected[name], name


def test_samples_that_weights_only_refuses_load_now(shared: Path, tmp_path: Path) -> None:
    for name in UNLOADABLE:
        export_sample(shared / "samples", name, tmp_path / f"{name}.pt")
    answers = child("load", tmp_path)
    for name, facts in UNLOADABLE.items():
        (found,) = answers[name].values()
        assert {key: found[key] for key in facts} == facts, name


# -- verification -------------------------------------------------------------------------------------


def test_all_kinds_together_are_verified(tmp_path: Path) -> None:
    value = {"q": per_channel(), "s": csr(), "n": nested(), "m": meta(), "j": jagged()}
    verdict = torch_client.verify(exported(document_of(value), tmp_path / "a.pt"), Progress())
    assert (verdict.code, verdict.params["count"]) == ("torch-verified", 6)


def scaled(scale: float, zero: int = 0, scheme: str = "per_tensor_affine") -> Any:
    return quantised(storage("qint8", [1, 2]), (2,), scheme, scale, zero)


def rows(scale: float, zero: int = 0) -> Any:
    return quantised(storage("qint8", [1, 2]), (2,), "per_channel_affine", [1.0, scale], [zero, 0], 0)


def points(index: int, value: float = 1, size: int = 4, coalesced: bool = True) -> Any:
    return sparse("sparse_coo", full("int64", (1, 1), [index]), full("float32", (1,), [value]), (size,), coalesced)


@pytest.mark.parametrize(
    ("meant", "written", "reason"),
    [
        (scaled(0.5), scaled(0.25), "the scale of t is 0.25 instead of 0.5"),
        (scaled(0.5, 3), scaled(0.5, 4), "the zero_point of t is 4 instead of 3"),
        (rows(2), scaled(2), "the scheme of t is per_tensor_affine instead of per_channel_affine"),
        (rows(2), rows(3), "the elements of t differ in scale"),
        (rows(2, 1), rows(2, 2), "the elements of t differ in zero_point"),
        (points(1), points(2), "the elements of t differ in indices"),
        (points(1, 5), points(1, 6), "the elements of t differ in values"),
        (points(1), points(1, size=5), "the shape of t is [5] instead of [4]"),
        (points(1), full("float32", (4,), [0] * 4), "the layout of t is strided instead of sparse_coo"),
        (nested(), points(1), "the dtype of t is float32 (not nested) instead of float32"),
        (full("float16", (2, 3), [0] * 6), meta(), "the stride of t is [1, 2] instead of [3, 1]"),
    ],
)
def test_the_child_tells_what_differs(tmp_path: Path, meant: Any, written: Any, reason: str) -> None:
    plan = exported(document_of({"t": meant}), tmp_path / "meant.pt").plan
    exported(document_of({"t": written}), tmp_path / "written.pt")
    verdict = torch_client.verify(Report(plan, tmp_path / "written.pt", 1000), Progress())
    assert (verdict.code, verdict.good, verdict.params["reason"]) == ("torch-differs", False, reason)
