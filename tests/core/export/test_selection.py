"""What is exported when nothing, a branch, patterns or tensors were named."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, adam_state_dict, full, module, state_dict
from tests.builders.values import Fresh
from tests.core.export.reading import document_of
from viewer.core.document import Document
from viewer.core.errors import ChoiceError, ExportError
from viewer.core.export import exporter_for, exporter_of
from viewer.core.export.selection import Wanted, branches, choose
from viewer.core.objects.renaming import NameRules
from viewer.core.opening import open_document
from viewer.core.source import MemorySource

EVERYTHING: Final = Wanted()


def one(value: float = 1) -> object:
    return full("float32", (2,), [value, value])


def checkpoint() -> Document:
    adam = adam_state_dict([(full("float32", (), [1]), full("float32", (2,), [0, 0]), full("float32", (2,), [0, 0]))])
    model = state_dict({"enc.w": one(), "enc.b": one(), "head.w": one()}, {"": 1, "enc": 1, "head": 1, "encoder": 1})
    return document_of({"epoch": 3, "model_state_dict": model, "optimizer_state_dict": adam})


def names(document: Document, wanted: Wanted = EVERYTHING) -> list[str]:
    return list(choose(document, wanted).order)


def test_the_only_state_dict_is_meant() -> None:
    content = choose(checkpoint(), Wanted())
    assert content.title == "model_state_dict"
    assert list(content.order) == ["enc.w", "enc.b", "head.w"]
    assert content.metadata == {path: {"version": 1} for path in ("", "enc", "head", "encoder")}


def test_the_model_is_meant_before_its_average() -> None:
    value = {"ema": state_dict({"a": one()}), "model": state_dict({"b": one()})}
    assert names(document_of(value)) == ["b"]


def test_several_need_a_choice() -> None:
    value = {"modelA": state_dict({"a": one()}), "modelB": state_dict({"b": one()})}
    with pytest.raises(ChoiceError) as caught:
        choose(document_of(value), Wanted())
    assert caught.value.choices == ("modelA", "modelB")
    assert str(caught.value) == "This file holds several sets of tensors. Choose one: modelA, modelB."
    assert names(document_of(value), Wanted(root="modelB")) == ["b"]


def test_saves_in_one_file_need_a_choice_too() -> None:
    first, second = legacy(state_dict({"a": one()})), legacy(state_dict({"b": one()}))
    document = open_document(MemorySource(first + second))
    with pytest.raises(ChoiceError) as caught:
        choose(document, Wanted())
    assert caught.value.choices == ("document 0", "document 1")
    assert names(document, Wanted(root="document 0")) == ["a"]
    assert names(document, Wanted(root="document 1")) == ["b"]


def test_all_tensors_where_there_is_no_state_dict() -> None:
    document = document_of([one(), {"x": [one()]}])
    assert names(document) == ["0", "1.x.0"]
    assert choose(document, Wanted()).title == ""
    assert names(document_of(one())) == ["tensor"]


def test_an_optimizer_alone_is_taken_whole() -> None:
    adam = adam_state_dict([(full("float32", (), [1]), one(), one())])
    assert names(document_of({"optimizer": adam})) == [
        "optimizer.state.0.step",
        "optimizer.state.0.exp_avg",
        "optimizer.state.0.exp_avg_sq",
    ]


@pytest.mark.parametrize("root", ["optimizer_state_dict", "optimizer_state_dict/", "/optimizer_state_dict"])
def test_an_optimizer_can_be_named(root: str) -> None:
    document = checkpoint()
    assert [name for name, _ in choose(document, Wanted(root)).entries] == [
        "state.0.step",
        "state.0.exp_avg",
        "state.0.exp_avg_sq",
    ]


@pytest.mark.parametrize("root", ["optimizer_state_dict.state.0", "optimizer_state_dict/state/0"])
def test_paths_with_dots_and_slashes(root: str) -> None:
    assert names(checkpoint(), Wanted(root=root)) == ["step", "exp_avg", "exp_avg_sq"]


def test_the_beginning_of_names_is_a_branch() -> None:
    content = choose(checkpoint(), Wanted("enc"))
    assert list(content.order) == ["w", "b"]
    assert content.metadata == {"": {"version": 1}}
    assert content.title == "model_state_dict.enc"


def test_a_submodule() -> None:
    inner = module(ModuleClass("zoo", "Inner"), parameters={"w": one()})
    outer = module(ModuleClass("zoo", "Outer"), parameters={"v": one()}, children={"inner": inner})
    assert names(document_of(outer)) == ["v", "inner.w"]
    assert names(document_of(outer), Wanted(root="inner")) == ["w"]
    assert names(document_of({"net": outer}), Wanted(root="net")) == ["v", "inner.w"]


def test_a_branch_that_is_not_there() -> None:
    with pytest.raises(ExportError) as caught:
        choose(checkpoint(), Wanted("nothing"))
    assert str(caught.value) == (
        "There are no tensors under nothing. There are: model_state_dict, optimizer_state_dict."
    )


def test_patterns_take_names() -> None:
    assert names(checkpoint(), Wanted(only=("enc.*", "*.b"))) == ["enc.w", "enc.b"]
    assert names(checkpoint(), Wanted(only=("Enc.*", "head.?"))) == ["head.w"]
    with pytest.raises(ExportError) as caught:
        choose(checkpoint(), Wanted(only=("dec.*",)))
    assert str(caught.value) == "No name fits dec.*. The first names are: enc.w, enc.b, head.w."


def test_patterns_take_entries_that_are_no_tensors_too() -> None:
    value = state_dict({"a": one()})
    value.update(n=1, m=2)
    assert choose(document_of(value), Wanted(only=("a", "m"))).plain == (("m", 2),)


def test_chosen_tensors_keep_their_names() -> None:
    document = checkpoint()
    chosen = (document.tensors[2], document.tensors[3], document.tensors[0])
    assert names(document, Wanted(tensors=chosen)) == ["head.w", "optimizer_state_dict.state.0.step", "enc.w"]


def test_equal_names_of_chosen_tensors_are_told_apart() -> None:
    document = document_of({"modelA": state_dict({"w": one()}), "modelB": state_dict({"w": one()})})
    content = choose(document, Wanted(tensors=tuple(document.tensors)))
    assert [name for name, _ in content.entries] == ["w", "w#2"]
    assert [(renamed.name, renamed.result) for renamed in content.renamed] == [("w", "w#2")]


def test_a_file_without_tensors_is_one_sentence() -> None:
    for value in ({}, {"epoch": 3}, "text"):
        with pytest.raises(ExportError) as caught:
            choose(document_of(value), Wanted())
        assert str(caught.value) == "There are no tensors in this file, so there is nothing to export."


def test_all_branches_with_their_titles() -> None:
    assert [(found.title, found.branch.kind) for found in branches(checkpoint())] == [
        ("model_state_dict", "state_dict"),
        ("optimizer_state_dict", "optimizer"),
    ]


def test_order_of_tensors_and_other_entries() -> None:
    value = state_dict({Fresh("a"): one()})
    value.update(n=1)
    value["b"] = one()
    value["t"] = "text"
    assert names(document_of(value)) == ["a", "n", "b", "t"]


def test_the_form_follows_the_suffix() -> None:
    assert [exporter_for(Path(name)).form for name in ("a.pt", "b.PTH", "c.npz", "d.safetensors")] == [
        *("state_dict", "state_dict", "npz", "safetensors")
    ]
    with pytest.raises(ExportError) as caught:
        exporter_for(Path("out.bin"))
    assert str(caught.value) == (
        "The suffix of out.bin names no form. Use one of .pth .pt .npz .safetensors .npy .csv, or state the form."
    )
    with pytest.raises(ExportError) as caught:
        exporter_of("hdf5")
    assert str(caught.value) == (
        "There is no form hdf5. There are: state_dict, npz, safetensors, safetensors_shards, legacy_state_dict, npy, "
        "csv, source, recovery, bytes, imports, listing, structure."
    )


def test_names_to_leave_out() -> None:
    assert names(checkpoint(), Wanted(skip=("enc.*",))) == ["head.w"]
    assert names(checkpoint(), Wanted(only=("*.w",), skip=("enc.*",))) == ["head.w"]
    with pytest.raises(ExportError, match=r"All names fit \*\.\*\. The first names are: enc\.w, enc\.b, head\.w\."):
        choose(checkpoint(), Wanted(skip=("*.*",)))


def test_new_names_keep_their_order_and_the_versions_of_their_modules() -> None:
    rules = NameRules(rename=(("enc", "encoder.0"),), add="net")
    content = choose(checkpoint(), Wanted(names=rules))
    assert list(content.order) == ["net.encoder.0.w", "net.encoder.0.b", "net.head.w"]
    assert [name for name, _ in content.entries] == list(content.order)
    assert content.metadata == {path: {"version": 1} for path in ("net", "net.encoder.0", "net.head", "net.encoder")}
    assert [(one.name, one.result) for one in content.asked][:1] == [("enc.w", "net.encoder.0.w")]


@pytest.mark.parametrize(
    ("rename", "words"),
    [
        ((("enc", "head"),), r"Several entries would be called head\.w: enc\.w, head\.w\."),
        ((("*", ""),), r"The rules leave nothing of a name: enc\.w, enc\.b, head\.w\."),
        ((("re:[", ""),), r"The rule re:\[= for names cannot be used: unterminated character set at position 0\."),
    ],
)
def test_rules_that_would_lose_entries(rename: tuple[tuple[str, str], ...], words: str) -> None:
    with pytest.raises(ExportError, match=words):
        choose(checkpoint(), Wanted(names=NameRules(rename=rename)))


def test_entries_that_are_no_tensors_are_renamed_too() -> None:
    content = choose(document_of({"m.w": one(), "m.epoch": 3}), Wanted(names=NameRules(("m",))))
    assert (content.plain, content.order) == ((("epoch", 3),), ("w", "epoch"))


def test_a_state_dict_that_hides_in_a_value_is_not_what_is_exported() -> None:
    document = document_of({"weight": one(), "kept": legacy({"hidden": one(5), "other": one(6)})})
    (child,) = document.children
    assert (child.how, child.format) == ("bytes argument", "torch-legacy")
    assert names(document) == ["weight", "kept"]
