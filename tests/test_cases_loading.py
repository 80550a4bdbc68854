"""The cases of ../shared on loading: classes that are not found, devices, old torch, and what the safe loader refuses.

Held against the facts beside them (expected.json) and against what each report needed to see (log.jsonl).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.expected import expected
from tests.shared import ABSENT
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.summary.prediction import Device, Expectation, Prediction, predict
from viewer.core.tensors.path import shown


@pytest.fixture
def case(request: pytest.FixtureRequest, shared: Path) -> Iterator[Document]:
    """The document of the case that a test names."""
    facts = expected("cases").get(request.param)
    if facts is None:
        pytest.skip(ABSENT)
    document = open_document(shared / "cases" / request.param / facts["open"])
    yield document
    document.source.close()


def told(found: Prediction, code: str) -> Expectation:
    return next(expectation for expectation in found.expectations if expectation.code == code)


def codes(found: Prediction) -> list[str]:
    return [expectation.code for expectation in found.expectations]


def with_key(key: str) -> list[object]:
    names = sorted(name for name, facts in expected("cases").items() if facts.get(key))
    return names or [pytest.param("absent", marks=pytest.mark.skip(reason=ABSENT))]


@pytest.mark.parametrize("case", with_key("missing_classes"), indirect=True)
def test_missing_classes_are_exactly_those(case: Document, request: pytest.FixtureRequest) -> None:
    facts = expected("cases")[request.node.callspec.params["case"]]
    found = predict(case)
    assert sorted(entry.name for entry in found.missing) == facts["missing_classes"]
    assert all(entry.places for entry in found.missing)
    sentence = told(found, "classes-missing").text
    assert "not needed for reading" in sentence
    assert all(name in sentence for name in facts["missing_classes"])


@pytest.mark.parametrize("case", ["cnf-yolo-models"], indirect=True)
def test_a_detector_is_loaded_by_its_classes(case: Document) -> None:
    found = predict(case)
    places = {entry.name: [shown(place.path) for place in entry.places] for entry in found.missing}
    assert places == {
        "models.yolo.DetectionModel": ["model"],
        "models.common.Conv": ["model._modules.model._modules.0"],
    }
    assert "from models.yolo import DetectionModel" in (found.code or "")
    assert (found.code or "").endswith("model = loaded['model']\nstate_dict = model.state_dict()")


@pytest.mark.parametrize("case", ["cnf-recordermeter"], indirect=True)
def test_a_log_object_beside_the_weights(case: Document) -> None:
    found = predict(case)
    assert [(entry.name, [place.path for place in entry.places]) for entry in found.missing] == [
        ("__main__.RecorderMeter", [("recorder",)])
    ]
    assert codes(found) == ["classes-missing", "refused-names-allowed"]
    assert "state_dict = loaded['state_dict']" in (found.code or "")


@pytest.mark.parametrize("case", with_key("locations"), indirect=True)
def test_every_location_with_its_storages(case: Document, request: pytest.FixtureRequest) -> None:
    facts = expected("cases")[request.node.callspec.params["case"]]["locations"]
    assert {device.location: device.storages for device in predict(case).devices} == facts


@pytest.mark.parametrize("case", ["dev-cuda3"], indirect=True)
def test_a_file_of_the_fourth_gpu(case: Document) -> None:
    found = predict(case)
    assert found.devices == [Device("cuda:3", 2)]
    assert told(found, "device-cuda").text.startswith("On cuda:3: 2 of 2 storages.")
    assert 'map_location="cpu", weights_only=True)' in (found.code or "")


@pytest.mark.parametrize("case", ["dev-mixed"], indirect=True)
def test_a_count_for_each_of_several_devices(case: Document) -> None:
    assert predict(case).devices == [Device("cuda:2", 2), Device("cuda:0", 1), Device("cpu", 1)]


@pytest.mark.parametrize("case", ["dev-exotic"], indirect=True)
def test_locations_that_are_no_gpu_of_this_machine(case: Document) -> None:
    found = predict(case)
    assert [device.location for device in found.devices] == ["xla:1", "mps:0", "privateuseone:0", "gpu"]
    assert codes(found)[:4] == ["device-xla", "device-mps", "device-privateuseone", "device-unknown"]
    assert 'map_location="cpu"' in (found.code or "")


@pytest.mark.parametrize("case", ["src-whole-model"], indirect=True)
def test_a_whole_model_with_its_source(case: Document) -> None:
    found = predict(case)
    compared = told(found, "source-compared")
    assert compared.params["count"] == 3
    assert "SourceChangeWarning" in compared.text
    assert "nets.TinyNet" in compared.text
    assert codes(found) == ["classes-missing", "refused-names", "refused-stored", "source-compared"]
    assert "model = torch.load('best_run.pt', weights_only=False)" in (found.code or "")


@pytest.mark.parametrize("case", ["src-none"], indirect=True)
def test_a_whole_model_without_source_is_compared_with_nothing(case: Document) -> None:
    found = predict(case)
    assert "source-compared" not in codes(found)
    assert "# Define these here first: ConditionalRandomField." in (found.code or "")


@pytest.mark.parametrize("case", ["ver-zip-for-old"], indirect=True)
def test_a_zip_for_a_torch_that_reads_none(case: Document) -> None:
    sentence = told(predict(case), "needs-torch-version").text
    assert "torch 1.6 or later" in sentence
    assert "version 3" in sentence


@pytest.mark.parametrize("case", with_key("unsafe_globals"), indirect=True)
def test_all_names_that_the_safe_loader_refuses_at_once(case: Document, request: pytest.FixtureRequest) -> None:
    facts = expected("cases")[request.node.callspec.params["case"]]
    assert set(facts["unsafe_globals"]) <= set(predict(case).refusals.names)


@pytest.mark.parametrize("case", ["sec-os-system", "sec-numpy-builtins"], indirect=True)
def test_no_code_that_runs_a_hostile_file_is_handed_out(case: Document) -> None:
    found = predict(case)
    assert codes(found)[0] == "reaching-names"
    assert "weights_only=True)" in (found.code or "")
    assert "weights_only=False" not in (found.code or "").replace("weights_only=False would", "")
    assert "safe_globals" not in (found.code or "")


@pytest.mark.parametrize(
    "case", ["cor-zip-half", "cor-legacy-pickle-cut", "cor-legacy-badcount", "cor-zip-missing-record"], indirect=True
)
def test_damaged_files_stop_torch(case: Document) -> None:
    found = predict(case)
    assert codes(found)[0] == "damaged"
    assert found.code is None


@pytest.mark.parametrize(
    ("case", "code"),
    [
        ("jit-as-ckpt", "script"),
        ("bad-gzip", "not-torch-packed"),
        ("bad-safetensors-renamed", "not-torch-reader"),
        ("bad-plain-pickle", "not-torch-pickle"),
        ("bad-zeros", "not-torch"),
        ("tar-real-old", "tar"),
    ],
    indirect=["case"],
)
def test_what_torch_does_not_read_as_it_is(case: Document, code: str) -> None:
    assert code in codes(predict(case))
