"""Tables of what stands beside weights: plain values, groups, state joined to the names of parameters."""

from __future__ import annotations

from pathlib import Path

from tests.builders.safetensors import entry, safetensors
from tests.shared import ROOT
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.summary.value_tables import Table, value_tables

ADAM = ROOT / "resources" / "samples" / "checkpoint_adam.pt"


def texts(table: Table, *columns: str) -> list[tuple[str, ...]]:
    at = [table.columns.index(column) for column in columns]
    return [tuple(row[column].text for column in at) for row in table.rows]


def test_the_tables_of_a_checkpoint() -> None:
    document = open_document(ADAM)
    tables = value_tables(document, "", Progress())
    values = dict(texts(tables.values, "path", "value"))
    assert values["epoch"] == "5"
    assert values["optimizer_state_dict.param_groups.0.lr"] == "0.001"
    assert not [path for path in values if ".params." in path]
    assert texts(tables.groups, "group", "parameters", "lr", "betas") == [("0", "10", "0.001", "(0.9, 0.999)")]
    rows = texts(tables.states, "parameter", "lr", "step", "exp_avg")
    assert len(rows) == 10
    assert rows[0][:3] == ("conv1.weight", "0.001", "1,875")
    for row in tables.states.rows:
        weight = document.tensors[row[1].tensor]
        average = document.tensors[row[tables.states.columns.index("exp_avg")].tensor]
        assert (weight.name, weight.shape) == (row[1].text, average.shape)
    assert {row[2].code for row in tables.states.rows} <= {"order", "names"}
    document.close()


def test_a_file_without_a_pickle_has_its_texts_only(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    path.write_bytes(safetensors({"__metadata__": {"format": "pt"}, "w": entry("U8", [1], 0, 1)}, bytes(1)))
    document = open_document(path)
    tables = value_tables(document, "", Progress())
    assert texts(tables.values, "path", "value") == [("format", "pt")]
    assert (tables.groups.rows, tables.states.rows) == ([], [])
    document.close()
