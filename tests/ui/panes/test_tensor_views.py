"""The views of the Tensor pane: statistics, histogram, heat map; what they select, what they say of large tensors."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QFileDialog, QToolButton

from tests.builders.torch_values import full, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.shared import ROOT
from tests.ui.panes.test_tensor_parts import QUANTISED
from viewer.core.tensors import window
from viewer.core.tensors.statistics import meant_statistics
from viewer.ui.models.grid import LONGEST
from viewer.ui.panes.tensor import TensorPane
from viewer.ui.previews import histogram, image, statistics
from viewer.ui.previews.channels import ChannelsPreview
from viewer.ui.previews.element import ElementPreview
from viewer.ui.previews.heat_map import HeatMapPreview
from viewer.ui.previews.histogram import HistogramPreview
from viewer.ui.previews.image import ImagePreview
from viewer.ui.previews.statistics import StatisticsPreview
from viewer.ui.previews.values import ValuesPreview
from viewer.ui.widgets import bar_walk
from viewer.ui.widgets.histogram_plot import round_numbers

NAN = float("nan")


def preview_of(pane, cls):
    return next(preview for preview in pane.previews if isinstance(preview, cls))


def texts(pane):
    return {key: cell.value.text() for key, cell in preview_of(pane, StatisticsPreview).cells.items()}


@pytest.fixture
def look(opened, shown, tmp_path, qtbot):
    """A pane that looks at a tensor of a file made of these values, its statistics known."""

    def open_one(value, size=(700, 620)):
        path = tmp_path / "one.pt"
        path.write_bytes(torch_zip({"w": value}))
        session = opened(path)
        pane = shown(TensorPane, session)
        pane.resize(*size)
        session.select_tensor(session.document.tensors[0], "test")
        qtbot.waitUntil(lambda: preview_of(pane, StatisticsPreview).found is not None)
        return session, pane

    return open_one


def histogram_of(qtbot, pane):
    view = preview_of(pane, HistogramPreview)
    pane.switch.choose("histogram")
    qtbot.waitUntil(lambda: view.plot.plot is not None and view.plot.found is not None)
    return view


def test_all_statistics_have_their_cell(look):
    _, pane = look(full("float32", [2, 3], [1, 0, -3, 6, NAN, 2]))
    cells = texts(pane)
    assert (cells["min"], cells["max"], cells["mean"], cells["median"]) == ("\u22123.000", "6.000", "1.200", "1.000")
    assert (cells["zeros"], cells["nan"], cells["inf"], cells["distinct"]) == ("1", "1", "0", "")
    assert (cells["l1"], cells["largest"], cells["p25"]) == ("12.00", "6.000", "0")
    shown_cells = preview_of(pane, StatisticsPreview)
    assert shown_cells.cells["nan"].value.toolTip() == "1 times, first at [1, 1]"
    assert not shown_cells.cells["l1"].isVisible()
    shown_cells.more.click()
    assert shown_cells.cells["l1"].isVisible()


def test_small_integers_tell_how_many_numbers_they_have(look):
    _, pane = look(full("uint8", [5], [3, 3, 7, 3, 1]))
    assert texts(pane)["distinct"] == "3"
    assert preview_of(pane, StatisticsPreview).cells["distinct"].value.toolTip().startswith("3: 3\n")


def test_a_large_tensor_is_sampled_first_and_then_read_whole(look, qtbot, monkeypatch):
    monkeypatch.setattr(statistics, "AT_ONCE", 1000)
    said = []
    monkeypatch.setattr(StatisticsPreview, "_say", lambda self, words: said.append(words))
    count = 300_000
    _session, pane = look(full("float32", [3, count // 3], range(count)))
    view = preview_of(pane, StatisticsPreview)
    qtbot.waitUntil(lambda: view.found.exact)
    assert texts(pane)["max"] == "299999"
    sampled = [words for words in said if words]
    assert sampled == ["From a sample of 262,144 of 300,000 elements."]
    assert said[-1] == ""
    assert not view.whole.isVisible()


def test_a_very_large_tensor_is_read_whole_when_asked_for(look, qtbot, monkeypatch):
    monkeypatch.setattr(statistics, "AT_ONCE", 1000)
    monkeypatch.setattr(statistics, "BY_ITSELF", 1000)
    _, pane = look(full("float32", [300_000], range(300_000)))
    view = preview_of(pane, StatisticsPreview)
    assert view.whole.isVisible()
    assert "sample" in view.words.text()
    histogram = histogram_of(qtbot, pane)
    assert "sample of 262,144 of 300,000" in histogram.words.text()
    view.whole.click()
    qtbot.waitUntil(lambda: view.found.exact)
    qtbot.waitUntil(lambda: histogram.found.exact)
    assert "sample" not in histogram.words.text()


def test_after_a_stop_all_can_be_asked_for_again(look, qtbot, monkeypatch):
    monkeypatch.setattr(statistics, "AT_ONCE", 1000)
    monkeypatch.setattr(statistics, "BY_ITSELF", 1000)
    gate = Event()

    def held(tensor, progress):
        gate.wait(120)
        progress.check()
        return meant_statistics(tensor, progress)

    monkeypatch.setattr(statistics, "_all", held)
    session, pane = look(full("float32", [300_000], range(300_000)))
    view = preview_of(pane, StatisticsPreview)
    view.whole.click()
    assert not view.whole.isVisible()
    session.cancel(statistics.JOB)
    gate.set()
    assert view.whole.isVisible()
    assert "sample of 262,144" in view.words.text()
    view.whole.click()
    qtbot.waitUntil(lambda: view.found.exact)
    assert not view.whole.isVisible()
    session.cancel(statistics.JOB)
    assert not view.whole.isVisible()


def test_an_expanded_tensor_is_counted_whole_at_once(look):
    _, pane = look(tensor(storage("float32", [1, 2, 5]), [2**32, 3, 2**32], [0, 1, 0]))
    view = preview_of(pane, StatisticsPreview)
    assert view.found.exact
    assert not view.whole.isVisible()
    assert texts(pane)["mean"] == "2.667"


def test_windows_that_overlap_for_ever_are_sampled_and_that_is_told(look):
    _, pane = look(tensor(storage("uint8", [1] * 2**17), [2**16, 2**16], [1, 1]))
    view = preview_of(pane, StatisticsPreview)
    assert "4,294,967,296 elements overlap in 131,071 stored ones" in view.words.text()
    assert "From a sample" in view.words.text()
    assert not view.whole.isVisible()


def test_a_click_in_the_plot_is_a_click_on_its_bar(look, qtbot):
    _, pane = look(full("float32", [4], [0, 1, 1, 1]))
    view = histogram_of(qtbot, pane)
    plot = view.plot.plot
    box = plot.getPlotItem().getViewBox()
    qtbot.waitUntil(lambda: box.sceneBoundingRect().width() > 100)
    place = box.mapViewToScene(QPoint(1, 1)) - QPoint(2, 0)
    assert view.plot.bar_at(place) == 59
    assert view.plot.bar_at(QPoint(-5, -5).toPointF()) == -1


def test_another_range_is_counted_anew(look, qtbot):
    _, pane = look(full("float32", [1000], range(1000)))
    view = histogram_of(qtbot, pane)
    view.plot.plot.setXRange(100, 199.5, padding=0)
    qtbot.waitUntil(lambda: view.found.low > 99)
    assert int(view.found.counts.sum()) == pytest.approx(100, abs=3)
    assert "beside the range" in view.words.text()
    view.whole.click()
    qtbot.waitUntil(lambda: view.found.low == 0)
    assert int(view.found.counts.sum()) == 1000


def test_work_that_another_tensor_ends_is_told_to_have_ended(look):
    session, pane = look(full("float32", [2, 2], range(4)))
    ended = []
    session.progressed.connect(lambda key, step: ended.append(key) if step is None else None)
    for cls in (HistogramPreview, ImagePreview):
        preview_of(pane, cls).show_tensor(None)
    assert {histogram.JOB, bar_walk.LOOKING, image.JOB} <= set(ended)


def test_the_logarithm_of_counts(look, qtbot):
    _, pane = look(full("float32", [1000], [0] * 999 + [1]))
    view = histogram_of(qtbot, pane)
    view.scale.choose("log")
    assert max(view.plot._bars.opts["height"]) == pytest.approx(3)


def test_nothing_finite_has_no_bars(look, qtbot):
    _, pane = look(full("float32", [2], [NAN, NAN]))
    view = preview_of(pane, HistogramPreview)
    pane.switch.choose("histogram")
    qtbot.waitUntil(lambda: view.words.text() == "No finite number")


def test_the_map_selects_bytes_and_shows_what_is_selected(look, qtbot):
    session, pane = look(full("float32", [4, 6], range(24)))
    view = preview_of(pane, HeatMapPreview)
    with qtbot.waitSignal(view.map.shown):
        pane.switch.choose("heat_map")
    assert view.map.limits == (0, 23)
    place = view.map._place_of(2, 5).toPoint()
    qtbot.mouseClick(view.map, Qt.MouseButton.LeftButton, pos=place)
    shown_tensor = session.document.tensors[0]
    assert session.selection.element == (2, 5)
    assert session.selection.spans == (window.element_offset(shown_tensor, (2, 5)),)
    session.select_bytes((window.element_offset(shown_tensor, (1, 3)),), "test")
    assert view.map.ring == (1, 3)
    view.slice.turn.click()
    assert view.map.ring == (3, 1)


def test_kernels_and_slices_of_a_convolution(look, qtbot):
    session, pane = look(full("float32", [2, 3, 2, 2], range(24)))
    view = preview_of(pane, HeatMapPreview)
    with qtbot.waitSignal(view.map.shown):
        pane.switch.choose("heat_map")
    assert (view.map.rows.count, view.map.columns.count) == (6, 4)
    assert not view.slice.rows_choice.isVisible()
    view.kernels.click()
    assert (view.map.rows.count, view.map.columns.count) == (2, 2)
    session.select_tensor(session.document.tensors[0], "test", (1, 2, 0, 1))
    assert view.slice.fixed == [1, 2, 0, 1]
    assert view.map.ring == (0, 1)


def test_a_view_that_a_tensor_lacks_comes_back_with_the_next(opened, shown, tmp_path):
    path = tmp_path / "two.pt"
    path.write_bytes(torch_zip({"w": full("float32", [2], [1, 2]), "e": full("float32", [0], [])}))
    session = opened(path)
    pane = shown(TensorPane, session)
    session.select_tensor(session.document.tensors[0], "test")
    pane.switch.choose("heat_map")
    session.select_tensor(session.document.tensors[1], "test")
    assert pane.switch.current == "values"
    session.select_tensor(session.document.tensors[0], "test")
    assert pane.switch.current == "heat_map"
    assert preview_of(pane, HeatMapPreview).isVisible()
    assert not preview_of(pane, ValuesPreview).isVisible()


def test_round_numbers_name_the_range(look, qtbot):
    _, pane = look(full("float32", [2], [-0.07, 0.08]))
    view = histogram_of(qtbot, pane)
    assert round_numbers(view.found) == pytest.approx([-0.05, 0, 0.05])
    assert np.isfinite(view.found.width)


PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from PySide6.QtCore import QEventLoop, QTimer
from viewer.session.session import Session
from viewer.ui.panes.tensor import TensorPane
from viewer.ui.theme import load_theme
app = QApplication(["-platform", "offscreen"])
session = Session(Path(sys.argv[1]))
def settle():
    loop = QEventLoop()
    session.jobs.idle.connect(loop.quit)
    QTimer.singleShot(120_000, loop.quit)
    loop.exec()
session.open()
settle()
pane = TensorPane(session, load_theme("light"))
pane.show()
session.select_tensor(session.document.tensors[0], "test")
settle()
before = "pyqtgraph" in sys.modules
pane.switch.choose("histogram")
settle()
print(before, "pyqtgraph" in sys.modules)
session.close()
"""


def test_plots_are_loaded_when_one_is_first_shown():
    sample = ROOT / "resources" / "samples" / "checkpoint_adam.pt"
    command = [sys.executable, "-c", PROGRAM, str(sample)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["False", "True"], done.stderr


def grid_texts(view):
    model = view.model
    rows = range(model.rowCount())
    return [[model.index(row, column).data() for column in range(model.columnCount())] for row in rows]


def test_numbers_are_written_in_four_ways(look):
    _, pane = look(full("float32", [1, 3], [0.1, -2, NAN]))
    view = preview_of(pane, ValuesPreview)
    seen = []
    for number in range(view.format.count()):
        view.format.setCurrentIndex(number)
        view.format.activated.emit(number)
        seen.append(grid_texts(view)[0])
        digits = view.grid.fontMetrics().horizontalAdvance("0")
        assert view.grid.columnWidth(0) >= digits * max(len(text) for text in seen[-1])
    assert seen == [
        ["0.1000", "\u22122.000", "NaN"],
        ["0.10000000149011612", "\u22122.0", "NaN"],
        ["1.000000e\u22121", "\u22122.000000e0", "NaN"],
        ["3DCCCCCD", "C0000000", "7FC00000"],
    ]


def test_the_least_and_the_greatest_number_are_marked(look, qtbot):
    _, pane = look(full("float32", [1, 3], [-1, 0, 2]))
    view = preview_of(pane, ValuesPreview)
    image = view.grid.viewport().grab().toImage()
    ink = view.theme.color("text")

    def corner(column, top):
        rect = view.grid.visualRect(view.model.index(0, column))
        return image.pixelColor(rect.right() - 1, rect.top() + 1 if top else rect.bottom() - 1) == ink

    assert [(corner(column, True), corner(column, False)) for column in range(3)] == [
        (False, True),
        (False, False),
        (True, False),
    ]


def test_the_slice_is_copied_and_saved(look, qtbot, tmp_path, qapp):
    _, pane = look(full("float32", [2, 2, 2], range(8)))
    view = preview_of(pane, ValuesPreview)
    view.spins[0].setValue(1)
    with qtbot.waitSignal(pane.message) as copied:
        view.copy_slice()
    assert copied.args == ["done", "The slice is on the clipboard", ""]
    assert qapp.clipboard().text() == "4.0,5.0\n6.0,7.0"
    with qtbot.waitSignal(pane.message) as copied:
        pane.copy_numpy_line()
    assert copied.args == ["done", "The line is on the clipboard", ""]
    assert qapp.clipboard().text() == pane.line.text()
    with qtbot.waitSignal(pane.message) as told:
        view.save_to(tmp_path / "part.npy")
    assert told.args == ["done", "Saved part.npy", str(tmp_path / "part.npy")]
    assert np.load(tmp_path / "part.npy").tolist() == [[4, 5], [6, 7]]


def test_a_suffix_that_is_added_replaces_nothing(look, qtbot, tmp_path, monkeypatch):
    """The chooser asked about the name without it."""
    _, pane = look(full("float32", [2], [1, 2]))
    view = preview_of(pane, ValuesPreview)
    for suffix in (".csv", ".npy"):
        (tmp_path / f"part{suffix}").write_bytes(b"old")
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", lambda *args, kind=f"a (*{suffix})": (str(tmp_path / "part"), kind)
        )
        with qtbot.waitSignal(pane.message) as told:
            view.ask_where_to_save()
        words = f"part{suffix} is there already. Choose another name."
        assert told.args == ["error", "The slice was not written", words]
        assert (tmp_path / f"part{suffix}").read_bytes() == b"old"
    (tmp_path / "part.csv").unlink()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(tmp_path / "part"), "a (*.csv)"))
    with qtbot.waitSignal(pane.message) as told:
        view.ask_where_to_save()
    assert told.args[:2] == ["done", "Saved part.csv"]
    assert (tmp_path / "part.csv").read_text() == "1.0\n2.0\n"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(tmp_path / "part.npy"), ""))
    with qtbot.waitSignal(pane.message) as told:
        view.ask_where_to_save()
    assert np.load(tmp_path / "part.npy").tolist() == [[1], [2]]


def test_a_slice_that_cannot_be_written_is_told(look, qtbot, tmp_path):
    _, pane = look(full("float32", [2], [1, 2]))
    with qtbot.waitSignal(pane.message) as told:
        preview_of(pane, ValuesPreview).save_to(tmp_path / "none" / "part.csv")
    assert told.args[0] == "error"
    assert "none" in told.args[2]


def test_channels_have_scale_and_zero_point(look, qtbot):
    session, pane = look(QUANTISED)
    assert (texts(pane)["min"], texts(pane)["max"]) == ("0", "40.00")
    assert "stand for" in preview_of(pane, StatisticsPreview).words.text()
    pane.switch.choose("channels")
    view = preview_of(pane, ChannelsPreview)
    rows = [[view.model.index(row, column).data() for column in range(2)] for row in range(view.model.rowCount())]
    assert rows == [["1.000", "0"], ["10.00", "1"]]
    view.table.setCurrentIndex(view.model.index(1, 0))
    assert session.selection.element == (1, 0)


def test_tables_have_a_name_to_be_spoken(look):
    _, pane = look(QUANTISED)
    for table in (preview_of(pane, ChannelsPreview).table, preview_of(pane, ValuesPreview).grid):
        assert QAccessible.queryAccessibleInterface(table).text(QAccessible.Text.Name)


def test_channels_of_a_size_that_no_table_holds_are_cut(look):
    session, pane = look(QUANTISED)
    tensor = session.document.tensors[0]
    model = preview_of(pane, ChannelsPreview).model
    model.show_tensor(replace(tensor, shape=(2**40, 3)))
    assert (model.rowCount(), model.index(5, 0).data()) == (LONGEST, "\u2014")


def test_views_are_offered_where_they_suit(look):
    _, pane = look(full("float32", [2, 2], range(4)))
    words = [button.text() for button in pane.switch.frame.findChildren(QToolButton) if not button.isHidden()]
    assert words == ["Values", "Histogram", "Heat map"]


def test_a_byte_tells_its_element_in_all_tensors_that_share_it(opened, shown, tmp_path, qtbot):
    held = storage("float32", range(6))
    path = tmp_path / "shared.pt"
    path.write_bytes(torch_zip({"a": tensor(held, [2, 3]), "b": tensor(held, [6]), "c": tensor(held, [2])}))
    session = opened(path)
    pane = shown(TensorPane, session)
    first = session.document.tensors[0]
    session.select_tensor(first, "test", (1, 1))
    view = preview_of(pane, ElementPreview)
    assert view.words == "[1, 1] = 4.0"
    assert [link.text() for link in view.links] == ["also b [4]"]
    view.links[0].click()
    assert (session.selection.tensor, session.selection.element) == (1, (4,))
    assert session.selection.spans == (window.element_offset(first, (1, 1)),)
    assert [link.text() for link in view.links] == ["also a [1, 1]"]


def test_a_quantised_element_tells_both_numbers(look):
    session, pane = look(QUANTISED)
    session.select_tensor(session.document.tensors[0], "test", (1, 2))
    assert preview_of(pane, ElementPreview).words == "[1, 2] = 40.0 (5)"


def test_a_wide_pane_shows_all_at_once(look):
    _, pane = look(full("float32", [4, 3, 2], range(24)), size=(840, 800))
    parts = {preview.key: preview for preview in pane.previews}
    at = {key: parts[key].mapTo(pane, QPoint(0, 0)) for key in ("histogram", "values", "heat_map", "facts")}
    assert all(parts[key].isVisible() for key in at)
    assert at["histogram"].x() < at["values"].x()
    assert at["heat_map"].x() < at["facts"].x()
    assert at["histogram"].y() < at["heat_map"].y()
    assert abs(at["histogram"].y() - at["values"].y()) < 5
    words = [button.text() for button in pane.switch.frame.findChildren(QToolButton) if not button.isHidden()]
    assert words == ["Heat map", "Image"]
    pane.resize(500, 800)
    assert [parts[key].isVisible() for key in at] == [False, True, False, True]


def test_a_wide_pane_leaves_no_room_for_what_does_not_suit(look, opened, shown, tmp_path):
    path = tmp_path / "empty.pt"
    path.write_bytes(torch_zip({"w": full("float32", [0, 4], [])}))
    session = opened(path)
    pane = shown(TensorPane, session)
    pane.resize(840, 700)
    session.select_tensor(session.document.tensors[0], "test")
    parts = {preview.key: preview for preview in pane.previews}
    assert not parts["histogram"].isVisible()
    assert parts["values"].mapTo(pane, QPoint(0, 0)).x() < 30
    assert parts["facts"].isVisible()


def test_the_views_are_commands(look):
    _, pane = look(full("float32", [4, 3], range(12)))
    assert set(pane.commands()) >= {"tensor.show_values", "tensor.show_histogram", "tensor.show_heat_map"}
    assert "tensor.show_channels" not in pane.commands()
    pane.commands()["tensor.show_heat_map"]()
    assert preview_of(pane, HeatMapPreview).isVisible()


def test_the_plane_shown_has_most_elements(look):
    _, pane = look(full("float32", [1, 7, 1, 1], range(7)))
    view = preview_of(pane, ValuesPreview)
    assert (view.model.rowCount(), view.model.columnCount()) == (1, 7)
    assert not any(spin.isVisible() for spin in view.spins)
