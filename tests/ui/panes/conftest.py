"""A session over a sample, decoded, for the tests of panes."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.session.session import Session
from viewer.ui.theme import load_theme

SAMPLES = Path(__file__).parents[3] / "resources" / "samples"


@pytest.fixture
def opened(qtbot):
    """Open a file by path and wait for its document; closed at the end."""
    sessions = []

    def open_one(path):
        session = Session(path)
        sessions.append(session)
        with qtbot.waitSignal(session.jobs.idle):
            session.open()
        return session

    yield open_one
    for session in sessions:
        session.close()


@pytest.fixture
def legacy(opened):
    """The whole model in the legacy stream, with its classes' source."""
    return opened(SAMPLES / "whole_model_legacy.pth")


@pytest.fixture
def adam(opened):
    """The zip checkpoint with optimizer state."""
    return opened(SAMPLES / "checkpoint_adam.pt")


@pytest.fixture
def half(opened):
    """The file that ends early."""
    return opened(SAMPLES / "half_download.pth")


@pytest.fixture
def shown(qtbot):
    """Make a pane of a class over a session, shown on the screen."""

    def show(cls, session, name="light"):
        pane = cls(session, load_theme(name))
        qtbot.addWidget(pane)
        pane.resize(700, 480)
        with qtbot.waitExposed(pane):
            pane.show()
        return pane

    return show
