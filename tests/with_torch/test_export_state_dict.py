"""Exported state_dicts as torch sees them: the bytes of torch.save where torch saved them, the same tensors else."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.builders.torch_values import DTYPES, Storage, full, state_dict, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.core.export.reading import document_of, exported, record
from tests.core.export.test_state_dict import without_names_half
from tests.core.export.trees import TYPES, Tree, trees
from tests.shared import ROOT
from viewer import torch_client
from viewer.core.export.plan import Report
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource

pytestmark = pytest.mark.torch
TREES: Final = 100


def child(what: str, folder: Path) -> Any:
    """The answer of export_child.py."""
    command = [sys.executable, "-m", "tests.with_torch.export_child", what, str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """State_dicts that torch saved."""
    folder = tmp_path_factory.mktemp("saved")
    child("save", folder)
    return folder


@pytest.mark.parametrize("name", ["convolution", "linear", "half", "tied", "channels", "long"])
def test_what_torch_saved_comes_out_the_same(saved: Path, tmp_path: Path, name: str) -> None:
    document = open_document(saved / f"{name}.pt")
    exported(document, tmp_path / f"{name}.pt")
    document.source.close()
    theirs, ours = (folder / f"{name}.pt" for folder in (saved, tmp_path))
    assert record(ours, "data.pkl") == record(theirs, "data.pkl")
    assert without_names_half(ours.read_bytes()) == without_names_half(theirs.read_bytes())


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Tree, Report, dict[str, Any]]]:
    """Random trees, their exports, and what torch loaded from those: one child for all."""
    folder = tmp_path_factory.mktemp("grown")
    made: list[tuple[Tree, Report]] = []

    @given(trees())
    @settings(max_examples=TREES, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None)
    def grow(tree: Tree) -> None:
        data = torch_zip(tree.value, byteorder="big" if tree.big else "little", deflated=tree.deflated)
        report = exported(open_document(MemorySource(data)), folder / f"{len(made):03}.pt")
        made.append((tree, report))

    grow()
    answers = child("load", folder)
    return [(tree, report, answers[report.path.stem]) for tree, report in made]


def test_torch_loads_random_trees(grown: list[tuple[Tree, Report, dict[str, Any]]]) -> None:
    assert len(grown) == TREES
    for tree, report, answer in grown:
        assert answer["type"] == "OrderedDict"
        found = answer["tensors"]
        assert list(found) == [item.name for item in report.plan.items]
        for (name, view), row in zip(tree.views.items(), found.values(), strict=True):
            array = tree.arrays[name]
            digest = hashlib.sha256(array.tobytes()).hexdigest()
            assert row[1:6] == [list(view.shape), list(view.stride), view.offset, "cpu", digest]
        groups = [row[6] for row in found.values()]
        order = list(dict.fromkeys(view.storage for view in tree.views.values()))
        assert groups == [order.index(view.storage) for view in tree.views.values()]


def test_every_element_type_and_other_entries(tmp_path: Path) -> None:
    value = state_dict(
        {name: tensor(Storage(name, bytes(range(64))), (2,), (2,), 1) for name in TYPES}, {"": 2, "a": 1}
    )
    value["packed"] = tensor(Storage("float4_e2m1fn_x2", bytes(range(4))), (4,))
    value["conj"] = tensor(Storage("complex64", bytes(16)), (2,), metadata={"conj": True})
    value["neg"] = tensor(storage("float32", [1, 2]), (2,), metadata={"neg": True})
    value.update(number=3, huge=-(2**100), text="gr\u00fc\u00dfe", nothing=None, flag=False, real=0.5)
    value.update(raw=b"\xff\x00", none=b"", nested=[1, (2, "x"), {"k": [None]}], ordered=OrderedDict(a=1))
    value.update(colours={1}, pair=1 + 2j, changing=bytearray(b"ab"))
    report = exported(document_of(value), tmp_path / "all.pt")
    assert report.plan.dropped == ()
    answer = child("load", tmp_path)["all"]
    assert {name: row[0] for name, row in answer["tensors"].items()} == {
        **{name: name for name in TYPES},
        "packed": "float4_e2m1fn_x2",
        "conj": "complex64",
        "neg": "float32",
    }
    for name in TYPES:
        size = DTYPES[name][1]
        data = bytes(range(64))
        assert (
            answer["tensors"][name][5] == hashlib.sha256(data[size : 2 * size] + data[3 * size : 4 * size]).hexdigest()
        )
    assert answer["metadata"] == {"": {"version": 2}, "a": {"version": 1}}
    assert answer["others"] == {
        "number": "3",
        "huge": "-1267650600228229401496703205376",
        "text": "'gr\u00fc\u00dfe'",
        "nothing": "None",
        "flag": "False",
        "real": "0.5",
        "raw": "b'\\xff\\x00'",
        "none": "b''",
        "nested": "[1, (2, 'x'), {'k': [None]}]",
        "ordered": "OrderedDict({'a': 1})" if sys.version_info >= (3, 12) else "OrderedDict([('a', 1)])",
        "colours": "{1}",
        "pair": "(1+2j)",
        "changing": "bytearray(b'ab')",
    }
    assert torch_client.verify(report, Progress()).code == "torch-verified"


@pytest.fixture
def report(tmp_path: Path) -> Report:
    """A written state_dict."""
    value = state_dict({"w": full("float32", (2, 3), range(6)), "n": full("int64", (), [7])})
    return exported(document_of(value), tmp_path / "out.pt")


def test_the_child_verifies(report: Report) -> None:
    verdict = torch_client.verify(report, Progress())
    assert (verdict.code, verdict.good, verdict.params["count"]) == ("torch-verified", True, 2)


@pytest.mark.parametrize(
    ("old", "new", "code", "reason"),
    [
        (b"\0\0\xa0@", b"\0\0\xa0A", "torch-differs", "the elements of w differ"),
        (b"\x01\x00\x00\x00w", b"\x01\x00\x00\x00v", "torch-differs", "w is missing"),
        (b"K\x02K\x03\x86", b"K\x02K\x02\x86", "torch-differs", "the shape of w is [2, 2] instead of [2, 3]"),
        (b"ctorch._utils\n_rebuild_tensor_v2\n", b"cos\nsystem\n" + b"(" * 23, "torch-refuses", ""),
    ],
)
def test_the_child_tells_what_differs(report: Report, old: bytes, new: bytes, code: str, reason: str) -> None:
    data = report.path.read_bytes()
    assert old in data
    report.path.write_bytes(data.replace(old, new, 1))
    verdict = torch_client.verify(report, Progress())
    assert (verdict.code, verdict.good) == (code, False)
    assert verdict.params["reason"] == reason or not reason


def test_a_file_that_is_cut_is_refused(report: Report) -> None:
    report.path.write_bytes(report.path.read_bytes()[:-100])
    verdict = torch_client.verify(report, Progress())
    assert (verdict.code, verdict.good) == ("torch-refuses", False)
    assert "\n" not in verdict.text


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much address space a process has")
def test_too_much_memory_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = Storage("float32", bytes(4))
    value = {"w": tensor(base, (1,)), "huge": tensor(base, (1 << 12, 1 << 11), (0, 0))}
    report = exported(document_of(value), tmp_path / "out.pt")
    monkeypatch.setattr(torch_client, "limit", lambda: 1 << 20)
    verdict = torch_client.verify_with_torch(report, Progress())
    assert (verdict.code, verdict.good) in {("torch-memory", None), ("torch-died", None)}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows names are text")
def test_a_name_that_is_no_utf_8(report: Report) -> None:
    odd = report.path.with_name("m\udcffdel.pt")
    report.path.rename(odd)
    verdict = torch_client.verify(Report(report.plan, odd, report.nbytes), Progress())
    assert verdict.code == "torch-verified"
