"""Every class that is written imports in a clean process where torch is, or the plan names exactly what it lacks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, module
from tests.core.code.class_zoo import imported, written
from tests.shared import ROOT
from viewer.core.code.files import SourcePlan, class_texts, plan_sources
from viewer.core.opening import open_document
from viewer.core.source import MemorySource

pytestmark = pytest.mark.torch

CHILD: Final = Path(__file__).with_name("source_child.py")
SAMPLES: Final = ROOT / "resources" / "samples"
copies = pytest.mark.skipif(not hasattr(os, "fork"), reason="one process is copied for each folder")


def plan_of(source: Path | MemorySource) -> SourcePlan:
    """The plan of a file's own classes."""
    document = open_document(source)
    try:
        return plan_sources(class_texts(each for part in document.walk() for each in part.sources))
    finally:
        document.source.close()


def asked(requests: list[dict[str, object]]) -> Any:
    """The answers of source_child.py."""
    command = [sys.executable, "-I", str(CHILD)]
    done = subprocess.run(command, input=json.dumps(requests), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(plans: Mapping[str, SourcePlan], folder: Path) -> None:
    """Prove plans: nothing but the listed names keeps a module from being imported, and with them nothing does."""
    requests: list[dict[str, object]] = []
    for name, plan in plans.items():
        classes = [[placed.module, placed.qualname] for placed in plan.placed.values()]
        missing = sorted({each for names in plan.missing.values() for each in names})
        for given in ([], missing):
            place = str(written(plan, folder / name))
            requests.append({"folder": place, "classes": classes, "given": given})
    answers = asked(requests)
    for (name, plan), alone, helped in zip(plans.items(), answers[::2], answers[1::2], strict=True):
        at_import = {each for names in plan.at_import.values() for each in names}
        assert {failure[0] for failure in alone["failures"].values()} <= {"NameError"}, name
        assert {failure[1] for failure in alone["failures"].values()} <= at_import, name
        assert bool(alone["failures"]) == bool(at_import), name
        assert helped["failures"] == {}, name
        assert_listed(plan, helped["globals"])


def assert_listed(plan: SourcePlan, loaded: Mapping[str, list[str]]) -> None:
    """What functions load and nobody gives is listed, and what is listed for functions is loaded."""
    listed = {placed.module: set[str]() for placed in plan.placed.values()}
    early = {placed.module: set[str]() for placed in plan.placed.values()}
    for name, names in plan.missing.items():
        listed[plan.placed[name].module].update(names)
        early[plan.placed[name].module].update(plan.at_import.get(name, ()))
    for place, names in listed.items():
        assert set(loaded[place]) <= names <= set(loaded[place]) | early[place]


def test_the_sample_in_a_process_of_its_own(tmp_path: Path) -> None:
    plan = plan_of(SAMPLES / "whole_model_legacy.pth")
    assert set(plan.placed) == {"__main__.TheModelClass", "zoo.blocks.Stem", "zoo.blocks.ResidualBlock"}
    assert imported(plan, tmp_path) == ""


@copies
def test_files_that_torch_made_for_the_recovery_kit(tmp_path: Path) -> None:
    files = sorted((ROOT / "tests" / "data" / "recovery").glob("*.pth"))
    plans = {path.stem: plan_of(path) for path in files}
    assert sum(len(plan.placed) for plan in plans.values()) >= 20
    check(plans, tmp_path)


@copies
@pytest.mark.shared
def test_shared_files(shared: Path, tmp_path: Path) -> None:
    files = [
        *sorted((shared / "samples").glob("[ABK]_*module*.pt")),
        *sorted((shared / "cases").glob("src-*/*")),
        *sorted((shared / "cases").glob("attr-*/*")),
        *sorted((shared / "corpus").glob("leg-src*.pt")),
    ]
    plans = {f"{path.parent.name}-{path.stem}": plan_of(path) for path in files}
    assert sum(len(plan.placed) for plan in plans.values()) >= 18
    assert all(plan.unusable == () for plan in plans.values())
    check(plans, tmp_path)


ODD: Final = {
    ("zoo.net", "Net"): (
        "class Net(BaseNet):\n    def forward(self, x: Shape) -> Tensor: return Head()(F.relu(x)) + cfg.a\n"
    ),
    ("zoo.net", "BaseNet"): "class BaseNet(nn.Module):\n    scale = math.sqrt(2)\n    def net(self): return Net\n",
    ("zoo.heads", "Head"): "class Head(blocks.Block):\n    def make(self): return Net(), xrange(3)\n",
    ("zoo.blocks", "Block"): (
        "class Block(nn.Module):\n    size = _pair(3)\n    order = OrderedDict()\n"
        "    @torch.no_grad()\n    def f(self): return copy.deepcopy(self)\n"
    ),
    ("zoo.blocks", "Outer.Inner"): "    class Inner(nn.Linear):\n        pass\n",
    ("__main__", "Config"): "@dataclass\nclass Config:\n    lr: float = 0.1\n    net: Optional[Net] = None\n",
    ("types", "Kind"): "class Kind(Enum):\n    A = 1\n",
    ("lab", "Lost"): (
        "class Lost(UnknownBase, metaclass=Meta):\n    table = [make(i) for i in range(3)]\n"
        "    def f(self): return np.pi\n"
    ),
    ("lab.sub", "Child"): "class Child(Lost):\n    def f(self): return lambda: [other for _ in self.x]\n",
}


@copies
def test_odd_classes(tmp_path: Path) -> None:
    """Modules in a circle, well-known names, nested classes, annotations, and names that nothing gives."""
    classes = [ModuleClass(name, cls, "x", text) for (name, cls), text in ODD.items()]
    plan = plan_of(MemorySource(legacy([module(each) for each in classes], protocol=4)))
    assert len(plan.placed) == len(ODD)
    assert plan.at_import == {"lab.Lost": ("Meta", "UnknownBase", "make")}
    assert plan.missing == {
        "zoo.net.Net": ("Shape", "cfg"),
        "zoo.heads.Head": ("xrange",),
        "lab.Lost": ("Meta", "UnknownBase", "make"),
        "lab.sub.Child": ("other",),
    }
    folder = written(plan, tmp_path)
    placed = [[each.module, each.qualname] for each in plan.placed.values()]
    (found,) = asked([{"folder": str(folder), "classes": placed, "given": []}])
    assert {name: failure[:2] for name, failure in found["failures"].items()} == {
        name: ["NameError", "UnknownBase"] for name in ("lab", "lab.sub")
    }
    assert found["globals"] == {
        "zoo.net": ["cfg"], "zoo.heads": ["xrange"], "zoo.blocks": [], "main_script": [], "types_": [],
    }  # fmt: skip
