"""What each pane does on its own: filter, stream, sorting, empty states, damage, saving a text."""

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

from tests.builders.safetensors import entry, safetensors
from tests.builders.torch_values import Storage, full, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.ui.panes.conftest import SAMPLES
from viewer.core.span import Span
from viewer.ui.models.table_model import RowsModel
from viewer.ui.panes.contents import ContentsPane
from viewer.ui.panes.hex import HexPane
from viewer.ui.panes.inspector import InspectorPane
from viewer.ui.panes.opcodes import OpcodesPane
from viewer.ui.panes.problems import ProblemsPane
from viewer.ui.panes.source import SourcePane
from viewer.ui.panes.tensor import TensorPane
from viewer.ui.panes.tensors import TensorsPane
from viewer.ui.previews.facts import FactsPreview
from viewer.ui.previews.values import ValuesPreview
from viewer.ui.theme import load_theme


def test_contents_open_on_the_object(legacy, shown):
    pane = shown(ContentsPane, legacy)
    model = pane.model
    top = model.index(0, 0)
    assert pane.tree.isExpanded(top)
    texts = [model.index(row, 0, top).data() for row in range(model.rowCount(top))]
    assert any("object" in text for text in texts)


def test_sizes_that_have_room_are_counted_also_where_the_file_is_cut(half, shown):
    """Among counts of bytes one in kB reads as smaller than they are."""
    pane = shown(ContentsPane, half)
    contents = half.contents
    sizes = {contents.size(node): pane._cell(node, 1).text for node in range(1, 20)}
    stated = next(size for size in sizes if size is not None and size > 23_457)
    assert sizes[stated] == f"{stated:,}"


def test_names_in_contents_keep_their_ends(adam, shown):
    pane = shown(ContentsPane, adam)
    contents = adam.contents
    node = next(node for node in range(1, 200) if contents.tensor(node) is not None)
    assert pane._cell(node, 0).pieces[0].cut == "middle"
    assert pane._cell(1, 0).pieces[0].cut == "end"


def test_tensors_sort_by_their_columns(adam, shown):
    pane = shown(TensorsPane, adam)
    pane.table.sortByColumn(4, Qt.SortOrder.DescendingOrder)
    sizes = [int(pane.model.index(row, 4).data().replace(",", "")) for row in range(pane.model.rowCount())]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == len(adam.document.tensors)


def test_choosing_all_tensors_asks_for_no_more_than_what_is_painted(opened, shown, tmp_path):
    header = {f"w{number}": entry("U8", [1], number, number + 1) for number in range(3000)}
    path = tmp_path / "many.safetensors"
    path.write_bytes(safetensors(header, bytes(3000)))
    pane = shown(TensorsPane, opened(path))
    asked = []

    def called(frame, event, argument):
        # Qt calls what it found when the model was made: replacing the method would count nothing.
        if event == "call" and frame.f_code is RowsModel.columnCount.__code__:
            asked.append(argument)

    sys.setprofile(called)
    try:
        pane.table.selectAll()
        pane.grab()
        assert len(pane.chosen()) == 3000
    finally:
        sys.setprofile(None)
    assert 0 < len(asked) < 1000


def test_half_a_file_tells_which_tensors_are_cut(half, shown):
    pane = shown(TensorsPane, half)
    states = {pane.model.index(row, 8).data() for row in range(pane.model.rowCount())}
    assert {"whole", "missing"} <= states
    problems = shown(ProblemsPane, half)
    assert problems.model.rowCount() == len(half.document.problems) > 0
    problems.show_row(0)
    assert half.selection.spans == (half.document.problems[0].span,)
    assert problems.details.label.text()


def test_no_problems_is_said(adam, shown):
    pane = shown(ProblemsPane, adam)
    assert "No damage found" in pane.empty.text()


def test_no_damage_is_not_said_to_be_safe(adam, shown, qtbot):
    pane = shown(ProblemsPane, adam)
    assert "What loading the file would run is another matter" in pane.empty.text()
    with qtbot.waitSignal(pane.asks) as asked:
        pane.empty.linkActivated.emit("pane.imports")
    assert asked.args == ["pane.imports"]
    assert 'href="pane.imports"' in pane.empty.text()


def test_the_inspector_reads_at_the_caret(legacy, shown):
    pane = shown(InspectorPane, legacy)
    legacy.select_bytes((Span(2, 3),), "test")
    rows = {row.name: row for row in pane.sheet.rows}
    assert (rows["uint8"].little, rows["uint16"].little, rows["uint16"].big) == (0x8A, 0x0A8A, 0x8A0A)


def test_finding_text_selects_it_and_goes_round(legacy, shown, qtbot):
    pane = shown(HexPane, legacy)
    pane.finding.show()
    pane.find_bar.field.setText("conv.weight_never")
    pane.find_bar.ask(backwards=False)
    qtbot.waitUntil(lambda: pane.find_bar.words.text() == "Not found. 32.1 kB searched.")
    pane.find_bar.field.setText("forward")
    pane.find_bar.ask(backwards=False)
    qtbot.waitUntil(lambda: legacy.source.read(pane.view.selected_span().start, 7) == b"forward")
    first = pane.view.selected_span()
    pane.find_bar.ask(backwards=False)
    qtbot.waitUntil(lambda: pane.view.selected_span() != first)
    pane.find_bar.ask(backwards=True)
    qtbot.waitUntil(lambda: pane.view.selected_span() == first)
    pane.finding.leave()
    assert not pane.find_bar.isVisible()


def test_half_a_byte_is_told_beside_the_field(legacy, shown):
    pane = shown(HexPane, legacy)
    pane.finding.show()
    pane.find_bar.form.setCurrentIndex(0)
    pane.find_bar.field.setText("808")
    assert pane.find_bar.words.text() == "Half a byte is left over: write 08 or 8?"


def test_a_long_sentence_leaves_the_field_its_room(legacy, shown):
    pane = shown(HexPane, legacy)
    pane.resize(600, 480)
    pane.finding.show()
    pane.find_bar.form.setCurrentIndex(0)
    pane.find_bar.tell("A sentence of many words. " * 20, error=True)
    pane.find_bar.layout().activate()
    assert pane.find_bar.width() == pane.width()
    assert pane.find_bar.field.width() >= 140


def test_statistics_come_by_themselves(legacy, shown, qtbot):
    pane = shown(TensorPane, legacy)
    legacy.select_tensor(legacy.document.tensors[0], "test")
    cells = pane.previews[0].cells
    qtbot.waitUntil(lambda: cells["min"].value.text() != "")
    assert cells["nan"].value.text() == "0"
    assert "np.memmap" in pane.line.text()


def test_the_inspector_cuts_no_number(legacy, shown, qtbot):
    pane = shown(InspectorPane, legacy)
    digit = QFontMetrics(pane.theme.mono()).horizontalAdvance
    pane.resize(656, 300)
    qtbot.waitUntil(lambda: pane.sheet.width() < 650)
    assert pane.sheet.columns() == 2
    for (_, width), longest in zip(
        pane.sheet.places(), ("\u22129223372036854775808", "\u22121.798e\u2212308"), strict=True
    ):
        assert digit(longest) <= pane.sheet._widths(width)[1] - 7
    pane.resize(400, 300)
    qtbot.waitUntil(lambda: pane.sheet.width() < 400)
    assert pane.sheet.columns() == 1


def test_the_size_of_a_large_file_has_room(opened, shown, tmp_path):
    large = tmp_path / "large.bin"
    with large.open("wb") as file:
        file.truncate(123_456_789_012)
    pane = shown(ContentsPane, opened(large))
    room = QFontMetrics(pane.theme.mono()).horizontalAdvance("123,456,789,012")
    assert pane.tree.columnWidth(1) >= room + 16


def test_more_bytes_than_the_file_has_are_told_with_a_unit(opened, shown, tmp_path):
    huge = tensor(storage("float32", [7.0]), [1_000_000, 1_000_000], [0, 0])
    path = tmp_path / "huge.pt"
    path.write_bytes(torch_zip({"huge": huge}))
    session = opened(path)
    session.select_tensor(session.document.tensors[0], "test")
    pane = shown(ContentsPane, session)
    current = pane.tree.currentIndex()
    assert current.siblingAtColumn(1).data() in ("4", "4.00 TB")
    assert current.parent().siblingAtColumn(1).data() in ("4", "4.00 TB")


def test_a_long_name_leaves_the_shape_in_view(opened, shown, tmp_path):
    path = tmp_path / "long.pt"
    path.write_bytes(torch_zip({"n" * 300: full("float32", [2, 2], [1, 2, 3, 4])}))
    session = opened(path)
    pane = shown(TensorPane, session)
    pane.resize(450, 400)
    session.select_tensor(session.document.tensors[0], "test")
    for layout in (pane.layout(), pane.shape.parentWidget().layout()):
        layout.activate()
    right = pane.shape.mapTo(pane, pane.shape.rect().topRight()).x()
    assert 0 < right < 450
    assert pane.name.text() == "n" * 300


def grid_of(pane):
    return next(preview for preview in pane.previews if isinstance(preview, ValuesPreview))


def test_wide_numbers_have_wide_cells(opened, shown, tmp_path):
    numbers = full("int64", [2], [-(2**63), 2**63 - 1])
    waves = tensor(Storage("complex128", bytes(range(96))), [2, 3])
    path = tmp_path / "wide.pt"
    path.write_bytes(torch_zip({"numbers": numbers, "waves": waves, "floats": full("float32", [2], [1, 2])}))
    session = opened(path)
    pane = shown(TensorPane, session)
    digit = QFontMetrics(pane.theme.mono()).horizontalAdvance
    needed = ["\u22129,223,372,036,854,775,808", "\u22121.234e\u2212308\u22121.234e\u2212308j", "\u22121.234e\u221212"]
    for one, longest in zip(session.document.tensors, needed, strict=True):
        session.select_tensor(one, "test")
        assert grid_of(pane).grid.columnWidth(0) >= digit(longest) + 8


def test_elements_that_are_there_are_shown_beside_missing_ones(opened, shown, tmp_path):
    path = tmp_path / "part.pt"
    path.write_bytes(torch_zip({"w": tensor(storage("float32", [1, 2, 3, 4, 5]), [4, 2])}))
    session = opened(path)
    pane = shown(TensorPane, session)
    session.select_tensor(session.document.tensors[0], "test")
    grid = grid_of(pane).model
    seen = [grid.index(row, column).data() for row in range(4) for column in range(2)]
    assert seen == ["1.000", "2.000", "3.000", "4.000", "5.000", "\u2014", "\u2014", "\u2014"]


def test_many_axes_stay_within_the_pane(opened, shown, tmp_path):
    path = tmp_path / "axes.pt"
    path.write_bytes(torch_zip({"w": full("float32", [2] * 12 + [4, 4], range(1 << 16))}))
    session = opened(path)
    pane = shown(TensorPane, session)
    pane.resize(450, 400)
    session.select_tensor(session.document.tensors[0], "test")
    grid = grid_of(pane)
    pane.shape.parentWidget().layout().activate()
    assert sum(spin.isVisible() for spin in grid.spins) == 12
    assert grid.minimumSizeHint().width() <= 450 - 24


def test_an_axis_that_the_other_one_has_is_exchanged(legacy, shown):
    pane = shown(TensorPane, legacy)
    legacy.select_tensor(legacy.document.tensors[0], "test")
    grid = grid_of(pane)
    assert (grid.model.rows_axis, grid.model.columns_axis) == (2, 3)
    grid.rows_choice.setCurrentIndex(3)
    grid.rows_choice.activated.emit(3)
    assert (grid.model.rows_axis, grid.model.columns_axis) == (3, 2)
    grid.columns_choice.setCurrentIndex(3)
    grid.columns_choice.activated.emit(3)
    assert (grid.model.rows_axis, grid.model.columns_axis) == (2, 3)


def test_other_axes_show_the_slice_with_the_chosen_cell(legacy, shown):
    pane = shown(TensorPane, legacy)
    legacy.select_tensor(legacy.document.tensors[0], "test")
    grid = grid_of(pane)
    grid.grid.setCurrentIndex(grid.model.index(4, 3))
    assert legacy.selection.element == (0, 0, 4, 3)
    grid.columns_choice.setCurrentIndex(0)
    grid.columns_choice.activated.emit(0)
    assert grid.model.fixed == [0, 0, 4, 3]
    assert (grid.grid.currentIndex().row(), grid.grid.currentIndex().column()) == (4, 0)
    assert legacy.selection.element == (0, 0, 4, 3)


def test_an_empty_file_is_said_to_be_empty(opened, shown, tmp_path):
    empty = tmp_path / "empty.pt"
    empty.write_bytes(b"")
    session = opened(empty)
    assert "This file is empty" in shown(HexPane, session).empty.text()
    for pane in (ContentsPane, OpcodesPane, SourcePane, TensorPane, TensorsPane, ProblemsPane, InspectorPane):
        shown(pane, session)


def test_facts_take_the_colours_of_another_theme(legacy, shown):
    pane = shown(TensorPane, legacy)
    legacy.select_tensor(legacy.document.tensors[0], "test")
    facts = next(preview for preview in pane.previews if isinstance(preview, FactsPreview))
    pane.set_theme(load_theme("dark"))
    title = facts.form.itemAt(0, facts.form.ItemRole.LabelRole).widget()
    assert title.text() == "Elements"
    assert "#9da7b3" in title.styleSheet()


def test_all_panes_wear_the_dark_theme(adam, shown):
    for pane in (HexPane, ContentsPane, OpcodesPane, SourcePane, TensorPane, TensorsPane, ProblemsPane, InspectorPane):
        widget = shown(pane, adam, "dark")
        assert not widget.grab().isNull()


def test_samples_are_where_the_tests_look():
    assert Path(SAMPLES, "whole_model_legacy.pth").is_file()
