"""Bars of the histogram and pixels of the image: by mouse and keys they lead to elements and their bytes."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from tests.builders.torch_values import full
from tests.ui.panes.test_tensor_parts import QUANTISED
from tests.ui.panes.test_tensor_views import histogram_of, look, preview_of
from viewer.core.span import Span
from viewer.core.tensors import window
from viewer.core.tensors.histogram import Histogram
from viewer.ui.previews import statistics
from viewer.ui.previews.image import ImagePreview
from viewer.ui.previews.parts import PartsPreview
from viewer.ui.widgets import bar_walk
from viewer.ui.widgets.histogram_plot import round_numbers

__all__ = ["look"]


def test_a_bar_selects_the_bytes_of_all_its_elements(look, qtbot):
    session, pane = look(full("float32", [2, 4], [0, 10, 10, 1, 5, 5, 10, 5]))
    view = histogram_of(qtbot, pane)
    assert int(view.found.counts.sum()) == 8
    assert view.found.counts[-1] == 3
    with qtbot.waitSignal(session.selection_changed):
        view.plot.bar_chosen.emit(59)
    first = window.element_offset(session.document.tensors[0], (0, 0)).start
    assert session.selection.spans == (Span(first + 4, first + 12), Span(first + 24, first + 28))
    assert (session.selection.tensor, session.selection.element) == (0, (0, 1))
    assert view.walk.words.text() == "9.833 to 10.00, count 3: all are selected"
    for button, expected in ((view.walk.next, (0, 1)), (view.walk.next, (0, 2)), (view.walk.next, (1, 2))):
        button.click()
        assert session.selection.element == expected
        assert session.selection.spans == (window.element_offset(session.document.tensors[0], expected),)
    assert view.walk.words.text() == "9.833 to 10.00: element 3 of 3, [1, 2]"
    view.walk.next.click()
    assert session.selection.element == (0, 1)
    view.walk.previous.click()
    assert session.selection.element == (1, 2)
    view.walk.previous.click()
    assert session.selection.element == (0, 2)


def test_of_many_elements_the_first_are_selected_and_the_others_follow(look, qtbot, monkeypatch):
    monkeypatch.setattr(bar_walk, "MOST", 2)
    session, pane = look(full("float32", [6], [0, 10, 10, 1, 10, 10]))
    view = histogram_of(qtbot, pane)
    with qtbot.waitSignal(session.selection_changed):
        view.plot.bar_chosen.emit(59)
    assert view.walk.words.text() == "9.833 to 10.00, count 4: the first 2 are selected"
    assert sum(span.length for span in session.selection.spans) == 8
    for step, expected in ((1, 1), (1, 2), (1, 4), (1, 5), (1, 1), (1, 2), (1, 4), (-1, 2), (-1, 1)):
        view.walk.step(step)
        qtbot.waitUntil(lambda expected=expected: session.selection.element == (expected,))
        qtbot.waitUntil(lambda: not session.jobs.busy)
    view.walk.step(-1)
    assert session.selection.element == (1,)


def test_the_bars_of_a_sample_do_not_say_how_many_there_are(look, qtbot, monkeypatch):
    monkeypatch.setattr(statistics, "AT_ONCE", 1000)
    monkeypatch.setattr(statistics, "BY_ITSELF", 1000)
    _, pane = look(full("float32", [300_000], range(300_000)))
    view = histogram_of(qtbot, pane)
    view.plot.bar_chosen.emit(3)
    qtbot.waitUntil(lambda: "the first 1,000 are selected" in view.walk.words.text())
    view.walk.next.click()
    assert view.walk.words.text().endswith("element 1, [15000]")


def test_the_bars_are_walked_by_keys(look, qtbot):
    session, pane = look(full("float32", [4], [0, 10, 10, 1]))
    view = histogram_of(qtbot, pane)
    view.plot.setFocus(Qt.FocusReason.TabFocusReason)
    assert view.plot.bar == 0
    assert view.walk.words.text() == "0 to 0.1667, count 1"
    qtbot.keyClick(view.plot, Qt.Key.Key_Left)
    assert view.plot.bar == 0
    qtbot.keyClick(view.plot, Qt.Key.Key_Right)
    assert view.walk.words.text() == "0.1667 to 0.3333, count 0"
    assert not view.walk.next.isVisible()
    before = session.selection
    qtbot.keyClick(view.plot, Qt.Key.Key_Return)
    assert session.selection == before
    qtbot.keyClick(view.plot, Qt.Key.Key_End)
    assert (view.plot.bar, session.selection) == (59, before)
    with qtbot.waitSignal(session.selection_changed):
        qtbot.keyClick(view.plot, Qt.Key.Key_Return)
    assert session.selection.element == (1,)
    assert view.walk.next.isVisible()
    view.scale.choose("log")
    assert view.plot.bar == 59
    view.show_range(0, 5)
    qtbot.waitUntil(lambda: view.found.high == 5)
    assert (view.plot.bar, view.walk.isVisible()) == (-1, False)


def test_a_bar_of_a_part_selects_bytes_and_the_whole_stays(look, qtbot):
    session, pane = look(QUANTISED)
    parts = preview_of(pane, PartsPreview)
    parts.links[1].click()
    view = histogram_of(qtbot, pane)
    qtbot.waitUntil(lambda: view.found is not None and view.found.total == 2)
    with qtbot.waitSignal(session.selection_changed):
        view.plot.bar_chosen.emit(59)
    whole = session.document.tensors[0]
    assert session.selection.spans == (window.element_offset(whole.parts[0][1], (1,)),)
    assert (session.selection.tensor, session.selection.element) == (0, None)
    assert parts.links[1].isChecked()


def test_a_picture_is_shown_and_its_pixels_lead_to_elements(look, qtbot):
    session, pane = look(full("uint8", [2, 2, 3], [255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9]))
    view = preview_of(pane, ImagePreview)
    pane.switch.choose("image")
    qtbot.waitUntil(lambda: not view.canvas.image.isNull())
    colours = [view.canvas.image.pixelColor(column, row).name() for row in range(2) for column in range(2)]
    assert colours == ["#ff0000", "#00ff00", "#0000ff", "#090909"]
    place = view.canvas.place
    at = QPoint(int(place.width() * 0.75), int(place.height() * 0.25))
    qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=at)
    assert session.selection.element == (0, 1, 0)
    assert view.canvas.ring == (0, 1)
    session.select_tensor(session.document.tensors[0], "test", (1, 0, 2))
    assert view.canvas.ring == (1, 0)
    assert_ring(view.canvas, (1, 0))
    for key, ring in ((Qt.Key.Key_Up, (0, 0)), (Qt.Key.Key_Right, (0, 1)), (Qt.Key.Key_Right, (0, 1))):
        qtbot.keyClick(view.canvas, key)
        assert view.canvas.ring == ring
    assert session.selection.element == (1, 0, 2)
    assert view.words.text().endswith("[0, 1, 0]")
    qtbot.keyClick(view.canvas, Qt.Key.Key_Return)
    assert session.selection.element == (0, 1, 0)


def assert_ring(canvas, pixel):
    """Its line is drawn at the left edge of the pixel."""
    size = canvas.place.width() / canvas.image.width()
    at = QPoint(int(pixel[1] * size), int((pixel[0] + 0.5) * size))
    assert canvas.grab().toImage().pixelColor(at) == canvas.theme.color("link_line")


def test_the_picture_takes_keys_as_soon_as_it_has_the_keyboard(look, qtbot):
    _, pane = look(full("float32", [3, 3, 2, 2], range(36)))
    view = preview_of(pane, ImagePreview)
    pane.switch.choose("image")
    qtbot.waitUntil(lambda: not view.canvas.image.isNull())
    view.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    assert (view.canvas.ring, view.words.text()[-14:]) == ((0, 0), ". [0, 0, 0, 0]")
    for _ in range(2):
        qtbot.keyClick(view.canvas, Qt.Key.Key_Right)
    assert view.words.text().endswith(". between two kernels")
    qtbot.keyClick(view.canvas, Qt.Key.Key_Right)
    assert view.words.text().endswith(". [1, 0, 0, 0]")


def test_a_range_has_three_round_numbers_at_least():
    def numbers(low, high):
        return round_numbers(Histogram(low, high, np.zeros(61, dtype=np.int64), 0, 0, 0, 0))

    assert numbers(-0.0458, 0.0458) == pytest.approx([-0.04, -0.02, 0, 0.02, 0.04])
    assert numbers(-1.944, 1.989) == [-1, 0, 1]
    assert numbers(0, 10) == [0, 5, 10]
    assert numbers(0.5, 9.9) == [2, 4, 6, 8]
