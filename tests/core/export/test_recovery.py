"""The recovery kit as far as it can be read without torch; tests/with_torch runs its load.py."""

from __future__ import annotations

import ast
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import Storage, full, module, storage, tensor
from tests.builders.values import Call, Global, Instance, builtin
from tests.core.export.kits import (
    STEM,
    at,
    attributes,
    files,
    kit,
    linear,
    model_of,
    opened,
    root_of,
    stem,
    weight,
)
from tests.core.export.reading import exported
from viewer import resources
from viewer.core.errors import CancelledError, ExportError, TargetExistsError
from viewer.core.export import exporter_of
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource

# -- what is in the folder -----------------------------------------------------------------------------


def test_the_folder(tmp_path: Path) -> None:
    value = module(stem(), {"bits": full("bfloat16", (2,), [1, 2])}, children={"lin": linear(1, 2)})
    report = exported(opened(value), tmp_path / "kit", "recovery")
    held = [
        "README.txt",
        "extra_tensors.npz",
        "load.py",
        "model.json",
        "source/zoo/__init__.py",
        "source/zoo/blocks.py",
    ]
    assert files(tmp_path / "kit") == [*held, "weights.pt"]
    assert sorted(report.plan.files) == [*held, "weights.pt"]
    assert report.judged == tmp_path / "kit" / "weights.pt"
    assert report.nbytes == sum((tmp_path / "kit" / name).stat().st_size for name in report.plan.files)
    assert (tmp_path / "kit" / "load.py").read_bytes() == resources.read_bytes("recovery/load.py")
    assert STEM in (tmp_path / "kit" / "source" / "zoo" / "blocks.py").read_text(encoding="utf-8")
    assert [item.name for item in report.plan.items] == ["lin.weight"]


def test_the_weights_are_the_only_pickle(tmp_path: Path) -> None:
    kit(module(stem(), {"bits": full("bfloat16", (2,), [1, 2])}, children={"lin": linear(1)}), tmp_path / "kit")
    with zipfile.ZipFile(tmp_path / "kit" / "extra_tensors.npz") as archive:
        assert [Path(name).suffix for name in archive.namelist()] == [".npy"]
    for name in files(tmp_path / "kit"):
        data = (tmp_path / "kit" / name).read_bytes()
        assert not data.startswith(b"\x80")
        assert (b"data.pkl" in data) == (name == "weights.pt")


def test_load_py_is_old_enough_python() -> None:
    ast.parse(resources.read_text("recovery/load.py"), feature_version=(3, 8))


def test_nothing_is_left_when_it_is_stopped(tmp_path: Path) -> None:
    plan = exporter_of("recovery").plan(opened(module(stem(), {}, {"w": weight(1)})), Wanted())
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        exporter_of("recovery").write(plan, tmp_path / "kit", progress)
    assert list(tmp_path.iterdir()) == []


def test_it_goes_over_a_kit_only_when_asked(tmp_path: Path) -> None:
    plan = exporter_of("recovery").plan(opened(module(stem(), {}, {"w": weight(1)})), Wanted())
    exporter_of("recovery").write(plan, tmp_path / "kit", Progress())
    with pytest.raises(TargetExistsError):
        exporter_of("recovery").write(plan, tmp_path / "kit", Progress())
    exporter_of("recovery").write(plan, tmp_path / "kit", Progress(), overwrite=True)
    (tmp_path / "kit" / "own.txt").write_text("x")
    with pytest.raises(ExportError, match=r"own\.txt"):
        exporter_of("recovery").write(plan, tmp_path / "kit", Progress(), overwrite=True)


# -- model.json ----------------------------------------------------------------------------------------


def test_a_module(tmp_path: Path) -> None:
    model = kit(module(stem(), {"rate": 0.5}, children={"lin": linear(1, 2)}), tmp_path / "kit")
    assert model["classes"] == {"zoo.blocks.Stem": {"module": "zoo.blocks", "name": "Stem"}}
    root = root_of(model)
    inner = root["_modules"]["lin"]
    assert root == {
        "type": "module",
        "class": "zoo.blocks.Stem",
        "attributes": {"training": True, "rate": 0.5},
        "_parameters": {},
        "_buffers": {},
        "_modules": {"lin": inner},
        "non_persistent": [],
        "hooks": [],
    }
    record = at(model, inner)
    assert record["class"] == "torch.nn.modules.linear.Linear"
    assert record["attributes"] == {"training": True, "in_features": 2, "out_features": 1}
    assert record["_parameters"]["bias"] is None
    assert at(model, record["_parameters"]["weight"]) == {
        "type": "tensor",
        "parameter": True,
        "requires_grad": True,
        "weights": "lin.weight",
    }


def test_sharing_is_kept_by_ids(tmp_path: Path) -> None:
    tied, inner = weight(1, 2), linear(3)
    value = module(stem(), {"alias": inner, "held": [inner]}, {"a": tied, "b": tied}, children={"x": inner, "y": inner})
    model = kit(value, tmp_path / "kit")
    root = root_of(model)
    assert root["_parameters"]["a"] == root["_parameters"]["b"]
    assert root["_modules"]["x"] == root["_modules"]["y"] == root["attributes"]["alias"]
    assert at(model, root["attributes"]["held"])["items"] == [root["_modules"]["x"]]


def test_a_module_that_holds_its_parent(tmp_path: Path) -> None:
    inner = linear(1)
    outer = module(stem(), {}, children={"lin": inner})
    assert isinstance(inner.state, dict)
    inner.state["parent"] = outer
    model = kit(outer, tmp_path / "kit")
    assert at(model, root_of(model)["_modules"]["lin"])["attributes"]["parent"] == {"id": model["root"]}


def test_plain_values(tmp_path: Path) -> None:
    given: dict[str, object] = {
        "flag": True,
        "none": None,
        "number": 2**63 - 1,
        "huge": -(2**70),
        "real": float("-inf"),
        "text": "gr\u00fc\u00dfe\ud800",
        "pairs": {(1, "a"): 2, 3: [4]},
        "raw": Call(Global("_codecs", "encode"), ("\x00\xff", "latin1")),
        "pair": Call(builtin("complex"), (1.0, 2.0)),
        "part": Call(builtin("slice"), (1, None, 2)),
        "size": Call(Global("torch", "Size"), ((2, 3),)),
        "kind": Global("torch", "float16"),
        "device": Call(Global("torch", "device"), ("cuda", 3)),
    }
    model, found = attributes(given, tmp_path / "kit")
    assert {name: found[name] for name in ("flag", "none", "number", "real", "text")} == {
        "flag": True,
        "none": None,
        "number": 9223372036854775807,
        "real": {"float": "-inf"},
        "text": "gr\u00fc\u00dfe\ud800",
    }
    records = {name: at(model, found[name]) for name in given if isinstance(found[name], dict) and "id" in found[name]}
    assert records["huge"] == {"type": "int", "hex": "-0x400000000000000000"}
    assert records["raw"] == {"type": "bytes", "base64": "AP8="}
    assert records["pair"] == {"type": "complex", "items": [1.0, 2.0]}
    assert records["part"] == {"type": "slice", "items": [1, None, 2]}
    assert records["size"] == {"type": "Size", "items": [2, 3]}
    assert records["kind"] == {"type": "constant", "name": "float16"}
    assert records["device"] == {"type": "device", "name": "cpu"}
    (key, two), (three, listed) = records["pairs"]["entries"]
    assert at(model, key) == {"type": "tuple", "items": [1, "a"]}
    assert (two, three, at(model, listed)["items"]) == (2, 3, [4])


def test_long_texts_are_written_once(tmp_path: Path) -> None:
    text = "t" * 100_000
    model, found = attributes({"list": [text] * 1000}, tmp_path / "kit")
    assert len(set(map(str, at(model, found["list"])["items"]))) == 1
    assert (tmp_path / "kit" / "model.json").stat().st_size < 200_000


@pytest.mark.parametrize(
    ("module_name", "name", "found"),
    [
        ("torch.nn.functional", "relu", "torch.nn.functional.relu"),
        ("torch._C._nn", "gelu", "torch._C._nn.gelu"),
        ("math", "sqrt", "math.sqrt"),
        ("_operator", "add", "operator.add"),
    ],
)
def test_functions_of_torch_and_python(module_name: str, name: str, found: str, tmp_path: Path) -> None:
    model, held = attributes({"act": Global(module_name, name)}, tmp_path / "kit")
    assert at(model, held["act"]) == {"type": "function", "name": found}


def test_a_function_that_pickles_as_getattr(tmp_path: Path) -> None:
    act = Call(builtin("getattr"), (Global("torch._C", "_VariableFunctionsClass"), "sigmoid"))
    model, held = attributes({"act": act}, tmp_path / "kit")
    assert at(model, held["act"]) == {"type": "function", "name": "torch.sigmoid"}


@pytest.mark.parametrize(
    "value",
    [
        Global("os", "system"),
        Global("posix", "system"),
        Global("torch.serialization.os", "system"),
        Global("torch", "load.__globals__"),
        Global("torch.nn.functional", "__builtins__"),
        Global("builtins", "eval"),
        Global("subprocess", "Popen"),
        Call(Global("os", "system"), ("true",)),
        Call(builtin("getattr"), (Global("os", "path"), "join")),
        Instance(Global("subprocess", "Popen"), (), {"args": "true"}),
    ],
)
def test_other_names_are_placeholders(value: object, tmp_path: Path) -> None:
    model, held = attributes({"bad": value}, tmp_path / "kit")
    assert at(model, held["bad"])["type"] == "missing"
    assert "bad" in (tmp_path / "kit" / "README.txt").read_text(encoding="utf-8")


def test_names_of_model_json_are_those_that_load_py_looks_up(tmp_path: Path) -> None:
    value = module(Global("os", "system"), {}, {"w": weight(1)})
    model = kit(value, tmp_path / "kit")
    (place,) = model["classes"].values()
    assert place["module"].partition(".")[0] not in ("os", "posix", "torch")
    assert any(name.startswith("source/") for name in files(tmp_path / "kit"))


# -- tensors -------------------------------------------------------------------------------------------


def extras(path: Path) -> Any:
    return np.load(path / "extra_tensors.npz", allow_pickle=False)


def test_tensors_that_are_attributes_are_exact(tmp_path: Path) -> None:
    given: dict[str, object] = {
        "half": full("bfloat16", (2,), [1, -2]),
        "tiny": tensor(Storage("float8_e4m3fn", b"\x38\xff"), (2,)),
        "wide": full("uint16", (1,), [65535]),
        "plain": full("float32", (2,), [0.5, 1]),
        "turned": tensor(storage("float32", range(6)), (3, 2), (1, 3)),
    }
    model, held = attributes(given, tmp_path / "kit")
    records = {name: at(model, held[name]) for name in given}
    arrays = extras(tmp_path / "kit")
    assert records["half"]["dtype"] == "bfloat16"
    assert arrays[records["half"]["extra"]].dtype == np.int16
    assert arrays[records["half"]["extra"]].tobytes() == b"\x80\x3f\x00\xc0"
    assert arrays[records["tiny"]["extra"]].tobytes() == b"\x38\xff"
    assert arrays[records["wide"]["extra"]].tobytes() == b"\xff\xff"
    assert arrays[records["plain"]["extra"]].tolist() == [0.5, 1]
    assert arrays[records["turned"]["extra"]].tolist() == [[0, 3], [1, 4], [2, 5]]
    assert records["turned"]["stride"] == [1, 3]
    assert records["plain"]["parameter"] is False


def test_buffers_that_are_not_in_the_state_dict(tmp_path: Path) -> None:
    value = module(stem(), {}, {"w": weight(1)}, {"kept": full("int64", (), [7]), "table": full("int64", (1,), [8])})
    assert isinstance(value.state, dict)
    value.state["_non_persistent_buffers_set"] = {"table"}
    model = kit(value, tmp_path / "kit")
    root = root_of(model)
    assert root["non_persistent"] == ["table"]
    assert at(model, root["_buffers"]["kept"])["weights"] == "kept"
    assert extras(tmp_path / "kit")[at(model, root["_buffers"]["table"])["extra"]].tolist() == [8]


def test_a_tensor_whose_bytes_are_missing(tmp_path: Path) -> None:
    data = legacy(module(stem(), {}, {"a": weight(1), "w": weight(*range(4000))}))
    document = open_document(MemorySource(data[:-1000]))
    report = exported(document, tmp_path / "kit", "recovery")
    assert [dropped.reason for dropped in report.plan.dropped] == ["missing-bytes"]
    model = model_of(tmp_path / "kit")
    (lost,) = (record for record in model["objects"].values() if "missing" in record)
    assert (lost["type"], lost["shape"], lost["dtype"]) == ("tensor", [4000], "float32")
    assert "not in the kit" in (tmp_path / "kit" / "README.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "wanted",
    [Wanted(only=("w",)), Wanted(skip=("w",)), Wanted(without=frozenset({"w"}))],
    ids=["only", "skip", "without"],
)
def test_a_kit_of_a_part_is_refused(wanted: Wanted) -> None:
    document = opened(module(stem(), {}, {"w": weight(1)}))
    with pytest.raises(ExportError) as refused:
        exporter_of("recovery").plan(document, wanted)
    assert refused.value.code == "recovery-whole"
