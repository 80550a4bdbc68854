"""The list of strings of the Bytes pane: of the opcodes and of the bytes, what is told of each, what a click does."""

import re

import pytest
from PySide6.QtGui import QGuiApplication

from viewer.core.span import Span
from viewer.ui.panes.hex import HexPane
from viewer.ui.widgets.byte_hits import BYTES, OFFSET, OWNER, TEXT


@pytest.fixture
def finding(legacy, shown):
    return shown(HexPane, legacy).finding


def listed(finding, qtbot, letters=""):
    finding.list_strings()
    if letters:
        finding.bar.entry.letters.setCurrentIndex(finding.bar.entry.letters.findData(letters))
    qtbot.waitUntil(lambda: finding.search.hits is not None and not finding.search.running)
    return [finding.search.hits[number] for number in range(len(finding.search.hits))]


def row_of(finding, text):
    model = finding.list.model
    return next(row for row in range(model.rowCount()) if model.cell(row, TEXT).text == text)


def test_strings_of_opcodes_with_opcode_path_and_offset(finding, legacy, qtbot):
    spans = listed(finding, qtbot)
    assert finding.bar.entry.letters.currentData() == "opcodes"
    model = finding.list.model
    assert not finding.list.isHidden()
    assert model.rowCount() == len(spans) > 50
    row = row_of(finding, "weight")
    span = spans[row]
    assert legacy.source.read(span.start, span.length) == b"weight"
    assert model.cell(row, OFFSET).text == f"0x{span.start:X}"
    assert model.cell(row, BYTES).text == "6"
    assert model.cell(row, OWNER).text == "BINUNICODE _modules › conv › _modules › conv › _parameters"


def test_a_click_selects_the_bytes_of_a_string(finding, legacy, qtbot):
    spans = listed(finding, qtbot)
    row = row_of(finding, "_buffers")
    finding.list.table.setCurrentIndex(finding.list.model.index(row, OFFSET))
    assert legacy.selection.spans == (spans[row],)
    assert finding._view.selected_span() == spans[row]


def test_strings_of_the_bytes(finding, legacy, qtbot):
    data = legacy.source.read(0, legacy.source.size)
    wanted = [Span(*match.span()) for match in re.finditer(rb"[\t\x20-\x7e]{6,}", data)]
    assert listed(finding, qtbot, "ascii") == wanted
    assert finding.list.model.cell(0, TEXT).text == data[wanted[0].start : wanted[0].stop].decode()
    finding.bar.entry.least.setValue(20)
    qtbot.waitUntil(lambda: finding.search.hits is not None and not finding.search.running)
    assert finding.list.model.rowCount() == sum(span.length >= 20 for span in wanted)


def test_only_strings_that_hold_what_is_typed(finding, qtbot):
    listed(finding, qtbot)
    finding.bar.field.setText("MODEL")
    qtbot.waitUntil(lambda: finding.search.hits is not None and not finding.search.running)
    assert not finding.search.hits.total
    finding.bar.cases.setChecked(True)
    qtbot.waitUntil(lambda: finding.search.hits is not None and bool(finding.search.hits.total))
    model = finding.list.model
    assert model.rowCount()
    assert all("model" in model.cell(row, TEXT).text.lower() for row in range(model.rowCount()))


def test_strings_of_the_selection_alone(finding, legacy, qtbot):
    finding._view.select(Span(100, 400))
    found = listed(finding, qtbot, "ascii")
    wanted = [match.start() + 100 for match in re.finditer(rb"[\t\x20-\x7E]{6,}", legacy.source.read(100, 300))]
    assert [span.start for span in found] == wanted != []
    assert finding.bar.scope.currentData() == "selection"


def test_rows_are_copied_with_the_whole_string(finding, qtbot):
    listed(finding, qtbot)
    table, model = finding.list.table, finding.list.model
    row = row_of(finding, "weight")
    table.setFocus()
    table.setCurrentIndex(model.index(row, OFFSET))
    QGuiApplication.clipboard().setText("")
    finding.copying.copy()
    qtbot.waitUntil(lambda: bool(QGuiApplication.clipboard().text()))
    told = [model.cell(row, column).text for column in (OFFSET, BYTES, TEXT, OWNER)]
    assert QGuiApplication.clipboard().text().split("\t") == told


def test_other_hits_are_shown_with_their_bytes_again(finding, qtbot):
    listed(finding, qtbot)
    finding.bar.form.setCurrentIndex(finding.bar.form.findData("utf-8"))
    finding.bar.field.setText("forward")
    qtbot.waitUntil(lambda: finding.search.hits is not None and not finding.search.running)
    assert finding.list.model.cell(0, BYTES).text.count(" ") > 8


def test_strings_of_a_file_without_pickles(opened, shown, tmp_path, qtbot):
    path = tmp_path / "raw.bin"
    path.write_bytes(b"\0\1some words\0\2")
    finding = shown(HexPane, opened(path)).finding
    assert listed(finding, qtbot) == [Span(2, 12)]
    assert finding.bar.entry.letters.currentData() == "ascii"
