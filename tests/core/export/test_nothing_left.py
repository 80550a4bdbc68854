"""An export of which nothing is left says which choice leaves it out."""

from __future__ import annotations

import pytest

from tests.builders.torch_values import full, state_dict
from tests.core.export.reading import document_of
from viewer.core.errors import ExportError
from viewer.core.export import exporter_of
from viewer.core.export.selection import Wanted

VALUE = state_dict({"a.w": full("float32", (1,), [1.0]), "a.b": full("float32", (1,), [2.0])})
ALL = frozenset({"a.w", "a.b"})


@pytest.mark.parametrize(
    ("wanted", "code", "words"),
    [
        (Wanted(only=("x*",)), "export-only-empty", "No name fits x*."),
        (Wanted(only=("x*",), without=ALL), "export-only-empty", "No name fits x*."),
        (Wanted(skip=("a.*",)), "export-skip-all", "All names fit a.*."),
        (Wanted(without=ALL), "export-without-all", "All names are left out one by one: 2. Keep one of them."),
        (
            Wanted(only=("*.w",), skip=("*.w",)),
            "export-all-left-out",
            "Patterns and single names together leave out all names: 2. The first ones are: a.w, a.b.",
        ),
        (
            Wanted(skip=("*.w",), without=frozenset({"a.b"})),
            "export-all-left-out",
            "Patterns and single names together",
        ),
    ],
)
def test_what_leaves_all_out_is_told(wanted: Wanted, code: str, words: str) -> None:
    with pytest.raises(ExportError) as told:
        exporter_of("npz").plan(document_of(VALUE), wanted)
    assert told.value.code == code
    assert str(told.value).startswith(words)


@pytest.mark.parametrize("form", ["bytes", "structure", "imports", "listing"])
def test_forms_without_names_take_no_single_ones(form: str) -> None:
    with pytest.raises(ExportError, match="takes no names of tensors"):
        exporter_of(form).plan(document_of(VALUE), Wanted(without=frozenset({"a.w"})))
