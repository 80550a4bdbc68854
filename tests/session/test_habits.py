"""What was chosen in the panes comes back."""

import pytest

from viewer.session.habits import Habits
from viewer.session.settings import BYTE_GROUP, BYTE_SEARCHES, HIDDEN_READINGS, Settings


def test_choices_last_as_long_as_the_session():
    habits = Habits()
    assert habits.get(HIDDEN_READINGS, ["x"]) == ["x"]
    habits.keep(HIDDEN_READINGS, ["int8"])
    assert habits.get(HIDDEN_READINGS, []) == ["int8"]
    assert Habits().get(HIDDEN_READINGS, []) == []


def test_choices_are_kept_for_the_next_file(qapp, tmp_path):
    settings = Settings(tmp_path / "settings.ini")
    habits = Habits()
    habits.join(settings)
    habits.keep(BYTE_SEARCHES, {"group": 8})
    other = Habits()
    other.join(settings)
    assert other.get(BYTE_SEARCHES, {}) == {"group": 8}


@pytest.mark.parametrize("text", ["", "[", "[1]", "null", "7", "[" * 100_000])
def test_what_makes_no_sense_is_the_default(qapp, tmp_path, text):
    settings = Settings(tmp_path / "settings.ini")
    settings.set(BYTE_SEARCHES, text)
    habits = Habits()
    habits.join(settings)
    assert habits.get(BYTE_SEARCHES, {"group": 4}) == {"group": 4}


def test_settings_are_chosen_here_as_in_the_preferences(qtbot, tmp_path):
    settings = Settings(tmp_path / "settings.ini")
    alone, joined = Habits(), Habits()
    joined.join(settings)
    for habits in (alone, joined):
        assert habits.chosen(BYTE_GROUP) == 4
        with qtbot.waitSignal(habits.changed) as told:
            habits.choose(BYTE_GROUP, 99)
        assert told.args == [BYTE_GROUP.key]
        assert habits.chosen(BYTE_GROUP) == 16
        with qtbot.assertNotEmitted(habits.changed):
            habits.choose(BYTE_GROUP, 16)
    assert settings.get(BYTE_GROUP) == 16
    with qtbot.waitSignal(joined.changed):
        settings.set(BYTE_GROUP, 2)
    assert (joined.chosen(BYTE_GROUP), alone.chosen(BYTE_GROUP)) == (2, 16)
