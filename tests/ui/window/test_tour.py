"""The tour: shown once to who is new, beside what it points at, left by keys and mouse, in the way of no file."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QLocale, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from tests.ui.shell import LEGACY, make_window, opened, settled
from viewer.session.settings import GEOMETRY, TOUR, Settings
from viewer.ui import spoken
from viewer.ui.theme import load_theme
from viewer.ui.widgets.tour_card import TourCard, beside
from viewer.ui.window import MainWindow
from viewer.ui.window.tour import STEPS, is_first_start


@pytest.fixture
def turned(qapp: QApplication) -> Iterator[None]:
    """From right to left, as in Persian."""
    qapp.setLayoutDirection(QLocale("fa").textDirection())
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def card_of(window: MainWindow) -> TourCard:
    card = window.tour.card
    assert card is not None
    return card


def test_who_is_new_sees_it_once(qtbot: QtBot, window: MainWindow, settings: Settings) -> None:
    assert is_first_start(settings)
    window.tour.greet()
    card = card_of(window)
    assert card.isVisible()
    assert card.number.text() == "Step 1 of 3"
    window.tour.leave()
    window.tour.greet()
    assert window.tour.card is None
    again = make_window(settings)
    qtbot.addWidget(again)
    again.tour.greet()
    assert again.tour.card is None
    again.close()


def test_who_used_it_before_there_was_a_tour_does_not(qtbot: QtBot, settings: Settings) -> None:
    settings.set(GEOMETRY, b"somewhere")
    window = make_window(settings)
    qtbot.addWidget(window)
    window.tour.greet()
    assert window.tour.card is None
    window.close()


def test_a_file_that_is_opened_goes_first(qtbot: QtBot, window: MainWindow, settings: Settings) -> None:
    opened(qtbot, window, LEGACY)
    window.tour.greet()
    assert window.tour.card is None
    (offer,) = window.bars.shown
    assert (offer.severity, [words for words, _ in offer.actions]) == ("note", ["Show the tour"])
    assert settings.get(TOUR)
    offer.actions[0][1]()
    assert card_of(window).isVisible()
    assert window.bars.shown == []


def test_the_sample_is_opened_only_where_it_is_wished(qtbot: QtBot, window: MainWindow) -> None:
    window.tour.show()
    assert window.session is None
    card = card_of(window)
    assert not card.sample.isHidden()
    qtbot.mouseClick(card.sample, Qt.MouseButton.LeftButton)
    session = window.session
    assert session is not None
    qtbot.waitUntil(lambda: session.document is not None and not session.jobs.busy)
    settled(qtbot, window)
    assert card.sample.isHidden()
    assert card.isVisible()
    assert window.workspace.recent.files[0].path == str(session.path)


def test_each_step_points_at_what_it_speaks_of(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, LEGACY)
    docks = [view.docks["contents"], view.docks["hex"]]
    meant = [[window.toolbar.open_button], docks, [window.toolbar.export]]
    for at, widgets in enumerate(meant):
        window.tour.show(at)
        rings = window.tour.rings
        assert rings is not None
        places = [QRect(widget.mapTo(window, QPoint(0, 0)), widget.size()) for widget in widgets]
        assert list(rings.places) == places
        assert not any(card_of(window).geometry().intersects(place) for place in places)
    assert window.toolbar.open_button.accessibleName() == "Open…"


def test_without_a_file_it_points_at_the_page_and_the_menu(window: MainWindow) -> None:
    welcome = window.welcome
    for at, widgets in enumerate(((welcome.zone, welcome.open_button), (welcome.samples,))):
        window.tour.show(at)
        assert [place.size() for place in window.tour.targets()] == [widget.size() for widget in widgets]
    window.tour.show(2)
    (place,) = window.tour.targets()
    assert window.menuBar().geometry().contains(place)
    assert window.menuBar().actionAt(window.menuBar().mapFrom(window, place.center())).text() == "&File"


def test_keys_go_on_back_and_out(qtbot: QtBot, window: MainWindow) -> None:
    window.tour.show()
    card = card_of(window)
    qtbot.waitUntil(card.on.hasFocus)
    QTest.keyClick(card.on, Qt.Key.Key_Space)
    assert window.tour.at == 1
    card.back.setFocus()
    QTest.keyClick(card.back, Qt.Key.Key_Return)
    assert window.tour.at == 0
    QTest.keyClick(card.on, Qt.Key.Key_Enter)
    assert window.tour.at == 1
    QTest.keyClick(card.on, Qt.Key.Key_Right)
    assert window.tour.at == 2
    assert card.on.text() == "Done"
    QTest.keyClick(card.on, Qt.Key.Key_Left)
    assert window.tour.at == 1
    QTest.keyClick(card.back, Qt.Key.Key_Escape)
    assert window.tour.at is None
    assert not card.isVisible()
    qtbot.waitUntil(lambda: window.welcome.open_button.hasFocus())


def test_the_mouse_goes_on_back_and_out(qtbot: QtBot, window: MainWindow) -> None:
    window.tour.show()
    card = card_of(window)
    assert not card.back.isEnabled()
    for button, at in ((card.on, 1), (card.back, 0), (card.on, 1), (card.on, 2)):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert window.tour.at == at
    qtbot.mouseClick(card.on, Qt.MouseButton.LeftButton)
    assert window.tour.at is None
    window.tour.show(1)
    qtbot.mouseClick(card_of(window).close_button, Qt.MouseButton.LeftButton)
    assert window.tour.at is None


def test_escape_leaves_it_from_the_window_too(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, LEGACY)
    window.tour.show(1)
    window.toolbar.open_button.setFocus()
    QTest.keyClick(window.toolbar.open_button, Qt.Key.Key_Escape)
    assert window.tour.at is None
    assert isinstance(QApplication.focusWidget(), QToolButton)


def test_it_follows_the_window(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, LEGACY)
    window.tour.show(2)
    window.resize(940, 620)
    rings = window.tour.rings
    assert rings is not None
    export = window.toolbar.export

    def fits() -> bool:
        place = QRect(export.mapTo(window, QPoint(0, 0)), export.size())
        return rings.places == (place,) and window.rect().contains(card_of(window).geometry())

    qtbot.waitUntil(fits)
    assert rings.geometry() == window.rect()


def test_the_mouse_goes_through_the_rings(window: MainWindow) -> None:
    window.tour.show()
    button = window.welcome.open_button
    assert window.childAt(button.mapTo(window, button.rect().center())) is button


def test_a_screen_reader_hears_each_step(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    active = SimpleNamespace(isActive=lambda: True, updateAccessibility=lambda event: said.append(event.message()))
    monkeypatch.setattr(spoken, "QAccessible", active)
    for at in range(STEPS):
        window.tour.show(at)
    card = card_of(window)
    assert [text.partition(".")[0] for text in said] == [f"Step {at} of 3" for at in (1, 2, 3)]
    assert said[-1] == f"{card.number.text()}. {card.title.text()}. {card.words.text()}"
    heard = QAccessible.queryAccessibleInterface(card)
    assert heard.text(QAccessible.Text.Name) == "Tour, Step 3 of 3"
    assert heard.text(QAccessible.Text.Description) == said[-1]
    for button in (card.back, card.on, card.sample, card.close_button):
        assert QAccessible.queryAccessibleInterface(button).text(QAccessible.Text.Name)


@pytest.mark.usefixtures("turned")
def test_from_right_to_left_keys_and_sides_are_turned(qtbot: QtBot, settings: Settings) -> None:
    window = make_window(settings)
    qtbot.addWidget(window)
    window.tour.show()
    card = card_of(window)
    qtbot.waitUntil(card.on.hasFocus)
    QTest.keyClick(card.on, Qt.Key.Key_Left)
    assert window.tour.at == 1
    assert card.on.x() < card.back.x()
    assert card.words.alignment() & Qt.AlignmentFlag.AlignRight
    window.close()


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_all_words_fit_in_a_small_window_and_large_text(qtbot: QtBot, settings: Settings, scale: float) -> None:
    window = make_window(settings, (900, 640))
    qtbot.addWidget(window)
    window.set_theme(load_theme("light", text_scale=scale))
    for at in range(STEPS):
        window.tour.show(at)
        card = card_of(window)
        qtbot.waitUntil(lambda card=card: window.rect().contains(card.geometry()))
        for label in (card.title, card.words):
            assert label.height() >= label.heightForWidth(label.width())
    window.close()


def test_the_help_takes_its_place_and_it_the_help_s(qtbot: QtBot, window: MainWindow) -> None:
    window.tour.show()
    window.actions_by_id["help.panes"].trigger()
    qtbot.waitUntil(lambda: window.tour.at is None)
    assert window.help.isVisible()
    window.tour.show()
    assert not window.help.isVisible()
    assert card_of(window).isVisible()


def test_the_menu_shows_it_at_any_time(window: MainWindow, settings: Settings) -> None:
    settings.set(TOUR, value=True)
    window.actions_by_id["help.tour"].trigger()
    assert window.tour.at == 0


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("at", [QRect(0, 0, 50, 20), QRect(400, 300, 90, 90)])
def test_a_card_stands_beside(mirrored: bool, at: QRect) -> None:
    room = QRect(0, 0, 900, 600)
    found = beside([at], QSize(300, 120), room, mirrored=mirrored)
    assert room.contains(found)
    assert not found.intersects(at)


def test_where_all_is_pointed_at_it_covers_as_little_as_it_can() -> None:
    room, whole = QRect(0, 0, 900, 600), QRect(0, 0, 900, 500)
    found = beside([whole], QSize(300, 120), room)
    assert room.contains(found)
    assert found.intersected(whole).height() < 60
