"""What is known of a text: read once for the same names that other texts give, again for others."""

from __future__ import annotations

import pytest

from viewer.session.jobs import Jobs
from viewer.ui.widgets.text_readings import TextReadings

TEXT = "class Net:\n    def build(self):\n        return Stem(), Block()\n"


@pytest.fixture
def readings(qapp):
    jobs = Jobs()
    made = TextReadings(jobs)
    yield made
    jobs.close()


def missing(qtbot, readings, *given):
    """The names that are not found when the last word is said."""
    told = []
    readings.read.connect(told.append)
    readings.ask(TEXT, frozenset(given))
    qtbot.waitUntil(lambda: bool(told[-1].tokens))
    readings.read.disconnect(told.append)
    return told[-1].missing


def test_a_text_that_comes_later_gives_its_names(qtbot, readings):
    assert missing(qtbot, readings) == ("Block", "Stem")
    assert missing(qtbot, readings, "Stem") == ("Block",)
    assert missing(qtbot, readings) == ("Block", "Stem")
