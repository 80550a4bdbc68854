"""What is remembered of files: not what was forgotten, also what was moved, never what would be asked twice.

Windows are killed: nothing of it hangs on an end as usual.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.desktop import Desktop, comes, wait_until
from tests.journeys.driven_program import Driven
from tests.journeys.test_coming_back import ADAM, LEGACY, PRESS, end, kept, turn_to

pytestmark = pytest.mark.xvfb
FRAME = 4
NOTHING = {"event": "told", "bars": [], "said": [], "file": ""}
ENDED = "The program ended soon after it opened the files of the last time."


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Two files in a folder of their own, with names that stand nowhere else."""
    folder = tmp_path / "models"
    folder.mkdir()
    return [
        Path(shutil.copy(LEGACY, folder / "lonely_walrus.pth")),
        Path(shutil.copy(ADAM, folder / "brave_heron.pt")),
    ]


def begun(desktop: Desktop, files: list[Path]) -> Driven:
    """The program with these files, all of them kept as open."""
    program = Driven(desktop, *files)
    for _ in files:
        program.wait("decoded")
    desktop.window("picklescope")
    wait_until(lambda: open_now(desktop) == [str(path) for path in files], "what is open was not kept")
    return program


def again(desktop: Desktop, *names: str) -> Driven:
    """The next start, which opens files of these names by itself."""
    program = Driven(desktop)
    decoded = {program.wait("decoded")["file"] for _ in names}
    assert decoded == {*names}
    desktop.window("picklescope")
    return program


def open_now(desktop: Desktop) -> list[str]:
    return [path for row in kept(desktop, "open") for path in row["paths"]]


def went_well(desktop: Desktop) -> bool:
    """True once the program has run for a while with the files that came back."""
    return [row["tries"] for row in kept(desktop, "open")] == [0]


def recent(desktop: Desktop) -> list[tuple[str, bool]]:
    """The names of recent files as they are kept, and whether each is pinned."""
    rows: list[list[dict[str, Any]]] = kept(desktop, "recent")
    return [(Path(file["path"]).name, file.get("pinned", False)) for row in rows for file in row]


def naming(desktop: Desktop, path: Path) -> list[str]:
    """The files of the state folder that hold the name of a file."""
    state = Path(desktop.environment["XDG_STATE_HOME"])
    name = path.name.encode()
    return [str(one) for one in state.rglob("*") if one.is_file() and name in _content(one)]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:  # the program is at work
        return b""


def marked(desktop: Desktop, program: Driven, path: Path) -> None:
    """Leave a mark in a file: a bookmark, open rows, something selected; until all of it is kept."""
    turn_to(program, path.name)
    program.click("tab contents")
    wait_until(lambda: _selects(program), "no row was selected")
    program.keys("ctrl+d")
    wait_until(lambda: bool(program.tell()["bookmarks"]), "no bookmark was set")
    wait_until(
        lambda: [row["path"] for row in kept(desktop, "bookmarks")].count(str(path)) == 1, "no bookmark was kept"
    )
    start = program.tell()["start"]
    wait_until(
        lambda: any(
            row["path"] == str(path) and row["span"] and row["span"][0] == start for row in kept(desktop, "files")
        ),
        "the place was not kept",
    )


def _selects(program: Driven) -> bool:
    """Go down one row; true once something with bytes is selected."""
    if program.tell()["start"] is None:
        program.keys("Down")
    return comes(lambda: program.tell()["start"] is not None, PRESS)


def pinned(desktop: Desktop, program: Driven, path: Path) -> None:
    program.run("Pin in recent files")
    wait_until(lambda: (path.name, True) in recent(desktop), "the file was not pinned")


def test_a_forgotten_file_does_not_come_back(desktop: Desktop, files: list[Path]) -> None:
    program = begun(desktop, files)
    marked(desktop, program, files[0])
    pinned(desktop, program, files[0])
    program.run("Forget this file")
    program.click("bar Forget")
    wait_until(lambda: naming(desktop, files[0]) == [], "the name of the file still stands somewhere")
    assert naming(desktop, files[1]) != []
    end(program)

    program = again(desktop, files[1].name)
    assert naming(desktop, files[0]) == []
    assert [name for name, _ in recent(desktop)] == [files[1].name]
    program.run("Forget all files")
    program.click("bar Forget")
    wait_until(lambda: naming(desktop, files[1]) == [], "the name of the other file still stands somewhere")
    end(program)

    last = Driven(desktop)
    desktop.window("picklescope")
    assert last.tell() == NOTHING
    last.close()
    assert [naming(desktop, path) for path in files] == [[], []]


def test_a_renamed_file_comes_back_and_one_that_is_gone_is_found(
    desktop: Desktop, files: list[Path], tmp_path: Path
) -> None:
    program = begun(desktop, files)
    marked(desktop, program, files[0])
    left = program.tell()
    pinned(desktop, program, files[0])
    end(program)
    renamed = files[0].rename(files[0].with_name("merry_walrus.pth"))

    program = again(desktop, renamed.name, files[1].name)
    turn_to(program, renamed.name)
    wait_until(lambda: same_place(program.tell(), left), "the renamed file is not as it was left")
    assert f"{renamed.name} was moved since it was open." in program.tell()["said"]
    wait_until(lambda: recent(desktop)[:1] == [(renamed.name, True)], "the pin did not go with the file")
    # Soon after a start that was not left as usual it would be asked for first.
    wait_until(lambda: went_well(desktop) and str(renamed) in open_now(desktop), "the new name was not kept")
    end(program)
    far = tmp_path / "far"
    far.mkdir()
    moved = renamed.rename(far / "distant_walrus.pth")

    program = again(desktop, files[1].name)
    gone = f"{renamed.name} was open and is no longer there."
    wait_until(lambda: gone in program.tell()["bars"], "nothing was said of the file that is gone")
    program.click("bar Find it…")
    program.where("keyboard fileNameEdit")
    desktop.xdotool("type", str(moved))
    program.keys("Return")
    program.wait("decoded", file=moved.name)
    wait_until(lambda: same_place(program.tell(), left), "the file that was found is not as it was left")
    wait_until(lambda: recent(desktop)[:1] == [(moved.name, True)], "the pin did not go with the file")
    assert [name for name, _ in recent(desktop)].count(renamed.name) == 0
    program.close()


def same_place(told: dict[str, Any], left: dict[str, Any]) -> bool:
    return all(told[name] == left[name] for name in ("start", "open", "bookmarks", "filters", "front"))


def test_a_file_that_was_replaced_is_told_and_begins_anew(desktop: Desktop, files: list[Path]) -> None:
    program = begun(desktop, files[:1])
    marked(desktop, program, files[0])
    left = program.tell()
    end(program)
    shutil.copy(ADAM, files[0])

    program = again(desktop, files[0].name)
    changed = f"{files[0].name} has changed since it was open."
    wait_until(lambda: changed in program.tell()["bars"], "nothing was said of the change")
    assert program.tell()["bookmarks"] == left["bookmarks"]
    program.click("bar Begin anew")
    program.wait("decoded", file=files[0].name)
    wait_until(lambda: changed not in program.tell()["bars"], "it is still said")
    assert program.tell()["start"] is None
    program.close()


def test_files_that_ended_the_program_are_asked_for_until_the_bar_is_closed(
    desktop: Desktop, files: list[Path], tmp_path: Path
) -> None:
    program = begun(desktop, files)
    end(program)
    # It ends before it has run for long with these files.
    program = Driven(desktop)
    wait_until(lambda: [row["tries"] for row in kept(desktop, "open")] == [1], "the second try was not noted")
    end(program)

    program = Driven(desktop)
    desktop.window("picklescope")
    wait_until(lambda: program.tell()["bars"] == [ENDED], "nothing was asked")
    assert program.tell()["file"] == ""
    desktop.picture(tmp_path / "asked.png")
    wait_until(lambda: len(open_now(desktop)) == len(files), "what is asked for was not kept")
    program.click("bar Close the message")
    wait_until(lambda: open_now(desktop) == [], "the files are still kept")
    end(program)

    program = Driven(desktop)
    desktop.window("picklescope")
    assert program.tell() == NOTHING
    program.close()


def test_borders_that_were_dragged_stay_after_a_kill(desktop: Desktop, files: list[Path]) -> None:
    program = begun(desktop, files[:1])
    program.click("tab tensors")
    columns = dragged(program, "tensors", "edge tensors Name", 60, 0)
    program.click("tab imports")
    parts = dragged(program, "imports", "handle imports", -80, 0)
    wait_until(lambda: divided(desktop) >= {"tensors", "imports"}, "the borders were not kept")
    end(program)

    program = again(desktop, files[0].name)
    program.click("tab tensors")
    name = columns["columns"][0][0]
    wait_until(lambda: program.sizes("tensors")["columns"][0][0] == name, "the column is another one")
    program.click("tab imports")
    wait_until(lambda: nearly(program.sizes("imports")["parts"], parts["parts"]), "the splitter is another one")
    program.close()


def nearly(now: list[list[int]], left: list[list[int]]) -> bool:
    """The same division, of a window that may be narrower by its frame."""
    shapes = [len(split) for split in now] == [len(split) for split in left]
    return shapes and all(
        abs(one - other) <= FRAME
        for split, before in zip(now, left, strict=True)
        for one, other in zip(split, before, strict=True)
    )


def dragged(program: Driven, pane: str, what: str, right: int, down: int) -> dict[str, Any]:
    """Drag a border until its pane is divided otherwise; gives how it is then."""
    before = program.sizes(pane)

    def divided_otherwise() -> bool:
        now = program.sizes(pane)
        return now != before and not now["held"]

    def moved() -> bool:
        program.drag(what, right, down)
        return comes(divided_otherwise, PRESS)

    wait_until(moved, f"no drag moved {what}")
    return program.sizes(pane)


def divided(desktop: Desktop) -> set[str]:
    """The panes of which a division by hand is kept."""
    return {name for row in kept(desktop, "files") for name, pane in row.get("kept", {}).items() if pane.get("sizes")}
