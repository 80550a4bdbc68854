"""The Imports dock: the worst first, filters, selection in the other panes, the report on the clipboard."""

import gzip

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.builders.pickles import Stream
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global
from viewer.core.span import Span
from viewer.ui.panes.imports import ImportsPane
from viewer.ui.panes.summary import SummaryPane


@pytest.fixture
def asking(opened, tmp_path):
    """A checkpoint that would run a command, and names a class that nobody knows."""
    evil = Call(Global("posix", "system"), ("mkdir x",))
    path = tmp_path / "asking.pt"
    path.write_bytes(torch_zip({"w": full("float32", (1,), [1]), "net": Global("nets", "Net"), "x": evil}))
    return opened(path)


@pytest.fixture
def pane(asking, shown, qtbot):
    made = shown(ImportsPane, asking)
    qtbot.waitUntil(lambda: bool(made.rows))
    return made


def column(pane, number):
    return [pane.model.index(row, number).data() for row in range(pane.model.rowCount())]


def test_the_badge_counts_the_dangerous_ones(pane, asking, qtbot):
    with qtbot.waitSignal(pane.badge_changed, check_params_cb=lambda text: text == "1"):
        asking.reread(encoding="latin-1")


def test_the_worst_stands_first(pane):
    assert column(pane, 0) == ["Dangerous", "Unknown", "Known", "Known", "Known"]
    assert column(pane, 1)[:2] == ["posix.system", "nets.Net"]
    assert column(pane, 2)[:2] == ["('mkdir x')", "only named"]
    assert column(pane, 3)[0] == "1"
    assert column(pane, 5) == ["refused", "refused", "accepted", "accepted", "accepted"]


def test_what_names_are_called_with_keeps_its_room(pane, qtbot):
    for width, hidden in ((1300, []), (900, [5]), (760, [3, 5]), (1300, [])):
        pane.resize(width, 300)
        assert [at for at in range(6) if pane.table.isColumnHidden(at)] == hidden
        assert pane.table.columnWidth(2) >= 100


def test_filters(pane):
    pane.filter.setText("NETS")
    assert column(pane, 1) == ["nets.Net"]
    pane.filter.setText("mkdir")
    assert column(pane, 1) == ["posix.system"]
    pane.filter.setText("no such thing")
    assert column(pane, 1) == []
    assert pane.bar.found.text() == "0 of 5"
    pane.filter.clear()
    assert pane.bar.found.isHidden()
    pane.notable.setChecked(True)
    assert column(pane, 1) == ["posix.system", "nets.Net"]
    assert pane.bar.found.text() == "2 of 5"


def test_a_click_selects_the_opcode_and_its_bytes(pane, asking):
    pane.show_row(0)
    pickle = asking.document.main_pickle
    number = asking.selection.opcode.value
    assert pickle.code.argument(number) == ("posix", "system")
    assert asking.selection.spans[0].contains_span(pickle.shown(pickle.code.span(number)))
    assert "picklescan lists the whole module posix as dangerous." in pane.details.label.text().replace("\u200b", "")
    uses = [pane.details.model.index(row, 0).data() for row in range(pane.details.model.rowCount())]
    assert uses == ["named", "called, result kept"]
    pane.details.table.setCurrentIndex(pane.details.model.index(1, 0))
    assert pickle.code.name(asking.selection.opcode.value) == "REDUCE"


def test_tab_to_the_uses_chooses_none_of_them(pane, asking):
    pane.show_row(0)
    asking.select_bytes((Span(0, 1),), "hex")
    before = asking.selection
    pane.details.table.setFocus(Qt.FocusReason.TabFocusReason)
    assert not pane.details.table.currentIndex().isValid()
    assert asking.selection == before
    pane.details.table.selectRow(0)
    assert asking.selection != before


def test_the_report_is_copied(pane, qtbot):
    QApplication.clipboard().clear()
    with qtbot.waitSignal(pane.message) as told:
        pane.copy_button.click()
    assert told.args == ["done", "The report is on the clipboard", ""]
    lines = QApplication.clipboard().text().splitlines()
    assert lines[0] == "Import report of asking.pt"
    assert "Names: 5; dangerous 1, unknown 1, known 3" in lines
    at = lines.index("dangerous: posix.system")
    assert lines[at + 4] == "  called, result kept: record archive/data.pkl, 0xFF (255)  ('mkdir x')"
    assert pane.commands().keys() == {"tools.copy_imports", "tools.ask_torch"}


def test_saving_asks_for_the_export(pane, qtbot):
    with qtbot.waitSignal(pane.asks) as asked:
        pane.save_button.click()
    assert asked.args == ["file.export_imports"]


def test_a_name_in_another_document(opened, shown, qtbot, tmp_path):
    inner = Stream().start().op("GLOBAL", "os getcwd").ops("EMPTY_TUPLE REDUCE STOP").data
    path = tmp_path / "inside.tar"
    path.write_bytes(gzip.compress(inner))
    session = opened(path)
    pane = shown(ImportsPane, session)
    qtbot.waitUntil(lambda: bool(pane.rows))
    pane.show_row(0)
    assert session.selection.document == pane.rows[0].document.index
    assert session.selection.spans[0].overlaps(Span(2, 13))


def test_nothing_is_imported(opened, shown, qtbot, tmp_path):
    path = tmp_path / "plain.pkl"
    path.write_bytes(Stream().start().op("EMPTY_DICT").op("STOP").data)
    session = opened(path)
    pane = shown(ImportsPane, session)
    qtbot.waitUntil(lambda: "Nothing is imported" in pane.empty.text())
    assert "Loading this file calls no code by name." in pane.empty.text()


def test_summary_counts_the_dangerous_ones_and_leads_to_them(asking, shown, qtbot):
    pane = shown(SummaryPane, asking)
    qtbot.waitUntil(pane.imports.isVisible)
    assert pane.imports.link.text() == "Imports: 1 dangerous"
    assert "posix.system(" in pane.imports.calls.text().replace("\u200b", "")
    # Above what there is to do with the file.
    assert pane.imports.geometry().bottom() < pane.steps.geometry().top()
    with qtbot.waitSignal(pane.asks) as asked:
        pane.imports.link.click()
    assert asked.args == ["pane.imports"]
