"""`inspect --values`: the elements of arrays of objects, and functions by their names."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np

from tests.opened import opened
from viewer.core.opening import open_document
from viewer.core.summary.rows.values import value_rows


def test_elements_of_arrays_of_objects_are_values_once() -> None:
    array = np.empty(3, dtype=object)
    array[0], array[1], array[2] = array, "end", [7, np.zeros(1)]
    found = list(value_rows(opened(pickle.dumps({"a": array, "b": array}, 2)), ""))
    assert [(row["path"], row["value"]) for row in found] == [(["a", 1], "end"), (["a", 2, 0], 7)]


def test_functions_are_named(shared: Path) -> None:
    document = open_document(shared / "samples" / "H_cloudpickle.pkl")
    found = {tuple(map(str, row["path"])): row["value"] for row in value_rows(document, "")}
    assert found["fn",] == "function <lambda> of <dynamic-code>:24"
    assert found["v",] == 1
    document.source.close()
