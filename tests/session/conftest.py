"""What the tests of the session share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.session.runs import Run, Start
from viewer.session.settings import Settings


@pytest.fixture
def start(qapp: object, tmp_path: Path) -> Iterator[Start]:
    """Begins another run of the program."""
    del qapp
    running: list[Run] = []

    def make(screen: str = "") -> Run:
        running.append(Run(Settings(tmp_path / "settings.ini"), screen))
        return running[-1]

    yield make
    for run in running:
        run.work.close_all()
        run.lists.end(None)
