"""The program around the window: theme by setting and system, faults told in a bar."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.session.settings import TEXT_SIZE, THEME, Settings
from viewer.ui import theme as themes
from viewer.ui.application import Appearance


@pytest.fixture
def app(qapp: QApplication) -> QApplication:
    return qapp


def test_the_theme_follows_the_setting(qtbot: QtBot, app: QApplication, settings: Settings) -> None:
    appearance = Appearance(app, settings)
    with qtbot.waitSignal(appearance.changed) as told:
        settings.set(THEME, "dark")
    assert told.args[0].name == "dark"
    with qtbot.waitSignal(appearance.changed):
        settings.set(TEXT_SIZE, 150)
    assert appearance.theme.px(10) == 15
    settings.set(TEXT_SIZE, 100)
    settings.set(THEME, "light")
    appearance.deleteLater()


def test_the_theme_follows_the_system(
    qtbot: QtBot, app: QApplication, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    appearance = Appearance(app, settings)
    monkeypatch.setattr(themes, "system_theme_name", lambda: "dark")
    with qtbot.waitSignal(appearance.changed):
        app.styleHints().colorSchemeChanged.emit(app.styleHints().colorScheme())
    assert appearance.theme.name == "dark"
    settings.set(THEME, "light")
    assert appearance.theme.name == "light"
    with qtbot.assertNotEmitted(appearance.changed):
        app.styleHints().colorSchemeChanged.emit(app.styleHints().colorScheme())
    appearance.deleteLater()
