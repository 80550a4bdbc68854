"""TorchScript archives: names by the code, constants, debug ranges, damage."""

from __future__ import annotations

import struct

import pytest

from tests.builders.programs import FROM_ID, INNER_CODE, NET_CODE, TAG, int_list, script_json, scripted, torch_script
from tests.builders.torch_values import full
from tests.builders.torch_zip import ZipPickler
from tests.builders.values import Call
from tests.opened import codes, opened, regions_tile
from viewer.core.document import Document
from viewer.core.objects.state_dict import state_dicts
from viewer.core.problem import Severity
from viewer.core.tensors import window
from viewer.core.tensors.path import Attribute, Key

CODE = {"__torch__.py": NET_CODE, "__torch__/nets.py": INNER_CODE}


def net() -> object:
    inner = scripted("__torch__.nets", "Inner", bias=full("float32", (1,), [5]), dims=int_list(1, 2))
    names = Call(TAG, (["a", "b"], "List[str]"))
    return scripted(
        *("__torch__", "Net"),
        weight=full("float32", (2,), [1, 2]),
        mean=full("int64", (1,), [3]),
        other=full("int64", (1,), [4]),
        names=names,
        held=Call(TAG, ({"x": full("float32", (1,), [9])}, "Dict[str, Tensor]")),
        inner=inner,
    )


def errors(document: Document) -> list[str]:
    return [problem.code for problem in document.problems if problem.severity is Severity.ERROR]


def test_parameters_and_buffers_are_named_by_the_code() -> None:
    document = opened(torch_script(net(), CODE))
    assert document.format == "torchscript"
    assert codes(document) == ["kind-torchscript"]
    assert [(tensor.path, tensor.name) for tensor in document.tensors] == [
        ((Attribute("weight"),), "weight"),
        ((Attribute("mean"),), "mean"),
        ((Attribute("other"),), None),
        ((Attribute("held"), "x"), None),
        ((Attribute("inner"), Attribute("bias")), "inner.bias"),
    ]
    pickle = document.pickles[document.main]
    branch = state_dicts(pickle.values, document.tensors, pickle.index)[0]
    assert (branch.kind, [name for name, _ in branch.entries]) == ("module", ["weight", "mean", "inner.bias"])
    regions_tile(document)


def test_code_before_torch_1_6_tells_no_buffers() -> None:
    code = NET_CODE.replace(b'  __buffers__ = ["mean", ]\n', b"")
    document = opened(torch_script(net(), {"__torch__.py": b"op_version_set = 1\n" + code}))
    assert [tensor.name for tensor in document.tensors] == ["weight", None, None, None, None]


@pytest.mark.parametrize("deflated", [True, False])
def test_code_is_stored_sources(deflated: bool) -> None:
    data = torch_script(net(), CODE, deflated=deflated)
    document = opened(data)
    assert [(source.name, source.file, source.record) for source in document.sources] == [
        ("__torch__.Net", "code/__torch__.py", "net/code/__torch__.py"),
        ("__torch__.nets.Inner", "code/__torch__/nets.py", "net/code/__torch__/nets.py"),
        ("__torch__.nets.helper", "code/__torch__/nets.py", "net/code/__torch__/nets.py"),
    ]
    assert document.sources[0].text == NET_CODE.decode()
    span = document.sources[2].span
    assert (span is None) == deflated
    if span is not None:
        assert data[span.start : span.stop] == b"def helper(x: Tensor) -> Tensor:\n  return x\n"


def test_spans_of_code_count_bytes() -> None:
    code = "# größer\nclass A(Module):\n  x : int\nclass Ü(Module):\n  y : int\n".encode()
    data = torch_script(net(), {"__torch__.py": code}, deflated=False)
    span = opened(data).sources[1].span
    assert span is not None
    assert data[span.start : span.stop] == "class Ü(Module):\n  y : int\n".encode()


def test_constants_have_storages_of_their_own() -> None:
    document = opened(torch_script(net(), CODE, (full("float32", (1,), [7]),), {"traced_inputs.pkl": {"forward": 1}}))
    assert [(pickle.record, pickle.role) for pickle in document.pickles] == [
        ("net/data.pkl", "object"),
        ("net/constants.pkl", "constants"),
        ("net/traced_inputs.pkl", "traced inputs"),
    ]
    constant = document.tensors[-1]
    assert constant.path == (0,)
    assert constant.storage is not None
    assert constant.storage.record == "net/constants/0"
    assert window.read(constant).tolist() == [7.0]


def test_tensors_of_two_pickles_have_paths_of_their_own() -> None:
    document = opened(torch_script([full("int8", (1,), [1])], {}, (full("int8", (1,), [2]),)))
    assert [str(tensor.path) for tensor in document.tensors] == ["(0,)", "(0, Key(repr='place 2'))"]


def test_inputs_without_bytes_are_no_damage() -> None:
    body = ZipPickler().dumps([full("float32", (1,), [1])])
    document = opened(torch_script(net(), CODE, records={"traced_inputs/0": b"", "traced_inputs.pkl": body}))
    assert codes(document) == ["kind-torchscript", "script-inputs-empty"]
    document = opened(torch_script(net(), CODE, records={"traced_inputs/0": b"abc", "traced_inputs.pkl": body}))
    assert codes(document) == ["kind-torchscript", "storage-size-differs"]


def test_debug_pickles_are_read() -> None:
    inner = {"code/__torch__.py.debug_pkl": ((0, (("a\nb\n", "/x/net.py", 10), 2, 3)),)}
    document = opened(torch_script(net(), CODE, (), inner))
    assert [pickle.role for pickle in document.pickles] == ["object", "constants", "debug ranges"]


def test_mobile() -> None:
    document = opened(torch_script(net(), CODE, (), {"bytecode.pkl": (8, ("__torch__.Net.forward", ()))}))
    assert (document.format, codes(document)) == ("torch-mobile", ["kind-torch-mobile"])
    assert [pickle.role for pickle in document.pickles] == ["object", "constants", "bytecode"]


def test_extra_files_are_documents_of_their_own() -> None:
    document = opened(torch_script(net(), CODE, records={"extra/more.pkl": b"\x80\x02K\x01."}))
    assert [child.how for child in document.children] == ["record net/extra/more.pkl"]


def test_without_its_object() -> None:
    document = opened(script_json({}, {"constants.pkl": b"\x80\x02)."}))
    assert "torch-no-object" in codes(document)


def test_cut_anywhere_opens_and_tiles() -> None:
    data = torch_script(net(), CODE, (full("float32", (1,), [7]),))
    for length in range(0, len(data), 7):
        document = opened(data[:length])
        regions_tile(document)
        assert any(problem.severity == "error" for part in document.walk() for problem in part.problems), length


def test_code_that_is_not_text() -> None:
    document = opened(torch_script(net(), {"__torch__.py": b"class A(Module):\n  \xff\xfe\n"}))
    assert document.sources[0].text == "class A(Module):\n  \udcff\udcfe\n"


# -- torch 1.0 to 1.2 -----------------------------------------------------------------------------------


def entry(**changes: object) -> dict[str, object]:
    return {
        "dims": ["2"],
        "strides": ["1"],
        "offset": "0",
        "dataType": "FLOAT",
        "data": {"key": "tensors/0"},
        "requiresGrad": True,
        "device": "cpu",
        **changes,
    }


def model(*tensors: object) -> dict[str, object]:
    parameters = [{"name": f"p{at}", "tensorId": str(at)} for at in range(len(tensors))]
    inner = {"name": "lin", "parameters": parameters}
    return {"protoVersion": "1", "producerName": "pytorch", "mainModule": {"submodules": [inner]}, "tensors": tensors}


RECORDS = {"tensors/0": struct.pack("<3f", 1, 2, 3), "code/net.py": b"op_version_set = 0\ndef forward(self):\n  pass\n"}


def test_tensors_of_model_json() -> None:
    document = opened(script_json(model(entry(), entry(offset="1", dims=["2"])), RECORDS))
    assert (document.format, errors(document)) == ("torchscript-json", [])
    assert [(tensor.name, window.read(tensor).tolist()) for tensor in document.tensors] == [
        ("lin.p0", [1.0, 2.0]),
        ("lin.p1", [2.0, 3.0]),
    ]
    assert document.tensors[0].storage is document.tensors[1].storage
    assert document.tensors[0].shared_with == [1]
    assert [source.name for source in document.sources] == ["net.forward"]
    assert document.written_by == "torch 1.0"
    regions_tile(document)


def test_names_that_read_as_attributes() -> None:
    inner = {"name": "@lin", "parameters": [{"name": "@w", "tensorId": "0"}]}
    stated = {"protoVersion": "1", "mainModule": {"submodules": [inner]}, "tensors": [entry()]}
    document = opened(script_json(stated, RECORDS))
    assert [(tensor.name, tensor.path) for tensor in document.tensors] == [("@lin.@w", (Key("'@lin'"), Key("'@w'")))]


def test_attributes_that_are_tensors() -> None:
    attributes = [{"name": "n", "id": "0", "type": "int"}, {"name": "mean", "id": "1", "type": "Tensor"}]
    stated = {"protoVersion": "5", "mainModule": {"attributes": attributes}, "tensors": [entry(), entry(dims=["1"])]}
    values = ZipPickler().dumps((3, Call(FROM_ID, (1,))))
    document = opened(script_json(stated, {**RECORDS, "attributes.pkl": values}))
    assert errors(document) == []
    assert [(tensor.name, tensor.shape) for tensor in document.tensors] == [("mean", (1,)), ("0", (2,))]
    assert document.written_by == "torch 1.2"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"dims": ["-1"]}, "json-entry"),
        ({"dims": ["99999999999999999999"]}, "json-entry"),
        ({"dims": "2"}, "json-entry"),
        ({"dims": ["2", "2"]}, "json-entry"),
        ({"offset": "x"}, "json-entry"),
        ({"dataType": "WORD"}, "json-entry"),
        ({"data": None}, "json-entry"),
        ({"dims": ["4"]}, "json-record-short"),
        ({"data": {"key": "tensors/7"}}, "json-record-missing"),
        ({"data": {"key": "../../x"}}, "json-record-missing"),
    ],
)
def test_wrong_entries_are_said(changes: dict[str, object], code: str) -> None:
    document = opened(script_json(model(entry(**changes), entry()), RECORDS))
    assert errors(document) == [code]
    assert document.tensors[-1].name == "lin.p1"
    regions_tile(document)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"{", "json-broken"),
        (b'{"a": "\xff"}', "json-broken"),
        (b'{"a": ' + b"9" * 5000 + b"}", "json-broken"),
        (b"[" * 100_000, "json-bounds"),
        (b"[" + b"0," * 2_100_000 + b"0]", "json-bounds"),
    ],
)
def test_json_that_cannot_be_read(text: bytes, code: str) -> None:
    assert errors(opened(script_json(text, RECORDS))) == [code]


@pytest.mark.parametrize("text", [b"[]", b"3", b'{"mainModule": 1, "tensors": {}}', b'{"tensors": [1, null]}'])
def test_json_of_another_shape_opens(text: bytes) -> None:
    regions_tile(opened(script_json(text, RECORDS)))
