"""Which module a recovery kit takes, the texts in it and what they must not do, and what its README.txt tells."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import full, module
from tests.builders.values import Call, Global, Instance, builtin
from tests.core.export.kits import (
    CONV,
    STEM,
    at,
    attributes,
    kit,
    linear,
    model_of,
    opened,
    root_of,
    stem,
    weight,
)
from tests.core.export.reading import exported
from tests.shared import ROOT, shared_files
from viewer.core.code.supplied import supplied_file
from viewer.core.errors import ChoiceError, ExportError
from viewer.core.export import exporter_of
from viewer.core.export.plan import Report
from viewer.core.export.recovery.exporter import chosen_module
from viewer.core.export.recovery.known import OF_PYTHON_2
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document

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


def test_names_of_python_2_are_given_by_the_kit(tmp_path: Path) -> None:
    text = "class Stem(nn.Module):\n    kind = unicode\n\n    def forward(self, x):\n        return x + long(1)\n"
    told = readme(module(stem(text), {}, {"w": weight(1)}), tmp_path / "kit")
    assert "The text of zoo.blocks.Stem uses names of Python 2: long, unicode. load.py gives it" in told
    assert "nobody has" not in told
    assert "placeholder" not in told
    assert model_of(tmp_path / "kit")["lost"] == {"zoo.blocks": ["long", "unicode"]}
    given = ast.parse((tmp_path / "kit" / "load.py").read_text(encoding="utf-8"))
    (table,) = (node.value for node in given.body if isinstance(node, ast.Assign) and "OF_PYTHON_2" in ast.dump(node))
    assert isinstance(table, ast.Dict)
    assert {key.value for key in table.keys if isinstance(key, ast.Constant)} == OF_PYTHON_2


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


def test_the_file_that_fits_the_module_is_used_and_named(tmp_path: Path) -> None:
    text = "from torch import nn\n\nclass Stem(nn.Module):\n    def forward(self, x):\n        return x + {}\n"
    first = supplied_file(Path("zoo", "blocks.py"), text.format(1).encode())
    last = supplied_file(Path("other.py"), text.format(2).encode())
    bare = module(Global("zoo.blocks", "Stem"), {}, {"w": weight(1)})
    report = exported(opened(bare), tmp_path / "kit", "recovery", Wanted(supplied=(first, last)))
    assert "return x + 1" in (tmp_path / "kit" / "source" / "zoo" / "blocks.py").read_text(encoding="utf-8")
    assert [line.text for line in report.plan.lines[2:]] == [
        "Taken from blocks.py: zoo.blocks.Stem.",
        "No class is taken from other.py.",
    ]


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


FORBIDDEN = (
    "import",
    "exec",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "subprocess.Popen",
    "pickle.find_class",
    "socket",
)
WATCHED = f"""
import sys
from pathlib import Path
from viewer.core.export import exporter_of
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
seen = []
def kit(number):
    document = open_document(Path(sys.argv[number]))
    exporter = exporter_of("recovery")
    exporter.write(exporter.plan(document, Wanted()), Path(sys.argv[number] + ".kit"), Progress())
    document.source.close()
kit(1)
def hook(event, given):
    if event.startswith({FORBIDDEN!r}):
        seen.append((event, str(given)[:99]))
sys.addaudithook(hook)
kit(2)
sys.exit(repr(seen) if seen else 0)
"""


def test_nothing_is_imported_or_run_for_a_kit(tmp_path: Path) -> None:
    names: dict[str, object] = {
        "bits": full("bfloat16", (2,), [1, 2]),
        "a": Global("antigravity", "fly"),
        "b": Call(Global("os", "system"), ("true",)),
        "c": Call(builtin("eval"), ("__import__('this')",)),
        "d": Instance(Global("this", "Zen"), (), {"s": 1}),
    }
    harmless = module(stem(), {**names, "a": 1, "b": 1, "c": 1, "d": Instance(Global("zoo", "Zen"), (), {"s": 1})})
    hostile = module(stem("import this\nclass Stem(nn.Module): pass\n", "this.module"), names, {"w": weight(1)})
    for name, value in (("harmless", harmless), ("hostile", hostile)):
        (tmp_path / name).write_bytes(legacy(value))
    command = [sys.executable, "-c", WATCHED, str(tmp_path / "harmless"), str(tmp_path / "hostile")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "hostile.kit" / "model.json").is_file()


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


@pytest.mark.parametrize("path", shared_files("samples", "D_libtorch_module.pt"))
def test_torchscript_needs_no_kit(path: Path) -> None:
    document = open_document(path)
    try:
        with pytest.raises(ExportError) as caught:
            exporter_of("recovery").plan(document, Wanted())
    finally:
        document.source.close()
    assert caught.value.code == "recovery-script"


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
