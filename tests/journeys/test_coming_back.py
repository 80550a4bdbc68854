"""Windows are killed; the next start has their files back, each as it was left, the one that was looked at in front."""

from __future__ import annotations

import json
import signal
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.builders.large import sparse_legacy
from tests.desktop import PATIENCE, Desktop, comes, wait_until
from tests.journeys.driven_program import Driven
from tests.journeys.program import Program
from tests.shared import ROOT

PRESS = 10.0
SAMPLES = ROOT / "resources" / "samples"
LEGACY = SAMPLES / "whole_model_legacy.pth"
ADAM = SAMPLES / "checkpoint_adam.pt"


def turn_to(program: Driven, name: str) -> None:
    """Turn to the tab of a file: a click that comes twice changes nothing, a key would turn on."""

    def turned() -> bool:
        if program.tell()["file"] != name:
            program.click(f"file {name}")
        return bool(program.tell()["file"] == name)

    wait_until(turned, f"no click turned to {name}")


def kept(desktop: Desktop, what: str) -> list[Any]:
    """What stands on the disk now: the lists of open files (`open`), or how files were left (`files`)."""
    folder = Path(desktop.environment["XDG_STATE_HOME"]) / "picklescope" / "picklescope" / what
    return [json.loads(path.read_bytes()) for path in sorted(folder.glob("*.json"))]


def end(*programs: Driven) -> None:
    """Kill them all at once."""
    for program in programs:
        program.process.send_signal(signal.SIGKILL)
    for program in programs:
        program.process.wait(PATIENCE)
        program.process.stdin.close()
        program.process.stdout.close()


@pytest.mark.xvfb
def test_after_kill_the_tabs_come_back(desktop: Desktop, tmp_path: Path) -> None:
    program = Driven(desktop, LEGACY, ADAM)
    for _ in range(2):
        program.wait("decoded")
    desktop.window("picklescope")
    turn_to(program, LEGACY.name)
    whole = [{"paths": [str(LEGACY), str(ADAM)], "current": 0, "tries": 0, "ended": False}]
    wait_until(lambda: kept(desktop, "open") == whole, "what is open was not kept")
    end(program)
    again = Program(desktop, log=tmp_path / "log2.txt")
    again.wait_for_title("whole_model_legacy")
    # Its own list has both, after ten seconds as that of a start that went well.
    wait_until(lambda: kept(desktop, "open") == whole, "not all files are open again")
    assert again.quit() == ""
    last = Program(desktop, log=tmp_path / "log3.txt")
    last.wait_for_title("Picklescope")
    assert last.title == "Picklescope"
    assert last.quit() == ""


@pytest.mark.xvfb
def test_after_kill_each_file_of_two_windows_is_as_it_was_left(desktop: Desktop) -> None:
    first = Driven(desktop, LEGACY)
    first.wait("decoded", file=LEGACY.name)
    desktop.window("picklescope")
    first.click("tab tensors")
    first.click("field Filter tensors")
    first.where("keyboard Filter tensors")
    desktop.xdotool("type", "*.weight")
    first.click("tab contents")
    before = first.tell()
    first.click("row contents conv")
    first.wait("selection")
    wait_until(lambda: opened_by_key(first, len(before["open"])), "the key opened no row")
    left = first.tell()
    assert left["filters"] == {"Filter tensors": "*.weight"}
    second = Driven(desktop, ADAM)
    second.wait("decoded", file=ADAM.name)
    wait_until(lambda: kept_as(desktop, left), "how the file was left was not kept")
    wait_until(
        lambda: {row["paths"][0] for row in kept(desktop, "open") if row["paths"]} == {str(LEGACY), str(ADAM)}, ""
    )
    end(first, second)
    again = Driven(desktop)
    for _ in range(2):
        again.wait("decoded")
    desktop.window("picklescope")
    turn_to(again, LEGACY.name)
    wait_until(lambda: parts(again.tell()) == parts(left), "the file is not as it was left")
    again.close()


def opened_by_key(program: Driven, before: int) -> bool:
    """Press the key that opens the row; true once more than `before` are open."""
    program.keys("Right")
    return comes(lambda: len(program.tell()["open"]) > before, PRESS)


def parts(told: dict[str, Any]) -> dict[str, Any]:
    """What comes back in every window, whatever its size."""
    return {name: told[name] for name in ("file", "filters", "front", "open", "start")}


def kept_as(desktop: Desktop, left: dict[str, Any]) -> bool:
    """True once all of it is on the disk."""
    places = [row for row in kept(desktop, "files") if row["path"] == str(LEGACY) and "tensors" in row.get("kept", {})]
    if not places or places[0]["span"] is None:
        return False
    opened = [rows for rows in places[0]["kept"]["contents"]["open"].values() if rows]
    return (
        places[0]["kept"]["tensors"]["filter"] == "*.weight"
        and places[0]["span"][0] == left["start"]
        and sorted(places[0]["front"]) == left["front"]
        and sum(len([row for row in rows[1::2] if row >= 0]) for rows in opened) == len(left["open"])
    )


@pytest.mark.xvfb
def test_a_window_offers_what_another_one_lost(desktop: Desktop, tmp_path: Path) -> None:
    """A second start finds the window that lives; the files of the killed one would wait for a start without any."""
    first = Driven(desktop, LEGACY)
    first.wait("decoded", file=LEGACY.name)
    desktop.window("picklescope")
    other = desktop.start([sys.executable, "-m", "viewer", "--new-window", str(ADAM)], cwd=ROOT)
    wait_until(lambda: [str(ADAM)] in [row["paths"] for row in kept(desktop, "open")], "the other list was not kept")
    other.send_signal(signal.SIGKILL)
    other.wait(PATIENCE)
    assert desktop.start([sys.executable, "-m", "viewer"], cwd=ROOT).wait(PATIENCE) == 0
    first.where("bar Open them")
    desktop.picture(tmp_path / "offered.png")
    first.click("bar Open them")
    first.wait("decoded", file=ADAM.name)
    wait_until(
        lambda: [row["paths"] for row in kept(desktop, "open")] == [[str(LEGACY), str(ADAM)]], "two lists are kept"
    )
    first.close()


@pytest.mark.xvfb
@pytest.mark.parametrize("work", ["opening", "exporting"])
def test_a_kill_in_the_middle_of_work_leaves_nothing_half_written(desktop: Desktop, tmp_path: Path, work: str) -> None:
    large, out = tmp_path / "large.pth", tmp_path / "out"
    sparse_legacy(large, 40, 500_000)
    out.mkdir()
    program = Driven(desktop, LEGACY)
    program.wait("decoded", file=LEGACY.name)
    desktop.window("picklescope")
    wait_until(lambda: [row["paths"] for row in kept(desktop, "open")] == [[str(LEGACY)]], "what is open was not kept")
    desktop.start([sys.executable, "-m", "viewer", str(large)], cwd=ROOT).wait(PATIENCE)
    both = [str(LEGACY), str(large)]
    if work == "exporting":
        program.wait("decoded", file=large.name)
        program.keys("ctrl+shift+e")
        program.click("dialog target")
        program.keys("ctrl+a")
        desktop.xdotool("type", str(out / "weights.npz"))
        program.click("dialog go")
        program.wait("progress", key="export", ended=False)
    wait_until(lambda: [row["paths"] for row in kept(desktop, "open")] == [both], "the second file was not kept")
    end(program)

    for path in out.iterdir():
        assert path.name == "weights.npz"
        with zipfile.ZipFile(path) as whole:
            assert whole.testzip() is None
    again = Driven(desktop)
    for _ in both:
        again.wait("decoded")
    desktop.window("picklescope")
    wait_until(lambda: [row["paths"] for row in kept(desktop, "open")] == [both], "not all files are open again")
    again.close()
