"""Bars: two at most, errors first, of the file that is looked at; good news leaves by itself."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from viewer.ui.theme import load_theme
from viewer.ui.widgets import message_bar
from viewer.ui.widgets.message_bar import Message, MessageBar, MessageBars


@pytest.fixture
def bars(qtbot: QtBot) -> MessageBars:
    made = MessageBars(load_theme("light"))
    qtbot.addWidget(made)
    return made


def titles(bars: MessageBars) -> list[str]:
    return [message.title for message in bars.shown]


def test_two_at_most_and_errors_first(bars: MessageBars) -> None:
    for severity in ("note", "warning", "error", "done"):
        bars.add(Message(severity, severity))
    assert titles(bars) == ["error", "warning"]
    assert bars.close_first()
    assert titles(bars) == ["warning", "note"]


def test_the_newest_of_a_severity_stands_first(bars: MessageBars) -> None:
    bars.add(Message("note", "old"))
    bars.add(Message("note", "new"))
    assert titles(bars) == ["new", "old"]


def test_a_message_takes_the_place_of_the_one_with_its_key(bars: MessageBars) -> None:
    bars.add(Message("error", "first", key="disk"))
    bars.add(Message("note", "second", key="disk"))
    assert titles(bars) == ["second"]
    bars.dismiss("disk")
    assert titles(bars) == []
    assert not bars.close_first()


def test_messages_wait_until_their_file_is_looked_at(bars: MessageBars) -> None:
    mine, other = object(), object()
    bars.add(Message("note", "all"))
    bars.add(Message("error", "mine", about=mine))
    bars.add(Message("error", "other", about=other))
    assert titles(bars) == ["all"]
    bars.look_at(mine)
    assert titles(bars) == ["mine", "all"]
    bars.forget_about(mine)
    bars.look_at(other)
    assert titles(bars) == ["other", "all"]


def test_a_button_acts_and_closes_the_bar(qtbot: QtBot, bars: MessageBars) -> None:
    done: list[str] = []
    bars.add(Message("warning", "Changed.", "Read at 14:02.", (("Read again", lambda: done.append("read")),)))
    button = next(one for one in bars.findChildren(QPushButton) if one.text() == "Read again")
    button.click()
    assert done == ["read"]
    assert titles(bars) == []
    assert bars.isHidden()


@pytest.mark.parametrize(("severity", "leaves"), [("done", True), ("note", True), ("warning", False), ("error", False)])
def test_good_news_leaves_by_itself(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, severity: str, leaves: bool) -> None:
    monkeypatch.setattr(message_bar, "LEAVE_MS", {"note": 1, "done": 1})
    parent = QWidget()  # never shown, so that no mouse can stand on the bar
    qtbot.addWidget(parent)
    bars = MessageBars(load_theme("light"), parent)
    bars.add(Message(severity, "news"))
    if leaves:
        qtbot.waitUntil(lambda: not bars.shown)
    else:
        bar = bars.findChild(MessageBar)
        assert bar is not None
        assert not bar._clock.isActive()


def test_a_note_that_offers_something_waits_for_an_answer(bars: MessageBars) -> None:
    bars.add(Message("note", "New here?", actions=(("Show the tour", lambda: None),)))
    bar = bars.findChild(MessageBar)
    assert bar is not None
    bar.leaveEvent(QEvent(QEvent.Type.Leave))
    assert not bar._clock.isActive()


def test_a_bar_stays_while_the_mouse_is_on_it(qtbot: QtBot, bars: MessageBars) -> None:
    bars.add(Message("done", "news"))
    bar = bars.findChild(MessageBar)
    assert bar is not None
    bar.enterEvent(QEnterEvent(QPointF(), QPointF(), QPointF()))
    assert not bar._clock.isActive()
    bar.leaveEvent(QEvent(QEvent.Type.Leave))
    assert bar._clock.isActive()


def test_heights_and_words(qtbot: QtBot, bars: MessageBars) -> None:
    bars.resize(900, 200)
    bars.show()
    bars.add(Message("error", "This file ends early.", "48,000 bytes are here."))
    bar = bars.findChild(MessageBar)
    assert bar is not None
    assert bar.height() >= 54
    assert bar.accessibleName() == "Error: This file ends early. 48,000 bytes are here."


@pytest.mark.parametrize("way", ["button", "key", "clock"])
def test_who_closes_a_bar_has_answered_too(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    monkeypatch.setitem(message_bar.LEAVE_MS, "note", 1 if way == "clock" else 60_000)
    parent = QWidget()  # never shown, so that no mouse can stand on the bar
    qtbot.addWidget(parent)
    bars = MessageBars(load_theme("light"), parent)
    answers = list[str]()
    bars.add(Message("note", "asked", closed=lambda: answers.append("closed")))
    if way == "key":
        bars.close_first()
    elif way == "button":
        bars.findChildren(MessageBar)[0]._close.click()
    qtbot.waitUntil(lambda: answers == ["closed"])
    assert titles(bars) == []


def test_who_takes_an_action_has_not_closed_the_bar(bars: MessageBars) -> None:
    answers = list[str]()
    act = "Do it", lambda: answers.append("done")
    bars.add(Message("note", "asked", actions=(act,), key="it", closed=lambda: answers.append("closed")))
    button = next(one for one in bars.findChildren(QPushButton) if one.text() == "Do it")
    button.click()
    assert answers == ["done"]
    # Nor has a later message that takes its place.
    bars.add(Message("note", "asked", key="it", closed=lambda: answers.append("closed")))
    bars.add(Message("note", "other", key="it"))
    assert answers == ["done"]


def test_actions_go_below_the_words_where_they_would_leave_them_no_room(qtbot: QtBot) -> None:
    words = "23,457 bytes are here; at least 39,096 were expected."
    actions = (("Rescue 30 whole tensors", lambda: None), ("Show problems", lambda: None))
    bar = MessageBar(Message("error", "This file ends early.", words, actions), load_theme("light"))
    qtbot.addWidget(bar)
    first, second = (button for button in bar.findChildren(QPushButton) if button.text())
    sentence = next(label for label in bar.findChildren(QLabel) if label.text() == words)
    asked = first.sizeHint().width() + second.sizeHint().width()
    bar.resize(asked * 3 // 2, bar.heightForWidth(asked * 3 // 2))
    with qtbot.waitExposed(bar):
        bar.show()
    qtbot.waitUntil(lambda: first.y() >= sentence.geometry().bottom())
    assert sentence.width() > bar.width() * 2 // 3
    assert first.x() < second.x()
    bar.resize(asked * 3, 60)
    qtbot.waitUntil(lambda: first.x() > sentence.geometry().right())
