"""What was chosen in the panes comes back."""

import pytest

from viewer.session.habits import Habits
from viewer.session.settings import BYTE_LOOK, HIDDEN_READINGS, Settings


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
    habits.keep(BYTE_LOOK, {"group": 8})
    other = Habits()
    other.join(settings)
    assert other.get(BYTE_LOOK, {}) == {"group": 8}


@pytest.mark.parametrize("text", ["", "[", "[1]", "null", "7"])
def test_what_makes_no_sense_is_the_default(qapp, tmp_path, text):
    settings = Settings(tmp_path / "settings.ini")
    settings.set(BYTE_LOOK, text)
    habits = Habits()
    habits.join(settings)
    assert habits.get(BYTE_LOOK, {"group": 4}) == {"group": 4}
