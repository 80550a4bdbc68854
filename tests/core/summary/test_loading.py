"""The lines of code that load a file."""

from __future__ import annotations

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, full, module, parameter, state_dict
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, Instance
from tests.core.summary.test_prediction import predicted
from viewer.core.summary.loading import subscripts
from viewer.core.tensors.path import Attribute, Key, Path

LISTED = "# This lets the file make objects of these classes: only for files from people you trust."
RUNS = "# This runs what the file asks for: only for files from people you trust."


def one(device: str = "cpu") -> Call:
    return full("float32", (1,), [1], device)


def net(name: str = "Net", place: str = "nets", source: str | None = None) -> Instance:
    known = ModuleClass(place, name, "nets.py", source) if source is not None else ModuleClass(place, name)
    return module(known, {}, {"w": parameter(one())})


def lines(data: bytes) -> list[str]:
    return (predicted(data).code or "").splitlines()


def test_a_state_dict_needs_nothing() -> None:
    assert lines(torch_zip(state_dict({"a": one()}))) == [
        "import torch",
        "",
        'state_dict = torch.load("it\'s.pt", weights_only=True)',
    ]


def test_devices_and_branches() -> None:
    assert lines(torch_zip({"epoch": 1, "model": {"a": one("cuda:3")}}))[2:] == [
        'loaded = torch.load("it\'s.pt", map_location="cpu", weights_only=True)',
        "state_dict = loaded['model']",
    ]


def test_a_whole_model_goes_by_its_classes() -> None:
    assert lines(torch_zip({"net": net()})) == [
        "import torch",
        "from nets import Net",
        "",
        LISTED,
        "with torch.serialization.safe_globals([Net]):",
        '    loaded = torch.load("it\'s.pt", weights_only=True)',
        "model = loaded['net']",
        "state_dict = model.state_dict()",
    ]


def test_a_whole_model_in_the_legacy_form_runs_what_it_asks_for() -> None:
    for source in ("class Net: pass\n", None):
        assert lines(legacy(net(source=source))) == [
            "import torch",
            "",
            "# These modules must be importable: nets.",
            RUNS,
            'model = torch.load("it\'s.pt", weights_only=False)',
            "state_dict = model.state_dict()",
        ]


def test_classes_of_a_script_are_to_be_defined() -> None:
    value = {"state_dict": state_dict({"a": one()}), "log": Instance(Global("__main__", "Log"), (), {"x": 1})}
    assert lines(torch_zip(value))[:4] == [
        "import torch",
        "",
        "# Define these here first: they were classes of the script that saved the file.",
        "from __main__ import Log",
    ]
    assert "# Define these here first: Net." in lines(legacy(net(place="__main__")))


def test_equal_names_of_two_modules_and_of_the_code_itself() -> None:
    value = [net(place="a"), net(place="b"), Instance(Global("c", "torch"), (), {})]
    assert "with torch.serialization.safe_globals([Net, Net_]):" not in lines(torch_zip(value))
    found = lines(torch_zip(value[:2]))
    assert found[1:3] == ["from a import Net", "from b import Net as Net_"]
    assert "with torch.serialization.safe_globals([Net, Net_]):" in found


def test_a_long_list_has_a_line_each() -> None:
    found = lines(torch_zip([net(f"NetworkOfAVeryLongName{number}") for number in range(4)]))
    assert found[4:10] == [
        "allowed = [",
        "    NetworkOfAVeryLongName0,",
        "    NetworkOfAVeryLongName1,",
        "    NetworkOfAVeryLongName2,",
        "    NetworkOfAVeryLongName3,",
        "]",
    ]


def test_functions_that_are_only_referred_to_say_where_they_were() -> None:
    value = {"net": net(), "activation": Global("torch.nn.functional", "relu")}
    assert '[Net, (relu, "torch.nn.functional.relu")]' in "\n".join(lines(torch_zip(value)))


def test_arrays_of_numpy() -> None:
    array = Call(
        Global("numpy.core.multiarray", "_reconstruct"),
        (Global("numpy", "ndarray"), (0,), b"b"),
        (
            1,
            (1,),
            Call(Global("numpy", "dtype"), ("f4", False, True), (3, "<", None, None, None, -1, -1, 0)),
            False,
            b"abcd",
        ),
    )
    found = lines(torch_zip({"a": array}))
    assert found[:3] == ["import torch", "import numpy", "from numpy._core.multiarray import _reconstruct"]
    assert '    (_reconstruct, "numpy.core.multiarray._reconstruct"),' in found
    assert "    type(numpy.dtype('f4'))," in found


@pytest.mark.parametrize(
    "value",
    [
        {"a": b"raw"},
        Call(Global("app", "make"), (1,)),
        Call(Global("functools", "partial"), (Global("app", "f"),)),
        Call(Global("torch.utils.model_zoo", "LoadUrl"), ("x",)),
        Call(Global("app", "Dict"), (), None, [("k", 1)]),
        Instance(Call(Global("builtins", "getattr"), (Global("app", "A"), "B")), (), {}),
        Call(Global("torch.package", "PackageImporter"), ("x",)),
    ],
)
def test_what_no_list_of_names_lets_through(value: object) -> None:
    protocol = 4 if isinstance(value, dict) else 2
    found = lines(torch_zip([value], protocol=protocol))
    assert found[-1] == 'loaded = torch.load("it\'s.pt", weights_only=False)'
    assert found[-2] == RUNS


@pytest.mark.parametrize(
    "name",
    ["posix.system", "os.system", "subprocess.Popen", "builtins.eval", "webbrowser.open", "numpy.__builtins__"],
)
def test_names_that_reach_beyond_the_file_stay_refused(name: str) -> None:
    place, _, last = name.rpartition(".")
    found = predicted(torch_zip({"w": one(), "bad": Call(Global(place, last), ("x",))}))
    assert found.expectations[0].code == "reaching-names"
    assert (found.code or "").splitlines()[2].startswith("# Loading would run ")
    assert "weights_only=True)" in (found.code or "")
    assert "safe_globals" not in (found.code or "")


@pytest.mark.parametrize("name", ["os; import evil", "a b", "class", "x\nimport os", "é" * 3 + "'"])
def test_a_file_cannot_write_code(name: str) -> None:
    # Names with line ends stand only in protocol 4.
    for value in (Instance(Global(name, "A"), (), {}), Instance(Global("app", name), (), {})):
        found = lines(torch_zip({"x": value}, protocol=4))
        assert found[-1] == 'loaded = torch.load("it\'s.pt", weights_only=False)'
        assert all(line.startswith(("import torch", "#", "loaded = ")) or not line for line in found)
        assert name not in "\n".join(found) or name == "class"


def test_subscripts() -> None:
    assert subscripts(("a'b", 0, Attribute("net"), Key("(1, 2)"))) == '["a\'b"][0].net[(1, 2)]'


@pytest.mark.parametrize(
    "path",
    [(Attribute("a b"),), (Attribute("class"),), (Attribute("\uff41"),), (Key("<key 3>"),), (Key("torch.int8"),)],
)
def test_places_that_no_code_reaches(path: Path) -> None:
    assert subscripts(path) is None
