"""The Compare pane over tensors and plain values: rows, chips, filter, both selections, suggestions, the report."""

from __future__ import annotations

import gzip
import json

import pytest
from PySide6.QtCore import Qt

from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from viewer.core.comparing.comparison import Status
from viewer.ui.compare_views import difference_plot, values
from viewer.ui.models.cells import CELL_ROLE
from viewer.ui.panes.compare import CLASSES, TENSORS, VALUES, ComparePane


def weights(prefix="", **more):
    found = {
        "conv.weight": full("float32", (2, 2), [1, 2, 3, 4]),
        "conv.bias": full("float32", (2,), [1, 2]),
        "fc.weight": full("float32", (3,), [1, 2, 3]),
    }
    return state_dict({prefix + name: value for name, value in (found | more).items()})


@pytest.fixture
def write(tmp_path):
    def make(name, value):
        path = tmp_path / name
        path.write_bytes(torch_zip(value))
        return path

    return make


@pytest.fixture
def pair(write, opened):
    """Two sessions that know of each other."""
    first = {"model": weights(**{"old.w": full("float32", (1,), [1])}), "lr": 0.1, "epoch": 3}
    changed = {"conv.weight": full("float32", (2, 2), [1, 2, 3, 9]), "fc.weight": full("float32", (4,), [1] * 4)}
    second = {"model": weights(**changed), "lr": 0.2, "epoch": 3}
    one, two = opened(write("a.pt", first)), opened(write("b.pt", second))
    one.peers, two.peers = (lambda: [two]), (lambda: [one])
    return one, two


@pytest.fixture
def pane(pair, shown, qtbot):
    made = shown(ComparePane, pair[0])
    made.compare_with(pair[1])
    settle(qtbot, made)
    return made


def settle(qtbot, pane):
    qtbot.waitUntil(lambda: not pane.session.jobs.busy and pane.comparing.found is not None)


def rows(pane):
    model = pane.tensors.model
    return [tuple(model.index(row, column).data() for column in (0, 1)) for row in range(model.rowCount())]


def test_nothing_to_compare_with_yet(pair, shown):
    made = shown(ComparePane, pair[0])
    assert made.switch.current == TENSORS
    assert "Nothing to compare with" in made.tensors.empty.text()
    assert made.tensors.choose.isVisible()
    asked = []
    made.asks.connect(asked.append)
    made.tensors.choose.click()
    assert asked == ["tools.compare"]
    assert not made.save.isEnabled()


def test_rows_by_what_differs_most(pane):
    assert rows(pane) == [
        ("other shape", "fc.weight"),
        ("unexpected", "old.w"),
        ("changed", "conv.weight"),
        ("equal", "conv.bias"),
    ]
    cells = [pane.tensors.model.index(2, column).data() for column in range(7)]
    assert cells == ["changed", "conv.weight", "[2, 2] float32", "[2, 2] float32", "5.000", "1.250", "1 / 4"]
    assert pane.tensors.model.index(1, 3).data(CELL_ROLE).text == "\u2014"
    assert "They differ." in pane.tensors.words.text()
    assert 'Unexpected key(s) in state_dict: "old.w". ' in pane.tensors.words.text()


def test_chips_and_filter(pane):
    chips = pane.tensors.chips
    assert chips.chips["changed"].text() == "changed 1"
    assert not chips.chips["dtype"].isVisible()
    chips.chips["equal"].click()
    assert rows(pane) == [("equal", "conv.bias")]
    assert pane.tensors.filter.found.text() == "1 of 4"
    chips.chips[""].click()
    pane.tensors.filter.field.setText("WEIGHT")
    assert [name for _, name in rows(pane)] == ["fc.weight", "conv.weight"]


def test_a_row_selects_the_tensor_in_both_files(pane, pair, qtbot):
    pane.tensors.step(1)
    pane.tensors.step(2)
    assert pane.tensors.current().pair.name == "conv.weight"
    names = []
    for session in pair:
        qtbot.waitUntil(lambda session=session: session.selection.tensor is not None)
        names.append(session.document.tensors[session.selection.tensor].name)
    assert names == ["conv.weight", "conv.weight"]
    assert pane.tensors.words.text().startswith("1 of 4 elements differ. The largest difference is 5, at [1, 1]")


def test_looking_at_another_document_of_a_file_begins_nothing_anew(tmp_path, opened, shown, qtbot):
    sessions = []
    for name in ("a.pt.gz", "b.pt.gz"):
        path = tmp_path / name
        path.write_bytes(gzip.compress(torch_zip(weights())))
        sessions.append(opened(path))
    pane = shown(ComparePane, sessions[0])
    pane.compare_with(sessions[1])
    settle(qtbot, pane)
    found = pane.comparing.found
    assert found.equal
    for session in sessions:
        assert session.document is not session.root
        session.select_document(0, "test")
        qtbot.waitUntil(lambda session=session: session.document is session.root)
    settle(qtbot, pane)
    assert pane.comparing.found is found


def test_sorting_by_a_column(pane):
    pane.tensors.table.sortByColumn(1, pane.tensors.table.horizontalHeader().sortIndicatorOrder())
    assert [name for _, name in rows(pane)] == ["conv.bias", "conv.weight", "fc.weight", "old.w"]


def test_plain_values(pane):
    pane.show_view(VALUES)
    model = pane.values.model
    assert [[model.index(row, column).data() for column in range(3)] for row in range(model.rowCount())] == [
        ["lr", "0.1", "0.2"]
    ]
    assert pane.values.note.text() == "1 differ, 1 are equal."
    pane.values.all.setChecked(True)
    assert model.rowCount() == 2


def test_what_is_suggested_is_done(write, opened, shown, qtbot):
    one, two = opened(write("plain.pt", weights())), opened(write("parallel.pt", weights("module.")))
    one.peers = lambda: [two]
    made = shown(ComparePane, one)
    made.compare_with(two)
    settle(qtbot, made)
    assert made.comparing.found.counts["missing"] == 3
    assert "module." in made.tensors.advice.words.text()
    made.tensors.advice.acted.emit()
    settle(qtbot, made)
    qtbot.waitUntil(lambda: made.comparing.found.counts["equal"] == 3)
    assert made.tensors.advice.words.text() == ""


def test_branches_of_one_file(write, opened, shown, qtbot):
    path = write("two.pt", {"model": weights(), "ema": weights(**{"conv.bias": full("float32", (2,), [1, 7])})})
    made = shown(ComparePane, opened(path))
    made.compare_with(made.session)
    settle(qtbot, made)
    first, second = made.head.roots
    assert [first.itemText(at) for at in range(first.count())] == ["All of it", "model", "ema"]
    first.setCurrentIndex(1)
    second.setCurrentIndex(2)
    second.activated.emit(2)
    settle(qtbot, made)
    qtbot.waitUntil(lambda: made.comparing.found.counts["changed"] == 1)
    assert made.comparing.parts[1].root == "ema"
    assert made.head.roots[1].currentText() == "ema"


@pytest.mark.parametrize("name", ["report.txt", "report.json"])
def test_the_report_is_saved(pane, tmp_path, qtbot, name):
    target = tmp_path / name
    with qtbot.waitSignal(pane.message) as told:
        pane.save_report_to(target)
    assert told.args[0] == "done"
    text = target.read_text("utf-8")
    if name.endswith(".json"):
        assert json.loads(text)["counts"]["shape"] == 1
    else:
        assert "other shape" in text
        assert "lr: 0.1 \u2192 0.2" in text


def test_the_open_file_is_never_written_over(pane, qtbot):
    before = pane.session.path.read_bytes()
    with qtbot.waitSignal(pane.message) as told:
        pane.save_report_to(pane.session.path)
    assert told.args[0] == "error"
    assert pane.session.path.read_bytes() == before


def test_a_stopped_comparison_keeps_what_it_found(pane):
    pane.comparing._begin()
    pane.session.cancel("comparing")
    assert pane.comparing.stopped
    assert not pane.comparing.running
    assert pane.comparing.found is None or all(row.status in Status for row in pane.comparing.found.rows)
    assert "stopped" in (pane.tensors.empty.text() or pane.tensors.words.text())


def test_the_other_file_goes(pane, pair, qtbot):
    with qtbot.waitSignal(pair[1].destroyed):
        pair[1].close()
        pair[1].deleteLater()
    assert pane.comparing.other is None
    assert "Nothing to compare with" in pane.tensors.empty.text()


def test_classes_have_their_own_tools(pane):
    pane.show_view(CLASSES)
    assert pane.tools.currentIndex() == 1
    assert not pane.head.isVisible()
    pane.show_view(TENSORS)
    assert pane.tools.currentIndex() == 0
    assert set(pane.commands()) == {"go.next_difference", "go.previous_difference"}


def test_both_change_places(pane, pair, qtbot):
    pane.head.swap.click()
    settle(qtbot, pane)
    qtbot.waitUntil(lambda: not pane.comparing.running)
    assert [side.text() for side in pane.head.sides] == ["B", "A"]
    assert ("missing", "old.w") in rows(pane)
    assert 'Missing key(s) in state_dict: "old.w". ' in pane.tensors.words.text()
    names = [name for _, name in rows(pane)]
    pane.tensors.step(1)
    for _ in range(names.index("conv.weight")):
        pane.tensors.step(1)
    assert pane.tensors.current().pair.b in pair[0].document.tensors
    for session in pair:
        qtbot.waitUntil(lambda session=session: session.selection.tensor is not None)
    pane.head.swap.click()
    qtbot.waitUntil(lambda: not pane.comparing.running)
    assert ("unexpected", "old.w") in rows(pane)


def test_the_branches_change_places_too(write, opened, shown, qtbot):
    path = write("two.pt", {"model": weights(), "ema": weights(**{"new.w": full("float32", (1,), [1])})})
    made = shown(ComparePane, opened(path))
    made.compare_with(made.session, ("model", "ema"))
    settle(qtbot, made)
    assert made.comparing.found.counts["missing"] == 1
    made.head.swap.click()
    settle(qtbot, made)
    assert (made.comparing.parts[0].root, made.comparing.found.counts["unexpected"]) == ("ema", 1)
    assert [box.currentText() for box in made.head.roots] == ["model", "ema"]


def test_rules_of_names_are_followed_as_they_are_typed(write, opened, shown, qtbot):
    one, two = opened(write("plain.pt", weights("net.a."))), opened(write("other.pt", weights("module.b.")))
    one.peers = lambda: [two]
    made = shown(ComparePane, one)
    made.names.click()
    assert made.rules.isVisible()
    made.compare_with(two)
    settle(qtbot, made)
    assert made.comparing.found.counts["missing"] == 3
    qtbot.keyClicks(made.rules.fields.strip, "module")
    row = made.rules.fields.add_rule()
    qtbot.keyClicks(row.old, "net.a")
    qtbot.keyClicks(row.new, "b")
    qtbot.waitUntil(lambda: made.comparing.rules.rename == (("net.a", "b"),) and made.comparing.found is not None)
    settle(qtbot, made)
    assert made.comparing.found.counts["equal"] == 3
    row.old.clear()
    qtbot.keyClicks(row.old, "re:(")
    qtbot.waitUntil(lambda: bool(made.rules.fields.note.text()))
    assert made.comparing.rules.rename == (("net.a", "b"),)
    made.rules.by.setCurrentIndex(2)
    row.removed.emit()
    made.rules.follow()
    settle(qtbot, made)
    assert made.comparing.rules.by == "order"


def test_the_axes_of_the_map_and_the_map_alone_where_there_is_no_room(write, opened, shown, qtbot):
    one, two = (
        opened(write(name, state_dict({"w": full("float32", (2, 2, 3), [*range(11), last])})))
        for name, last in (("a.pt", 11), ("b.pt", 20))
    )
    one.peers = lambda: [two]
    made = shown(ComparePane, one)
    view = made.tensors
    made.resize(500, 400)
    made.compare_with(two)
    settle(qtbot, made)
    qtbot.waitUntil(lambda: not made.comparing.running)
    view.step(1)
    assert view.only_map.isVisible()
    assert not view.map.isVisible()
    view.only_map.click()
    assert view.map.isVisible()
    assert not view.table.isVisible()
    assert (view.map.slice.axes, view.map.slice.fixed) == ((1, 2), [1, 1, 2])
    view.map.slice.rows_choice.setCurrentIndex(0)
    view.map.slice.rows_choice.activated.emit(0)
    sheet = view.map.sheet
    assert (sheet.rows, sheet.columns, sheet.index(1, 2)) == (2, 3, (1, 1, 2))
    view.only_map.click()
    assert view.table.isVisible()
    made.resize(1300, 700)
    qtbot.waitUntil(lambda: view.map.isVisible() and view.table.isVisible())
    assert not view.only_map.isVisible()


def differing(write, opened, shown, count=6, **more):
    """A pane that compares two vectors, of which the second is 0, 1, 2 and so on further."""
    one, two = (
        opened(write(name, state_dict({"w": full("float32", (2, count // 2), [at * step for at in range(count)])})))
        for name, step in (("a.pt", 1), ("b.pt", 2))
    )
    one.peers = lambda: [two]
    made = shown(ComparePane, one)
    made.resize(1300, 700)
    made.compare_with(two)
    return made


def test_the_differences_are_counted_beside_their_map(write, opened, shown, qtbot):
    made = differing(write, opened, shown)
    settle(qtbot, made)
    view, plot = made.tensors, made.tensors.map.plot
    assert not plot.isVisible()
    view.step(1)
    assert plot.isVisible()
    assert view.map.map.isVisible()
    qtbot.waitUntil(lambda: plot.found is not None and plot.plot.plot is not None)
    counts = plot.found.counts.tolist()
    assert (plot.found.low, plot.found.high, len(counts), sum(counts)) == (-5, 5, 61, 6)
    assert (counts[30], counts[60], sum(counts[:30])) == (1, 1, 0)
    assert plot.words.text() == "B \u2212 A in 61 bins, width 0.1639"
    plot.plot.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(plot.plot, Qt.Key.Key_End)
    assert plot.words.text() == "4.836 to 5.000, count 1"
    view.step(-1)
    made.resize(350, 300)
    qtbot.waitUntil(lambda: not plot.isVisible())


def test_large_pairs_are_counted_when_it_is_asked_for(write, opened, shown, qtbot, monkeypatch):
    monkeypatch.setattr(difference_plot, "BY_ITSELF", 10)
    made = differing(write, opened, shown)
    settle(qtbot, made)
    made.tensors.step(1)
    plot = made.tensors.map.plot
    assert plot.count.isVisible()
    assert "48 bytes" in plot.words.text()
    plot.count.click()
    qtbot.waitUntil(lambda: plot.found is not None)
    assert not plot.count.isVisible()


def test_many_values_are_listed_in_a_thread(pane, qtbot, monkeypatch):
    monkeypatch.setattr(values, "MANY", 0)
    pane.show_view(VALUES)
    pane.values.all.setChecked(True)
    qtbot.waitUntil(lambda: pane.values.model.rowCount() == 2)
    pane.values.filter.field.setText("LR")
    qtbot.waitUntil(lambda: pane.values.model.rowCount() == 1)


def test_a_file_that_ended_is_not_offered(pair, write, opened, shown, qtbot):
    first, second = pair
    third = opened(write("c.pt", {"w": full("float32", (1,), [1])}))
    there = [second, third]
    first.peers = lambda: list(there)
    pane = shown(ComparePane, first)
    names = [pane.head.other.itemText(at) for at in range(pane.head.other.count())]
    assert names == ["b.pt", "c.pt", "This file, another branch", "Choose a file…"]
    there.remove(third)
    third.close()
    pane.head.other_chosen.emit(1)
    assert pane.comparing.other is None
    with qtbot.waitSignal(third.destroyed):
        third.setParent(None)
        third.deleteLater()
    names = [pane.head.other.itemText(at) for at in range(pane.head.other.count())]
    assert names == ["b.pt", "This file, another branch", "Choose a file…"]
    pane.head.other_chosen.emit(0)
    settle(qtbot, pane)
    assert pane.comparing.other is second


def test_branches_stand_below_the_files_in_a_narrow_pane(pane, qtbot):
    head = pane.head
    head.show_roots((["model"], ["model"]), ("", ""), asked=True)
    for width, narrow in ((900, False), (300, True), (900, False)):
        pane.resize(width, 600)
        qtbot.waitUntil(lambda narrow=narrow: (head.roots[1].y() > head.other.geometry().bottom()) is narrow)
        for part in (head.mine, head.other, *head.roots, head.swap):
            assert part.isVisible()
            assert pane.rect().contains(part.mapTo(pane, part.rect().bottomRight()))


def test_nothing_begins_in_a_session_that_ended_before_the_other(pane, pair, qtbot):
    began = []
    pane.comparing.began.connect(lambda: began.append(1))
    for session in pair:
        session.close()
    with qtbot.waitSignal(pair[1].destroyed):
        pair[1].deleteLater()
    assert began == []


def test_a_comparison_ends_with_the_other_file(pane, pair, qtbot):
    with qtbot.waitSignal(pane.comparing.began):
        pair[1].close()
        pair[1].deleteLater()
    assert pane.comparing.other is None
    pane.session.close()
