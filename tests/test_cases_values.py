"""What each report needed to see of the values in a file: types, shapes, layouts, NaN, waste, objects, Python 2, numpy.

The facts are those of log.jsonl and expected.json in ../shared/cases, held against `inspect --json`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cases import case_facts, codes, expectations, look_at, problem, tensor, texts, values
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.summary.facts import facts
from viewer.core.tensors import window
from viewer.core.tensors.hashing import sha256
from viewer.core.tensors.statistics import statistics
from viewer.wording import fill

Look = Callable[..., dict[str, Any]]


@pytest.fixture
def look(shared: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Look:
    """The object of a case, with its tiling checked."""
    return look_at(shared, capfdbinary)


@pytest.fixture
def document(request: pytest.FixtureRequest, shared: Path) -> Any:
    """The document of the case that a test names."""
    found = open_document(shared / "cases" / request.param / case_facts(request.param)["open"])
    yield found
    found.source.close()


def numbers(document: Document) -> dict[str, list[object]]:
    return {window.name_of(each): window.read(each).ravel().tolist() for each in document.tensors}


def holds(document: Document) -> list[str]:
    return [fill(said.text, said.params) for said in facts(document).holds]


# -- what is in it ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("document", ["what-renamed-plain"], indirect=True)
def test_a_state_dict_at_the_root(document: Document) -> None:
    assert holds(document)[0] == "state_dict at the root"
    found = facts(document)
    assert (found.root, found.key_count, found.tensors) == ("collections.OrderedDict", 3, 3)
    assert not {"state_dict", "epoch", "rank1"} & {key.key for key in found.keys}


@pytest.mark.parametrize("document", ["what-optimizer-file"], indirect=True)
def test_an_optimizer_in_place_of_a_model(document: Document) -> None:
    said = " ".join(holds(document))
    assert "Adam" in said
    assert "2 parameters" in said
    assert "lr 0.0001" in said
    assert [each.name for each in document.tensors] == [None] * 6


# -- types -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("document", ["dt-bf16"], indirect=True)
def test_bfloat16(document: Document) -> None:
    assert [each.dtype for each in document.tensors] == ["bfloat16", "float16"]
    assert numbers(document)["tok_embeddings.weight"] == [1.0, -2.5, 0.00390625, 3.3895313892515355e38]


@pytest.mark.parametrize("document", ["dt-zoo"], indirect=True)
def test_one_tensor_of_each_type(document: Document) -> None:
    facts_of = case_facts("dt-zoo")["values"]
    found = numbers(document)
    assert len(found) == 13
    assert found.pop("complex64") == [1 + 2j, -0.0 - 0.5j]
    assert found == {name: listed for name, listed in facts_of.items() if name != "complex64"}
    assert found["uint64"] == [0, 1, 100]
    assert found["bool"] == [True, False, True]


def test_sparse_tensors(look: Look) -> None:
    found = look("dt-sparse")
    adj, csr, dense = found["tensors"]
    assert (adj["layout"], adj["shape"]) == ("sparse_coo", [4, 5])
    assert [(part["role"], part["shape"]) for part in adj["parts"]] == [("indices", [2, 3]), ("values", [3])]
    assert (csr["layout"], csr["shape"]) == ("sparse_csr", [3, 3])
    assert [(part["role"], part["shape"]) for part in csr["parts"]] == [
        ("crow_indices", [4]),
        ("col_indices", [3]),
        ("values", [3]),
    ]
    assert dense["layout"] == "strided"


@pytest.mark.parametrize("document", ["dt-sparse"], indirect=True)
def test_the_numbers_of_sparse_tensors(document: Document) -> None:
    adj, csr = (dict(each.parts) for each in document.tensors[:2])
    assert window.read(adj["indices"]).tolist() == [[0, 1, 3], [2, 0, 4]]
    assert window.read(adj["values"]).tolist() == [1.0, 2.0, 3.0]
    assert window.read(csr["crow_indices"]).tolist() == [0, 1, 1, 3]
    assert window.read(csr["col_indices"]).tolist() == [2, 0, 1]
    assert window.read(csr["values"]).tolist() == [5.0, 6.0, 7.0]


def test_entries_that_are_no_tensors(look: Look) -> None:
    found = look("dt-str-in-statedict")
    assert len(found["keys"]) == 4
    assert [row["name"] for row in found["tensors"]] == ["l.weight", "l.SCB"]
    assert values(found) == {"l.weight_format": "row", "l.amax": None}


# -- shapes and layouts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("document", ["shp-scalar"], indirect=True)
def test_a_scalar_is_no_vector(document: Document) -> None:
    shapes = {each.name: each.shape for each in document.tensors}
    assert shapes == {"bn.num_batches_tracked": (), "old.num_batches_tracked": (1,), "logit_scale": ()}
    assert numbers(document) == {
        "bn.num_batches_tracked": [1042],
        "old.num_batches_tracked": [1042],
        "logit_scale": [4.605170249938965],
    }


def test_a_file_of_placeholders(look: Look) -> None:
    found = look("shp-all-empty")
    assert [(row["shape"], row["dtype"], row["nbytes"]) for row in found["tensors"]] == [([0], "float16", 0)] * 4
    said = problem(found, "tensors-all-empty")
    assert said["params"] == {"count": 4}
    assert "weights are not gathered" in said["text"]


@pytest.mark.parametrize("document", ["shp-all-empty"], indirect=True)
def test_placeholders_have_no_parameters(document: Document) -> None:
    found = facts(document)
    assert (found.tensors, found.parameters, found.parameter_bytes) == (4, 0, 0)


@pytest.mark.parametrize("document", ["lay-stride0"], indirect=True)
def test_an_expanded_tensor_stays_small(document: Document) -> None:
    mask, small = document.tensors
    assert (mask.shape, mask.stride) == ((3000, 2000, 1000), (0, 0, 1))
    assert window.nbytes(mask) == 24_000_000_000
    assert mask.storage is not None
    assert mask.storage.nbytes == 4000
    assert window.read(mask, (slice(2, 4), 1999, slice(0, 5))).shape == (2, 5)
    assert (small.shape, small.stride) == ((5, 4), (0, 1))


@pytest.mark.parametrize("document", ["lay-fortran-npz"], indirect=True)
def test_a_transposed_view(document: Document) -> None:
    (w, _) = document.tensors
    assert (w.shape, w.stride) == ((3, 4), (1, 3))
    assert str(sha256(w)).startswith("3ae66c1493b58e42")


# -- NaN -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("document", ["nan-keys"], indirect=True)
def test_counts_of_nan_and_infinity(document: Document) -> None:
    found = {each.name: statistics(each) for each in document.tensors}
    told = {
        name: (got.nans.count, got.positive_infinities.count, got.negative_infinities.count, got.total)
        for name, got in found.items()
        if got is not None
    }
    assert told == {
        "down.conv1.weight": (3, 0, 0, 24),
        "down.conv1.bias": (4, 0, 0, 4),
        "out.scale": (0, 1, 1, 4),
        "ok.weight": (0, 0, 0, 3),
        "n": (0, 0, 0, 2),
    }


@pytest.mark.parametrize("document", ["nan-channel"], indirect=True)
def test_where_nan_stands(document: Document) -> None:
    (weight,) = document.tensors
    found = statistics(weight)
    assert found is not None
    assert (found.nans.count, found.nans.first, found.total) == (27, (8, 0, 0, 0), 432)
    assert found.minimum == pytest.approx(-2.7740774154663086)
    assert found.maximum == pytest.approx(3.331357717514038)
    assert found.mean == pytest.approx(-0.043099141957951184)
    assert np.isnan(window.read(weight, (8,)).astype(np.float64)).all()


# -- waste -------------------------------------------------------------------------------------------------


def test_a_slice_that_was_saved_whole(look: Look) -> None:
    found = look("sto-slice")
    (row,) = found["tensors"]
    assert (row["nbytes"], row["storage_offset"]) == (40, 500)
    assert row["storage"]["stop"] - row["storage"]["start"] == 40_000
    assert "39960" in texts(found)


def test_tied_weights(look: Look) -> None:
    found = look("sto-tied")
    names = [row["name"] for row in found["tensors"]]
    tied = {row["name"]: [names[other] for other in row["shared_with"]] for row in found["tensors"]}
    assert tied == {"wte.weight": ["lm_head.weight"], "lm_head.weight": ["wte.weight"], "h.ln.bias": []}
    storages = {(row["storage"]["start"], row["storage"]["stop"]) for row in found["tensors"]}
    assert sum(stop - start for start, stop in storages) == 96


@pytest.mark.parametrize("document", ["sto-tied"], indirect=True)
def test_tied_weights_are_counted_once(document: Document) -> None:
    found = facts(document)
    assert (found.parameters, found.unique_parameters, found.parameter_bytes) == (40, 24, 96)


@pytest.mark.parametrize(
    ("case", "sizes"),
    [
        ("opt-adam", {"model": 400, "optimizer": 800, "best_val_loss": 4}),
        ("opt-toplevel", {"model": 256, "optim0": 512, "optim1": 128}),
    ],
)
def test_bytes_below_each_key(case: str, sizes: dict[str, int], look: Look) -> None:
    found: dict[str, int] = {}
    for row in look(case)["tensors"]:
        found[row["path"][0]] = found.get(row["path"][0], 0) + row["nbytes"]
    assert found == sizes


# -- objects -------------------------------------------------------------------------------------------------


def test_the_fields_of_old_objects(look: Look) -> None:
    found = look("con-dataclass")
    told = values(found)
    label = "hyper_parameters.label_info"
    assert [told[f"{label}.@label_names.{number}"] for number in range(2)] == ["cat", "dog"]
    assert [told[f"{label}.@label_groups.0.{number}"] for number in range(2)] == ["cat", "dog"]
    assert [told[f"hyper_parameters.size.{number}"] for number in range(2)] == [640, 480]
    task = next(row for row in found["values"] if row["path"] == ["hyper_parameters", "task"])
    assert (task["type"], "DETECTION" in task["value"]) == ("otx.core.types.task.OTXTaskType", True)
    assert sorted(row["class"] for row in found["loading"]["missing_classes"]) == [
        "app.types.Size",
        "otx.core.types.label.LabelInfo",
        "otx.core.types.task.OTXTaskType",
    ]


def test_subclasses_of_tensors(look: Look) -> None:
    found = look("con-subclass")
    assert [(row["name"], row["class"], row["dtype"]) for row in found["tensors"]] == [
        ("w", "fastlib.core.TensorImage", "float32"),
        ("p", "torch.nn.parameter.Parameter", "float32"),
    ]
    assert [row["sha256"][:8] for row in found["tensors"]] == ["d670bf62", "8f1c1a7b"]
    assert values(found) == {"w.@size_hint": 7, "p.@tag": "frozen"}


def test_program_code_in_a_scheduler(look: Look) -> None:
    found = look("obj-lambda")
    assert "contains program code" in problem(found, "pickle-code-object")["text"]
    assert "dill._dill._create_function" in problem(found, "pickle-code-object")["text"]
    listed = list(values(found).values())
    assert 200 in listed
    assert 0.5 in listed
    assert "/srv/train.py" in listed
    assert any("<lambda>" in str(each) for each in listed)


def test_a_namespace(look: Look) -> None:
    found = look("obj-namespace")
    told = values(found)
    assert (told["args.@lr"], told["args.@backbone"], told["args.@device"]) == (0.0001, "swin_L", "cuda")
    assert [told[f"args.@lambda_list.{number}"] for number in range(2)] == [1, 2.5]
    refused = next(row for row in found["loading"]["expectations"] if row["code"].startswith("refused-names"))
    assert refused["params"]["count"] == 1
    assert "argparse.Namespace" in refused["text"]


# -- Python 2 and numpy ----------------------------------------------------------------------------------------


def test_an_array_of_python_2(look: Look) -> None:
    found = look("py2-numpy-bytes")
    assert "Python 2" in found["written_by"]
    anchors = tensor(found, "anchors")
    assert (anchors["dtype"], anchors["shape"], anchors["sha256"][:8]) == ("float32", [2, 2], "bbfb0c92")
    assert values(found) == {"save_dir": "results/det"}
    assert found["keys"] == ["save_dir", "anchors", "state_dict"]


@pytest.mark.parametrize("document", ["py2-numpy-bytes"], indirect=True)
def test_the_numbers_of_an_array_of_python_2(document: Document) -> None:
    assert window.read(document.tensors[0]).ravel().tolist() == [
        *(-1.5, 0.10000000149011612, 3.000000060122632e20, 0.25)
    ]


def test_texts_of_python_2(look: Look) -> None:
    told = values(look("py2-utf8-text"))
    assert [told[f"class_names.{number}"] for number in range(3)] == ["żółw", "猫", "گربه"]
    assert told["note"] == "unicode é"
    assert told["blob"] == {"hex": "fffe41", "length": 3}
    assert values(look("py2-utf8-text", "--encoding", "latin1"))["blob"] == "ÿþA"


def test_arrays_of_a_newer_numpy(look: Look) -> None:
    found = look("np-core2")
    assert found["written_by"] == "torch 2.7 or later, numpy 2 or later"
    assert "needs-numpy" in expectations(found)
    assert "numpy._core" in texts(found)
    assert (tensor(found, "labels")["dtype"], tensor(found, "boxes")["shape"]) == ("int64", [2, 4])


@pytest.mark.parametrize("document", ["np-core2"], indirect=True)
def test_the_numbers_of_a_newer_numpy(document: Document) -> None:
    assert numbers(document) == {"labels": [3, 1, 2], "boxes": [number / 16 for number in range(8)]}


def test_joblib(look: Look) -> None:
    found = look("np-joblib")
    assert found["format"] == "joblib"
    pose, trans = found["tensors"]
    assert (pose["path"], pose["dtype"], pose["shape"]) == ([0, "pose"], "float32", [2, 3])
    assert (trans["path"], trans["dtype"], trans["shape"]) == ([0, "trans"], "float64", [4])
    assert values(found)["fps"] == 30
    raw = [(row["start"], row["stop"]) for row in found["regions"] if row["kind"] == "storage"]
    assert raw == [(pose["start"], pose["stop"]), (trans["start"], trans["stop"])]
    assert codes(found) == []


@pytest.mark.parametrize("document", ["np-joblib"], indirect=True)
def test_the_numbers_of_joblib(document: Document) -> None:
    assert [window.read(each).ravel().tolist() for each in document.tensors] == [
        [0.0, 0.25, 0.5, 0.75, 1.0, 1.25],
        [1.0, -2.0, 0.5, 8.0],
    ]
