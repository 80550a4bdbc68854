"""What torch.load would do: the expectations, the devices, the missing classes, and the code."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, full, module, parameter, state_dict
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, Instance
from tests.opened import opened
from viewer.core.problem import Severity
from viewer.core.summary.prediction import Device, Expectation, Prediction, predict
from viewer.wording.predictions import PREDICTIONS


def predicted(data: bytes) -> Prediction:
    document = opened(data)
    document.path = Path("/somewhere/it's.pt")
    return predict(document)


def codes_of(found: Prediction) -> list[str]:
    return [expectation.code for expectation in found.expectations]


def by_code(found: Prediction, code: str) -> Expectation:
    return next(expectation for expectation in found.expectations if expectation.code == code)


def one(device: str = "cpu") -> Call:
    return full("float32", (1,), [1], device)


def net(source: str | None = None) -> Instance:
    made = ModuleClass("nets", "Net", "nets.py", source) if source is not None else ModuleClass("nets", "Net")
    return module(made, {}, {"w": parameter(one())})


def test_a_state_dict_loads_as_it_is() -> None:
    found = predicted(torch_zip(state_dict({"a": one()})))
    assert codes_of(found) == ["loads", "needs-torch-version"]
    assert by_code(found, "needs-torch-version").params == {"version": "3"}
    assert [expectation.severity for expectation in found.expectations] == [Severity.NOTE, Severity.NOTE]
    assert codes_of(predicted(legacy(state_dict({"a": one()})))) == ["loads"]


def test_each_device_is_told_with_its_share() -> None:
    tags = ["cuda:3", "cuda:3", "mps:0", "xla:1", "privateuseone:0", "xpu:0", "gpu", "meta", "cpu"]
    found = predicted(torch_zip({f"k{number}": one(tag) for number, tag in enumerate(tags)}))
    assert found.devices[0] == Device("cuda:3", 2)
    assert [device.location for device in found.devices] == list(dict.fromkeys(tags))
    assert codes_of(found)[:7] == [
        "device-cuda",
        "device-mps",
        "device-xla",
        "device-privateuseone",
        "device-backend",
        "device-unknown",
        "device-meta",
    ]
    cuda = found.expectations[0]
    assert cuda.params == {"location": "cuda:3", "count": 2, "all": 9, "map_location": "cpu"}
    assert cuda.text.startswith("On cuda:3: 2 of 9 storages. torch.load stops on a computer without that GPU.")
    assert 'map_location="cpu"' in cuda.text
    assert "loads" not in codes_of(found)


def test_very_many_devices_are_summed_up() -> None:
    found = predicted(torch_zip({f"k{number}": one(f"cuda:{number}") for number in range(30)}))
    assert codes_of(found).count("device-cuda") == 20
    assert by_code(found, "device-more").params["count"] == 10
    assert len(found.devices) == 30


def test_meta_needs_no_other_device() -> None:
    found = predicted(torch_zip(state_dict({"a": one("meta")})))
    assert by_code(found, "device-meta").severity is Severity.NOTE
    assert "map_location" not in (found.code or "")


def test_missing_classes_have_their_places() -> None:
    value = {"log": Instance(Global("__main__", "Log"), (), {}), "nets": [net(), net()]}
    found = predicted(torch_zip(value))
    assert [(entry.name, [place.path for place in entry.places]) for entry in found.missing] == [
        ("__main__.Log", [("log",)]),
        ("nets.Net", [("nets", 0), ("nets", 1)]),
    ]
    told = by_code(found, "classes-missing")
    assert told.params == {"count": 2, "names": "__main__.Log, nets.Net"}
    assert "not needed for reading here" in told.text


def test_many_missing_classes_are_named_in_part() -> None:
    found = predicted(torch_zip([Instance(Global("app", f"A{number}"), (), {}) for number in range(9)]))
    assert by_code(found, "classes-missing").params["names"] == "app.A0, app.A1, app.A2, app.A3, app.A4, app.A5, … (+3)"
    assert len(found.missing) == 9


def test_stored_source_is_compared() -> None:
    found = predicted(legacy([net("class Net: pass\n"), module(ModuleClass("nets", "Bare"), {}, {})]))
    assert by_code(found, "source-compared").params == {"count": 1, "names": "nets.Net"}
    assert by_code(found, "refused-stored").severity is Severity.WARNING
    assert "source-compared" not in codes_of(predicted(legacy([net()])))


def test_a_damaged_file_stops_torch_and_has_no_code() -> None:
    found = predicted(torch_zip({"net": net()})[:-200])
    assert codes_of(found)[0] == "damaged"
    assert found.expectations[0].severity is Severity.ERROR
    assert found.expectations[0].params["count"] == len(
        [problem for problem in opened(torch_zip({"net": net()})[:-200]).problems if problem.severity is Severity.ERROR]
    )
    assert found.code is None
    # What was read is told all the same.
    assert [entry.name for entry in found.missing] == ["nets.Net"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"text of some kind\n" * 20, "not-torch"),
        (b"\x1f\x8b\x08\x00" + bytes(200), "not-torch-packed"),
        (b"\x80\x02}q\x00.", "not-torch-pickle"),
        (b"", "not-torch"),
    ],
)
def test_what_torch_does_not_read(data: bytes, code: str) -> None:
    found = predicted(data)
    assert codes_of(found) == [code]
    assert found.expectations[0].severity is Severity.ERROR
    assert found.code is None


def test_arrays_are_for_numpy() -> None:
    file = io.BytesIO()
    np.savez(file, a=np.zeros(3))
    found = predicted(file.getvalue())
    assert codes_of(found) == ["not-torch-reader"]
    assert found.expectations[0].text == "torch.load does not read this kind of file. numpy.load does."
    assert (found.code or "").splitlines() == ["import numpy", "", 'arrays = numpy.load("it\'s.pt")']


def test_bytes_before_a_zip_stop_torch() -> None:
    found = predicted(b"junk" * 10 + torch_zip(state_dict({"a": one()})))
    assert "zip-prefix" in codes_of(found)
    assert found.code is None


@pytest.mark.parametrize(("version", "code"), [("0", "version-unread"), ("11", "version-unread"), ("10", None)])
def test_versions_that_torch_reads(version: str, code: str | None) -> None:
    found = predicted(renumbered(torch_zip(state_dict({"a": one()})), version.encode()))
    assert (code in codes_of(found)) is (code is not None)
    assert (found.code is None) is (code is not None)


def renumbered(data: bytes, version: bytes) -> bytes:
    """The zip with another content of its record `version`, written anew by Python's zipfile."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(target, "w") as result:
        for name in source.namelist():
            result.writestr(name, version if name.endswith("/version") else source.read(name))
    return target.getvalue()


def test_records_outside_of_the_folder_stop_torch() -> None:
    data = io.BytesIO(torch_zip(state_dict({"a": one()})))
    with zipfile.ZipFile(data, "a") as archive:
        archive.writestr("__MACOSX/x", b"")
    found = predicted(data.getvalue())
    assert by_code(found, "zip-folders").params == {"name": "__MACOSX/x"}
    assert found.code is None


def test_strings_that_are_no_utf_8_need_an_encoding() -> None:
    # {b'\xff': 1} as Python 2 writes it.
    body = b"\x80\x02}q\x00U\x01\xffK\x01s."
    whole = legacy({})
    found = predicted(whole.replace(b"\x80\x02}q\x00.", body, 1))
    assert by_code(found, "strings-latin").severity is Severity.WARNING
    assert 'encoding="latin1"' in (found.code or "")


def test_a_tar_checkpoint_is_refused_by_weights_only() -> None:
    document = opened(legacy({"a": one()}))
    document.format = "torch-tar"
    found = predict(document)
    assert codes_of(found) == ["tar"]
    assert (found.code or "").splitlines()[-1] == "state_dict = torch.load('file', weights_only=False)"


def test_every_sentence_is_filled() -> None:
    for data in (torch_zip({"a": one("cuda:1"), "n": net()}), legacy([net("class Net: pass\n")]), b"x" * 50):
        for expectation in predicted(data).expectations:
            assert "{" not in expectation.text
            assert expectation.code in PREDICTIONS


def test_names_of_a_megabyte_are_cut_and_cost_nothing() -> None:
    names = ["a." * 500_000 + "B", "x" * 1_000_000]
    value = [Instance(Global(name, "A"), (), {}) for name in names]
    found = predicted(torch_zip({"objects": value, "k" * 1_000_000: {"w": one("d" * 100_000)}}))
    assert len(found.missing) == 2
    assert all(len(expectation.text) < 2000 for expectation in found.expectations)
    assert len(found.code or "") < 2000
