"""Recovery kits run: whole models of today's torch whose code is gone, and what a file must not make load.py do."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any, Final

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, full, module, parameter
from tests.builders.values import Call, Global, Instance, builtin
from tests.core.export.reading import exported
from tests.shared import shared_files
from tests.with_torch.warm import run_clean, run_clean_text
from viewer import torch_client
from viewer.core.export.plan import Report
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource

pytestmark = pytest.mark.torch
CHILD: Final = Path(__file__).with_name("recovery_models.py")
COMPUTING: Final = ("everything", "half", "layers", "normed", "parallel", "tied")
KNOWN_FORWARD: Final = ("half", "parallel")
TOLD: Final = {
    "normed": [
        (
            "lost.code.halved, a hook of a torch.nn.modules.linear.Linear, is not in the checkpoint, "
            "so what is computed may differ."
        )
    ]
}
FAILING: Final = {
    "lost": "NotImplementedError: lost.code.squash cannot be used: the checkpoint holds only its name, not its code",
    "needs": "NameError: name 'double' is not defined",
}


def child(*arguments: object, isolated: bool = True) -> str:
    """What the child prints."""
    if isolated:
        done = run_clean(CHILD, *arguments)
    else:
        command = [sys.executable, str(CHILD), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The models, and no code of theirs."""
    folder = tmp_path_factory.mktemp("models")
    child("save", folder, isolated=False)
    assert not (folder / "code").exists()
    return folder


def kit_of(path: Path, folder: Path) -> Report:
    """The kit of a file."""
    document = open_document(path)
    try:
        return exported(document, folder, "recovery")
    finally:
        document.source.close()


def tried(saved: Path, name: str, form: str) -> dict[str, Any]:
    """What the kit of a model gives in a clean process, once; what holds for all is checked."""
    kept = saved / f"{name}.{form}.json"
    if not kept.exists():
        kit_of(saved / f"{name}.{form}.pth", saved / f"{name}.{form}.kit")
        kept.write_text(child("try", saved / f"{name}.{form}.kit", saved / f"{name}.expected"), encoding="utf-8")
    answer: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    told = TOLD.get(name, [])
    assert (answer["notes"], answer["warnings"], answer["filled"]) == (told, told, [])
    assert answer["state_dict"] == []
    assert answer["weights"] == []
    assert answer["training"] is False
    assert not [name for name in answer["imported"] if name.startswith("tests")]
    return answer


@pytest.mark.parametrize("name", COMPUTING)
def test_a_model_with_its_text_computes_the_same_bits(name: str, saved: Path) -> None:
    assert tried(saved, name, "legacy")["same"] is True


@pytest.mark.parametrize("name", FAILING)
def test_what_is_lost_fails_with_a_sentence(name: str, saved: Path) -> None:
    assert tried(saved, name, "legacy")["failure"] == FAILING[name]


@pytest.mark.parametrize("name", [*COMPUTING, *FAILING])
def test_a_model_without_text_takes_its_weights(name: str, saved: Path) -> None:
    answer = tried(saved, name, "zip")
    if name in KNOWN_FORWARD:
        assert answer["same"] is True
    else:
        assert answer["failure"].startswith("NotImplementedError: ")


@pytest.mark.parametrize("form", ["legacy", "zip"])
def test_attributes(form: str, saved: Path) -> None:
    found = tried(saved, "everything", form)["facts"]
    assert found.pop("text").startswith("'ein langer Text ü\\nein")
    assert found.pop("raw") == repr(bytes(range(256)))
    assert found.pop("exact")[1:] == ["torch.float8_e4m3fn", [1, 1], "torch.uint16"]
    assert found.pop("scalar") in ("0.1", "np.float64(0.1)")
    assert found.pop("namespace").endswith("Path('a/b'))")
    assert found.pop("ordered") in ("OrderedDict([('b', 1), ('a', 2)])", "OrderedDict({'b': 1, 'a': 2})")
    assert found == {
        "numbers": "{'pi': 3.141592653589793, 2: nan, (1, 'x'): -inf, 'huge': -1180591620717411303424, None: (1+2j)}",
        "kind": "dtype('int16')",
        "items": "deque([1, 2.5], maxlen=4)",
        "extra": "defaultdict(<class 'list'>, {'late': 3})",
        "counted": "Counter({'l': 2, 'h': 1, 'e': 1, 'o': 1})",
        "sizes": "torch.Size([2, 3])",
        "slices": "slice(1, None, 2)",
        "ranges": "range(3, 9, 2)",
        "changing": "bytearray(b'ab')",
        "fixed": "frozenset({4})",
        "dtype": "torch.float16",
        "device": "device(type='cpu')",
        "layout": "torch.strided",
        "cuda_device": "'cpu'",
        "layer_class": "<class 'torch.nn.modules.activation.ReLU'>",
        "simple": "namespace(bias=0.5)",
        "shared": True,
        "unique": True,
        "turned": [1, 4],
        "block_class": True,
        "settings": ["Settings", {"width": 3, "names": ["a"]}],
        "bag": True,
    }


def test_sharing(saved: Path) -> None:
    assert tried(saved, "tied", "legacy")["facts"] == {
        "tied": True,
        "parts": [3, ["a", "b"], False],
        "not kept": ["table"],
    }


def test_the_weights_are_verified(saved: Path, tmp_path: Path) -> None:
    document = open_document(saved / "layers.legacy.pth")
    try:
        verdict = torch_client.verify(exported(document, tmp_path / "kit", "recovery"), Progress())
    finally:
        document.source.close()
    assert (verdict.code, verdict.params["count"]) == ("torch-verified", 60)


# -- hostile files -------------------------------------------------------------------------------------

WATCHED: Final = """
import json, sys
from pathlib import Path
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import load, torch
seen = []
FORBIDDEN = ("os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "os.remove", "os.mkdir", "pickle.find_class")
def watch(event, arguments):
    if event == "import" and not str(arguments[0]).startswith(("torch", "numpy", "sympy", "mpmath")):
        seen.append(["import", str(arguments[0])])
    if event in FORBIDDEN:
        seen.append([event, str(arguments[0])])
sys.addaudithook(watch)
try:
    model = load.load_model()
    told = {"class": type(model).__name__, "notes": load.load_model.notes}
    told["attributes"] = {name: repr(value) for name, value in vars(model).items() if not name.startswith("_")}
except Exception as failure:
    told = {"failure": f"{type(failure).__name__}: {failure}"}
print(json.dumps({**told, "seen": seen}))
"""


def watched(data: bytes, folder: Path) -> dict[str, Any]:
    """What a clean process does with the kit of a file."""
    exported(open_document(MemorySource(data)), folder, "recovery")
    done = run_clean_text(WATCHED, folder)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    assert answer.get("failure") is None
    return answer


def weight() -> Call:
    """A parameter."""
    return parameter(full("float32", (2,), [1, 2]))


ALARM: Final = """\
class Net(nn.Module):
    def __init__(self):
        raise SystemError("the __init__ was called")

    def forward(self, x):
        return self.bad(x)
"""


def names_of(answer: dict[str, Any]) -> set[str]:
    """The modules that were imported, Python's own that torch loads late left out."""
    own = {"os", "posix", "subprocess", "shutil", "antigravity", "net", "evil", "zoo", "this"}
    return {name for event, name in answer["seen"] if event == "import" and name.partition(".")[0] in own}


def test_nothing_that_the_file_names_is_imported(tmp_path: Path) -> None:
    bad: dict[str, object] = {
        "bad": Global("os", "system"),
        "called": Call(Global("os", "system"), ("true",)),
        "popen": Global("subprocess", "Popen"),
        "joke": Global("antigravity", "fly"),
        "module": Global("evil.inside", "Thing"),
        "looked": Call(builtin("getattr"), (Global("torch.serialization", "os"), "system")),
        "part": Call(Global("functools", "partial"), (Global("os", "system"),), (Global("os", "system"), (), {}, None)),
        "loading": Global("torch", "load"),
        "text": "import os",
    }
    cls = ModuleClass("net", "Net", "../../net.py", ALARM)
    answer = watched(legacy(module(cls, bad, {"w": weight()})), tmp_path / "kit")
    assert answer["class"] == "Net"
    assert [event for event, _ in answer["seen"] if event != "import"] == []
    assert names_of(answer) <= {"net"}
    found = answer["attributes"]
    for name in ("bad", "called", "popen", "joke", "looked", "loading"):
        assert found[name].startswith("<missing: "), name
    assert "posix" not in found["part"].replace("<missing: posix.system", "")


UNKNOWN: Final = (
    ("os", "system"),
    ("subprocess", "Popen"),
    ("torch.serialization.os", "System"),
    ("torch.nn.modules.module", "Nothing"),
    ("torch.serialization", "SourceChangeWarning"),
    ("torch.nn.modules.module", "Module.__init__"),
    ("antigravity", "Fly"),
)


def test_classes_that_cannot_be_had_are_replaced(tmp_path: Path) -> None:
    children = {str(number): module(Global(*name), {}, {"w": weight()}) for number, name in enumerate(UNKNOWN)}
    value = module(Global("torch.nn.modules.container", "Sequential"), {}, children=children)
    answer = watched(legacy(value), tmp_path / "kit")
    assert answer["class"] == "Sequential"
    assert [event for event, _ in answer["seen"] if event != "import"] == []
    assert names_of(answer) == set()
    # the classes of other modules are those of the kit's own source: only what torch lacks is told
    assert [note.partition(" is replaced")[0] for note in answer["notes"]] == [
        name for name in map(".".join, UNKNOWN) if name.startswith("torch.")
    ]


def test_a_text_that_fails_on_import_keeps_the_weights(tmp_path: Path) -> None:
    cls = ModuleClass("net", "Net", "net.py", "class Net(Base):\n    pass\n")
    answer = watched(legacy(module(cls, {"rate": 1}, {"w": weight()})), tmp_path / "kit")
    assert answer["class"] == "Net"
    assert answer["attributes"]["rate"] == "1"
    (note,) = answer["notes"]
    assert "Base" in note


def test_what_does_not_fit_is_told(tmp_path: Path) -> None:
    strange: dict[str, object] = {
        "range": Call(builtin("range"), ("a", None)),
        "set": {(1, "a")},
        "path": Call(Global("pathlib", "PosixPath"), (3,)),
    }
    sequential = Global("torch.nn.modules.container", "Sequential")
    answer = watched(
        legacy(module(sequential, strange, {"w": "text", "v": weight()}, {}, {"0": "no module"})), tmp_path
    )
    assert answer["class"] == "Sequential"
    # what follows the first colon are the words of Python, which change from version to version
    assert [note.partition(":")[0] for note in answer["notes"]] == [
        "A range could not be made",
        "A path could not be made",
        "w of a torch.nn.modules.container.Sequential is 'text'.",
        "0 of a torch.nn.modules.container.Sequential is 'no module'.",
    ]


def test_hooks_with_code_are_not_rebuilt(tmp_path: Path) -> None:
    value = module(
        Global("torch.nn.modules.linear", "Linear"), {"in_features": 2, "out_features": 1}, {"weight": weight()}
    )
    assert isinstance(value.state, dict)
    value.state["_forward_pre_hooks"] = OrderedDict({0: Global("os", "system")})
    answer = watched(legacy(value), tmp_path / "kit")
    assert answer["class"] == "Linear"
    assert answer["seen"] == []
    assert answer["notes"] == [
        (
            "os.system, a hook of a torch.nn.modules.linear.Linear, is not in the checkpoint, "
            "so what is computed may differ."
        )
    ]


# -- objects older than what they are loaded by -----------------------------------------------------------


def old(
    name: str, attributes: dict[str, object], parameters: dict[str, object], buffers: dict[str, object]
) -> Instance:
    """A module of torch as torch 0.4 to 1.1 saved it."""
    return module(Global(*name.rsplit(".", 1)), attributes, parameters, buffers, era="1.1")


def numbers(*values: float) -> Call:
    """A tensor of one axis."""
    return full("float32", (len(values),), values)


OLD: Final = """
import json, sys
sys.path.insert(0, sys.argv[1])
import load, torch
model = load.load_model()
weights = torch.load(sys.argv[1] + "/weights.pt", weights_only=True)
model.load_state_dict(weights, strict=True)
norm, up, several, named, rnn = model
x = torch.tensor([[[1.0, 2.0, 3.0]]])
print(json.dumps({
    "filled": sorted(load.load_model.filled), "notes": load.load_model.notes, "weights": sorted(weights),
    "counter": norm.num_batches_tracked.item(), "norm": norm(x).flatten().tolist(), "up": up(x).flatten().tolist(),
    "lengths": [len(several), sorted(named.keys())], "rnn": [one.tolist() for one in rnn(x.transpose(1, 2))[0]],
}))
"""


def test_attributes_that_older_objects_lack(tmp_path: Path) -> None:
    norm = old(
        "torch.nn.modules.batchnorm.BatchNorm1d",
        {"num_features": 1, "eps": 0.0, "momentum": 0.1, "affine": True},
        {"weight": parameter(numbers(2)), "bias": parameter(numbers(1))},
        {"running_mean": numbers(1), "running_var": numbers(4)},
    )
    upsampling = {"size": None, "scale_factor": 2.0, "mode": "nearest", "align_corners": None}
    up = old("torch.nn.modules.upsampling.Upsample", upsampling, {}, {})
    several = old("torch.nn.modules.container.ParameterList", {}, {"0": weight(), "1": weight()}, {})
    named = old("torch.nn.modules.container.ParameterDict", {}, {"a": weight()}, {})
    facts = {"mode": "RNN_RELU", "input_size": 1, "hidden_size": 1, "num_layers": 1, "bias": False}
    facts |= {
        "batch_first": True,
        "dropout": 0,
        "bidirectional": False,
        "_all_weights": [["weight_ih_l0", "weight_hh_l0"]],
    }
    one, zero = (parameter(full("float32", (1, 1), [value])) for value in (1, 0))
    rnn = old("torch.nn.modules.rnn.RNN", dict(facts), {"weight_ih_l0": one, "weight_hh_l0": zero}, {})
    parts = {str(number): part for number, part in enumerate((norm, up, several, named, rnn))}
    value = module(Global("torch.nn.modules.container", "Sequential"), {}, children=parts, era="1.1")
    exported(open_document(MemorySource(legacy(value))), tmp_path / "kit", "recovery")
    done = run_clean_text(OLD, tmp_path / "kit")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "filled": [
            *("0: num_batches_tracked = tensor(0)", "0: track_running_stats = True"),
            *("1: name = 'Upsample'", "1: recompute_scale_factor = True", "2: _size = 2", "3: _keys = {'a': None}"),
            *("4: nonlinearity = 'relu'", "4: proj_size = 0"),
        ],
        "notes": [],
        "weights": [
            *("0.bias", "0.running_mean", "0.running_var", "0.weight"),
            *("2.0", "2.1", "3.a", "4.weight_hh_l0", "4.weight_ih_l0"),
        ],
        "counter": 0,
        "norm": [1, 2, 3],
        "up": [1, 1, 2, 2, 3, 3],
        "lengths": [2, ["a"]],
        "rnn": [[[1], [2], [3]]],
    }
    told = " ".join((tmp_path / "kit" / "README.txt").read_text(encoding="utf-8").split())
    assert (
        "Upsample (objects: 1) lacks recompute_scale_factor, which is newer than the checkpoint: it gets True." in told
    )
    assert "BatchNorm1d (objects: 1) lacks track_running_stats" in told


# -- files of others -----------------------------------------------------------------------------------

WHOLE: Final = ("B_legacy_module", "K_module", "K_module_list_in_attr", "K_t100_module", "K_t160_module")
CASES: Final = ("attr-*/*", "cnf-yolo-models/*", "src-*/*")
# What a model's own code adds to its state_dict does not show in its pickle.
BY_CODE: Final = ("_extra_state",)
PROGRAM: Final = """
import json, sys
sys.path.insert(0, sys.argv[1])
import load, torch
model = load.load_model()
weights = torch.load(sys.argv[1] + "/weights.pt", weights_only=True)
held = model.state_dict()
different = [name for name in weights if name not in held or not torch.equal(weights[name], held[name])]
missing, unexpected = model.load_state_dict(weights, strict=False)
print(json.dumps([different, missing, unexpected]))
"""


@pytest.mark.parametrize(
    "path",
    [
        *(found for name in WHOLE for found in shared_files("samples", f"{name}.pt")),
        *shared_files("corpus", "leg-src[347]*.pt"),
        *shared_files("corpus", "zip-embedding-object-mixed.pt"),
        *(found for pattern in CASES for found in shared_files("cases", pattern)),
    ],
)
def test_whole_models_of_others_take_their_weights(path: Path, tmp_path: Path) -> None:
    kit_of(path, tmp_path / "kit")
    done = run_clean_text(PROGRAM, tmp_path / "kit")
    assert done.returncode == 0, done.stderr
    different, missing, unexpected = json.loads(done.stdout)
    assert (different, unexpected) == ([], [])
    assert [name for name in missing if not name.endswith(BY_CODE)] == []
