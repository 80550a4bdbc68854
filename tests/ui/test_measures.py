"""Lengths and fonts that are kept reach a widget with each theme that the program takes on, and hold nothing alive."""

from __future__ import annotations

import gc
import weakref

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.shell import LEGACY, opened, settled
from viewer.ui.measures import dress_again, follow, keep_lengths, keep_mono, keep_rows, keep_text
from viewer.ui.theme import Theme, load_theme
from viewer.ui.window import MainWindow


@pytest.fixture
def usual(qapp: object) -> Theme:
    del qapp
    return load_theme("light")


@pytest.fixture
def larger(qapp: object) -> Theme:
    del qapp
    return load_theme("light", text_scale=1.5)


def test_what_was_given_grows_and_comes_back(qtbot: QtBot, usual: Theme, larger: Theme) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    row, label = QHBoxLayout(holder), QLabel("x", holder)
    row.addWidget(label)
    keep_lengths(usual, row.setSpacing, 6)
    keep_lengths(usual, row.setContentsMargins, 12, 0, 8, 4)
    keep_rows(usual, label, 3, 24, 30)
    for theme in (usual, larger, usual):
        follow(theme)
        margins = row.contentsMargins()
        assert (row.spacing(), margins.left(), margins.top()) == (theme.px(6), theme.px(12), 0)
        assert label.maximumHeight() == 3 * theme.px(24) + theme.px(30)


def test_what_is_said_last_holds(qtbot: QtBot, usual: Theme, larger: Theme) -> None:
    label = QLabel("x")
    qtbot.addWidget(label)
    keep_lengths(usual, label.setMinimumWidth, 10)
    keep_lengths(usual, label.setMinimumWidth, 40)
    follow(larger)
    assert label.minimumWidth() == 60


def test_another_family_of_fixed_pitch_reaches_what_stands_there(qtbot: QtBot, usual: Theme) -> None:
    label, words = QLabel("x"), QLabel("y")
    for one in (label, words):
        qtbot.addWidget(one)
    keep_mono(usual, label, "small")
    keep_text(usual, words, bold=True)
    other = load_theme("light", mono=usual.text_family)
    follow(other)
    assert label.font().family() == other.mono_family
    assert words.font().bold()


def test_nothing_is_held(qtbot: QtBot, usual: Theme, larger: Theme) -> None:
    label = QLabel("x")
    keep_mono(usual, label)
    gone = weakref.ref(label)
    del label
    gc.collect()
    assert gone() is None
    holder = QWidget()
    inner = QLabel("x", holder)
    keep_mono(usual, inner)
    holder.deleteLater()
    with qtbot.waitSignal(inner.destroyed):
        pass
    follow(larger)


def test_a_font_is_given_again_under_a_style_sheet(qtbot: QtBot, usual: Theme) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    label = QLabel("x")
    keep_mono(usual, label, "head")
    holder.setStyleSheet("QWidget { color: black }")
    label.setParent(holder)
    dress_again(holder, usual)
    with qtbot.waitExposed(holder):
        holder.show()
    assert label.font().pixelSize() == usual.mono("head").pixelSize()


def test_places_that_a_person_chose_stay(qtbot: QtBot, window: MainWindow, larger: Theme, usual: Theme) -> None:
    view = opened(qtbot, window, LEGACY)
    docks = [view.docks[key] for key in ("contents", "hex")]
    view.resizeDocks(docks, [420, 610], Qt.Orientation.Horizontal)
    settled(qtbot, window)
    before = [dock.width() for dock in docks]
    for theme in (larger, usual):
        follow(theme)
        window.set_theme(theme)
        settled(qtbot, window)
        assert [dock.width() for dock in docks] == before
