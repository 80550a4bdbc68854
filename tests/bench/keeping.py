"""What remembering costs the window's thread: bookmarks, recent files, places; and many open rows that come back.

The peer of the first three is what an earlier version did: all in the settings, written by Qt in that thread.
"""

from __future__ import annotations

import json
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.bench import Figure

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex, QSettings

    from viewer.session.settings import Settings
    from viewer.ui.panes.contents import ContentsPane
    from viewer.ui.window import MainWindow

ROUNDS: Final = 20
FILES: Final = 100
MARKS: Final = 50
ROWS: Final = 9_990
"""A few less than are kept of a tree: those above them are open too."""
GROUP: Final = 1_000
PATIENCE_S: Final = 300.0
Facts = dict[str, float]


def run() -> list[Figure]:
    """In a process of its own, whose settings are nobody's."""
    with tempfile.TemporaryDirectory(prefix="picklescope-bench-") as folder:
        names = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", **dict.fromkeys(names, folder)}
        command = [sys.executable, "-m", "tests.bench.keeping", folder]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout.splitlines()[-1])
    many = f"{ROWS:,} open rows: "
    return [
        Figure(f"a bookmark more, {FILES} files of {MARKS}: held, to Qt's list", told["mark"], told["mark_before"]),
        Figure("a recent file more: held, to Qt's list", told["recent"], told["recent_before"]),
        Figure(many + "keeping the place: held, to writing it there", told["place"], told["place_before"]),
        Figure(many + "longest hold until all are open (peer: none was)", told["held"], told["held_fresh"], goal="0.1"),
        Figure(many + "longest hold by opening some of them", told["slice"], None, goal="0.02"),
        Figure(many + "all open again (peer: Qt opens them at once)", told["back"], told["at_once"]),
        Figure(many + "bytes that are kept of them", told["bytes"], None, "B"),
    ]


def measured(folder: Path) -> Facts:
    """All figures."""
    from tests.ui.shell import make_window
    from viewer.session.cycles import Cycles
    from viewer.session.settings import Settings
    from viewer.ui.application import Application
    from viewer.ui.panes import PANES
    from viewer.ui.warming import load_all

    load_all()
    app = Application(["picklescope"])
    # As in the program: Python's own collector walks all objects when it likes.
    cycles = Cycles(app)
    settings = Settings(folder / "settings.ini")
    found = of_lists(settings, folder)
    path = folder / "many.pkl"
    path.write_bytes(pickle.dumps({f"layer{number}": {"a": number} for number in range(2 * ROWS)}, 4))
    found |= of_rows(make_window(settings, panes=PANES), path)
    fresh = path.with_name("fresh.pkl")
    fresh.write_bytes(path.read_bytes())
    found["held_fresh"] = of_coming_back(make_window(settings, panes=PANES), fresh, 0)["held"]
    found |= of_coming_back(make_window(settings, panes=PANES), path, ROWS)
    cycles.stop()
    del app
    return found


def of_rows(window: MainWindow, path: Path) -> Facts:
    """Open many rows, and keep the place of the file."""
    from viewer.session.places import _written

    contents = opened(window, path)
    session, view = window.session, window.view
    assert session is not None
    assert view is not None
    folder, identity = window.workspace.places.folder, window.workspace.identities[session]
    start = time.perf_counter()
    for row in rows_of(contents):
        contents.tree.expand(row)
    contents.tree.viewport().repaint()
    at_once = time.perf_counter() - start
    there = path.with_name("there.json")
    place = middle(lambda _: window.workspace.places.keep(path, identity, view.place()))
    written = middle(lambda _: there.write_bytes(_written(str(path), "1:1:1:", view.place())))
    folder.settle()
    window.close()
    return {"at_once": at_once, "place": place, "place_before": written, "bytes": there.stat().st_size}


def of_coming_back(window: MainWindow, path: Path, opened_before: int) -> Facts:
    """Open the file again, until all rows are open that were.

    The window is held by what it does for any file too: the panes are made, the document is shown in each.
    """
    from tests.stall import LIMIT, Watch
    from viewer.ui.widgets.open_rows import OpenRows

    slices = [0.0]
    open_some = OpenRows._open_some

    def timed(rows: OpenRows) -> None:
        start = time.thread_time()
        open_some(rows)
        slices.append(time.thread_time() - start)

    OpenRows._open_some = timed
    start = time.perf_counter()
    # Making the docks of a file is no part of this.
    session = window.workspace.open(path)
    watch = Watch(LIMIT)
    watch.start()
    contents = opened(window, path)
    turn(lambda: contents.open_rows._waiting is None)
    back = time.perf_counter() - start
    watch.stop()
    OpenRows._open_some = open_some
    count = sum(contents.tree.isExpanded(row) for row in rows_of(contents)) if opened_before else 0
    assert count == opened_before, count
    assert session is not None
    window.close()
    return {"back": back, "held": watch.beats.worst, "slice": max(slices)}


def opened(window: MainWindow, path: Path) -> ContentsPane:
    """The file, decoded, with its contents in front."""
    from viewer.ui.panes.contents import ContentsPane

    session = window.workspace.open(path)
    view = window.view
    assert session is not None
    assert view is not None
    turn(lambda: session.document is not None and view.complete and not session.jobs.busy)
    view.show_pane("contents")
    pane = view.pane("contents")
    assert isinstance(pane, ContentsPane)
    return pane


def rows_of(pane: ContentsPane) -> Iterator[QModelIndex]:
    """The rows of the dict of the pickle, a thousand in each group, the group before them."""
    model, dictionary = pane.model, pane.model.index(0, 0, pane.model.index(0, 0))
    groups = (model.index(row, 0, dictionary) for row in range(model.rowCount(dictionary)))
    rows = (one for group in groups for one in (group, *(model.index(row, 0, group) for row in range(GROUP))))
    return islice(rows, ROWS)


def turn(done: Callable[[], bool]) -> None:
    """Let the window work until something is so."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    beat = QTimer(interval=5)
    end = time.monotonic() + PATIENCE_S
    beat.timeout.connect(lambda: loop.quit() if done() or time.monotonic() > end else None)
    beat.start()
    loop.exec()
    assert done(), "it never came to be"


def of_lists(settings: Settings, folder: Path) -> Facts:
    """Bookmarks and recent files, of a person who has many."""
    from PySide6.QtCore import QSettings

    from viewer.session.bookmarks import Bookmark, Bookmarks, kept_bookmarks
    from viewer.session.recent import RecentFiles

    rows = kept_bookmarks(settings)
    marks = [Bookmarks() for _ in range(FILES)]
    for number, one in enumerate(marks):
        one.join(rows, (f"/a/{number}.pt", f"1:{number}:5:"))
        for at in range(MARKS):
            one.add(Bookmark("", at, at + 1, f"layer {at}"))
    rows.folder.settle()
    recent = RecentFiles(settings)
    for number in range(20):
        recent.add(f"/a/{number}.pt", 5)
    recent.folder.settle()
    mark = middle(lambda number: marks[0].add(Bookmark("", 900 + number, 999, "x")))
    more = middle(lambda number: recent.add(f"/b/{number}.pt", 5))
    rows.close()
    recent.close()
    before = QSettings(str(folder / "before.ini"), QSettings.Format.IniFormat)
    facts = {"place": "", "start": 5, "stop": 6, "name": "layer 5", "colour": "accent", "note": ""}
    listed = [{"path": f"/a/{at}.pt", "file": f"1:{at}:5:", "marks": [facts] * MARKS} for at in range(FILES)]
    files = [{"path": f"/a/{at}.pt", "size": 5, "opened": 1, "format": "torch-zip", "tensors": 3} for at in range(20)]
    return {
        "mark": mark,
        "recent": more,
        "mark_before": middle(lambda number: by_qt(before, "files/bookmarks", listed, number)),
        "recent_before": middle(lambda number: by_qt(before, "files/recent", files, number)),
    }


def by_qt(settings: QSettings, key: str, rows: list[dict[str, object]], number: int) -> None:
    """A list that is read, changed and written whole."""
    rows[0]["size"] = number
    settings.setValue(key, json.dumps(rows))
    json.loads(str(settings.value(key)))
    settings.sync()


def middle(work: Callable[[int], object]) -> float:
    """The median of some rounds, by the clock: waiting for a disk is what holds a window."""
    times = []
    for number in range(ROUNDS):
        start = time.perf_counter()
        work(number)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


if __name__ == "__main__":
    print(json.dumps(measured(Path(sys.argv[1]))))
