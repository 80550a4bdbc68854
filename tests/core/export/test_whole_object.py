"""The whole object of a file exported: mappings stand in each other as before, with what is no tensor beside them."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

import pytest

from tests.builders.torch_values import full, state_dict
from tests.core.export.reading import document_of, exported, read_npz
from viewer.core.export import exporter_of
from viewer.core.export.nesting import Nesting
from viewer.core.export.plain import PlainValues
from viewer.core.export.plan import Content
from viewer.core.export.selection import WHOLE, Wanted
from viewer.core.objects.renaming import NameRules
from viewer.core.objects.state_dict import Holder
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.tensors.path import Path as Place
from viewer.wording.exports import DROPPED

MODEL = state_dict({"fc.weight": full("float32", (2,), [1.0, 2.0]), "fc.bias": full("float32", (1,), [3.0])})
MOMENTS = {0: {"exp_avg": full("float32", (2,), [4.0, 5.0]), "step": 3}}
CHECKPOINT = {
    "model": MODEL,
    "optim0": {"state": MOMENTS, "param_groups": [{"lr": 0.1, "params": [0]}]},
    "version": "1.5.12",
    "epoch": 7,
    "best": [full("float32", (1,), [6.0]), 0.5],
}


def keys_of(path: Path) -> dict[object, object]:
    """The outermost mapping of a file: plain values as they are, None for what holds tensors."""
    document = open_document(path)
    pickle = document.main_pickle
    assert pickle is not None
    values, plain = pickle.values, PlainValues(pickle.values)
    pairs = {plain.get(key): value for key, value in values.pairs(values.root)}
    paths = {str(tensor.path[0]) for tensor in document.tensors}
    found = {key: None if key in paths else plain.get(value) for key, value in pairs.items()}
    document.source.close()
    return found


def paths_of(path: Path) -> list[Place]:
    document = open_document(path)
    document.source.close()
    return [tensor.path for tensor in document.tensors]


@pytest.mark.parametrize("form", ["state_dict", "legacy_state_dict"])
def test_everything_stands_where_it_stood(tmp_path: Path, form: str) -> None:
    target = tmp_path / "out.pt"
    report = exported(document_of(CHECKPOINT), target, form, Wanted(root=WHOLE))
    found = keys_of(target)
    assert found == {"model": None, "optim0": None, "version": "1.5.12", "epoch": 7, "best.0": None, "best.1": 0.5}
    assert list(found) == ["model", "optim0", "version", "epoch", "best.0", "best.1"]
    moments = ("optim0", "state", 0, "exp_avg")
    assert paths_of(target) == [("model", "fc.weight"), ("model", "fc.bias"), moments, ("best.0",)]
    assert report.plan.kept == ("optim0.state.0.step", "optim0.param_groups", "version", "epoch", "best.1")
    assert report.plan.dropped == ()


def test_chosen_keys_are_left_out_and_names_changed(tmp_path: Path) -> None:
    rules = NameRules(rename=(("model", "net"), ("epoch", "last_epoch")))
    wanted = Wanted(root=WHOLE, skip=("optim*", "best*"), names=rules)
    exported(document_of(CHECKPOINT), tmp_path / "out.pt", "state_dict", wanted)
    assert keys_of(tmp_path / "out.pt") == {"net": None, "version": "1.5.12", "last_epoch": 7}
    assert paths_of(tmp_path / "out.pt") == [("net", "fc.weight"), ("net", "fc.bias")]


def test_forms_of_tensors_alone_name_the_values_as_left_out(tmp_path: Path) -> None:
    report = exported(document_of(CHECKPOINT), tmp_path / "out.npz", "npz", Wanted(root=WHOLE))
    names = ["model.fc.weight", "model.fc.bias", "optim0.state.0.exp_avg", "best.0"]
    assert list(read_npz(tmp_path / "out.npz")) == names
    assert [(one.name, one.reason) for one in report.plan.dropped][-2:] == [
        ("epoch", "not-tensor"),
        ("best.1", "not-tensor"),
    ]
    assert "not-tensor" in DROPPED


def test_a_state_dict_is_itself_the_whole_object(tmp_path: Path) -> None:
    exported(document_of(MODEL), tmp_path / "whole.pt", "state_dict", Wanted(root=WHOLE))
    exported(document_of(MODEL), tmp_path / "whole2.pt", "state_dict", Wanted())
    assert paths_of(tmp_path / "whole.pt") == paths_of(tmp_path / "whole2.pt") == [("fc.weight",), ("fc.bias",)]


def test_a_file_that_holds_no_mapping_gives_all_its_tensors() -> None:
    values = [full("float32", (1,), [1.0]), full("float32", (1,), [2.0])]
    plan = exporter_of("state_dict").plan(document_of(values), Wanted(root=WHOLE, progress=Progress()))
    assert [item.name for item in plan.items] == ["0", "1"]


def test_a_mapping_gives_way_to_an_entry_of_its_name() -> None:
    holders = (Holder("", is_ordered=False), Holder("a", is_ordered=True, metadata={"": {"version": 1}}))
    content = Content("", (), order=("a", "a.b"), holders=holders)
    assert Nesting(content).nested([("a", 1), ("a.b", 2)], None) == {"a": 1, "a.b": 2}
    content = Content("", (), order=("a.b", "c"), holders=holders, numbered=frozenset({"a.b", "c"}))
    nested = Nesting(content).nested([("a.b", 1), ("c", 2)], None)
    assert nested == {"a": {"b": 1}, "c": 2}
    assert isinstance(nested["a"], OrderedDict)
    assert vars(nested["a"])["_metadata"] == {"": {"version": 1}}


def test_keys_that_are_numbers_stay_numbers() -> None:
    holders = (Holder("", is_ordered=False), Holder("3", is_ordered=False))
    content = Content("", (), order=("3.-1", "4"), holders=holders, numbered=frozenset({"3", "3.-1"}))
    assert Nesting(content).nested([("3.-1", 1), ("4", 2)], None) == {3: {-1: 1}, "4": 2}
    assert Nesting(content).keys("3.-1") == (3, -1)


def test_a_name_is_cut_only_where_a_mapping_can_end() -> None:
    class Watched(dict[str, Holder]):
        asked = 0

        def __contains__(self, name: object) -> bool:
            self.asked += 1
            return super().__contains__(name)

    holders = (Holder("", is_ordered=False), Holder("a.b", is_ordered=False))
    nesting = Nesting(Content("", (), order=("a.b.c",), holders=holders))
    watched = nesting._holders = Watched(nesting._holders)
    assert nesting.keys("a.b" + ".c" * 10_000) == ("a.b", ".".join("c" * 10_000))
    assert watched.asked == 1
