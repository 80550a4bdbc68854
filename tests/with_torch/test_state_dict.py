"""The state_dict that is derived from the pickle of a module, against `state_dict()` of torch: order, names, values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.shared import ROOT
from tests.with_torch.warm import run_clean
from viewer.core.document import Document
from viewer.core.objects.modules import Entry, state_dict
from viewer.core.objects.state_dict import Branch, branch_at
from viewer.core.opening import open_document
from viewer.core.tensors.hashing import sha256
from viewer.core.tensors.path import Key
from viewer.core.tensors.tensor import Tensor

pytestmark = pytest.mark.torch
CHILD: Final = Path(__file__).with_name("state_dict_child.py")
DATA: Final = ROOT / "tests" / "data" / "recovery"
# Whole modules that are derived exactly, without a word.
PLAIN: Final = (
    *("shared", "absent", "replaced", "pickled", "ordered", "residual", "lists", "mapped", "children", "parallel"),
    *("recurrent", "attention", "transformer", "other_sizes", "norms", "no_affine", "no_statistics", "embeddings"),
    *("old_weight_norm", "old_weight_norm_conv", "old_spectral_norm", "lazy", "meta", "half", "channels", "losses"),
    *("averaged", "compiled_part", "traced", "fake", "observer", "stub"),
)
QUANTISED: Final = (
    *("q_linear", "q_bare", "q_convolution", "q_transposed", "q_model", "q_norms", "q_numbers", "q_embedding"),
    *("q_dynamic", "q_recurrent", "q_cell"),
)
DICTIONARIES: Final = ("parametrized", "spectral", "orthogonal", "own_parametrization")
LOADED: Final = (
    *("attention-1.4", "convolution-1.0", "convolution-1.4", "convolution-2.13", "embedding-1.0", "embedding-1.4"),
    *("embedding-2.13", "layers-1.4", "lost-1.0", "lost-1.4", "lost-2.13", "normed-1.0", "normed-1.4", "normed-2.13"),
    *("parallel-1.0", "parallel-1.4", "parallel-2.13", "recurrent-1.4", "recurrent-2.13"),
)
FORMS: Final = ("pt", "legacy.pt")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state_dicts")


@pytest.fixture(scope="module")
def told(folder: Path) -> dict[str, Any]:
    """What torch gives, by what was done and by name."""
    done = run_clean(CHILD, folder, DATA)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture
def opened(request: pytest.FixtureRequest, folder: Path, told: dict[str, Any]) -> Iterator[Document]:
    """The file that the test's parameters name."""
    del told
    name, form = request.param
    path = DATA / f"{name}.pth" if form == "pth" else folder / f"{name}.{form}"
    document = open_document(path)
    yield document
    document.source.close()


def files(names: tuple[str, ...], forms: tuple[str, ...] = FORMS) -> pytest.MarkDecorator:
    """One test a file; the names of the files are the ids."""
    pairs = [(name, form) for name in names for form in forms]
    return pytest.mark.parametrize(
        ("opened", "name"), [(pair, pair[0]) for pair in pairs], indirect=["opened"], ids=map(".".join, pairs)
    )


def flat(entries: list[Any]) -> list[tuple[str, dict[str, Any]]]:
    """Names and facts of torch; pairs of quantised layers one by one."""
    found: list[tuple[str, dict[str, Any]]] = []
    for name, facts in entries:
        found += [(f"{name}.{at}", part) for at, part in enumerate(facts.get("parts", ()))] or [(name, facts)]
    return found


def derived(document: Document) -> list[Entry]:
    """The entries of the root module, tensors and others, in their order."""
    pickle = document.main_pickle
    assert pickle is not None
    return state_dict(pickle.values, pickle.values.root).entries


def branch(document: Document) -> Branch:
    """The root as one state_dict."""
    pickle = document.main_pickle
    assert pickle is not None
    found = branch_at(pickle.values, document.tensors, (), pickle.index)
    assert found is not None
    return found


def compare(document: Document, entries: list[Any]) -> int:
    """Hold order, names and values against torch; gives the number of tensors."""
    expected = flat(entries)
    assert [entry.name for entry in derived(document)] == [name for name, _ in expected]
    whole = branch(document)
    facts = dict(expected)
    assert [name for name, _ in whole.entries] == [name for name, _ in expected if name in dict(whole.entries)]
    for name, tensor in whole.entries:
        same(tensor, facts[name], name)
    pickle = document.main_pickle
    assert pickle is not None
    for name, value in whole.other:
        # torch makes tensors of these numbers when it is asked.
        if facts[name].get("numbers") is not None:
            assert pickle.values.plain(value) == facts[name]["numbers"], name
        else:
            assert "text" in facts[name], name
    return len(whole.entries)


def same(tensor: Tensor, facts: dict[str, Any], name: str) -> None:
    """One tensor."""
    assert tensor.name == name
    if facts["shape"] is None:
        assert tensor.note in ("UninitializedParameter", "UninitializedBuffer"), name
        return
    assert (tensor.dtype, list(tensor.shape)) == (facts["dtype"], facts["shape"]), name
    if "sha256" in facts:
        assert sha256(tensor) == facts["sha256"], name


@files(PLAIN)
def test_modules(opened: Document, name: str, told: dict[str, Any]) -> None:
    facts = told["saved"][name]
    count = compare(opened, facts["entries"])
    assert count == len(facts["entries"])
    assert [problem.code for problem in opened.problems] == []


@files(tuple(name for name in PLAIN if name not in ("fake", "observer", "stub", "averaged")), ("pt",))
def test_versions(opened: Document, name: str, told: dict[str, Any]) -> None:
    expected = {path: {"version": facts["version"]} for path, facts in told["saved"][name]["versions"].items()}
    assert branch(opened).metadata == expected


@files(QUANTISED)
def test_quantised_modules(opened: Document, name: str, told: dict[str, Any]) -> None:
    compare(opened, told["saved"][name]["entries"])
    assert {problem.code for problem in opened.problems} <= {"state-dict-packed"}


def test_the_weights_of_quantised_modules_are_found(folder: Path, told: dict[str, Any]) -> None:
    counts = {}
    for name in QUANTISED:
        document = open_document(folder / f"{name}.pt")
        counts[name] = compare(document, told["saved"][name]["entries"])
        document.source.close()
    assert list(counts.values()) == [2, 2, 2, 2, 11, 6, 2, 1, 4, 2, 2]


@files(LOADED, ("pth",))
def test_modules_of_older_versions(opened: Document, name: str, told: dict[str, Any]) -> None:
    assert compare(opened, told["loaded"][name]["entries"]) == len(told["loaded"][name]["entries"]) > 0


@files((*PLAIN, *DICTIONARIES), ("dict.pt",))
def test_state_dicts(opened: Document, name: str, told: dict[str, Any]) -> None:
    facts = told["saved"][name]
    found = branch(opened)
    assert [key for key, _ in found.entries] == [key for key, _ in facts["entries"]]
    for key, tensor in found.entries:
        same(tensor, dict(facts["entries"])[key], key)
    if facts["entries"]:
        assert found.kind == "state_dict"
        assert found.metadata == {
            path: {key: number for key, number in held.items() if isinstance(number, int)}
            for path, held in facts["versions"].items()
        }


@pytest.mark.parametrize(
    ("name", "form", "expected"),
    [
        ("hooked", "pt", {"state-dict-hooks": ["1", "__main__.renaming"]}),
        ("hooked", "legacy.pt", {"state-dict-hooks": ["1", "__main__.renaming"]}),
        ("extra", "legacy.pt", {"state-dict-extra": ["0, 2", "__main__.Extra"]}),
        ("own", "legacy.pt", {"state-dict-text": ["0", "__main__.Own"], "": ["1", "__main__.InheritsOwn"]}),
        ("compiled", "pt", {"state-dict-compiled": ["the root", "torch._dynamo.eval_frame.OptimizedModule"]}),
        (
            "q_model",
            "pt",
            {"state-dict-packed": ["2._packed_params", "torch.ao.nn.quantized.modules.linear.LinearPackedParams"]},
        ),
    ],
)
def test_what_cannot_be_derived_is_said(
    name: str, form: str, expected: dict[str, list[str]], folder: Path, told: dict[str, Any]
) -> None:
    del told
    document = open_document(folder / f"{name}.{form}")
    found = [problem for problem in document.problems if problem.code.startswith("state-dict-")]
    assert {problem.code for problem in found} == set(expected) - {""}
    assert [[problem.params["modules"], problem.params["names"]] for problem in found] == list(expected.values())
    assert all(problem.span is not None and not problem.text.count("{") for problem in found)
    document.source.close()


def test_the_names_of_a_compiled_module_are_its_own(folder: Path, told: dict[str, Any]) -> None:
    document = open_document(folder / "compiled.pt")
    pickle = document.main_pickle
    assert pickle is not None
    found = branch_at(pickle.values, document.tensors, (Key("arguments[0]"),))
    assert found is not None
    assert [f"_orig_mod.{name}" for name, _ in found.entries] == [
        name for name, _ in told["saved"]["compiled"]["entries"]
    ]
    document.source.close()
