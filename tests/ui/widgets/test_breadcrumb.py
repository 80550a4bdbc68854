"""The breadcrumb: the file and the last two stay, what lies between gives way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from viewer.ui.theme import load_theme
from viewer.ui.widgets.breadcrumb import Breadcrumb, Crumb, fitting

PATH = [Crumb("model.pth", 1), *(Crumb(name, at) for at, name in enumerate(("object", "conv", "conv1", "weight"), 2))]


@pytest.fixture
def crumbs(qtbot: QtBot) -> Breadcrumb:
    made = Breadcrumb(load_theme("light"))
    qtbot.addWidget(made)
    made.resize(600, 26)
    made.show()
    made.set_crumbs([*PATH, Crumb("REDUCE")])
    return made


def test_all_are_shown_where_there_is_room(crumbs: Breadcrumb) -> None:
    assert [placed.text for placed in crumbs.placed] == ["model.pth", "object", "conv", "conv1", "weight", "REDUCE"]
    lefts = [placed.rect.left() for placed in crumbs.placed]
    assert lefts == sorted(lefts)


def test_the_middle_gives_way(crumbs: Breadcrumb) -> None:
    crumbs.resize(260, 26)
    assert [placed.text for placed in crumbs.placed] == ["model.pth", "…", "weight", "REDUCE"]
    assert crumbs.placed[-1].rect.right() < 260


def test_a_click_chooses_what_can_be_chosen(qtbot: QtBot, crumbs: Breadcrumb) -> None:
    with qtbot.waitSignal(crumbs.chosen) as told:
        qtbot.mouseClick(crumbs, Qt.MouseButton.LeftButton, pos=crumbs.placed[2].rect.center())
    assert told.args == [3]
    with qtbot.assertNotEmitted(crumbs.chosen):
        qtbot.mouseClick(crumbs, Qt.MouseButton.LeftButton, pos=crumbs.placed[5].rect.center())


def test_keys_choose_too(qtbot: QtBot, crumbs: Breadcrumb) -> None:
    crumbs.setFocus()
    qtbot.keyClick(crumbs, Qt.Key.Key_Left)
    qtbot.keyClick(crumbs, Qt.Key.Key_Left)
    with qtbot.waitSignal(crumbs.chosen) as told:
        qtbot.keyClick(crumbs, Qt.Key.Key_Return)
    assert told.args == [4]


def test_right_to_left_mirrors(crumbs: Breadcrumb) -> None:
    crumbs.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    crumbs.set_theme(load_theme("light"))
    assert crumbs.placed[0].rect.right() == crumbs.width() - 1
    assert crumbs.placed[0].rect.left() > crumbs.placed[1].rect.right()


@given(st.lists(st.integers(1, 200), min_size=1, max_size=12), st.integers(0, 1000))
def test_the_first_and_the_last_two_always_stay(widths: list[int], room: int) -> None:
    kept = fitting(widths, 18, room)
    assert kept[0] == 0
    assert kept[-2:] == list(range(len(widths)))[-2:]
    assert kept == sorted(set(kept))
