"""Remarks on a file as a whole: swapped numbers, empty tensors, program code, names that mislead, foreign pickles."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.builders.legacy import legacy
from tests.builders.safetensors import entry, safetensors
from tests.builders.torch_values import Storage, full, packed, state_dict, tensor
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, dumps
from tests.opened import codes, opened
from viewer.core.document import Document
from viewer.core.formats.base import Options
from viewer.core.opening import open_document
from viewer.core.problem import Problem, Severity
from viewer.core.span import Span
from viewer.core.tensors import window


def told(document: Document, code: str) -> Problem:
    return next(problem for part in document.walk() for problem in part.problems if problem.code == code)


def saved(dtype: str, values: list[float], order: str) -> Call:
    return tensor(Storage(dtype, packed(dtype, values, order)), (len(values),))


# -- byte order --------------------------------------------------------------------------------------


def unmarked(order: str) -> bytes:
    """A zip of torch 1.6 to 2.0: it has no record that states the byte order."""
    tensors = {"w": saved("float32", [1.0, 2.5, -3.0], order), "n": saved("int64", [1, 2, 70000], order)}
    return torch_zip(state_dict(tensors), version="1.6")


def test_numbers_that_are_ordinary_when_they_are_swapped() -> None:
    document = opened(unmarked(">"))
    found = told(document, "torch-byteorder-swapped")
    assert found.severity is Severity.WARNING
    assert found.params == {"count": 6}
    assert "no record byteorder" in found.text
    assert "cannot be known" in found.text
    assert "--byteorder big" in found.text
    # They are read as torch reads them.
    assert window.read(document.tensors[0]).tolist()[0] == pytest.approx(4.600602988224807e-41)


def test_the_choice_of_the_person_ends_the_doubt() -> None:
    document = opened(unmarked(">"), Options(byteorder="big"))
    assert codes(document) == []
    assert window.read(document.tensors[0]).tolist() == [1.0, 2.5, -3.0]
    assert window.read(document.tensors[1]).tolist() == [1, 2, 70000]


def test_ordinary_numbers_raise_no_doubt() -> None:
    assert codes(opened(unmarked("<"))) == []
    # Zeros, and too few others, are ordinary in both orders or none.
    few = {"a": saved("float32", [0.0] * 20 + [1.0], ">")}
    assert codes(opened(torch_zip(state_dict(few), version="1.6"))) == []
    # What a record states is believed.
    tensors = {"w": saved("float32", [1.0, 2.5, -3.0, 4.0], ">")}
    assert codes(opened(torch_zip(state_dict(tensors), byteorder="little"))) == []


def test_random_bytes_raise_no_doubt() -> None:
    noise = bytes((7 * number * number + 13 * number) % 251 for number in range(400))
    assert codes(opened(torch_zip(state_dict({"a": tensor(Storage("float32", noise), (100,))}), version="1.6"))) == []


# -- what a file holds --------------------------------------------------------------------------------


def test_a_checkpoint_of_placeholders() -> None:
    empty = {name: full("float16", (0,), []) for name in ("a.weight", "a.bias")}
    document = opened(torch_zip(state_dict(empty)))
    found = told(document, "tensors-all-empty")
    assert found.text.startswith("No tensor in this file has any numbers: 2 tensors, 0 bytes. ")
    assert "not gathered" in found.text
    assert codes(opened(torch_zip(state_dict({**empty, "b": full("float32", (1,), [1])})))) == []
    assert codes(opened(torch_zip({"epoch": 3}))) == []
    assert codes(opened(torch_zip(full("float32", (0,), [])))) == []
    views = {"a": tensor(Storage("float32", bytes(8)), (0,))}
    assert "tensors-all-empty" not in codes(opened(torch_zip(state_dict(views))))


def test_parameters_of_paddle() -> None:
    document = opened(dumps({"w": [1], "StructuredToParameterName@@": {"w": "linear_0.w_0"}}, 4))
    assert (document.format, document.detail) == ("pickle", "PaddlePaddle parameters")
    assert "paddle.load reads it" in told(document, "pickle-paddle").text
    assert opened(dumps({"w": [1]}, 4)).detail is None


def test_a_legacy_stream_with_another_first_number() -> None:
    data = legacy({"a": 1})
    changed = dumps(0x1234) + data[data.index(dumps(1001)) :]
    found = told(opened(changed), "legacy-magic")
    assert found.params["value"] == "0x1234"
    assert found.span == Span(0, len(dumps(0x1234)))
    long = opened(dumps(1 << 80) + data[data.index(dumps(1001)) :])
    assert told(long, "legacy-magic").params["value"] == "0x100000000000000000000"
    assert "legacy-magic" not in codes(opened(dumps(0x1234) + dumps(5)))


# -- streams -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["dill._dill._create_code", "cloudpickle.cloudpickle._make_function", "types.CodeType", "marshal.loads"],
)
def test_program_code_in_a_pickle(name: str) -> None:
    module, _, last = name.rpartition(".")
    data = dumps({"f": Call(Global(module, last), (b"code",))}, 4)
    found = told(opened(data), "pickle-code-object")
    assert found.severity is Severity.WARNING
    assert found.title == "The pickle contains program code"
    assert name in found.text
    assert found.span is not None
    assert data[found.span.start : found.span.stop] == b"\x93"
    assert codes(opened(dumps({"f": Global("os", "getcwd")}, 4))) == []


@pytest.mark.parametrize(
    ("opcode", "value"), [(b"\x82\x05", "5"), (b"\x83\x00\x01", "256"), (b"\x84\x00\x00\x01\x00", "65536")]
)
def test_names_that_are_numbers(opcode: bytes, value: str) -> None:
    document = opened(b"\x80\x02" + opcode + b".")
    found = told(document, "pickle-extension")
    assert found.params == {"value": value, "count": 1}
    assert found.span == Span(2, 2 + len(opcode))
    assert codes(document) == ["pickle-extension"]


# -- names of files ------------------------------------------------------------------------------------


def named(folder: Path, name: str, data: bytes) -> Document:
    path = folder / name
    path.write_bytes(data)
    document = open_document(path)
    document.source.close()
    return document


WEIGHTS = safetensors({"a": entry("F32", [1], 0, 4)}, packed("float32", [1.0]))


@pytest.mark.parametrize("name", ["model.ckpt", "model.PT", "model.bin", "model.npz"])
def test_safetensors_under_another_name(tmp_path: Path, name: str) -> None:
    found = told(named(tmp_path, name, WEIGHTS), "name-other")
    assert found.severity is Severity.NOTE
    assert found.title == f"The name ends in {Path(name).suffix}, but this is another kind of file: safetensors file"
    assert "Only the name is wrong" in found.text


@pytest.mark.parametrize("name", ["model.safetensors", "model", "model.weights", "model.2024"])
def test_names_that_say_nothing_else(tmp_path: Path, name: str) -> None:
    assert codes(named(tmp_path, name, WEIGHTS)) == []


def test_a_checkpoint_that_is_no_tar(tmp_path: Path) -> None:
    for data, kind in ((legacy({}), "Legacy archive"), (torch_zip({}), "Zip checkpoint")):
        found = told(named(tmp_path, "model_best.pth.tar", data), "name-no-tar")
        assert "not a tar archive" in found.text
        assert f"It is a checkpoint of torch.save: {kind}." in found.text
        assert found.text.endswith("Nothing has to be unpacked.")
    assert codes(named(tmp_path, "model.pth", legacy({}))) == []


def test_a_compressed_file_with_no_tar_inside(tmp_path: Path) -> None:
    data = gzip.compress(legacy({}), mtime=0)
    assert (
        "What was compressed is a checkpoint, not a tar"
        in told(named(tmp_path, "model.tar.gz", data), "name-no-packed-tar").text
    )
    assert codes(named(tmp_path, "model.pth.gz", data)) == ["unpacked"]


def test_bytes_without_a_name_have_no_remark() -> None:
    assert codes(opened(WEIGHTS)) == []
