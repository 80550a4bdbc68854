"""Settings are kept, checked and bounded."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from viewer.session.settings import GEOMETRY, KEEP_PLACES, PREFERENCES, STATE, TEXT_SIZE, THEME, Settings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.ini"


def test_a_value_is_there_after_a_restart(qtbot: QtBot, file: Path) -> None:
    settings = Settings(file)
    with qtbot.waitSignal(settings.changed) as told:
        settings.set(THEME, "dark")
    assert told.args == ["appearance/theme"]
    settings.set(TEXT_SIZE, 125)
    settings.set(KEEP_PLACES, False)
    settings.set(GEOMETRY, b"\x00\xff\x01")
    settings.save()
    again = Settings(file)
    assert again.get(THEME) == "dark"
    assert again.get(TEXT_SIZE) == 125
    assert again.get(KEEP_PLACES) is False
    assert again.get(GEOMETRY) == b"\x00\xff\x01"


def test_what_makes_no_sense_is_the_default(file: Path) -> None:
    raw = QSettings(str(file), QSettings.Format.IniFormat)
    raw.setValue("appearance/theme", "pink")
    raw.setValue("appearance/text_size", "large")
    raw.setValue("files/keep_places", ["x", "y"])
    settings = Settings(file)
    raw.sync()
    settings = Settings(file)
    assert settings.get(THEME) == "system"
    assert settings.get(TEXT_SIZE) == 100
    assert settings.get(KEEP_PLACES) is True


def test_numbers_are_cut_to_their_range(file: Path) -> None:
    settings = Settings(file)
    settings.set(TEXT_SIZE, 5000)
    assert settings.get(TEXT_SIZE) == 200


def test_the_same_value_tells_nobody(qtbot: QtBot, file: Path) -> None:
    settings = Settings(file)
    with qtbot.assertNotEmitted(settings.changed):
        settings.set(THEME, "system")


def test_reset_brings_the_default_back(qtbot: QtBot, file: Path) -> None:
    settings = Settings(file)
    settings.set(TEXT_SIZE, 150)
    with qtbot.waitSignal(settings.changed):
        settings.reset(TEXT_SIZE)
    assert settings.get(TEXT_SIZE) == 100


def test_every_setting_is_declared_once_and_preferences_have_words() -> None:
    keys = [setting.key for setting in (*PREFERENCES, *STATE)]
    assert len(keys) == len(set(keys))
    assert all(setting.label and setting.help for setting in PREFERENCES)
    assert not any(setting.label for setting in STATE)


def test_the_usual_place_is_one_file_of_ours(qapp: object) -> None:
    settings = Settings()
    settings.set(TEXT_SIZE, 110)
    settings.save()
    found = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "picklescope", "picklescope").fileName()
    assert Path(found).name == "picklescope.ini"
    assert "text_size=110" in Path(found).read_text(encoding="utf-8")
