"""Programs of torch.export: tensors of the configs, torch files inside, compiled code by name."""

from __future__ import annotations

import json
import struct

import pytest

from tests.builders.programs import exported, meta
from tests.builders.torch_values import full
from tests.builders.torch_zip import ZipWriter, torch_zip
from tests.opened import codes, opened, regions_tile
from viewer.core.document import Document
from viewer.core.problem import Severity
from viewer.core.summary.expectation import Expectation
from viewer.core.summary.stops import other
from viewer.core.tensors import window

WEIGHT = {"data/weights/weight_0": struct.pack("<4f", 1, 2, 3, 4)}


def entry(**changes: object) -> dict[str, object]:
    plain = {"path_name": "weight_0", "is_param": True, "use_pickle": False, "tensor_meta": meta(7, (2, 2), (2, 1))}
    return {**plain, **changes}


def errors(document: Document) -> list[str]:
    return [problem.code for problem in document.problems if problem.severity is Severity.ERROR]


def test_tensors_of_the_config() -> None:
    data = exported({"a.weight": entry(), "b": entry(tensor_meta=meta(7, (2,), (2,), 1))}, WEIGHT)
    document = opened(data)
    assert (document.format, errors(document)) == ("torch-export", [])
    assert codes(document) == ["kind-torch-export"]
    assert [(tensor.name, tensor.dtype, window.read(tensor).tolist()) for tensor in document.tensors] == [
        ("a.weight", "float32", [[1.0, 2.0], [3.0, 4.0]]),
        ("b", "float32", [2.0, 4.0]),
    ]
    assert document.tensors[0].requires_grad is True
    held = document.tensors[0].storage
    assert held is not None
    assert held.span is not None
    assert data[held.span.start : held.span.stop] == WEIGHT["data/weights/weight_0"]
    assert [(fact.key, fact.value) for fact in document.metadata] == [
        ("archive_version", "0"),
        (".data/version", "6"),
    ]
    regions_tile(document)


def test_constants_and_torch_files_inside() -> None:
    inner = torch_zip([full("int8", (1,), [1])])
    constants = {"config": {"c": entry(path_name="tensor_0", tensor_meta=meta(5, (1,), (1,)))}}
    records = {
        **WEIGHT,
        "data/weights/weight_1": inner,
        "data/constants/tensor_0": struct.pack("<q", 7),
        "data/constants/model_constants_config.json": json.dumps(constants).encode(),
        "data/sample_inputs/model.pt": inner,
    }
    document = opened(exported({"w": entry(), "p": entry(path_name="weight_1", use_pickle=True)}, records))
    assert errors(document) == []
    assert [(tensor.name, window.read(tensor).tolist()) for tensor in document.tensors] == [
        ("w", [[1.0, 2.0], [3.0, 4.0]]),
        ("c", [7]),
    ]
    assert [(child.how, child.format) for child in document.children] == [
        ("record model/data/weights/weight_1", "torch-zip"),
        ("record model/data/sample_inputs/model.pt", "torch-zip"),
    ]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"path_name": None}, "json-entry"),
        ({"path_name": "weight_9"}, "json-record-missing"),
        ({"use_pickle": True}, "json-entry"),
        ({"tensor_meta": None}, "json-entry"),
        ({"tensor_meta": meta(99, (1,), (1,))}, "json-entry"),
        ({"tensor_meta": meta(7, (-2,), (1,))}, "json-entry"),
        ({"tensor_meta": meta(7, (2,), (1, 1))}, "json-entry"),
        ({"tensor_meta": meta(7, (2,), (1,), -1)}, "json-entry"),
        ({"tensor_meta": meta(7, (2**40, 2**40), (2**40, 1))}, "json-entry"),
        ({"tensor_meta": {**meta(7, (1,), (1,)), "layout": 1}}, "json-entry"),
        ({"tensor_meta": {**meta(7, (1,), (1,)), "sizes": [{"as_expr": "s0"}]}}, "json-entry"),
        ({"tensor_meta": meta(7, (3, 2), (2, 1))}, "json-record-short"),
    ],
)
def test_wrong_entries_are_said(changes: dict[str, object], code: str) -> None:
    document = opened(exported({"wrong": entry(**changes), "right": entry()}, WEIGHT))
    assert errors(document) == [code]
    assert document.tensors[-1].name == "right"
    regions_tile(document)


def test_a_config_that_is_no_json() -> None:
    assert errors(opened(exported(b"{", WEIGHT))) == ["json-broken"]
    assert errors(opened(exported(b"[1]", WEIGHT))) == []


def test_compiled_code_is_named() -> None:
    records = {"data/aotinductor/model/abc.wrapper.so": b"\x7fELF", "data/aotinductor/model/abc.cpp": b"int x;"}
    document = opened(exported({}, records))
    found = next(problem for problem in document.problems if problem.code == "export-compiled")
    assert dict(found.params) == {"count": 2, "names": "abc.wrapper.so"}
    assert document.detail == "AOTInductor"
    assert codes(document)[0] == "kind-torch-export"


def test_a_package_of_compiled_code_alone_says_what_loads_it() -> None:
    writer = ZipWriter("net")
    writer.add("data/aotinductor/model/abc.wrapper.so", b"\x7fELF")
    writer.add("archive_format", b"pt2")
    document = opened(writer.finish())
    assert document.format == "torch-export"
    assert codes(document)[0] == "kind-torch-export-compiled"
    assert other(document, 0) == Expectation("not-torch-runner", {"loader": "torch._inductor.aoti_load_package"})


def test_facts_beside_compiled_code_are_listed() -> None:
    facts = json.dumps({"AOTI_DEVICE_KEY": "cpu", "AOTI_MACHINE": "x86_64"}).encode()
    document = opened(exported({}, {"data/aotinductor/model/abc.wrapper_metadata.json": facts}))
    outline = document.outlines["model/data/aotinductor/model/abc.wrapper_metadata.json"]
    assert outline.label == "compiled"
    assert [(row.label, row.value) for row in outline.rows] == [("AOTI_DEVICE_KEY", "cpu"), ("AOTI_MACHINE", "x86_64")]


def test_the_graph_is_listed() -> None:
    graph = {"graph": {"nodes": [{"target": "torch.ops.aten.relu.default", "inputs": [], "outputs": []}]}}
    data = exported({}, {"models/other.json": json.dumps({"graph_module": graph}).encode(), "extra/a.txt": b"one\ntwo"})
    outlines = opened(data).outlines
    assert list(outlines) == ["model/models/other.json", "model/models/model.json", "model/extra/a.txt"]
    nodes = next(row for row in outlines["model/models/other.json"].rows if row.label == "nodes")
    assert [(row.label, row.value) for row in nodes.rows] == [("aten.relu.default", "aten.relu.default()")]
    assert [row.label for row in outlines["model/extra/a.txt"].rows] == ["one", "two"]


def test_a_graph_that_is_too_deep_is_named_and_a_broken_one_is_damage() -> None:
    deep = opened(exported({}, {"models/deep.json": b"[" * 300 + b"]" * 300}))
    assert codes(deep) == ["kind-torch-export", "export-graph"]
    assert errors(deep) == []
    assert errors(opened(exported({}, {"models/broken.json": b"{"}))) == ["json-broken"]


def test_before_torch_2_7() -> None:
    writer = ZipWriter("")
    writer.add("serialized_exported_program.json", b"{}")
    writer.add("serialized_state_dict.json", torch_zip({"w": full("int8", (1,), [3])}))
    writer.add("serialized_constants.json", b"{}")
    writer.add("version", b"2")
    document = opened(writer.finish())
    assert (document.format, document.written_by) == ("torch-export-json", "torch 2.1 to 2.6")
    assert codes(document) == ["kind-torch-export-json", "export-inner"]
    assert [(child.how, child.tensors[0].name) for child in document.children] == [
        ("record serialized_state_dict.json", "w")
    ]
    regions_tile(document)


def test_cut_anywhere_opens_and_tiles() -> None:
    data = exported({"a": entry()}, WEIGHT)
    for length in range(0, len(data), 7):
        document = opened(data[:length])
        regions_tile(document)
        assert any(problem.severity == "error" for part in document.walk() for problem in part.problems), length
