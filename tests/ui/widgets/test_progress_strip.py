"""Progress: nothing for short work, then words, a share, the time that is left."""

from __future__ import annotations

import ast

import pytest
from pytestqt.qtbot import QtBot

from tests.shared import ROOT
from viewer.core.progress import Step
from viewer.ui.theme import load_theme
from viewer.ui.widgets.progress_strip import ProgressStrip
from viewer.wording.steps import STEPS


@pytest.fixture
def strip(qtbot: QtBot) -> ProgressStrip:
    made = ProgressStrip(load_theme("light"))
    qtbot.addWidget(made)
    return made


def test_short_work_shows_nothing(strip: ProgressStrip) -> None:
    strip.begin("opening", "opening")
    strip.step("opening", Step("opcodes", 1, 2))
    assert strip.isHidden()
    strip.end("opening")
    assert not strip._appear.isActive()


def test_long_work_is_told_after_a_while(qtbot: QtBot, strip: ProgressStrip) -> None:
    strip.begin("opening", "opening")
    strip.step("opening", Step("opcodes", 410, 1000))
    qtbot.waitUntil(lambda: not strip.isHidden())
    assert strip._what.text() == "Reading opcodes"
    assert strip._how_far.text() == "41 %"
    assert strip._bar.value() == 410
    strip.end("opening")
    assert strip.isHidden()


def test_the_time_that_is_left(qtbot: QtBot) -> None:
    now = 100.0
    strip = ProgressStrip(load_theme("light"), clock=lambda: now)
    qtbot.addWidget(strip)
    strip.step("opening", Step("opcodes", 0, 1000))
    now = 102.0
    strip.step("opening", Step("opcodes", 400, 1000))
    strip._tell()
    assert strip._how_far.text() == "40 %, 3 s left"
    now = 300.0
    strip._tell()
    assert strip._how_far.text() == "40 %, 5 min left"


def test_bytes_are_told_with_their_rate(qtbot: QtBot) -> None:
    now = 100.0
    strip = ProgressStrip(load_theme("light"), clock=lambda: now)
    qtbot.addWidget(strip)
    strip.begin("export", "export")
    strip.step("export", Step("export", 0, 4_800_000_000))
    strip._tell()
    assert strip._how_far.text() == "0 bytes of 4.80 GB"
    now = 104.0
    strip.step("export", Step("export", 1_200_000_000, 4_800_000_000))
    strip._tell()
    assert strip._how_far.text() == "1.20 GB of 4.80 GB, 300 MB/s, 12 s left"
    assert strip.accessibleName() == "Writing 1.20 GB of 4.80 GB, 300 MB/s, 12 s left"
    strip.step("export", Step("verify", 0, 4_800_000_000))
    strip._tell()
    assert (strip._what.text(), strip._how_far.text()) == ("Verifying", "0 bytes of 4.80 GB")


def test_an_unknown_number_in_all_is_counted_up(strip: ProgressStrip) -> None:
    strip.step("opening", Step("archive", 1204, 0))
    strip._tell()
    assert strip._how_far.text() == "1,204 records"
    assert strip._bar.value() == 0


def test_the_newest_work_is_told_and_stopped(qtbot: QtBot, strip: ProgressStrip) -> None:
    strip.begin("opening", "opening")
    strip.begin("export", "export")
    with qtbot.waitSignal(strip.stopped) as told:
        strip.stop()
    assert told.args == ["export"]
    strip.end("export")
    with qtbot.waitSignal(strip.stopped) as told:
        strip.stop()
    assert told.args == ["opening"]


def codes() -> set[str]:
    """First arguments of all calls of `progress.step` in core, constants of the module looked up."""
    found = set()
    for path in (ROOT / "viewer" / "core").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = {
            node.target.id: node.value.value
            for node in ast.walk(tree)
            if isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "step"
                and node.args
            ):
                what = node.args[0]
                code = what.value if isinstance(what, ast.Constant) else texts.get(getattr(what, "id", ""))
                if isinstance(code, str):
                    found.add(code)
    return found


def test_every_step_of_core_has_words() -> None:
    assert {"opcodes", "archive"} <= codes()
    assert codes() - set(STEPS) == set()
