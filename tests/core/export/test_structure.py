"""The structure of a file as JSON: it says what `inspect --json` says, and every object with its bytes."""

from __future__ import annotations

import ast
import json
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders.safetensors import entry, safetensors
from tests.builders.torch_values import Storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.shared import ROOT
from viewer.core.document import Document
from viewer.core.errors import CancelledError
from viewer.core.export import exporter_of
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource
from viewer.core.summary.rows.inspection import Wanted as Asked
from viewer.core.summary.rows.inspection import facts
from viewer.core.summary.rows.json_texts import json_texts

STRUCTURE = exporter_of("structure")
SAMPLES = sorted(path for path in (ROOT / "resources" / "samples").iterdir() if path.is_file())
Facts = dict[str, Any]


def structure_of(document: Document, target: Path, wanted: Wanted = Wanted()) -> Facts:
    report = STRUCTURE.write(STRUCTURE.plan(document, wanted), target, Progress())
    verdict = STRUCTURE.verify(report, Progress())
    assert verdict is not None
    assert verdict.good is True
    found: Facts = json.loads(target.read_text(encoding="utf-8"))
    return found


def opened(value: object) -> Document:
    return open_document(MemorySource(torch_zip(value)))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_it_says_what_inspect_says(path: Path, tmp_path: Path) -> None:
    document = open_document(path)
    try:
        found = structure_of(document, tmp_path / "out.json")
        inspected = json.loads("".join(json_texts(facts(document, Asked(regions=True)))))
        shared = found.keys() - {"objects", "metadata"}
        assert {key: found[key] for key in shared} == {key: inspected[key] for key in shared}
        assert {"file", "format", "documents", "regions", "pickles", "keys", "tensors", "imports", "problems"} <= shared
        held = {row["tensor"] for row in found["objects"]} - {None}
        made = {number for number, row in enumerate(found["tensors"]) if row["class"] is not None}
        assert held == made
    finally:
        document.close()


def test_every_value_has_its_place_and_its_bytes(tmp_path: Path) -> None:
    weight = tensor(Storage("uint8", b"abc"), (3,))
    shared = ["x", 2.5]
    value = {"w": weight, "again": weight, "list": shared, ("key", 1): shared, "none": None, "empty": {}}
    data = torch_zip(value)
    (tmp_path / "in.pt").write_bytes(data)
    document = open_document(tmp_path / "in.pt")
    found = structure_of(document, tmp_path / "out.json")
    document.close()
    rows = found["objects"]
    root = rows[0]
    assert (root["role"], root["type"], root["parent"], root["count"]) == ("root", "dict", None, 6)
    told = [(row["key"], row["type"], row["value"], row["tensor"], row["again"]) for row in rows[1:]]
    assert told == [
        ("w", "torch.Tensor", None, 0, False),
        ("again", "torch.Tensor", None, 0, True),
        ("list", "list", None, None, False),
        (0, "str", "x", None, False),
        (1, "float", 2.5, None, False),
        ({"py": "('key', 1)"}, "list", None, None, True),
        ("none", "NoneType", None, None, False),
        ("empty", "dict", None, None, False),
    ]
    lists = [row["id"] for row in rows if row["type"] == "list"]
    assert [row["parent"] for row in rows[1:]] == [*[root["id"]] * 3, *lists[:1] * 2, *[root["id"]] * 3]
    assert lists[0] == lists[1]
    text = next(row for row in rows if row["value"] == "x")
    assert b"x" in data[text["start"] : text["stop"]]
    assert root["start"] <= text["start"] < text["stop"] <= root["stop"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(max_size=5) | st.binary(max_size=5),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
        max_leaves=12,
    )
)
@settings(max_examples=30)
def test_any_tree_can_be_built_again(tmp_path_factory: pytest.TempPathFactory, value: object) -> None:
    found = structure_of(opened(value), tmp_path_factory.mktemp("out") / "out.json")
    assert rebuilt(found["objects"]) == value


def rebuilt(rows: list[Facts]) -> object:
    """The value, from rows alone, as a script would."""
    made: dict[int, Any] = {}
    root: list[object] = []
    for row in rows:
        if row["type"] in ("list", "dict"):
            value = made.setdefault(row["id"], [] if row["type"] == "list" else {})
        else:
            value = plain(row["value"])
        holder = made[row["parent"]] if row["parent"] is not None else root
        if isinstance(holder, list):
            holder.append(value)
        else:
            holder[row["key"] if isinstance(row["key"], str) else ast.literal_eval(row["key"]["py"])] = value
    return root[0]


def plain(value: object) -> object:
    if isinstance(value, dict):
        return int(value["int"]) if "int" in value else bytes.fromhex(value["hex"])
    return value


def test_a_value_that_holds_itself_ends(tmp_path: Path) -> None:
    path = tmp_path / "cycle.pkl"
    path.write_bytes(b"\x80\x02]q\x00(h\x00K\x01e.")
    document = open_document(path)
    rows = structure_of(document, tmp_path / "out.json")["objects"]
    document.close()
    assert [(row["type"], row["again"]) for row in rows] == [("list", False), ("list", True), ("int", False)]
    assert rows[1]["id"] == rows[0]["id"]


def test_lists_a_hundred_thousand_deep_end(tmp_path: Path) -> None:
    path = tmp_path / "deep.pkl"
    depth = 100_000
    path.write_bytes(b"\x80\x02" + b"]" * depth + b"a" * (depth - 1) + b".")
    document = open_document(path)
    rows = structure_of(document, tmp_path / "out.json")["objects"]
    document.close()
    assert len(rows) == depth


def test_texts_of_a_container_are_told(tmp_path: Path) -> None:
    data = safetensors({"__metadata__": {"format": "pt"}, "w": entry("U8", [2], 0, 2)}, b"ab")
    (tmp_path / "in.safetensors").write_bytes(data)
    document = open_document(tmp_path / "in.safetensors")
    found = structure_of(document, tmp_path / "out.json")
    document.close()
    (row,) = found["metadata"]
    assert (row["key"], row["value"], data[row["start"] : row["stop"]]) == ("format", "pt", b'"format":"pt"')
    assert (found["keys"], found["objects"], found["tensors"][0]["name"]) == (["w"], [], "w")


def test_of_many_names_few_are_in_memory_and_it_stops_at_once(tmp_path: Path) -> None:
    few = Storage("float32", bytes(np.zeros(8, np.float32)))
    value = OrderedDict((f"layers.{at}.weight", tensor(few, (4,), (1,), at % 4)) for at in range(5000))
    document = opened(value)
    looks = 0

    class Stopping(Progress):
        def check(self) -> None:
            nonlocal looks
            looks += 1
            if looks == 7000:
                self.cancel()
            super().check()

    plan = STRUCTURE.plan(document, Wanted())
    with pytest.raises(CancelledError):
        STRUCTURE.write(plan, tmp_path / "out.json", Stopping())
    assert list(tmp_path.iterdir()) == []
    assert looks == 7000
    found = structure_of(document, tmp_path / "out.json")
    assert len(found["keys"]) == len(found["tensors"]) == 5000
    assert len(found["objects"]) == 5001
