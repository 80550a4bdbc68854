"""The tables of plain values and optimizers: columns, filter, and what a click leads to."""

from __future__ import annotations

import pickle

import pytest

from tests.builders.safetensors import entry, safetensors
from tests.stall import no_stall
from viewer.ui.panes.values import FILTERING, ValuesPane


@pytest.fixture
def pane(adam, shown, qtbot):
    made = shown(ValuesPane, adam)
    qtbot.waitUntil(lambda: made.tables is not None)
    return made


def heads(pane):
    return [
        pane.model.headerData(column, pane.table.horizontalHeader().orientation())
        for column in range(pane.model.columnCount())
    ]


def test_the_state_stands_beside_its_weight(pane):
    pane.kinds.choose("states")
    assert heads(pane)[:6] == ["Optimizer", "Parameter", "Name found by", "Group", "lr", "step"]
    assert pane.table.isColumnHidden(0)
    average = heads(pane).index("exp_avg")
    pane.table.clicked.emit(pane.model.index(0, 1))
    weight = pane.session.document.tensors[pane.session.selection.tensor]
    assert weight.name == "conv1.weight"
    pane.table.clicked.emit(pane.model.index(0, average))
    assert pane.session.document.tensors[pane.session.selection.tensor].path[-1] == "exp_avg"


def test_groups_have_a_column_a_setting(pane):
    pane.kinds.choose("groups")
    row = dict(
        zip(
            heads(pane), (pane.model.index(0, column).data() for column in range(pane.model.columnCount())), strict=True
        )
    )
    assert (row["Parameters"], row["lr"], row["weight_decay"]) == ("10", "0.001", "0")


def test_values_are_filtered_and_selected(pane):
    pane.bar.field.setText("epoch")
    assert pane.model.rowCount() == 1
    pane.table.clicked.emit(pane.model.index(0, 0))
    chosen = pane.session.selection
    assert chosen.span is not None
    assert pane.session.document.object_pickle.values.plain(chosen.opcode.value) == 5


def test_a_file_without_any_says_so(opened, shown, qtbot, tmp_path):
    path = tmp_path / "a.safetensors"
    path.write_bytes(safetensors({"w": entry("U8", [1], 0, 1)}, bytes(1)))
    made = shown(ValuesPane, opened(path))
    qtbot.waitUntil(lambda: made.tables is not None)
    assert "No such values in this file" in made.empty.text()
    assert made.pages.currentIndex() == 1


def test_many_rows_are_filtered_while_a_person_types(opened, shown, qtbot, tmp_path):
    path = tmp_path / "many.pkl"
    path.write_bytes(pickle.dumps({f"key{number:05d}": number for number in range(20_000)}))
    made = shown(ValuesPane, opened(path))
    qtbot.waitUntil(lambda: made.tables is not None)
    with no_stall():
        for text in ("k", "ke", "key", "key1", "key19", "key1999"):
            made.bar.field.setText(text)
        qtbot.waitUntil(lambda: made.model.rowCount() == 10)
    assert made.bar.found.text() == "10 of 20,000"
    made.bar.field.setText("key")
    made.bar.field.clear()
    assert made.model.rowCount() == 20_000
    qtbot.waitUntil(lambda: not made.session.jobs.is_running(FILTERING))
    assert (made.model.rowCount(), made.bar.found.text()) == (20_000, "20,000")
