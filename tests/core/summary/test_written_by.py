"""The writer of a file, as far as its bytes tell it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.builders.legacy import legacy
from tests.builders.pickles import Stream
from tests.builders.torch_values import REBUILD_V2, ModuleClass, full, module, parameter
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, Instance, dumps
from tests.opened import opened
from tests.shared import SHARED, shared_files
from viewer.core.opening import open_document
from viewer.core.summary.written_by import Bounds


def one() -> Call:
    return full("float32", (1,), [1])


def writer(data: bytes) -> str | None:
    return opened(data).written_by


@pytest.mark.parametrize(
    ("version", "words"),
    [("1.6", "torch 1.9 to 2.0"), ("2.1", "torch 2.1 to 2.6"), ("2.13", "torch 2.7 or later")],
)
def test_the_records_of_a_zip(version: str, words: str) -> None:
    # Storages are numbered from 0, which torch does since 1.9.
    assert writer(torch_zip({"a": one()}, version=version)) == words


def test_a_zip_whose_storages_are_addresses() -> None:
    value = full("float32", (1,), [1])
    value.args[0].key = "94268654570176"
    assert writer(torch_zip({"a": value}, version="1.6")) == "torch 1.6 to 1.8"


def test_legacy_streams() -> None:
    assert writer(legacy({"a": 1})) == "torch 0.1.10 or later"
    assert writer(legacy({"a": one()})) == "torch 0.4 or later"
    old = Call(Global("torch._utils", "_rebuild_tensor"), one().args[:4])
    assert writer(legacy({"a": old})) == "torch 0.1.10 to 0.3"
    assert writer(legacy({"a": full("uint16", (1,), [1])})) == "torch 2.2 or later"


def test_the_numpy_of_arrays_in_a_checkpoint() -> None:
    for module_name, words in (("numpy._core.multiarray", "numpy 2 or later"), ("numpy.core.multiarray", "numpy 1")):
        array = Call(Global(module_name, "_reconstruct"), (Global("numpy", "ndarray"), (0,), b"b"))
        assert writer(torch_zip({"a": array, "b": one()})) == f"torch 2.7 or later, {words}"


def test_modules() -> None:
    net = ModuleClass("nets", "Net")
    held = {"w": parameter(one())}
    assert writer(legacy(module(net, {}, held, era="1.1"))) == "torch 1.0 to 1.2"
    assert writer(legacy(module(net, {}, held))) == "torch 2.5 or later"
    assert writer(torch_zip(module(net, {}, held), version="2.1")) == "torch 2.5 to 2.6"


def test_a_finding_that_contradicts_the_container_does_not_count() -> None:
    net = module(ModuleClass("nets", "Net"), {}, {"w": parameter(one())}, era="1.1")
    assert writer(torch_zip(net)) == "torch 2.7 or later"


def test_plain_pickles() -> None:
    assert writer(dumps({"a": 1}, 2)) is None
    assert writer(dumps({"a": 1}, 4)) == "Python 3.4 or later"
    assert writer(dumps({"a": 1}, 5)) == "Python 3.8 or later"
    assert writer(Stream(0).op("STRING", "'old'").op("STOP").data) == "Python 2"
    assert writer(dumps(Call(Global("numpy._core.multiarray", "f")), 4)) == "numpy 2 or later, Python 3.4 or later"
    assert writer(dumps(Call(Global("numpy.core.multiarray", "f")), 2)) == "numpy 1"
    assert writer(dumps(Call(REBUILD_V2, (1,)))) == "torch 0.4 or later"


def test_python_2_with_torch() -> None:
    stream = Stream(2).start().op("GLOBAL", "torch._utils _rebuild_tensor_v2").op("SHORT_BINSTRING", "x")
    assert writer(stream.ops("TUPLE1 REDUCE STOP").data) == "torch 0.4 to 1.4, Python 2"


def test_an_object_is_no_module_without_its_dictionaries() -> None:
    assert writer(legacy(Instance(Global("app", "A"), (), {"training": True}))) == "torch 0.1.10 or later"


def test_words_of_bounds() -> None:
    assert Bounds((1, 4), (1, 4)).words("torch") == "torch 1.4"
    assert Bounds(None, (1, 5)).words("torch") == "torch 1.5 or earlier"
    assert Bounds().words("torch") is None


def old_files() -> list[Any]:
    patterns = ("[BCJK]_*_t[0-9]*", "[DF]_t[0-9]*", "E_export_t[0-9]*")
    return [path for pattern in patterns for path in shared_files("samples", pattern)]


@pytest.mark.parametrize("path", old_files())
def test_files_of_known_versions(path: Path) -> None:
    """The version that a sample's name states lies in what is said."""
    digits = path.stem.split("_t")[1].split("_")[0].removesuffix("py2")
    version = (int(digits[0]), int(digits[1:-1]))
    said = (open_document(path).written_by or "").removesuffix(", Python 2").removeprefix("torch ")
    low, _, high = said.partition(" ")
    assert tuple(map(int, low.split("."))) <= version
    if high.startswith("to "):
        assert version <= tuple(map(int, high.removeprefix("to ").split(".")))
    else:
        assert high in ("or later", "")
    assert SHARED.is_dir()
