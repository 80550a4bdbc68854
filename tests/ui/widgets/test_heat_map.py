"""The heat map: what it reads, what it draws, what a click and the keys choose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from viewer.session.jobs import Jobs
from viewer.ui.theme import load_theme
from viewer.ui.widgets import heat_map
from viewer.ui.widgets.colour_map import colours, limits_of, steps_of
from viewer.ui.widgets.heat_map import HeatMap
from viewer.ui.widgets.heat_map_view import Axis


@dataclass
class Numbers:
    """A plane in memory that counts what is read of it."""

    array: np.ndarray
    most: int = 0
    block: tuple[int, int] = (1, 1)

    @property
    def rows(self):
        return self.array.shape[0]

    @property
    def columns(self):
        return self.array.shape[1]

    def read(self, rows, columns):
        found = self.array[rows.start : rows.stop : rows.step, columns.start : columns.stop : columns.step]
        self.most = max(self.most, found.size)
        return found.astype(np.float64)

    def index(self, row, column):
        return (row, column)

    def cell(self, index):
        return index


@pytest.fixture
def heat(qtbot):
    jobs = Jobs()
    widget = HeatMap(load_theme("light"), jobs, "test")
    qtbot.addWidget(widget)
    widget.resize(500, 400)
    with qtbot.waitExposed(widget):
        widget.show()
    yield widget
    jobs.close()


def look_at(qtbot, heat, sheet):
    with qtbot.waitSignal(heat.shown):
        heat.show_sheet(sheet)


def middle(heat, row, column):
    return heat._place_of(row, column)


def colour(heat, row, column):
    return heat.grab().toImage().pixelColor(middle(heat, row, column).toPoint())


def test_colours_are_those_of_the_numbers(qtbot, heat):
    look_at(qtbot, heat, Numbers(np.array([[-2.0, 0, 1], [2, -1, 0.5]])))
    assert heat.limits == (-2, 2)
    theme = heat.theme
    assert colour(heat, 0, 0).name() == theme.color("plot_low").name()
    assert colour(heat, 1, 0).name() == theme.color("plot_high").name()
    assert colour(heat, 0, 1).saturation() < 20
    look_at(qtbot, heat, Numbers(np.array([[0.0, 1.0]])))
    assert (colour(heat, 0, 0).name(), colour(heat, 0, 1).name()) == ("#00204d", "#ffea46")


def test_the_ends_may_be_told(qtbot, heat):
    look_at(qtbot, heat, Numbers(np.array([[1.0, 1.0]])))
    heat.set_limits(0.0, 2.0)
    assert colour(heat, 0, 0).name() == "#7d7c78"


def test_holes_are_hatched(qtbot, heat):
    look_at(qtbot, heat, Numbers(np.array([[1.0, np.nan]])))
    image = heat.grab().toImage()
    place = middle(heat, 0, 1).toPoint()
    seen = {image.pixelColor(place + QPoint(dx, dy)).name() for dx in range(-8, 8) for dy in range(-8, 8)}
    assert {heat.theme.color("pane").name(), heat.theme.color("muted").name()} <= seen
    assert colour(heat, 0, 0).name() == "#7d7c78"


def test_no_more_is_read_than_there_are_pixels(qtbot, heat, monkeypatch):
    monkeypatch.setattr(heat_map, "MOST_MEANT", 1000)
    sheet = Numbers(np.zeros((3000, 9000), np.float32))
    look_at(qtbot, heat, sheet)
    assert sheet.most <= 500 * 400
    assert heat.is_sampled
    assert "One of" in heat._drawing().words


def test_zoom_goes_down_to_single_values_and_back(qtbot, heat):
    sheet = Numbers(np.arange(600 * 800, dtype=np.float32).reshape(600, 800))
    look_at(qtbot, heat, sheet)
    with qtbot.waitSignal(heat.shown):
        heat.zoom(1e6, middle(heat, 300, 400))
    assert not heat.is_sampled
    assert heat.words_of(heat.cell_at(middle(heat, 300, 400))).startswith("[300, 400] = ")
    assert heat.loaded.plane.size < 100
    with qtbot.waitSignal(heat.shown):
        qtbot.keyClick(heat, Qt.Key.Key_0)
    assert heat.is_whole


def test_a_click_and_the_arrows_choose_cells(qtbot, heat):
    look_at(qtbot, heat, Numbers(np.zeros((4, 5))))
    with qtbot.waitSignal(heat.chosen) as clicked:
        qtbot.mouseClick(heat, Qt.MouseButton.LeftButton, pos=middle(heat, 2, 3).toPoint())
    assert clicked.args == [(2, 3)]
    with qtbot.waitSignal(heat.chosen) as walked:
        qtbot.keyClick(heat, Qt.Key.Key_Left)
    assert walked.args == [(2, 2)]
    assert heat.ring == (2, 2)


def test_dragging_moves_and_chooses_nothing(qtbot, heat):
    look_at(qtbot, heat, Numbers(np.zeros((400, 500))))
    with qtbot.waitSignal(heat.shown):
        heat.zoom(100, middle(heat, 200, 250))
    before = heat.columns.start
    with qtbot.assertNotEmitted(heat.chosen):
        start = middle(heat, 200, 250).toPoint()
        qtbot.mousePress(heat, Qt.MouseButton.LeftButton, pos=start)
        qtbot.mouseMove(heat, start - QPoint(90, 0))
        qtbot.mouseRelease(heat, Qt.MouseButton.LeftButton, pos=start - QPoint(90, 0))
    assert heat.columns.start > before


def test_beside_the_cells_is_no_cell(qtbot, heat):
    look_at(qtbot, heat, Numbers(np.zeros((2, 2))))
    assert heat.cell_at(QPointF(2, 2)) is None
    assert heat.cell_at(heat._area().bottomRight() - QPointF(1, 1)) is None


def test_a_failure_is_told(qtbot, heat):
    class Broken(Numbers):
        def read(self, rows, columns):
            raise OSError("gone")

    heat.show_sheet(Broken(np.zeros((2, 2))))
    qtbot.waitUntil(lambda: "gone" in heat._drawing().words)


def test_a_ring_elsewhere_comes_into_view():
    axis = Axis(10_000, 100).fitted().zoomed(1e9, 50).showing(9_990)
    assert 0 <= axis.place(9_990) <= 100
    assert axis.held() == axis


def test_names_of_blocks_are_whole_blocks():
    axis = Axis(90, 300, block=3).fitted()
    assert all(cell % 3 == 0 for cell in axis.ticks(20))
    assert Axis(900, 100, block=3).fitted().step % 3 == 0


def test_colours_around_zero_and_others():
    assert limits_of(-1, 3) == (-3, 3)
    assert limits_of(1, 3) == (1, 3)
    theme = load_theme("dark")
    assert colours(theme, 1, 3)[0] == 0xFF00204D
    found = steps_of(np.array([-np.inf, -3, 0, 3, np.inf]), -3, 3)
    assert found.tolist() == [0, 0, 128, 255, 255]
    assert steps_of(np.array([1.7e308, -1.7e308]), -1.7e308, 1.7e308).tolist() == [255, 0]
    assert steps_of(np.array([4.0]), 4, 4).tolist() == [128]


def test_a_nan_between_the_cells_drawn_is_seen(qtbot, heat):
    array = np.ones((3000, 3000), np.float32)
    array[1501, 1501] = np.nan
    look_at(qtbot, heat, Numbers(array))
    qtbot.waitUntil(lambda: heat.loaded.is_mean)
    assert np.count_nonzero(np.isnan(heat.loaded.plane)) == 1
    assert heat._drawing().words.startswith("Means of ")
    apart = heat.rows.step * heat.columns.step
    assert heat.words_of((0, 0)) == f"mean of {apart} elements from [0, 0] on = 1.000"
