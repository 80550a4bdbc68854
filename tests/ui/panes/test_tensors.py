"""The Tensors pane: filter, groups, totals, what is exported, and the findings of a scan that link."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt

from tests.builders.safetensors import entry, safetensors
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from viewer.core.tensors.columns import By
from viewer.core.tensors.health import Fault, Finding
from viewer.core.tensors.window import complete, missing_bytes
from viewer.core.tree import ROOT
from viewer.ui.help.tensor_filter import TensorFilterPage
from viewer.ui.models.shown_tensors import LOOKED_AT
from viewer.ui.models.tensor_cells import MAXIMUM, MINIMUM, finding_cell, group_cell, tensor_cell
from viewer.ui.panes.tensors import EMPTY, FINDINGS, GROUPS, TensorsPane
from viewer.ui.widgets.tensor_table import ENOUGH, NAME, WHOLE

VALUES = {
    **{f"layers.{at}.weight": full("bfloat16", (2, 3), range(at, at + 6)) for at in range(4)},
    **{f"layers.{at}.bias": full("float32", (3,), [at, 1, 2]) for at in range(4)},
    "head": full("float32", (2,), [float("nan"), -5]),
}


@pytest.fixture
def pane(opened, shown, tmp_path):
    path = tmp_path / "model.pt"
    path.write_bytes(torch_zip(VALUES))
    return shown(TensorsPane, opened(path))


def names(pane):
    return [pane.model.index(row, 0).data() for row in range(pane.model.rowCount())]


def test_a_filter_leaves_some_rows_and_says_how_many(pane):
    pane.bar.field.setText("*.weight dtype:bf16")
    assert names(pane) == [f"layers.{at}.weight" for at in range(4)]
    assert pane.bar.found.text() == "4 of 9"
    assert pane.totals.text() == "4 tensors, 24 elements, 48 bytes"
    pane.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    assert names(pane) == [f"layers.{at}.weight" for at in (3, 2, 1, 0)]
    pane.bar.field.clear()
    assert len(names(pane)) == 9
    assert names(pane)[0] == "layers.3.weight"


def test_what_is_wrong_with_a_filter_is_said_beside_it_and_hides_nothing(pane):
    pane.bar.field.setText("dtype:fp33")
    assert pane.bar.found.text() == "There is no type fp33: write bf16, float32, int8 or float8*."
    assert pane.bar.field.property("fault")
    assert len(names(pane)) == 9
    pane.bar.field.setText("dtype:f32")
    assert not pane.bar.field.property("fault")


def test_nothing_found_is_said(pane):
    pane.bar.field.setText("<i>never")
    assert pane.pages.currentIndex() == EMPTY
    assert "&lt;i&gt;never" in pane.empty.text()
    assert "9 rows are hidden." in pane.empty.text()


def test_equal_blocks_are_one_row_with_sums(pane):
    pane.ways.choose("groups")
    assert pane.pages.currentIndex() == GROUPS
    layers = pane.groups_model.index(0, 0)
    texts = [layers.siblingAtColumn(column).data() for column in range(6)]
    assert texts == ["layers 8 tensors", "", "", "36", "96", "92.3 %"]
    fold = pane.groups_model.index(0, 0, layers)
    assert fold.data() == "0..3 4 equal blocks, 8 tensors"


def test_a_tensor_that_is_selected_elsewhere_is_opened_in_the_groups(pane):
    pane.ways.choose("groups")
    pane.session.select_tensor(pane.session.document.tensors[2], "test")
    current = pane.tree.currentIndex()
    assert current.data() == "weight"
    assert current.parent().data() == "2 2 tensors"


def test_what_is_chosen_is_summed_and_exported(pane, qtbot):
    pane.table.selectionModel().select(
        pane.model.index(0, 0), QItemSelectionModel.SelectionFlag.Rows | QItemSelectionModel.SelectionFlag.Select
    )
    pane.table.selectionModel().select(
        pane.model.index(8, 0), QItemSelectionModel.SelectionFlag.Rows | QItemSelectionModel.SelectionFlag.Select
    )
    assert pane.totals.text() == "Selected: 2 tensors, 8 elements, 20 bytes"
    with qtbot.waitSignal(pane.export_asked) as asked:
        pane.export.click()
    assert [tensor.name for tensor in asked.args[0]] == ["layers.0.weight", "head"]
    assert asked.args[1] is False


def test_a_group_stands_for_all_that_is_in_it(pane):
    pane.ways.choose("groups")
    pane.tree.setCurrentIndex(pane.groups_model.index(0, 0))
    assert len(pane.chosen()) == 8


def test_a_scan_lists_findings_that_link_and_shows_extremes(pane, qtbot):
    pane.bar.field.setText("nan")
    assert pane.bar.found.text() == "nan is known once values are scanned."
    assert pane.table.isColumnHidden(MINIMUM)
    pane.ways.choose("findings")
    assert pane.pages.currentIndex() == FINDINGS
    pane.findings.button.click()
    qtbot.waitUntil(lambda: not pane.session.health.running)
    model = pane.findings.model
    assert [model.index(0, column).data() for column in range(2)] == ["NaN", "head"]
    pane.findings.table.selectRow(0)
    assert (pane.session.selection.tensor, pane.session.selection.element) == (8, (0,))
    pane.ways.choose("list")
    assert names(pane) == ["head"]
    pane.bar.field.clear()
    assert not pane.table.isColumnHidden(MAXIMUM)
    assert [pane.model.index(8, column).data() for column in (MINIMUM, MAXIMUM)] == ["\u22125.000", "\u22125.000"]
    pane.table.sortByColumn(MAXIMUM, Qt.SortOrder.DescendingOrder)
    assert names(pane)[0] == "layers.3.weight"
    assert names(pane)[-1] == "head"


def test_many_tensors_are_filtered_and_grouped_in_a_thread(opened, shown, tmp_path, qtbot):
    total = LOOKED_AT + 500
    header = {f"block.{number}": entry("U8", [1], number, number + 1) for number in range(total)}
    path = tmp_path / "many.safetensors"
    path.write_bytes(safetensors(header, bytes(total)))
    pane = shown(TensorsPane, opened(path))
    pane.bar.field.setText("block.1?")
    assert pane.bar.found.text() == "Filtering"
    qtbot.waitUntil(lambda: pane.model.rowCount() == 10)
    pane.bar.field.clear()
    pane.ways.choose("groups")
    qtbot.waitUntil(lambda: pane.shown.groups is not None)
    assert pane.groups_model.tree.count(ROOT) == 1
    assert pane.shown.groups.sums(0, 1) == (total, total, total)


def test_the_filter_is_explained_where_it_is_typed(pane, qtbot):
    pane.bar.field.setFocus()
    qtbot.waitUntil(pane.bar.field.hasFocus)
    assert pane.topic() == TensorFilterPage.key
    with qtbot.waitSignal(pane.asks) as asked:
        pane.bar.help.click()
    assert asked.args == [f"explain.{TensorFilterPage.key}"]
    assert [entry.key for entry in TensorFilterPage().entries()][:2] == ["weight", "*.weight"]
    pane.table.setFocus()
    qtbot.waitUntil(pane.table.hasFocus)
    assert pane.topic() == ""


def test_totals_stand_beside_the_filter_where_the_foot_has_no_room(pane):
    words = pane.totals.text()
    assert words.startswith(f"{len(pane.session.document.tensors)} tensors, ")
    pane.resize(900, 700)
    assert (pane.foot.isVisible(), pane.bar.found.text()) == (True, "")
    pane.resize(900, 170)
    assert (pane.foot.isVisible(), pane.bar.found.text()) == (False, words)
    pane.bar.field.setText("no such name")
    assert pane.bar.found.text().startswith("0 of ")
    pane.bar.field.clear()
    assert pane.bar.found.text() == words
    pane.resize(300, 170)
    assert pane.bar.found.text() == ""


# -- how it looks ---------------------------------------------------------------------------------------


def test_names_take_what_the_other_columns_leave(pane):
    """At 1440 px the dock has 990: the state was cut there."""
    pane.resize(990, 300)
    state = pane.table.columnViewportPosition(8) + pane.table.columnWidth(8)
    assert state == pane.table.viewport().width()
    pane.resize(1300, 300)
    assert pane.table.columnViewportPosition(8) + pane.table.columnWidth(8) == pane.table.viewport().width()
    assert not any(pane.table.isColumnHidden(column) for column in range(9))
    pane.resize(838, 300)
    hidden = [column for column in By if column != By.MISSING and pane.table.isColumnHidden(column)]
    assert hidden == [By.PLACE, By.LOCATION, By.SHARED]
    assert pane.table.columnWidth(0) >= ENOUGH
    pane.resize(500, 300)
    assert pane.table.columnWidth(0) == NAME


def test_states_that_say_nothing_leave_their_room_to_the_names(pane, half, shown):
    """At 1366 px the dock has 910: names were cut in their middle beside an empty column."""
    for one in (pane, shown(TensorsPane, half)):
        one.resize(910, 300)
    assert pane.table.columnWidth(By.MISSING) == WHOLE
    assert not pane.table.isColumnHidden(By.SHARED)
    assert pane.table.columnWidth(0) > 290


def test_a_state_of_missing_bytes_is_hatched_and_fits(half, shown):
    pane = shown(TensorsPane, half)
    cells = [tensor_cell(tensor, By.MISSING, is_set=False, found=None) for tensor in half.document.tensors]
    lost = [cell for cell in cells if cell.text != "whole"]
    assert [cell.pieces[0].chip for cell in lost] == ["gap"] * len(lost)
    assert {cell.spoken for cell in lost} >= {"missing"}
    assert any(cell.spoken.startswith("cut, ") for cell in lost)
    painter = pane.table.itemDelegate().cells
    assert max(map(painter.wanted, cells)) <= pane.table.columnWidth(By.MISSING)


def test_shares_have_bars_and_what_is_missing_of_them(half, shown):
    pane = shown(TensorsPane, half)
    pane.ways.choose("groups")
    groups = pane.shown.groups
    top = [group_cell(groups, node, 5) for node in groups.tree.children(ROOT)]
    assert [round(cell.share, 3) for cell in top] == [0.337, 0.663]
    assert [cell.text for cell in top] == ["33.7 %", "66.3 %"]
    node = groups.node_of(next(t.index for t in half.document.tensors if not complete(t) and missing_bytes(t)[0]))
    cell = group_cell(groups, node, 5)
    assert 0 < cell.lost <= cell.share


def test_names_that_begin_alike_are_told_apart_where_they_are_cut(half, shown):
    pane = shown(TensorsPane, half)
    cells = [tensor_cell(tensor, By.NAME, is_set=False, found=None) for tensor in half.document.tensors]
    assert {cell.pieces[0].cut for cell in cells} == {"middle"}
    found = finding_cell(half.document.tensors, Finding(Fault.NAN, 3, 1, (0,)), 1)
    assert found.pieces[0].cut == "middle"
    assert pane.model.rowCount() == len(cells)
