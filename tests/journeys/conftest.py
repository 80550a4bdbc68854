"""The program that most journeys begin with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.desktop import Desktop
from tests.journeys.driven_program import SAMPLE, Driven


@pytest.fixture
def program(desktop: Desktop) -> Iterator[Driven]:
    """It has opened a sample; what is left of it is closed."""
    started = Driven(desktop, SAMPLE)
    started.wait("decoded", file=SAMPLE.name, tensors=8)
    desktop.window("picklescope")
    yield started
    if started.process.poll() is None:
        started.close()
