"""Reduced motion: as the person chose, or as the system wishes, and nothing where nobody answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from viewer.session.settings import MOTION, Settings
from viewer.ui import system_motion
from viewer.ui.application import Appearance
from viewer.ui.system_motion import ANIMATIONS, REDUCED, SystemMotion, has_bus, wish
from viewer.ui.widgets import motion

GENERAL = Qt.UIEffect.UI_General


class Variant:
    """As QtDBus gives values of any kind."""

    def __init__(self, value: object) -> None:
        self._value = value

    def variant(self) -> object:
        return self._value


class Watcher:
    """An answer that has come; None is an error."""

    def __init__(self, value: object) -> None:
        self._value = value

    def isError(self) -> bool:  # noqa: N802
        return self._value is None

    def reply(self) -> SimpleNamespace:
        return SimpleNamespace(arguments=lambda: [Variant(self._value)])

    def deleteLater(self) -> None:  # noqa: N802
        """Qt keeps it until the event loop is back."""


@pytest.fixture
def widget(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[QWidget]:
    """A widget that can be seen, on a screen; motion is as before afterwards."""
    monkeypatch.setattr(motion, "QGuiApplication", SimpleNamespace(platformName=lambda: "xcb"))
    monkeypatch.setattr(motion._Wish, "effects", None)
    before = QApplication.isEffectEnabled(GENERAL)
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    yield made
    motion.allow_motion(allowed=True)
    QApplication.setEffectEnabled(GENERAL, before)


@pytest.mark.parametrize(
    ("key", "value", "reduced"),
    [
        (REDUCED[1], 1, True),
        (REDUCED[1], 0, False),
        (REDUCED[1], 2, False),
        (REDUCED[1], "1", None),
        (ANIMATIONS[1], False, True),
        (ANIMATIONS[1], True, False),
        (ANIMATIONS[1], 0, None),
    ],
)
def test_answers_are_understood(key: str, value: object, reduced: bool | None) -> None:
    assert wish(key, [value]) is reduced
    assert wish(key, [Variant(Variant(value))]) is reduced


def test_no_answer_is_no_wish() -> None:
    assert wish(REDUCED[1], []) is None


def test_what_is_not_known_is_asked_by_its_older_name(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, asked = QObject(), list[tuple[str, str]]()
    system: Any = SystemMotion(owner)
    monkeypatch.setattr(system_motion.sys, "platform", "linux")
    monkeypatch.setattr(system_motion, "has_bus", lambda: True)
    monkeypatch.setattr(system, "_next", lambda: asked.extend(system._left[:1]))
    system.ask()
    with qtbot.assertNotEmitted(system.told):
        system._answered(Watcher(None))
    assert asked == [REDUCED, ANIMATIONS]
    with qtbot.waitSignal(system.told) as told:
        system._answered(Watcher(False))
    assert told.args == [True]


def test_a_bus_is_looked_for_and_never_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_motion.sys, "platform", "linux")
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert not has_bus()
    (tmp_path / "bus").touch()
    assert has_bus()
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert not has_bus()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/bus")
    assert has_bus()


def test_motion_follows_the_system_and_the_person(qapp: QApplication, settings: Settings, widget: QWidget) -> None:
    QApplication.setEffectEnabled(GENERAL, True)
    appearance = Appearance(qapp, settings)

    def moving() -> tuple[bool, bool]:
        return motion.moves(widget), QApplication.isEffectEnabled(GENERAL)

    assert moving() == (True, True)
    appearance._system_motion.told.emit(True)
    assert moving() == (False, False)
    settings.set(MOTION, "none")
    appearance._system_motion.told.emit(False)
    assert moving() == (False, False)
    settings.set(MOTION, "system")
    assert moving() == (True, True)
    appearance.deleteLater()


def test_effects_that_were_off_stay_off(qapp: QApplication, settings: Settings, widget: QWidget) -> None:
    QApplication.setEffectEnabled(GENERAL, False)
    appearance = Appearance(qapp, settings)
    appearance._system_motion.told.emit(False)
    assert not QApplication.isEffectEnabled(GENERAL)
    appearance.deleteLater()
