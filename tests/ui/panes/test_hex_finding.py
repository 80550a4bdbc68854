"""Finding in the Bytes pane: forms, scopes, the count, the list, the marks."""

import struct
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from viewer.core.errors import SourceError
from viewer.core.progress import Pace, Step
from viewer.core.search_bytes.base import SEARCHING
from viewer.core.span import Span
from viewer.core.tensors import window
from viewer.ui.hexview.numbers import NO_BYTE
from viewer.ui.panes.hex import HexPane
from viewer.ui.widgets import row_copying
from viewer.ui.widgets.byte_hits import BYTES, OFFSET, TEXT

SAMPLES = Path(__file__).parents[3] / "resources" / "samples"
STRINGS_HAVE = ("strings", ["cases", "letters", "least"])
SELECT_TOO = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows


@pytest.fixture
def finding(legacy, shown, qtbot):
    pane = shown(HexPane, legacy)
    pane.finding.show()
    return pane.finding


def ask(finding, qtbot, form, text):
    finding.bar.form.setCurrentIndex(finding.bar.form.findData(form))
    finding.bar.field.setText(text)
    finding.bar.ask(backwards=False)
    qtbot.waitUntil(lambda: not finding.search.running and not finding.search.finding)


def starts(finding):
    return [finding.search.hits[number].start for number in range(len(finding.search.hits))]


def test_each_form_finds(finding, legacy, qtbot):
    data = legacy.source.read(0, legacy.source.size)
    ask(finding, qtbot, "hex", "80 02 ?A")
    assert starts(finding)[0] == 0
    ask(finding, qtbot, "expression", "forw(a|e)rd")
    assert data[starts(finding)[0] :][:7] == b"forward"
    value = struct.unpack_from("<i", data, 40)[0]
    finding.bar.entry.dtype.setCurrentText("int32")
    ask(finding, qtbot, "number", str(value))
    assert 40 in starts(finding)


def test_the_count_tells_which_hit_of_how_many(finding, qtbot):
    ask(finding, qtbot, "utf-8", "forward")
    total = finding.search.hits.total
    first = finding.search.current
    assert finding.bar.words.text() == f"0x{first.start:X}   1 of {total}"
    finding.bar.ask(backwards=True)
    assert finding.bar.words.text().endswith(f"{total} of {total}")


def test_hits_are_counted_while_one_types(finding, qtbot):
    finding.bar.field.setText("forward")
    qtbot.waitUntil(lambda: finding.bar.words.text().endswith(" hits"))
    assert finding._view.selected_span().start == 0


def test_the_list_shows_hits_with_what_is_around_them(finding, legacy, qtbot):
    ask(finding, qtbot, "utf-8", "forward")
    finding.bar.list.click()
    model = finding.list.model
    assert model.rowCount() == finding.search.hits.total
    hit = finding.search.hits[1]
    assert model.cell(1, OFFSET).text == f"0x{hit.start:X}"
    around = legacy.source.read(hit.start - 4, 15)
    assert model.cell(1, BYTES).text == around.hex(" ").upper()
    assert "forward" in model.cell(1, TEXT).text.replace(" ", "")
    finding.list.table.setCurrentIndex(model.index(1, OFFSET))
    assert legacy.selection.spans == (hit,)
    qtbot.keyClick(finding.list, Qt.Key.Key_Escape)
    finding.leave()
    assert finding.list.isHidden()


def test_a_scope_bounds_the_search(finding, legacy, qtbot):
    ask(finding, qtbot, "utf-8", "forward")
    hits = starts(finding)
    finding._view.select(Span(hits[1], hits[1] + 40))
    box = finding.bar.scope
    box.setCurrentIndex(box.findData("selection"))
    box.activated.emit(box.currentIndex())
    finding.bar.ask(backwards=False)
    qtbot.waitUntil(lambda: not finding.search.running)
    assert starts(finding) == [at for at in hits if hits[1] <= at <= hits[1] + 33]


def test_a_scope_that_is_not_there_is_told(finding, qtbot):
    box = finding.bar.scope
    box.setCurrentIndex(box.findData("record"))
    box.activated.emit(box.currentIndex())
    assert box.currentData() == "file"
    assert finding.bar.words.text() == "No such bytes at the caret: the whole file is searched."


def test_record_and_storage_at_the_caret(adam, shown, qtbot):
    pane = shown(HexPane, adam)
    tensor = adam.document.tensors[0]
    adam.select_tensor(tensor, "test")
    finding, box = pane.finding, pane.find_bar.scope
    bytes_of = {"storage": tensor.storage.span, "record": tensor.storage.span, "tensor": window.span(tensor)}
    for scope, span in bytes_of.items():
        box.setCurrentIndex(box.findData(scope))
        box.activated.emit(box.currentIndex())
        assert finding._where() == span


def test_hits_are_lit_in_view_and_on_the_map(finding, qtbot):
    ask(finding, qtbot, "utf-8", "forward")
    finding._view.surface.look()
    finding._view.surface.codes()
    assert finding.search.current in finding._view.surface.marks.hits
    assert sum(finding._map._hits) == finding.search.hits.total
    finding.leave()
    assert finding._map._hits == ()


def test_only_the_choices_of_the_form_are_seen(finding):
    for form, seen in (("hex", []), ("utf-8", ["cases"]), ("number", ["dtype", "order", "aligned"]), STRINGS_HAVE):
        finding.bar.form.setCurrentIndex(finding.bar.form.findData(form))
        entry: QWidget = finding.bar.entry
        names = ("cases", "dtype", "order", "aligned", "letters", "least")
        assert [name for name in names if not getattr(entry, name).isHidden()] == seen


def test_earlier_searches_come_back_with_the_up_key(finding, qtbot):
    bar = finding.bar
    for form, text in ((0, "80 02"), (1, "weight")):
        bar.form.setCurrentIndex(form)
        bar.field.setText(text)
        bar.ask(backwards=False)
    qtbot.keyClick(bar.field, Qt.Key.Key_Up)
    assert (bar.form.currentIndex(), bar.field.text()) == (0, "80 02")
    qtbot.keyClick(bar.field, Qt.Key.Key_Up)
    assert bar.field.text() == "80 02"
    qtbot.keyClick(bar.field, Qt.Key.Key_Down)
    assert (bar.form.currentIndex(), bar.field.text()) == (1, "weight")
    bar.field.clear()
    bar.field.setText("")
    qtbot.keyClicks(bar.field, "x")
    qtbot.keyClick(bar.field, Qt.Key.Key_Up)
    assert bar.field.text() == "weight"
    assert len(finding._past()) == 2


def test_digits_of_bytes_typed_as_text_are_offered_as_hex(finding, legacy, qtbot):
    bar = finding.bar
    bar.field.setText("forward")
    assert bar.offer.isHidden()
    bar.field.setText(legacy.source.read(0, 4).hex(" "))
    assert bar.offer.isVisible()
    assert bar.offer.text() == "These are digits of bytes: find as hex"
    bar.offer.click()
    qtbot.waitUntil(lambda: finding.search.current == Span(0, 4))
    assert bar.entry.kind == "hex"
    assert bar.offer.isHidden()
    bar.field.setText("forward")
    assert bar.offer.text() == "Find as text"
    bar.offer.click()
    qtbot.waitUntil(lambda: finding.search.current is not None and finding.search.current.length == 7)
    assert bar.entry.kind == "utf-8"


def test_half_a_byte_is_still_hexadecimal(finding):
    finding.bar.form.setCurrentIndex(0)
    for text in ("8", "80 0", "0x8", ""):
        finding.bar.field.setText(text)
        assert finding.bar.offer.isHidden()


def test_the_selected_bytes_are_what_is_looked_for(finding, legacy, qtbot):
    data = legacy.source.read(0, legacy.source.size)
    first = data.index(b"forward")
    finding._view.select(Span(first, first + 7))
    finding.find_selected()
    qtbot.waitUntil(lambda: finding.search.current is not None)
    assert finding.bar.field.text() == b"forward".hex(" ").upper()
    assert finding.search.current.start == data.index(b"forward", first + 1)


def test_no_hits_are_lit_where_a_device_fails(finding, monkeypatch, qtbot):
    """The bytes are painted, those that cannot be read as missing ones."""
    ask(finding, qtbot, "utf-8", "forward")
    finding.search.clear()

    def fails(*_):
        raise SourceError("file-unreadable", path="x", reason="the device is gone")

    for read in ("read", "read_into", "peek"):
        monkeypatch.setattr(finding._source, read, fails)
    view = finding._view
    view.surface.refresh()
    view.viewport().repaint()
    assert set(view.surface.content.values[:16].tolist()) == {NO_BYTE}


def test_chosen_rows_of_the_list_are_copied(finding, legacy, qtbot):
    pane = finding._view.window()
    ask(finding, qtbot, "utf-8", "forward")
    assert "edit.copy_hex" not in finding.copying.commands()
    finding.bar.list.click()
    table, model = finding.list.table, finding.list.model
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    table.setCurrentIndex(model.index(0, OFFSET))
    table.selectionModel().select(model.index(2, OFFSET), SELECT_TOO)
    clipboard = QGuiApplication.clipboard()
    for command in ("edit.copy_hex", "edit.copy_text"):
        clipboard.setText("")
        pane.commands()[command]()
        qtbot.waitUntil(lambda: bool(clipboard.text()))
        rows = [line.split("\t") for line in clipboard.text().split("\n")]
        assert [row[OFFSET] for row in rows] == [f"0x{finding.search.hits[number].start:X}" for number in (0, 2)]
        assert rows[1] == [model.cell(2, column).text for column in range(4)]
    pane.commands()["edit.select_all"]()
    table.actions()[0].trigger()
    qtbot.waitUntil(lambda: clipboard.text().count("\n") == model.rowCount() - 1)


def test_of_very_many_rows_some_are_copied_and_it_is_said(finding, qtbot, monkeypatch):
    monkeypatch.setattr(row_copying, "MOST", 3)
    ask(finding, qtbot, "hex", "00")
    finding.bar.list.click()
    finding.list.table.selectAll()
    with qtbot.waitSignal(finding.copying.message) as told:
        finding.copying.copy()
    assert QGuiApplication.clipboard().text().count("\n") == 2
    assert told.args[1] == "Part was copied"
    assert told.args[2].startswith("3 of ")


def test_the_tensor_at_the_caret_may_be_less_than_its_storage(opened, shown):
    session = opened(SAMPLES / "shared_and_strided.pt")
    tensors = session.document.tensors
    part = next(one for one in tensors if one.storage and window.span(one).length < one.storage.span.length)
    pane = shown(HexPane, session)
    session.select_tensor(part, "test")
    box = pane.find_bar.scope
    box.setCurrentIndex(box.findData("tensor"))
    box.activated.emit(box.currentIndex())
    assert pane.finding._where() == window.span(part)


def test_a_search_that_goes_on_tells_how_far_it_is_and_how_fast(finding, monkeypatch, qtbot):
    spoken = []
    monkeypatch.setattr("viewer.ui.widgets.find_bar.speak", lambda widget, words: spoken.append(words))
    ask(finding, qtbot, "utf-8", "forward")
    search, now = finding.search, [0.0]
    total = search.hits.total
    search.pace = Pace(lambda: now[0])
    search.running, search.hits.searched, search.current = True, 10_000, None
    for now[0], done in ((0.0, 0), (2.0, 10_000)):
        search.pace.take(Step(SEARCHING, done, search.scope.length))
    spoken.clear()
    finding._tell()
    words = finding.bar.words.text()
    assert words.startswith(f"{total}+ hits   ")
    assert "of 32.1 kB" in words
    assert words.endswith("5.00 kB/s, 4 s left")
    assert not spoken
    search.running = False
    finding._tell()
    assert spoken == [f"{total} hits"]
