"""Paths and names of tensors against the facts that stand beside the files of ../shared/cases."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.shared import SHARED
from viewer.core.objects.state_dict import state_dicts
from viewer.core.opening import open_document
from viewer.core.tensors.path import to_json

FACTS = SHARED / "cases" / "expected.json"
# Keys that the facts spell by another rule than `inspect`: numbers and texts as their repr.
OTHER_SPELLING = frozenset({"npzk-nonstr"})


def cases() -> list[Any]:
    if not FACTS.is_file():
        return [pytest.param("", {}, marks=pytest.mark.skip(reason="the folder ../shared is absent"), id="absent")]
    known: dict[str, Any] = json.loads(FACTS.read_text())
    return [
        pytest.param(name, facts, id=name, marks=pytest.mark.shared)
        for name, facts in known.items()
        if facts.get("container") in ("zip", "legacy", "plain-pickle") and facts.get("tensors")
        if name not in OTHER_SPELLING
    ]


@pytest.mark.parametrize(("name", "facts"), cases())
def test_paths_and_names(name: str, facts: dict[str, Any]) -> None:
    document = open_document(SHARED / "cases" / name / facts["open"])
    found = {json.dumps(to_json(tensor.path)): tensor.name for part in document.walk() for tensor in part.tensors}
    for tensor in facts["tensors"]:
        path = json.dumps(tensor["path"])
        assert path in found
        if "name" in tensor:
            assert found[path] == tensor["name"]


def modules() -> list[Any]:
    facts = SHARED / "samples" / "expected.json"
    if not facts.is_file():
        return [pytest.param("", [], marks=pytest.mark.skip(reason="the folder ../shared is absent"), id="absent")]
    known: dict[str, Any] = json.loads(facts.read_text())["samples"]
    return [
        pytest.param(name, tree["state_dict_keys"], id=name, marks=pytest.mark.shared)
        for name, sample in known.items()
        if sample.get("format") in ("zip", "legacy-stream")
        if isinstance(tree := (sample.get("result") or {}).get("tree"), dict) and "state_dict_keys" in tree
    ]


@pytest.mark.parametrize(("name", "keys"), modules())
def test_a_module_gives_the_keys_that_torch_gives(name: str, keys: list[str]) -> None:
    document = open_document(SHARED / "samples" / name)
    pickle = document.main_pickle
    assert pickle is not None
    (branch,) = state_dicts(pickle.values, document.tensors, pickle.index)
    # What `get_extra_state` gives is made by code.
    assert [key for key, _ in branch.entries] == [key for key in keys if not key.endswith("_extra_state")]
