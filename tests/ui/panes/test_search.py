"""The Search results dock: hits by kind as they come, the keyboard, chips, what is said where nothing is found."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPersistentModelIndex, Qt
from PySide6.QtGui import QFontMetrics

from tests.builders.sets import shard, write_set
from tests.builders.values import dumps
from viewer.core.search import base
from viewer.core.search.base import Found, Hit
from viewer.session.search import SEARCH
from viewer.session.session import Session
from viewer.ui.models.cells import CELL_ROLE, Cell
from viewer.ui.models.search_model import SearchModel
from viewer.ui.panes.search import SearchPane
from viewer.ui.theme import load_theme
from viewer.ui.widgets.marked import fitting
from viewer.ui.words import said
from viewer.wording.search import KINDS


@pytest.fixture
def pane(legacy, shown):
    return shown(SearchPane, legacy)


def looked(qtbot, session, text, **options):
    with qtbot.waitSignal(session.search.ended):
        session.search.look(text, **options)
    qtbot.waitUntil(lambda: not session.jobs.busy)


def rows(pane):
    return [pane.model.index(row, 0).data() for row in range(pane.model.rowCount())]


def chips(pane):
    return [chip.text() for chip in pane.chips.chips.values() if not chip.isHidden()]


def test_hits_stand_under_their_kinds_with_counts(pane, legacy, qtbot):
    badges = []
    pane.badge_changed.connect(badges.append)
    looked(qtbot, legacy, "kaiming")
    assert rows(pane)[0] == "Source lines 3"
    assert rows(pane)[1] == "nn.init.kaiming_normal_(self.conv.weight, nonlinearity='relu')"
    assert pane.model.index(1, 1).data() == "zoo.blocks.Stem:11"
    assert chips(pane) == ["All 3", "Source lines 3"]
    assert badges[-1] == "3"
    cell = pane.model.index(1, 0).data(CELL_ROLE)
    start, stop = cell.pieces[0].mark
    assert cell.pieces[0].text[start:stop] == "kaiming"
    assert pane.model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole).startswith("Source lines: nn.init")


def test_the_offset_of_a_line_is_that_of_its_bytes(pane, legacy, qtbot):
    looked(qtbot, legacy, "kaiming")
    start = int(pane.model.index(1, 2).data(), 16)
    assert legacy.source.read(start, 80).lstrip().startswith(b"nn.init.kaiming_normal_(self.conv.weight")


def test_keys_walk_the_hits_and_pass_over_the_rows_of_kinds(pane, legacy, qtbot):
    looked(qtbot, legacy, "fc")
    heads = [row for row in range(pane.model.rowCount()) if pane.model.hit(row) is None]
    assert heads[0] == 0
    assert len(heads) > 1
    pane.enter()
    assert pane.table.currentIndex().row() == 1
    assert legacy.selection.origin == "search"
    for _ in range(pane.model.rowCount()):
        qtbot.keyClick(pane.table, Qt.Key.Key_Down)
        assert pane.table.currentIndex().row() not in heads
    last = pane.model.rowCount() - 1
    assert pane.table.currentIndex().row() == last
    pane.step(1)
    assert pane.table.currentIndex().row() == 1
    pane.step(-1)
    assert pane.table.currentIndex().row() == last


def test_a_row_selects_its_place_and_enter_opens_the_pane_for_it(pane, legacy, qtbot):
    looked(qtbot, legacy, "kaiming")
    pane.enter()
    assert (legacy.selection.code, legacy.selection.line) == (1, 11)
    with qtbot.waitSignal(pane.asks) as asked:
        qtbot.keyClick(pane.table, Qt.Key.Key_Return)
    assert asked.args == ["pane.source"]
    with qtbot.waitSignal(pane.asks) as asked:
        qtbot.keyClick(pane.table, Qt.Key.Key_Escape)
    assert asked.args == ["pane.hex"]


def test_chips_list_one_kind(pane, legacy, qtbot):
    looked(qtbot, legacy, "conv")
    pane.chips.chips["key"].click()
    assert rows(pane) == ["Keys 1", "conv"]
    # The kind is gone with the next search, so all is listed again.
    looked(qtbot, legacy, "kaiming")
    assert rows(pane)[0] == "Source lines 3"
    assert pane.chips.kind == ""


def test_words_where_there_are_no_hits(pane, legacy, qtbot):
    assert "No search yet" in pane.empty.text()
    assert "Press Ctrl+Shift+F and look for names" in pane.empty.text()
    looked(qtbot, legacy, "no such <b> thing")
    assert pane.empty.text() == "<b>Not found</b><br>32.1 kB searched."
    assert pane.pages.currentWidget() is pane.empty
    assert pane.commands() == {}


def test_of_a_set_all_of_its_files_were_searched(opened, shown, qtbot, tmp_path):
    shard_bytes = shard({"w": ([1], [1])})
    path = write_set(tmp_path, {"a.safetensors": shard_bytes}, {"w": "a.safetensors"})
    session = opened(path)
    pane = shown(SearchPane, session)
    looked(qtbot, session, "no such thing")
    assert pane.empty.text() == f"<b>Not found</b><br>{path.stat().st_size + len(shard_bytes)} bytes searched."


def test_nothing_is_said_to_be_missing_before_the_file_was_read(shown, qtbot, tmp_path):
    path = tmp_path / "small.pkl"
    path.write_bytes(dumps(["needle"], 2))
    session = Session(path)
    pane = shown(SearchPane, session)
    session.search.look("needle")
    assert pane.empty.text().startswith("<b>Not searched yet</b>")
    with qtbot.waitSignal(session.search.found):
        session.open()
    assert rows(pane) == ["Texts 1", "needle"]
    qtbot.waitUntil(lambda: not session.jobs.busy)
    session.close()


def test_an_expression_and_its_faults(pane, legacy, qtbot):
    looked(qtbot, legacy, r"blocks\.\d\.conv\.bias")
    assert not rows(pane)
    with qtbot.waitSignal(legacy.search.ended):
        pane.expression.click()
    qtbot.waitUntil(lambda: not legacy.jobs.busy)
    assert rows(pane)[:3] == ["Tensors 2", "blocks.0.conv.bias", "blocks.1.conv.bias"]
    looked(qtbot, legacy, "(conv", expression=True)
    words = "This is no regular expression: missing ), unterminated subpattern, at letter 1."
    assert pane.notes.text().startswith(words)
    assert pane.notes.isVisible()
    assert pane.empty.text() == ""


def test_capitals_where_that_is_asked_for(pane, legacy, qtbot):
    looked(qtbot, legacy, "linear")
    assert any("Linear" in row for row in rows(pane))
    with qtbot.waitSignal(legacy.search.ended):
        pane.case.click()
    qtbot.waitUntil(lambda: not legacy.jobs.busy)
    assert rows(pane)
    assert all("linear" in row or pane.model.hit(at) is None for at, row in enumerate(rows(pane)))


def test_more_than_are_listed(opened, shown, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(base, "MOST", 5)
    monkeypatch.setattr("viewer.ui.models.hit_cells.MOST", 5)
    path = tmp_path / "many.pkl"
    path.write_bytes(dumps([f"text {number}" for number in range(1200)], 2))
    session = opened(path)
    pane = shown(SearchPane, session)
    looked(qtbot, session, "text")
    assert rows(pane) == ["Texts 1,200 the first 5 are listed", *(f"text {number}" for number in range(5))]


def test_the_window_is_not_held_while_thousands_of_hits_come(opened, shown, qtbot, tmp_path, no_stall):
    path = tmp_path / "many.pkl"
    path.write_bytes(dumps({f"key {number}": f"text {number}" for number in range(15_000)}, 2))
    session = opened(path)
    pane = shown(SearchPane, session)
    with no_stall():
        looked(qtbot, session, "e")
    assert rows(pane)[0] == "Keys 15,000 the first 10,000 are listed"
    assert pane.model.rowCount() == 20_002


def test_a_stopped_search_says_so(pane, legacy, qtbot):
    search = legacy.search
    search.look("conv")
    with qtbot.waitSignal(search.ended):
        legacy.cancel(SEARCH)
    assert pane.notes.text() == "The search was stopped before its end."
    qtbot.waitUntil(lambda: not legacy.jobs.busy)


def test_the_first_hit_of_a_running_search_is_chosen_when_it_comes(pane, legacy, qtbot):
    legacy.search.look("fc.weight")
    pane.step(1)
    qtbot.waitUntil(lambda: legacy.selection.tensor is not None)
    assert pane.table.currentIndex().row() == 1


def test_a_pane_that_is_made_later_shows_what_was_found(legacy, shown, qtbot):
    looked(qtbot, legacy, "fc.weight")
    assert rows(shown(SearchPane, legacy, "dark")) == ["Tensors 1", "fc.weight"]


def test_rows_stay_what_they_are_while_more_is_found(qapp):
    def hit(kind, text):
        return Hit(kind, text, 0, 1, 0)

    class Owner:
        def cell(self, row, column):
            return Cell()

    owner = Owner()
    model = SearchModel(["a"], owner.cell)
    model.add([Found("text", [hit("text", "b")], 1)])
    kept = QPersistentModelIndex(model.index(1, 0))
    model.add([Found("name", [hit("name", "a"), hit("name", "c")], 2), Found("text", [hit("text", "d")], 1)])
    assert [model.place(row) for row in range(model.rowCount())] == [
        *(("name", -1), ("name", 0), ("name", 1)),
        *(("text", -1), ("text", 0), ("text", 1)),
    ]
    assert kept.row() == 4
    assert model.hit(kept.row()).text == "b"


def test_every_kind_has_its_words():
    assert set(KINDS) == set(base.KINDS)
    assert said(KINDS["name"]) == "Tensors"


def test_the_mark_is_seen_wherever_the_rest_is_cut(qapp):
    metrics = QFontMetrics(load_theme("light").mono())
    wide = metrics.horizontalAdvance("a")
    text = "a" * 50 + "needle" + "b" * 50
    shown, (start, stop) = fitting(text, (50, 56), metrics, 30 * wide)
    assert shown[start:stop] == "needle"
    assert shown.startswith("…a")
    assert shown.endswith("…")
    assert 25 <= len(shown) <= 30
    assert fitting(text, (50, 56), metrics, 200 * wide) == (text, (50, 56))
    assert fitting(text, (0, 3), metrics, 30 * wide)[1] == (0, 3)


def test_the_rows_are_painted_with_the_mark(pane, legacy, qtbot):
    looked(qtbot, legacy, "kaiming")
    picture = pane.table.viewport().grab().toImage()
    fill = pane.theme.color("hit_fill").rgb()
    assert any(picture.pixel(x, y) == fill for y in range(24, 48) for x in range(picture.width() // 2))
