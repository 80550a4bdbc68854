"""Ten million opcodes in the Opcodes and Effect panes: the table shown, jumps, clicks, and what holds the window."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tests.bench import Figure
from tests.builders.large import mixed_lists

if TYPE_CHECKING:  # Qt is loaded in the child only
    from viewer.core.pickles.effects import Effects
    from viewer.core.tensors.tensor import ValueRef
    from viewer.session.selection import Selection
    from viewer.session.session import Session

OPCODES: Final = 10_000_000
A_LIST: Final = 446
JUMPS: Final = 60
HOLD: Final = 0.03
"""Seconds: of longer holds of the window the time is taken off that the machine gave to others."""


def run() -> list[Figure]:
    """The stream in a window of a fresh process; then one opcode after another of it, all over the stream."""
    with tempfile.TemporaryDirectory(prefix="picklescope-bench-") as folder:
        path = Path(folder) / "ten_million.pkl"
        path.write_bytes(mixed_lists(OPCODES // A_LIST))
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": folder}
        command = [sys.executable, "-m", "tests.bench.effect", str(path)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        told = json.loads(done.stdout.splitlines()[-1])
    name = f"{told['opcodes'] / 1e6:.1f} M opcodes: "
    return [
        Figure(name + "flat table shown", told["shown"], None, goal="0.1"),
        Figure(name + "jump in the flat table, slowest", told["jump"], None, goal="0.03"),
        Figure(name + "jump in the flat table, middle one", told["jump_middle"], None, goal="0.03"),
        Figure(name + "stack, memo and sentence at an opcode, slowest", told["effect"], None, goal="0.03"),
        Figure(name + "the same, middle one", told["effect_middle"], None, goal="0.03"),
        Figure(name + "the same with the pane painted, middle one", told["painted"], None, goal="0.06"),
        Figure(name + "bytes an opcode held by columns and tables", told["bytes"], None, "bytes", "40"),
        Figure(name + "longest hold of the window while all this is done", told["held"], None, goal="0.06"),
    ]


def measured(path: str) -> dict[str, float]:
    """In the child: both panes over the file, the choice of opcodes spread over the whole stream."""
    from tests.stall import Watch
    from viewer.core.tensors.tensor import ValueRef
    from viewer.session.cycles import Cycles
    from viewer.session.session import Session
    from viewer.ui.application import Application

    app = Application(["picklescope"])
    # As the program has it: Python's own collector would walk all objects in the middle of a jump.
    cycles = Cycles(app)
    session = Session(path)
    session.open()
    wait_for(session)
    assert session.document is not None
    values = session.document.pickles[0].values
    count = len(values.code)
    places = [ValueRef(0, step * 7_919_777 % count) for step in range(JUMPS)]
    watch = Watch(HOLD)
    watch.start()
    seen: dict[str, float] = {"opcodes": count, **of_table(session, places)}
    found, tables = of_effects(session, places)
    watch.stop()
    seen |= found | {"held": watch.beats.worst}
    seen["bytes"] = held_bytes(values, values.code, values.code.memo, values.lows, *tables) / count
    session.close()
    cycles.stop()
    del app
    return seen


def wait_for(session: Session) -> None:
    """Until the jobs of a session are done."""
    from PySide6.QtCore import QEventLoop

    loop = QEventLoop()
    session.jobs.idle.connect(loop.quit)
    loop.exec()


def of_table(session: Session, places: Sequence[ValueRef]) -> dict[str, float]:
    """The flat table shown, and jumps in it."""
    import shiboken6

    from viewer.ui.panes.opcodes import OpcodesPane
    from viewer.ui.theme import load_theme

    theme = load_theme("light")
    breathe()
    pane = OpcodesPane(session, theme)
    breathe()
    pane.resize(700, 800)
    pane.show()
    breathe()
    start = time.perf_counter()
    pane.show_view("stream")
    pane.stream.table.viewport().repaint()
    shown = time.perf_counter() - start

    def jump(place: ValueRef) -> None:
        session.select_opcode(place, "bench")
        pane.stream.table.viewport().repaint()

    jumps = timed(jump, places)
    shiboken6.delete(pane)
    return {"shown": shown, "jump": jumps[-1], "jump_middle": jumps[len(jumps) // 2]}


def of_effects(session: Session, places: Sequence[ValueRef]) -> tuple[dict[str, float], list[Effects]]:
    """What the Effect pane tells of the places, and the tables that it holds."""
    import shiboken6

    from viewer.ui.panes.effect import EffectPane
    from viewer.ui.theme import load_theme

    pane = EffectPane(session, load_theme("light"))
    breathe()
    pane.resize(700, 800)
    pane.show()
    if pane.rows is None:
        wait_for(session)
    links = session.links
    assert links is not None
    selections = [links.from_opcode(place) for place in places]
    effects = timed(pane.show_selection, selections)

    def show(selection: Selection) -> None:
        pane.show_selection(selection)
        pane.repaint()

    painted = timed(show, selections)
    middle, tables = len(effects) // 2, pane.effects()
    shiboken6.delete(pane)
    return {"effect": effects[-1], "effect_middle": effects[middle], "painted": painted[middle]}, tables


def timed(act: Callable[[Any], None], places: Sequence[Any]) -> list[float]:
    """Processor time of each, sorted; between two of them the event loop runs, as between two clicks."""
    found = []
    for place in places:
        start = time.thread_time()
        act(place)
        found.append(time.thread_time() - start)
        breathe()
    return sorted(found)


def breathe() -> None:
    """Let the event loop run, as between two steps of the window, which makes and shows each pane in one of its own."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(0, loop.quit)
    loop.exec()


def held_bytes(*owners: object) -> int:
    """Bytes of all arrays that the objects hold, each counted once."""
    found: dict[int, int] = {}
    for owner in owners:
        for held in vars(owner).values():
            for part in held if isinstance(held, (tuple, list)) else (held,):
                array = part.obj if isinstance(part, memoryview) else part
                if isinstance(array, np.ndarray):
                    found[array.__array_interface__["data"][0]] = array.nbytes
    return sum(found.values())


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1])))
