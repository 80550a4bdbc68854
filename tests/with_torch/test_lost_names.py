"""Kits of classes whose text uses what no file holds: the class can be had, and what is lost says so when used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, module
from tests.core.export.reading import exported
from tests.with_torch.warm import run_clean, run_clean_text
from viewer.core.opening import open_document
from viewer.core.source import MemorySource

pytestmark = pytest.mark.torch
CHILD: Final = Path(__file__).with_name("lost_names_child.py")
PLUS: Final = "\n    def forward(self, x):\n        return x + self.rate\n"
NOT_HELD: Final = "the checkpoint does not hold its code"
HELD: Final = "and the checkpoint does not hold it."
PYTHON_2: Final = """\
class Net(nn.Module):
    def forward(self, x):
        for _ in xrange(2):
            x = x + long(1)
        return x if isinstance(u"a", unicode) else None
"""
COMPUTING: Final = {
    "base": (f"class Net(Base):{PLUS}", ["Base"]),
    "two_bases": (f"class Net(Base, Mixin):{PLUS}", ["Base", "Mixin"]),
    "mixin_first": (f"class Net(Mixin, nn.Module):{PLUS}", ["Mixin"]),
    "mixin_last": (f"class Net(nn.Module, Mixin):{PLUS}", ["Mixin"]),
    "dotted_base": (f"class Net(nets.Base):{PLUS}", ["nets", "nets.Base"]),
    "generic_base": (f"class Net(Base[int]):{PLUS}", ["Base"]),
    "made_base": (f"class Net(with_metaclass(Meta, nn.Module)):{PLUS}", ["with_metaclass"]),
    "decorator": (f"@register\nclass Net(nn.Module):{PLUS}", ["register"]),
    "factory": (f"@register('net')\nclass Net(nn.Module):{PLUS}", ["register"]),
    "dotted_factory": (f"@MODELS.register_module()\nclass Net(nn.Module):{PLUS}", ["MODELS", "MODELS.register_module"]),
    "method": (f"class Net(nn.Module):\n    @half_if_asked(apply_to=('x',)){PLUS}", ["half_if_asked"]),
    "default": ("class Net(nn.Module):\n    def forward(self, x, by=RATE):\n        return x + 2\n", []),
    "constant": (f"class Net(nn.Module):\n    size = SIZE.width\n{PLUS}", ["SIZE"]),
    "annotation": (
        "class Net(nn.Module):\n    def forward(self, x: Rows | None) -> Rows:\n        return x + 2\n",
        [],
    ),
    "python_2": (PYTHON_2, []),
    "given_after_all": (f"class Base(nn.Module):\n    pass\n\n\nclass Net(Base):{PLUS}", []),
}
FAILING: Final = {
    "inherited": (
        "class Net(Base):\n    pass\n",
        f"NotImplementedError: Base cannot compute: {NOT_HELD}",
    ),
    "helper": (
        "class Net(Base):\n    def forward(self, x):\n        return self.squash(x)\n",
        f"AttributeError: 'Net' object has no attribute 'squash'. Base may have had it: {NOT_HELD}",
    ),
    "called_later": (
        "class Net(nn.Module):\n    def forward(self, x, act=ACT):\n        return act(x)\n",
        f"NotImplementedError: ACT cannot be used: {NOT_HELD}",
    ),
    "taken_later": (
        "class Net(nn.Module):\n    def forward(self, x, how=HOW):\n        return how.act(x)\n",
        f"AttributeError: HOW cannot be used: {NOT_HELD}",
    ),
    "function": (
        "class Net(nn.Module):\n    def forward(self, x):\n        return squash(x)\n",
        "NameError: name 'squash' is not defined",
    ),
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the child found: one process for all kits."""
    folder = tmp_path_factory.mktemp("kits")
    for name, (text, _) in (COMPUTING | FAILING).items():
        cls = ModuleClass(f"net_{name}", "Net", f"{name}.py", text)
        document = open_document(MemorySource(legacy(module(cls, {"rate": 2}))))
        exported(document, folder / name, "recovery")
    done = run_clean(CHILD, folder, cwd=folder)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("name", COMPUTING)
def test_a_class_computes_without_what_only_its_import_needs(name: str, told: dict[str, Any]) -> None:
    notes = [f"net_{name} needs {lost} to be imported, {HELD}" for lost in COMPUTING[name][1]]
    assert told[name] == {"class": "Net", "found": [3.0, 3.0], "notes": notes}


@pytest.mark.parametrize("name", FAILING)
def test_what_is_lost_says_so(name: str, told: dict[str, Any]) -> None:
    assert (told[name]["class"], told[name]["found"]) == ("Net", FAILING[name][1])


REAL: Final = """
import json, sys, warnings
sys.path.insert(0, sys.argv[1])
warnings.simplefilter("ignore")
import load, torch
import torch.nn.functional as F
torch.manual_seed(1)
model, weights = load.load_model(), torch.load(sys.argv[1] + "/weights.pt", weights_only=True)
told = {"notes": load.load_model.notes}
with torch.no_grad():
    try:
        if sys.argv[2] == "policy":
            x = torch.rand(1, 4, 14, 14) * 255
            value, features, _ = model(x, torch.zeros(1, 1), torch.ones(1, 1))
            y = F.relu(F.conv2d(x / 255.0, weights["conv1.weight"], weights["conv1.bias"], 2))
            y = F.relu(F.conv2d(y, weights["conv2.weight"], weights["conv2.bias"], 2)).view(-1, 64)
            for name in ("linear1", "linear2"):
                y = F.relu(F.linear(y, weights[name + ".weight"], weights[name + ".bias"]))
            told["found"] = [list(value.shape), torch.equal(features, y)]
        else:
            model.base(torch.rand(2, 11), torch.zeros(2, 1), torch.ones(2, 1))
    except AttributeError as failure:
        told["found"] = str(failure)
print(json.dumps(told))
"""


def really(path: Path, what: str, folder: Path) -> dict[str, Any]:
    """What a clean process makes of the kit of a file of others."""
    document = open_document(path)
    try:
        exported(document, folder, "recovery")
    finally:
        document.source.close()
    done = run_clean_text(REAL, folder, what)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_a_real_policy_computes_without_its_base(shared: Path, tmp_path: Path) -> None:
    told = really(shared / "corpus" / "leg-src4-gridworld-cnn.pt", "policy", tmp_path / "kit")
    assert told == {"notes": [f"model needs FFPolicy to be imported, {HELD}"], "found": [[4, 1], True]}


def test_a_real_policy_says_what_its_base_had(shared: Path, tmp_path: Path) -> None:
    told = really(shared / "corpus" / "leg-src7-reacher-cuda.pt", "base", tmp_path / "kit")
    assert told == {
        "notes": [f"a2c_ppo_acktr.model needs NNBase to be imported, {HELD}"],
        "found": f"'MLPBase' object has no attribute 'is_recurrent'. NNBase may have had it: {NOT_HELD}",
    }
