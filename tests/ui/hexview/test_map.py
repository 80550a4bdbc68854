from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.hexview.readers import Pattern
from viewer.core.span import Span
from viewer.ui.hexview.map import LEFT, TOP, Flag, HexMap
from viewer.ui.hexview.marks import KINDS, RegionRun, RegionRuns
from viewer.ui.hexview.overview import NO_OVERVIEW, Overview, shares
from viewer.ui.hexview.view import HexView
from viewer.ui.theme import Theme, load_theme, mix

SIZE = 2**45


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return load_theme("light")


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> HexView:
    made = HexView(theme)
    qtbot.addWidget(made)
    made.resize(620, 420)
    made.set_reader(Pattern(SIZE))
    return made


@pytest.fixture
def chart(qtbot: QtBot, view: HexView, theme: Theme) -> HexMap:
    made = HexMap(view, theme)
    qtbot.addWidget(made)
    made.resize(64, 416)
    return made


def mouse(chart: HexMap, kind: QEvent.Type, y: float, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    point = QPointF(20, y)
    QApplication.sendEvent(chart, QMouseEvent(kind, point, point, button, button, Qt.KeyboardModifier.NoModifier))


def picture(chart: HexMap) -> QImage:
    return chart.grab().toImage()


def seen(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def map_color(theme: Theme, kind: str) -> str:
    region = theme.region(kind)
    return mix(region.line, region.fill, 0.35).name()


def test_the_map_is_64_wide(chart: HexMap, theme: Theme) -> None:
    assert chart.width() == theme.px(64)


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
def test_heights_and_offsets_belong_together(chart: HexMap, share: float) -> None:
    y = TOP + share * (chart.height() - 2 * TOP)
    offset = min(int(SIZE * share), SIZE - 1)
    assert chart.y_of(offset) == pytest.approx(y, abs=1e-6)
    assert chart.offset_at(y) == pytest.approx(offset, abs=SIZE // 2**29)


def test_beyond_the_edges_are_the_ends(chart: HexMap) -> None:
    assert (chart.offset_at(-50), chart.offset_at(9999)) == (0, SIZE - 1)


def test_a_press_and_a_drag_take_the_view_there(chart: HexMap, view: HexView) -> None:
    middle = TOP + (chart.height() - 2 * TOP) / 2
    mouse(chart, QEvent.Type.MouseButtonPress, middle)
    span = view.visible_span()
    assert abs(span.start + span.length // 2 - SIZE // 2) < SIZE // 1000
    mouse(chart, QEvent.Type.MouseMove, 9999)
    assert view.visible_span().stop == SIZE
    mouse(chart, QEvent.Type.MouseMove, -9999)
    assert view.top_row == 0


def test_a_move_without_a_button_only_tells_the_offset(chart: HexMap, view: HexView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(chart.hovered) as heard:
        mouse(chart, QEvent.Type.MouseMove, TOP, Qt.MouseButton.NoButton)
    assert heard.args == [0]
    assert view.top_row == 0


def test_the_wheel_turns_the_view(chart: HexMap, view: HexView) -> None:
    event = QWheelEvent(
        QPointF(9, 9),
        QPointF(9, 9),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(chart, event)
    assert view.top_row == QApplication.wheelScrollLines()


def test_regions_are_stacked_by_their_share(chart: HexMap, view: HexView, theme: Theme) -> None:
    half = SIZE // 2
    runs = RegionRuns.of([RegionRun(0, half, "text", "argument"), RegionRun(half, SIZE, "float32")])
    chart.set_overview(Overview(shares(runs, SIZE, 512), np.ones(512)))
    image = picture(chart)
    upper, lower = image.height() // 4, image.height() * 3 // 4
    assert image.pixelColor(LEFT + 10, upper).name() == map_color(theme, "text")
    assert image.pixelColor(LEFT + 20, upper) == theme.color("pane"), "pickles are 18 px wide"
    assert image.pixelColor(LEFT + 20, lower).name() == map_color(theme, "float32")
    assert image.pixelColor(LEFT + 30, lower) == theme.color("track"), "entropy stands beside it"


def test_two_kinds_share_a_row(chart: HexMap, theme: Theme) -> None:
    table = np.zeros((4, len(KINDS)))
    table[:, KINDS.index("memo")] = table[:, KINDS.index("global")] = 0.5
    chart.set_overview(Overview(table, np.zeros(4)))
    image, y = picture(chart), 200
    assert image.pixelColor(LEFT + 4, y).name() == map_color(theme, "memo")
    assert image.pixelColor(LEFT + 13, y).name() == map_color(theme, "global")


def test_the_frame_follows_the_view(chart: HexMap, view: HexView) -> None:
    first = chart._frame()
    view.set_top_row(SIZE // 32)
    second = chart._frame()
    view.set_top_row(SIZE)
    last = chart._frame()
    assert first.top() < second.top() < last.top()
    assert last.bottom() <= chart.height()
    assert first.height() >= 8


def test_problems_and_the_cut_are_marked(chart: HexMap, theme: Theme) -> None:
    before = seen(picture(chart))
    assert theme.color("error").name() not in before
    chart.set_problems([Flag(SIZE // 2, "warning")], cut=True)
    after = seen(picture(chart))
    assert {theme.color("warning").name(), theme.color("error").name()} <= after


def test_what_is_linked_has_a_box(chart: HexMap, theme: Theme) -> None:
    before = picture(chart)
    chart.set_linked([Span(SIZE // 2, SIZE // 4 * 3)])
    after = picture(chart)
    y = TOP + (chart.height() - 2 * TOP) * 5 // 8
    assert before.pixelColor(LEFT - 2, y) == theme.color("pane")
    assert after.pixelColor(LEFT - 2, y) != theme.color("pane")


def test_no_file_is_an_empty_map(chart: HexMap, view: HexView, theme: Theme) -> None:
    view.set_reader(None)
    assert seen(picture(chart)) == {theme.color("pane").name(), theme.color("border").name()}
    mouse(chart, QEvent.Type.MouseButtonPress, 100)
    assert view.top_row == 0


def test_another_theme_redraws_the_map(chart: HexMap, view: HexView) -> None:
    chart.set_overview(Overview(np.ones((4, len(KINDS))) / len(KINDS), np.zeros(4)))
    picture(chart)
    dark = load_theme("dark")
    chart.set_theme(dark)
    image = picture(chart)
    assert image.pixelColor(LEFT + 40, 300) == dark.color("pane")
    chart.set_overview(NO_OVERVIEW)
    assert QColor(picture(chart).pixelColor(LEFT + 10, 300)) == dark.color("pane")


def drag(chart: HexMap, x: float, y: float) -> None:
    point, left = QPointF(x, y), Qt.MouseButton.LeftButton
    event = QMouseEvent(QEvent.Type.MouseMove, point, point, left, left, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(chart, event)


@pytest.mark.parametrize(("x", "finer"), [(-41.0, 10), (-161.0, 100), (-321.0, 1000)])
def test_a_drag_beside_the_map_is_finer(chart: HexMap, view: HexView, x: float, finer: int) -> None:
    mouse(chart, QEvent.Type.MouseButtonPress, 200)
    before = view.top_row
    drag(chart, x, 210)
    moved = (view.top_row - before) * view.row_bytes
    assert moved == pytest.approx(SIZE * 10 / (416 - 2 * TOP) / finer, rel=1e-3)
    # Back over the map it stands where the mouse is.
    drag(chart, 20, 300)
    assert chart.offset_at(300) // view.row_bytes == view.top_row + view.surface.whole // 2


def test_a_drag_beside_the_map_stops_at_the_ends(chart: HexMap, view: HexView) -> None:
    mouse(chart, QEvent.Type.MouseButtonPress, TOP)
    drag(chart, -50, -5000)
    assert view.top_row == 0
    mouse(chart, QEvent.Type.MouseButtonPress, 416 - TOP)
    drag(chart, -50, 9000)
    assert view.top_row == view.surface.last_top


def test_hovering_tells_offset_and_owner(chart: HexMap, view: HexView) -> None:
    view.set_describe(lambda offset, full: f"owner of {offset}")
    at = chart.offset_at(200)
    assert chart.words_at(200) == f"0x{at:X}  owner of {at}"
    view.set_reader(None)
    assert chart.words_at(200) == ""


def test_hits_and_bookmarks_are_seen(chart: HexMap, theme: Theme) -> None:
    before = seen(picture(chart))
    chart.set_hits([0, 0, 3, 0])
    chart.set_bookmarks([(SIZE // 4, "call")])
    marked = {theme.color("hit_fill").name(), theme.region("call").line.name()}
    assert marked <= seen(picture(chart))
    assert not marked & before
    chart.set_hits([])
    chart.set_bookmarks([])
    assert not marked & seen(picture(chart))


def test_the_map_is_a_slider_for_the_keyboard(chart: HexMap, view: HexView) -> None:
    last = view.surface.last_top
    QTest.keyClick(chart, Qt.Key.Key_End)
    assert view.top_row == last
    QTest.keyClick(chart, Qt.Key.Key_Home)
    assert view.top_row == 0
    QTest.keyClick(chart, Qt.Key.Key_PageDown)
    assert view.top_row == last // 10
    QTest.keyClick(chart, Qt.Key.Key_Down)
    assert view.top_row == last * 110 // 1000
    QTest.keyClick(chart, Qt.Key.Key_Up)
    assert view.top_row == last // 10


def test_in_a_small_file_each_step_is_a_row(chart: HexMap, view: HexView) -> None:
    view.set_reader(Pattern(16 * 40))
    chart.set_overview(NO_OVERVIEW)
    last = view.surface.last_top
    assert 0 < last < 40
    for row in range(1, last + 1):
        QTest.keyClick(chart, Qt.Key.Key_Down)
        assert view.top_row == row
    QTest.keyClick(chart, Qt.Key.Key_Home)
    assert view.top_row == 0


def test_a_file_that_fits_has_nowhere_to_go(chart: HexMap, view: HexView) -> None:
    view.set_reader(Pattern(16))
    chart.set_overview(NO_OVERVIEW)
    QTest.keyClick(chart, Qt.Key.Key_End)
    assert view.top_row == 0


def test_the_slider_follows_the_view_and_never_moves_it_back(chart: HexMap, view: HexView) -> None:
    view.set_top_row(7)
    assert view.top_row == 7
    view.set_top_row(view.surface.last_top)
    assert chart.value() == chart.maximum()
    view.set_top_row(view.surface.last_top - 1)
    assert view.top_row == view.surface.last_top - 1
