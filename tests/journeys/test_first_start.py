"""The first start of all: the tour in a real window, left by keys, never there again; a file is not kept waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.desktop import Desktop, comes, wait_until
from tests.journeys.driven_program import SAMPLE, Driven

pytestmark = pytest.mark.xvfb
PRESS = 10.0


@pytest.fixture
def settings(desktop: Desktop) -> Path:
    """Where settings are kept, with none kept yet."""
    file = Path(desktop.environment["XDG_CONFIG_HOME"], "picklescope", "picklescope.ini")
    file.unlink()
    return file


@pytest.fixture
def started(desktop: Desktop) -> Iterator[list[Driven]]:
    made: list[Driven] = []
    yield made
    for program in made:
        if program.process.poll() is None:
            program.close()


def start(desktop: Desktop, started: list[Driven], *files: Path) -> Driven:
    program = Driven(desktop, *files)
    started.append(program)
    desktop.xdotool("windowactivate", "--sync", desktop.window("picklescope"))
    return program


def until(program: Driven, what: str, seen: Callable[[], bool]) -> None:
    """Click there until it is so: a window that is still being placed moves away under the mouse."""

    def clicked() -> bool:
        if program.look(what) is not None:
            program.click(what)
        return comes(seen, PRESS)

    wait_until(clicked, f"clicks at {what} did nothing")


def gone(program: Driven, what: str) -> None:
    wait_until(lambda: program.look(what) is None, f"{what} stayed")


def test_the_tour_is_there_once_and_goes_by_keys(desktop: Desktop, settings: Path, started: list[Driven]) -> None:
    program = start(desktop, started)
    program.where("tour Next")
    program.keys("Return")
    program.click("tour Next")
    program.where("tour Done")
    program.keys("Left")
    program.where("tour Next")
    program.keys("Escape")
    gone(program, "tour Next")
    program.close()
    assert "tour=true" in settings.read_text(encoding="utf-8")
    again = start(desktop, started)
    assert again.look("tour Next") is None


def test_it_leads_over_a_sample_where_that_is_wished(desktop: Desktop, settings: Path, started: list[Driven]) -> None:
    del settings
    program = start(desktop, started)
    until(program, "tour Next", lambda: program.look("tour Open a sample") is not None)
    until(program, "tour Open a sample", lambda: program.look("byte 0x15") is not None)
    until(program, "byte 0x15", lambda: bool(program.tell()["start"] == 0x15))
    until(program, "tour Next", lambda: program.look("tour Done") is not None)
    until(program, "tour Done", lambda: program.look("tour Done") is None)


def test_a_file_that_was_double_clicked_goes_first(desktop: Desktop, settings: Path, started: list[Driven]) -> None:
    del settings
    program = start(desktop, started, SAMPLE)
    program.wait("decoded", file=SAMPLE.name, tensors=8)
    assert program.look("tour Next") is None
    program.click("bar Show the tour")
    program.where("tour Next")
