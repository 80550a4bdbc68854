"""Steps of long work: each that is reported has its words."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from tests.shared import ROOT
from viewer.core.errors import CancelledError
from viewer.core.progress import Pace, Progress, Step, how_far
from viewer.wording import fill
from viewer.wording.amounts import size
from viewer.wording.steps import STEPS


def steps_of(path: Path) -> set[str]:
    """The codes that a file of core gives to `step`: written there, or by the name of a constant."""
    text = path.read_text(encoding="utf-8")
    found = set(re.findall(r'\.step\(\s*"([^"]+)"', text))
    if constants := re.findall(r"\.step\(\s*([A-Z_]+)\b", text):
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        found.update(getattr(module, constant) for constant in constants)
    return found


def test_every_step_that_is_reported_has_words() -> None:
    named = set().union(*map(steps_of, sorted((ROOT / "viewer" / "core").rglob("*.py"))))
    assert {"objects", "opcodes", "export", "hashing", "searching"} <= named
    assert sorted(named - set(STEPS)) == []


class Clock:
    """Seconds as a test sets them."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


GB = 1_000_000_000


def lines(*steps: tuple[float, Step]) -> list[str]:
    """What is told at these seconds of a piece of work."""
    clock = Clock()
    pace = Pace(clock)
    found = []
    for seconds, step in steps:
        clock.now = 1000.0 + seconds
        pace.take(step)
        found.append(how_far(step, pace, fill, size))
    return found


def test_bytes_with_their_rate_and_the_time_that_is_left() -> None:
    assert lines(
        (0.0, Step("export", 0, 5 * GB)),
        (0.5, Step("export", 100_000_000, 5 * GB)),
        (4.0, Step("export", 1_250_000_000, 5 * GB)),
        (5.0, Step("export", 5 * GB, 5 * GB)),
    ) == [
        "0 bytes of 5.00 GB",
        "100 MB of 5.00 GB",
        "1.25 GB of 5.00 GB, 312 MB/s, 12 s left",
        "5.00 GB of 5.00 GB, 1.00 GB/s, 1 s left",
    ]


def test_shares_and_counts_of_other_work() -> None:
    assert lines((0.0, Step("opcodes", 0, 1000)), (2.0, Step("opcodes", 400, 1000))) == ["0 %", "40 %, 3 s left"]
    assert lines((0.0, Step("archive", 0, 0)), (2.0, Step("archive", 1204, 0))) == ["", "1,204 records"]
    assert lines((0.0, Step("export", 0, 0)), (2.0, Step("export", 3000, 0))) == ["", "3.00 kB, 1.50 kB/s"]


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(89, "89 s left"), (91, "2 min left"), (5399, "90 min left"), (7200, "2 h left"), (720_000, "200 h left")],
)
def test_units_of_the_time_that_is_left(seconds: int, told: str) -> None:
    last = lines((0.0, Step("opcodes", 0, 1 + seconds)), (1.0, Step("opcodes", 1, 1 + seconds)))[-1]
    assert last.endswith(f" %, {told}")


def test_a_rate_follows_and_does_not_jump() -> None:
    """A hiccup of a second changes it little; a disk that slows down for good is followed within seconds."""
    clock = Clock()
    pace = Pace(clock)
    done = 0
    rates = []
    for tenth in range(400):
        clock.now = 1000.0 + tenth / 10
        done += 0 if 150 <= tenth < 160 else 10 if tenth < 200 else 1
        pace.take(Step("export", done, 10_000))
        rates.append(pace.rate)
    assert rates[9] is None
    assert rates[10] == 100.0
    assert {round(rate) for rate in rates[10:150] if rate is not None} == {100}
    assert rates[159] == pytest.approx(87.5, abs=1.5)
    assert rates[290] == pytest.approx(10.0, abs=0.01)


def test_a_rate_falls_while_nothing_comes() -> None:
    clock = Clock()
    pace = Pace(clock)
    pace.take(Step("export", 0, 1000))
    clock.now += 2
    pace.take(Step("export", 500, 1000))
    assert (pace.rate, pace.left) == (250.0, 2.0)
    clock.now += 8
    assert (pace.rate, pace.left) == (50.0, 10.0)


def test_work_that_begins_anew_is_measured_anew() -> None:
    clock = Clock()
    pace = Pace(clock)
    for what, done in (("export", 0), ("export", 900), ("verify", 900), ("verify", 10)):
        pace.take(Step(what, done, 1000))
        clock.now += 2
        pace.take(Step(what, done + 10, 1000))
        assert pace.rate == (5.0 if (what, done) != ("export", 900) else 227.5)
    assert Pace().rate is None
    assert Pace().left is None


def test_silent_work_stops_with_its_outer() -> None:
    told: list[Step] = []
    outer = Progress(told.append)
    inner = outer.silent()
    inner.step("verify", 1, 2)
    assert told == []
    outer.cancel()
    assert inner.cancelled
    with pytest.raises(CancelledError):
        inner.step("verify", 1, 2)
    other = Progress()
    other.silent().cancel()
    assert other.cancelled
