"""The inspector: rows that follow the selection, rows that are chosen, copies."""

import pytest
from PySide6.QtGui import QGuiApplication

from viewer.core.span import Span
from viewer.core.tensors.readings import of_length
from viewer.ui.panes.inspector import InspectorPane


@pytest.fixture
def pane(legacy, shown):
    made = shown(InspectorPane, legacy)
    legacy.select_bytes((Span(2, 3),), "test")
    return made


def names(pane):
    return [row.name for row in pane.sheet.rows]


@pytest.mark.parametrize("length", [3, 5, 6, 7, 16])
def test_a_selection_of_odd_length_is_one_integer(pane, legacy, length):
    legacy.select_bytes((Span(2, 2 + length),), "test")
    data = legacy.source.read(2, length)
    unsigned, signed = pane.sheet.rows[:2]
    assert (unsigned.name, signed.name) == (f"uint{8 * length}", f"int{8 * length}")
    assert (unsigned.little, unsigned.big) == (int.from_bytes(data, "little"), int.from_bytes(data, "big"))
    assert signed.little == int.from_bytes(data, "little", signed=True)
    assert pane.sheet.length == length


def test_lengths_that_types_have_need_no_row_of_their_own():
    assert of_length(bytes(16), 4) == of_length(bytes(16), 17) == of_length(b"", 0) == []
    assert of_length(b"a", 3)[0].little is None


def test_the_row_of_the_selected_size_stands_out(pane, legacy):
    before = pane.sheet.grab().toImage()
    legacy.select_bytes((Span(2, 6),), "test")
    after = pane.sheet.grab().toImage()
    accent = pane.theme.color("accent").name()
    colours = {after.pixelColor(x, y).name() for x in range(70) for y in range(after.height())}
    assert accent in colours
    assert before != after


def test_rows_are_chosen_in_the_menu(pane, legacy):
    menu = pane.sheet.menu_of(None)
    rows = {action.text(): action for action in menu.actions()[-1].menu().actions()}
    assert set(rows) == set(names(pane))
    rows["LEB128"].trigger()
    assert "LEB128" not in names(pane)
    legacy.select_bytes((Span(9, 10),), "test")
    assert "LEB128" not in names(pane)
    rows["LEB128"].trigger()
    assert "LEB128" in names(pane)


def test_values_are_copied_one_by_one_and_all(pane):
    row = next(row for row in pane.sheet.rows if row.name == "uint16")
    copy = pane.sheet.menu_of((row, row.big)).actions()[0]
    copy.trigger()
    assert QGuiApplication.clipboard().text() == str(row.big)
    pane.sheet.copy_all()
    lines = dict(line.split("\t", 1) for line in QGuiApplication.clipboard().text().splitlines())
    assert lines["uint16"] == f"{row.little}\t{row.big}"
    assert "\t" not in lines["uint8"]


def test_hidden_rows_stay_hidden_in_the_next_file(pane, legacy, shown):
    pane.sheet.show_row("LEB128", False)
    again = shown(InspectorPane, legacy)
    assert "LEB128" not in names(again)
    assert "uint16" in names(again)
