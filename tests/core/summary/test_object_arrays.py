"""Arrays of Python objects open to their elements, and functions of dill and cloudpickle are named, in Contents."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from tests.opened import opened
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.summary.contents import Contents
from viewer.core.summary.parts import Say
from viewer.core.tree import ROOT
from viewer.wording import fill


def said(words: Say) -> str:
    return words.text if words.data else fill(words.text, words.params)


def rows(document: Document, *labels: str) -> dict[str, list[str]]:
    """The rows below the object of a pickle, each with what stands beside it."""
    contents = Contents(document)
    node = contents.tree.child(contents.tree.child(ROOT, 0), 0)
    for label in labels:
        node = next(child for child in contents.tree.children(node) if said(contents.label(child)) == label)
    return {
        said(contents.label(child)): [said(part) for part in contents.details(child)]
        for child in contents.tree.children(node)
    }


@pytest.mark.parametrize("protocol", [0, 2, 4, 5])
def test_elements_of_an_array_of_objects_are_rows(protocol: int) -> None:
    array = np.array([np.arange(3.0), "x", {"k": np.ones(2, np.int32)}, None], dtype=object)
    document = opened(pickle.dumps({"a": array}, protocol))
    assert rows(document)["a"][:2] == ["[4]", "object"]
    found = rows(document, "a")
    assert found["0"] == ["[3]", "float64"]
    assert found["1"] == ["'x'"]
    assert found["3"] == ["None"]
    assert rows(document, "a", "2") == {"k": ["[2]", "int32"]}
    contents = Contents(document)
    inner = next(tensor for tensor in document.tensors if tensor.dtype == "int32")
    assert contents.path(contents.node_of_tensor(inner) or 0) == inner.path


def test_an_array_inside_itself_ends() -> None:
    array = np.empty(2, dtype=object)
    array[0], array[1] = array, "end"
    document = opened(pickle.dumps({"a": array}, 2))
    assert rows(document, "a") == {"0": ["[2]", "object", "object"], "1": ["'end'"]}
    assert rows(document, "a", "0") == {}


def test_other_arrays_stay_leaves() -> None:
    assert rows(opened(pickle.dumps({"a": np.arange(3.0)}, 2)), "a") == {}


@pytest.mark.parametrize(
    ("name", "place"),
    [("H_cloudpickle.pkl", "<dynamic-code>:24"), ("H_dill.pkl", "/opt/lab/samples/make/h_pickle_jl.py:26")],
)
def test_functions_are_named_as_such(shared: Path, name: str, place: str) -> None:
    document = open_document(shared / "samples" / name)
    assert rows(document)["fn"] == ["<lambda>", place, "function", "contains program code"]
    assert rows(document, "fn")["arguments[0]"] == ["<lambda>", place, "code object", "contains program code"]
    assert rows(document)["v"] == ["1"]
    document.source.close()
