"""Text of twice the size: icons in fields grow with it, and the name of what is selected keeps its room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit, QStyle, QToolButton
from pytestqt.qtbot import QtBot

from tests.ui.panes.conftest import SAMPLES
from tests.ui.widgets.test_rows import drawn
from viewer.core.span import Span
from viewer.session.session import Session
from viewer.ui.models.cells import Cell, Piece
from viewer.ui.panes.space import SpacePane
from viewer.ui.theme import load_theme
from viewer.ui.widgets.field_icons import FieldStyle, fit_icons
from viewer.ui.widgets.filter_bar import FilterBar
from viewer.ui.widgets.rows import CellDelegate
from viewer.ui.widgets.search_box import SearchBox
from viewer.ui.widgets.status_line import FileFacts, Standing, StatusLine

SIDE = QStyle.PixelMetric.PM_LineEditIconSize


def side(field: QLineEdit) -> int:
    return field.style().pixelMetric(SIDE, None, field)


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_icons_in_fields_are_as_large_as_the_text(scale: float, qtbot: QtBot) -> None:
    theme = load_theme("light", text_scale=scale)
    bar, box = FilterBar(theme, "Filter", "lr"), SearchBox(theme)
    for widget in (bar, box):
        qtbot.addWidget(widget)
        widget.show()
    for field in (bar.field, box):
        assert side(field) == theme.px(16)
        (lens,) = [button for button in field.findChildren(QToolButton) if not button.icon().isNull()][:1]
        assert lens.width() >= theme.px(16)


def test_they_follow_the_size_that_a_person_chooses(qtbot: QtBot) -> None:
    bar = FilterBar(load_theme("light"), "Filter", "lr")
    qtbot.addWidget(bar)
    usual = bar.field.style()
    assert not isinstance(usual, FieldStyle)
    bar.set_theme(load_theme("dark", text_scale=2.0))
    assert side(bar.field) == 32
    bar.set_theme(load_theme("dark"))
    assert side(bar.field) == 16


def test_fields_of_one_size_share_a_style(qtbot: QtBot) -> None:
    fields = [QLineEdit(), QLineEdit()]
    for field in fields:
        qtbot.addWidget(field)
        fit_icons(field, load_theme("light", text_scale=3.0))
    program = QApplication.instance()
    assert program is not None
    assert len(program.findChildren(FieldStyle, "fields of 48")) == 1
    assert [side(field) for field in fields] == [48, 48]


@pytest.mark.parametrize(("scale", "width"), [(1.0, 1440), (1.0, 900), (2.0, 1440), (2.0, 1280), (2.0, 900)])
def test_the_owner_of_the_selection_is_never_squeezed(scale: float, width: int, qtbot: QtBot) -> None:
    line = StatusLine(load_theme("light", text_scale=scale))
    qtbot.addWidget(line)
    line.set_file(is_open=True)
    line.resize(width, line.height())
    line.show()
    line.set_facts(FileFacts("Legacy archive", "little-endian", "Python 2 text: UTF-8", "57,437 bytes"))
    line.set_standing(Standing(Span(500, 512), "BINUNICODE 'fc1.weight'", "object > fc1 > weight"))
    qtbot.waitUntil(lambda: line.owner.width() >= line.owner.sizeHint().width())
    assert line.hexadecimal.width() >= line.hexadecimal.sizeHint().width()
    # With room again all comes back.
    line.resize(4000, line.height())
    assert not line.read_only.isHidden()
    assert not line.length.isHidden()
    assert not line.decimal.isHidden()


def test_parts_of_the_status_line_stay_away_without_a_file(qtbot: QtBot) -> None:
    line = StatusLine(load_theme("light"))
    qtbot.addWidget(line)
    line.resize(600, line.height())
    line.show()
    assert line.read_only.isHidden()
    assert line.decimal.isHidden()
    line.set_file(is_open=True)
    assert not line.read_only.isHidden()
    assert line.decimal.isHidden()


@pytest.mark.parametrize("size", [(990, 420), (700, 300), (560, 500)])
def test_the_map_of_the_space_keeps_room(size: tuple[int, int], qtbot: QtBot, half_session: Session) -> None:
    theme = load_theme("light", text_scale=2.0)
    pane = SpacePane(half_session, theme)
    qtbot.addWidget(pane)
    pane.resize(*size)
    with qtbot.waitExposed(pane):
        pane.show()
    qtbot.waitUntil(lambda: pane.nodes is not None)
    assert pane.map.height() >= theme.px(80)
    assert pane.map.width() >= theme.px(80)


def test_a_share_is_drawn_as_a_bar_with_the_lost_part_hatched(qtbot: QtBot) -> None:
    theme = load_theme("light")
    image = drawn(Cell((Piece("50.0 %"),), right=True, share=0.5, lost=0.25), 200)
    at = CellDelegate.first_margin
    track, line = theme.color("track"), theme.region("float32").line
    row = [image.pixelColor(at + x, 12) for x in range(40)]
    assert row[:10] == [line] * 10
    assert row[20:] == [track] * 20
    assert {color.name() for color in row[10:20]}.isdisjoint({line.name(), track.name()})
    hatched = {image.pixelColor(at + x, y).name() for x in range(10, 20) for y in range(9, 15)}
    assert len(hatched) > 1


def test_no_share_draws_no_bar_and_little_is_still_seen(qtbot: QtBot) -> None:
    theme = load_theme("light")
    at = CellDelegate.first_margin
    assert drawn(Cell((Piece("x"),), right=True), 200).pixelColor(at + 39, 12).name() == "#ffffff"
    small = drawn(Cell((Piece("0.0 %"),), right=True, share=0.0001), 200)
    assert small.pixelColor(at, 12) == theme.region("float32").line
    assert small.pixelColor(at + 1, 12) == theme.color("track")
    none = drawn(Cell((Piece("0.0 %"),), right=True, share=0.0), 200)
    assert none.pixelColor(at, 12) == theme.color("track")


@pytest.fixture
def half_session(qtbot: QtBot) -> Iterator[Session]:
    session = Session(SAMPLES / "half_download.pth")
    with qtbot.waitSignal(session.jobs.idle):
        session.open()
    yield session
    session.close()


def test_an_example_that_is_cut_is_told_under_the_mouse(qtbot: QtBot) -> None:
    example = "*.weight  dtype:bf16  shape:[*,768]  size>1MB"
    bar = FilterBar(load_theme("light", text_scale=2.0), "Filter", example)
    qtbot.addWidget(bar)
    bar.resize(400, 80)
    with qtbot.waitExposed(bar):
        bar.show()
    assert bar.field.toolTip() == example
    bar.resize(1600, 80)
    qtbot.waitUntil(lambda: bar.field.toolTip() == "")
    bar.resize(400, 80)
    qtbot.waitUntil(lambda: bar.field.toolTip() == example)


def test_the_owner_takes_less_room_again_with_smaller_text_and_a_shorter_name(qtbot: QtBot) -> None:
    usual, large = load_theme("light"), load_theme("light", text_scale=1.3)
    line = StatusLine(usual)
    qtbot.addWidget(line)
    line.set_file(is_open=True)
    line.resize(1366, line.height())
    line.show()
    line.set_facts(FileFacts("Legacy archive", "little-endian", "Python 2 text: UTF-8", "57,437 bytes"))
    line.set_standing(Standing(Span(500, 512), "float32", "[16] features.1.running_mean"))
    before = line.owner.sizeHint().width()
    for theme in (large, usual):
        line.set_theme(theme)
        assert line.owner.minimumWidth() == line.owner.sizeHint().width() > 0
    assert line.owner.minimumWidth() == before
    line.set_standing(Standing(Span(500, 512), "BINUNICODE 'fc1.weight'", "object > fc1 > weight"))
    assert line.owner.minimumWidth() > before
    line.set_standing(Standing(Span(500, 512), "float32", "[16] features.1.running_mean"))
    assert line.owner.minimumWidth() == before
