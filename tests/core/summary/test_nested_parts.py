"""The rows of an object that is kept in pieces."""

from __future__ import annotations

from pathlib import Path

from tests.builders.distributed import Saved, Value, save, whole
from tests.builders.torch_zip import torch_zip
from viewer.core.document import SetValue
from viewer.core.opening import open_document
from viewer.core.summary.contents import Contents
from viewer.core.summary.nested_parts import Group, grouped
from viewer.core.tree import ROOT


def saved(name: str, path: tuple[str | int, ...]) -> Saved:
    made = whole(name, "float32", (2,), [1, 2])
    made.path = path
    return made


def test_tensors_and_values_stand_below_their_keys(tmp_path: Path) -> None:
    tensors = [saved("model.a.b", ("model", "a.b")), saved("list.1", ("list", 1)), saved("c", ("c",))]
    save(tmp_path, tensors, [Value("list.0", torch_zip(7), path=("list", 0)), Value("step", torch_zip("now"))])
    document = open_document(tmp_path)
    contents = Contents(document)
    tree = contents.tree
    top = next(node for node in tree.children(tree.child(ROOT, 0)) if contents.label(node).text == "tensors")
    rows = {contents.label(node).text: node for node in tree.children(top)}
    assert list(rows) == ["model", "list", "c", "step"]
    below = tree.children(rows["list"])
    assert [(contents.label(node).text, contents.details(node)[0].text) for node in below] == [("0", "7"), ("1", "[2]")]
    assert contents.details(rows["step"])[0].text == "'now'"
    node = contents.node_of_tensor(document.tensors[0])
    assert node is not None
    assert [contents.label(one).text for one in contents.crumbs(node)] == ["tensors", "model", "a.b"]
    assert contents.tensor(node) is document.tensors[0]


def test_keys_that_hold_something_themselves() -> None:
    value = SetValue("a.b", ("a", "b"), "file", None)
    found = grouped([("a",), ("d", "e"), ("d", "e", "f")], [value, value])
    assert list(found.rows) == ["a", "d", "b", "b "]
    inner = found.rows["d"]
    assert isinstance(inner, Group)
    assert inner.rows == {"e": 1, "f": 2}
