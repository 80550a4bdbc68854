"""The recovery kit as far as it can be read without torch; tests/with_torch runs its load.py."""

from __future__ import annotations

import ast
import json
import sys
import zipfile
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, Storage, full, module, parameter, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, Instance, builtin
from tests.core.export.reading import exported
from tests.shared import shared_files
from viewer import resources
from viewer.core.code.supplied import supplied_file
from viewer.core.document import Document
from viewer.core.errors import CancelledError, ChoiceError, ExportError, TargetExistsError
from viewer.core.export import exporter_of
from viewer.core.export.plan import Report
from viewer.core.export.recovery.exporter import chosen_module
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource

LINEAR = Global("torch.nn.modules.linear", "Linear")
CONV = Global("torch.nn.modules.conv", "Conv1d")
STEM = """\
class Stem(nn.Module):
    def forward(self, x):
        return squash(self.lin(x))
"""


def stem(source: str | None = STEM, module_name: str = "zoo.blocks", name: str = "Stem") -> ModuleClass:
    """A class of the person's code."""
    return ModuleClass(module_name, name, "/home/ada/zoo/blocks.py", source)


def weight(*numbers: float) -> Call:
    """A parameter of one axis."""
    return parameter(full("float32", (len(numbers),), numbers))


def linear(*numbers: float) -> Instance:
    """A Linear without bias."""
    return module(LINEAR, {"in_features": len(numbers), "out_features": 1}, {"weight": weight(*numbers), "bias": None})


def opened(value: object, form: str = "legacy") -> Document:
    """A checkpoint in memory. The builders recurse; what is tested must not."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(200_000)
    try:
        data = torch_zip(value) if form == "zip" else legacy(value, 4 if form == "legacy 4" else 2)
    finally:
        sys.setrecursionlimit(limit)
    return open_document(MemorySource(data))


def kit(value: object, path: Path, form: str = "legacy", root: str = "") -> dict[str, Any]:
    """Write a kit; its model.json, with the objects by their attributes' order."""
    exported(opened(value, form), path, "recovery", Wanted(root=root))
    return model_of(path)


def model_of(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((path / "model.json").read_text(encoding="utf-8"))
    found["objects"] = {record.pop("id"): record for record in found["objects"]}
    return found


def root_of(model: dict[str, Any]) -> dict[str, Any]:
    record: dict[str, Any] = model["objects"][model["root"]]
    return record


def at(model: dict[str, Any], reference: dict[str, int]) -> dict[str, Any]:
    record: dict[str, Any] = model["objects"][reference["id"]]
    return record


def attributes(value: dict[str, object], path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The kit of a module with these attributes: its model.json, and the attributes as recorded."""
    model = kit(module(stem(), value, {"w": weight(1)}), path)
    return model, root_of(model)["attributes"]


def files(path: Path) -> list[str]:
    return sorted(entry.relative_to(path).as_posix() for entry in path.rglob("*") if entry.is_file())


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


# -- which module --------------------------------------------------------------------------------------


def test_the_model_is_taken_before_its_average(tmp_path: Path) -> None:
    value = {"ema": module(stem(), {"n": 2}, {"w": weight(2)}), "model": module(stem(), {"n": 1}, {"w": weight(1)})}
    assert root_of(kit(value, tmp_path / "one"))["attributes"]["n"] == 1
    model = kit(value, tmp_path / "other", root="ema")
    assert (root_of(model)["attributes"]["n"], model["module"]) == (2, "ema")


def test_a_module_beside_a_state_dict(tmp_path: Path) -> None:
    value = {"net": module(stem(), {}, {"w": weight(1)}), "state_dict": OrderedDict(w=full("float32", (1,), [1]))}
    assert kit(value, tmp_path / "kit")["module"] == "net"


@pytest.mark.parametrize("root", ["model.body.lin", "model/body/lin"])
def test_a_module_within_a_module(root: str, tmp_path: Path) -> None:
    body = module(stem(), {}, {"w": weight(5)}, children={"lin": linear(1, 2)})
    value = {"model": module(stem(), {}, {"w": weight(1)}, children={"body": body})}
    model = kit(value, tmp_path / "kit", root=root)
    assert (root_of(model)["class"], model["module"]) == ("torch.nn.modules.linear.Linear", "model.body.lin")
    assert at(model, root_of(model)["_parameters"]["weight"])["weights"] == "weight"
    with pytest.raises(ExportError, match=r"There is no module at model\.body\.w"):
        exporter_of("recovery").plan(opened(value), Wanted(root="model.body.w"))


def test_a_module_has_to_be_chosen() -> None:
    value = {"first": module(stem(), {}, {"w": weight(2)}), "second": module(stem(), {}, {"w": weight(1)})}
    with pytest.raises(ChoiceError) as caught:
        chosen_module(opened(value), Wanted())
    assert caught.value.choices == ("first", "second")


def test_a_file_without_a_module() -> None:
    with pytest.raises(ExportError) as caught:
        exporter_of("recovery").plan(opened({"w": full("float32", (1,), [1])}), Wanted())
    assert caught.value.code == "recovery-no-module"
    with pytest.raises(ExportError) as caught:
        exporter_of("recovery").plan(opened({"a": {"w": full("float32", (1,), [1])}}), Wanted(root="a"))
    assert caught.value.code == "recovery-root"


def test_a_module_without_tensors(tmp_path: Path) -> None:
    model = kit(module(Global("torch.nn.modules.activation", "ReLU"), {"inplace": False}), tmp_path / "kit")
    assert root_of(model)["class"] == "torch.nn.modules.activation.ReLU"
    assert (tmp_path / "kit" / "weights.pt").is_file()


# -- texts ---------------------------------------------------------------------------------------------


def readme(value: object, path: Path, form: str = "legacy") -> str:
    """README.txt with its lines joined, as it wraps them."""
    kit(value, path, form)
    return " ".join((path / "README.txt").read_text(encoding="utf-8").split())


def test_names_that_nobody_has_are_told_with_their_line(tmp_path: Path) -> None:
    text = readme(module(stem(), {}, children={"lin": linear(1)}), tmp_path / "kit")
    assert "The text of zoo.blocks.Stem uses squash in its line 3, which nobody has." in text
    assert "Read the files in source/ before you run load.py" in text


def test_a_class_without_text_gets_one(tmp_path: Path) -> None:
    text = readme(module(Global("zoo.blocks", "Stem"), {}, {"w": weight(1)}), tmp_path / "kit", "zip")
    made = (tmp_path / "kit" / "source" / "zoo" / "blocks.py").read_text(encoding="utf-8")
    assert "class Stem(nn.Module):" in made
    assert "raise NotImplementedError" in made
    assert "zoo.blocks.Stem (objects: 1) has no usable text, so source/zoo/blocks.py holds one" in text


@pytest.mark.parametrize(
    "text", ["class Stem(nn.Module):\n    print 'x'\n", "class Stem(nn.Mod\0ule): pass", "class Stem("]
)
def test_a_text_that_cannot_be_used(text: str, tmp_path: Path) -> None:
    told = readme(module(stem(text), {}, {"w": weight(1)}), tmp_path / "kit")
    assert "The stored text of zoo.blocks.Stem cannot be used" in told
    assert "zoo.blocks.Stem (objects: 1) has no usable text" in told
    made = (tmp_path / "kit" / "source" / "zoo" / "blocks.py").read_text(encoding="utf-8")
    assert "class Stem(nn.Module):" in made
    ast.parse(made)


def test_a_text_of_the_person_is_used(tmp_path: Path) -> None:
    written = b"from torch import nn\n\nclass Stem(nn.Module):\n    def forward(self, x):\n        return x + 1\n"
    file = supplied_file(Path("mine.py"), written)
    bare = module(Global("zoo.blocks", "Stem"), {}, {"w": weight(1)})
    for number, value in enumerate((module(stem(), {}, {"w": weight(1)}), bare)):
        path = tmp_path / f"kit{number}"
        exported(opened(value), path, "recovery", Wanted(supplied=(file,)))
        assert "return x + 1" in (path / "source" / "zoo" / "blocks.py").read_text(encoding="utf-8")
        told = (path / "README.txt").read_text(encoding="utf-8")
        assert "The text of zoo.blocks.Stem, in source/zoo/blocks.py, is from a file of yours." in told
        assert "forward fails until you write it" not in told


def test_what_cannot_compute_is_told(tmp_path: Path) -> None:
    told = readme(module(Global("zoo.blocks", "Stem"), {}, {"w": weight(1)}), tmp_path / "kit", "zip")
    assert "The code of zoo.blocks.Stem: its forward fails until you write it." in told


def test_a_base_that_nobody_has(tmp_path: Path) -> None:
    told = readme(module(stem("class Stem(Base):\n    pass\n"), {}, {"w": weight(1)}), tmp_path / "kit")
    assert "To import the text of zoo.blocks.Stem, load.py puts a placeholder for Base" in told
    assert model_of(tmp_path / "kit")["lost"] == {"zoo.blocks": ["Base"]}


def test_attributes_that_are_newer_than_the_file(tmp_path: Path) -> None:
    conv = module(CONV, {"in_channels": 1, "kernel_size": (1,)}, {"weight": weight(1), "bias": None}, era="1.1")
    text = readme(module(stem(), {}, children={"conv": conv}), tmp_path / "kit")
    assert "torch.nn.modules.conv.Conv1d (objects: 1) lacks padding_mode" in text
    assert "it gets 'zeros'" in text


def test_hooks_are_told(tmp_path: Path) -> None:
    value = module(stem(), {}, {"w": weight(1)})
    assert isinstance(value.state, dict)
    value.state["_forward_hooks"] = OrderedDict({0: Global("zoo.train", "watch")})
    text = readme(value, tmp_path / "kit")
    assert "The hook zoo.train.watch of the model (_forward_hooks) is dropped." in text


NO_MODULE = frozenset({"B_legacy_module_changed.pt", "D_libtorch_module.pt", "J_renamed_module.pt"})
HOSTILE = [
    ("..", "Stem"),
    ("/etc.passwd", "Stem"),
    ("a/../../b", "Stem"),
    ("C:\\x", "Stem"),
    ("con", "Stem"),
    ("zoo", "Stem\nimport os"),
    ("zoo", "class"),
    ("zoo\n", "Outer.Inner"),
    ("os", "system"),
    ("torch", "evil"),
    ("", ""),
]


@pytest.mark.parametrize(("module_name", "name"), HOSTILE)
@pytest.mark.parametrize("source", [None, STEM])
def test_hostile_names_stay_in_the_folder(module_name: str, name: str, source: str | None, tmp_path: Path) -> None:
    value = module(stem(source, module_name, name), {}, {"w": weight(1)})
    kit(value, tmp_path / "kit", "legacy 4")
    assert [entry.name for entry in tmp_path.iterdir()] == ["kit"]
    for made in (tmp_path / "kit").rglob("*.py"):
        ast.parse(made.read_text(encoding="utf-8"))
        assert "import os" not in made.read_text(encoding="utf-8").splitlines()


def test_deep_and_wide_values(tmp_path: Path) -> None:
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    bomb: list[object] = ["x"]
    for _ in range(40):
        bomb = [bomb, bomb]
    model, held = attributes({"deep": deep, "bomb": bomb}, tmp_path / "kit")
    assert len(model["objects"]) < 5100
    assert at(model, held["bomb"])["type"] == "list"


def chain(length: int) -> Instance:
    """Modules in modules."""
    inner = linear(1)
    for _ in range(length):
        inner = module(stem(), {}, children={"inner": inner})
    return inner


def test_modules_in_modules(tmp_path: Path) -> None:
    model = kit(chain(500), tmp_path / "kit")
    assert sum(record["type"] == "module" for record in model["objects"].values()) == 501


@pytest.fixture
def report(tmp_path: Path) -> Iterator[Report]:
    """The kit of a file on disk."""
    path = tmp_path / "model.pth"
    path.write_bytes(legacy(module(stem(), {}, children={"lin": linear(1, 2)})))
    document = open_document(path)
    yield exported(document, tmp_path / "kit", "recovery")
    document.source.close()


def test_the_file_is_named(report: Report) -> None:
    assert model_of(report.path)["file"] == "model.pth"
    assert (report.path / "README.txt").read_text(encoding="utf-8").startswith("Recovery kit of model.pth\n====")


@pytest.mark.parametrize("path", shared_files("samples", "*module*.pt"))
def test_samples_are_planned(path: Path, tmp_path: Path) -> None:
    document = open_document(path)
    try:
        if path.name in NO_MODULE:
            with pytest.raises(ExportError):
                exporter_of("recovery").plan(document, Wanted())
        else:
            exported(document, tmp_path / "kit", "recovery")
            assert (tmp_path / "kit" / "weights.pt").read_bytes()[:2] == b"PK"
    finally:
        document.source.close()
