"""The preferences: a field for every setting, which holds at once and follows what is changed elsewhere."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QPushButton, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from viewer.session.settings import (
    KEEP_PLACES,
    MONO_FAMILY,
    PREFERENCES,
    RECENT_KEPT,
    TEXT_SIZE,
    THEME,
    TORCH_PYTHON,
    Settings,
)
from viewer.ui.dialogs.preferences import Preferences, fixed_families
from viewer.ui.theme import load_theme


@pytest.fixture
def forgotten() -> list[str]:
    return []


@pytest.fixture
def dialog(qtbot: QtBot, settings: Settings, forgotten: list[str]) -> Preferences:
    made = Preferences(settings, load_theme("light"), (("Forget all", lambda: forgotten.append("all")),))
    qtbot.addWidget(made)
    return made


def test_every_setting_has_a_field_with_its_words(dialog: Preferences) -> None:
    assert list(dialog.fields) == [setting.key for setting in PREFERENCES]
    for setting in PREFERENCES:
        field = dialog.fields[setting.key]
        assert field.accessibleName() == setting.label
        assert field.accessibleDescription() == setting.help
        assert len(setting.words) == len(setting.choices)


def test_what_is_chosen_holds_at_once(dialog: Preferences, settings: Settings) -> None:
    theme, keep, recent = (dialog.fields[setting.key] for setting in (THEME, KEEP_PLACES, RECENT_KEPT))
    assert isinstance(theme, QComboBox)
    theme.setCurrentIndex(2)
    theme.activated.emit(2)
    assert settings.get(THEME) == "dark"
    assert isinstance(keep, QCheckBox)
    keep.click()
    assert settings.get(KEEP_PLACES) is False
    assert isinstance(recent, QSpinBox)
    recent.setValue(7)
    assert settings.get(RECENT_KEPT) == 7


def test_a_number_that_is_being_typed_is_no_wish(qtbot: QtBot, dialog: Preferences, settings: Settings) -> None:
    size = dialog.fields[TEXT_SIZE.key]
    assert isinstance(size, QSpinBox)
    size.selectAll()
    qtbot.keyClicks(size, "15")
    assert settings.get(TEXT_SIZE) == 100
    qtbot.keyClicks(size, "0")
    size.interpretText()
    assert settings.get(TEXT_SIZE) == 150


def test_the_fields_follow(dialog: Preferences, settings: Settings) -> None:
    settings.set(TEXT_SIZE, 120)
    settings.set(THEME, "light")
    size, theme = dialog.fields[TEXT_SIZE.key], dialog.fields[THEME.key]
    assert isinstance(size, QSpinBox)
    assert isinstance(theme, QComboBox)
    assert (size.value(), theme.currentData()) == (120, "light")


def test_all_is_put_back(dialog: Preferences, settings: Settings) -> None:
    settings.set(TEXT_SIZE, 120)
    settings.set(KEEP_PLACES, False)
    dialog.reset.click()
    assert [settings.get(setting) for setting in PREFERENCES] == [setting.default for setting in PREFERENCES]
    size = dialog.fields[TEXT_SIZE.key]
    assert isinstance(size, QSpinBox)
    assert size.value() == 100


def test_fonts_are_of_fixed_pitch(dialog: Preferences, settings: Settings) -> None:
    fonts = dialog.fields[MONO_FAMILY.key]
    assert isinstance(fonts, QComboBox)
    assert [fonts.itemData(at) for at in range(fonts.count())] == ["", *fixed_families()]
    assert "DejaVu Sans Mono" in fixed_families()
    assert "DejaVu Sans" not in fixed_families()
    assert load_theme("light", mono="DejaVu Sans Mono").mono_family == "DejaVu Sans Mono"
    assert load_theme("light", mono="no such font").mono_family == load_theme("light").mono_family


def test_it_forgets_on_request(dialog: Preferences, forgotten: list[str]) -> None:
    (button,) = [one for one in dialog.findChildren(QPushButton) if one.text() == "Forget all"]
    button.click()
    assert forgotten == ["all"]
    assert (button.isEnabled(), button.text()) == (False, "Forgotten")


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_narrow_window_cuts_nothing_off(qtbot: QtBot, settings: Settings, scale: float) -> None:
    theme = load_theme("light", text_scale=scale)
    made = Preferences(settings, theme, (("Forget how files were left", lambda: None),))
    qtbot.addWidget(made)
    made.resize(theme.px(420), theme.px(600))
    made.show()
    qtbot.waitExposed(made)
    assert made.area.horizontalScrollBar().maximum() == 0
    page = made.area.widget()
    for field in made.fields.values():
        assert field.mapTo(page, field.rect().topRight()).x() < made.area.viewport().width()


def test_all_that_was_put_back_can_come_again(dialog: Preferences, settings: Settings) -> None:
    settings.set(THEME, "dark")
    settings.set(RECENT_KEPT, 7)
    dialog.reset.click()
    assert (settings.get(THEME), settings.get(RECENT_KEPT)) == (THEME.default, RECENT_KEPT.default)
    assert dialog.reset.text() == "Bring my choices back"
    dialog.reset.click()
    assert (settings.get(THEME), settings.get(RECENT_KEPT)) == ("dark", 7)
    assert dialog.reset.text() == "Put all back"


def test_a_choice_made_since_ends_that_offer(dialog: Preferences, settings: Settings) -> None:
    settings.set(THEME, "dark")
    dialog.reset.click()
    settings.set(RECENT_KEPT, 7)
    assert dialog.reset.text() == "Put all back"
    dialog.reset.click()
    assert (settings.get(THEME), settings.get(RECENT_KEPT)) == (THEME.default, RECENT_KEPT.default)


def test_the_offer_goes_on_in_the_window_that_comes_after(
    qtbot: QtBot, dialog: Preferences, settings: Settings
) -> None:
    settings.set(RECENT_KEPT, 7)
    dialog.reset.click()
    after = Preferences(settings, load_theme("light"))
    qtbot.addWidget(after)
    after.come_back(dialog.left())
    after.reset.click()
    assert settings.get(RECENT_KEPT) == 7


def test_a_path_at_which_no_program_is_is_told(dialog: Preferences, settings: Settings) -> None:
    def told() -> list[str]:
        return [label.text() for label in dialog.findChildren(QLabel) if "path" in label.text()]

    usual = told()
    settings.set(TORCH_PYTHON, "/no/such/python")
    assert told() == ["There is no program at this path."]
    for path in (sys.executable, ""):
        settings.set(TORCH_PYTHON, path)
        assert told() == usual


def test_where_nothing_was_chosen_nothing_can_come_again(dialog: Preferences) -> None:
    dialog.reset.click()
    assert dialog.reset.text() == "Put all back"


def test_the_wheel_passes_over_every_field(qtbot: QtBot, dialog: Preferences, settings: Settings) -> None:
    with qtbot.waitExposed(dialog):
        dialog.show()
    dialog.reset.setFocus()
    before = {setting.key: settings.get(setting) for setting in PREFERENCES}
    # What a field leaves goes on to the page, which scrolls; Qt does so with events of the system alone.
    assert [name for name, field in dialog.fields.items() if turned(field)] == []
    assert {setting.key: settings.get(setting) for setting in PREFERENCES} == before
    assert dialog.reset.hasFocus()


def turned(field: QWidget) -> bool:
    """Whether a field takes the wheel, one notch down."""
    middle = QPointF(field.rect().center())
    buttons, keys, phase = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(middle, field.mapToGlobal(middle), QPoint(), QPoint(0, -120), buttons, keys, phase, False)
    QApplication.sendEvent(field, event)
    return event.isAccepted()
