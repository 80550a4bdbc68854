"""The export window over very many tensors: when rows and plan are there, and how long it holds the GUI thread."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.bench import Figure

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.ui.dialogs.export import ExportDialog

TENSORS: Final = 100_000
NAMES: Final = "model.layers.{group}.experts.{row}.weight"
GOALS: Final = {"rows": "1", "plan": "3", "held": "0.06"}


def run() -> list[Figure]:
    """Open, type, untick and close in a window of a fresh process."""
    from tests.builders.large import checkpoint

    with tempfile.TemporaryDirectory(prefix="picklescope-bench-") as folder:
        path = Path(folder) / "many.pth"
        path.write_bytes(checkpoint(TENSORS, NAMES)[1])
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": folder}
        command = [sys.executable, "-m", "tests.bench.export_window", str(path)]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    told: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    title = f"export window, {TENSORS:,} tensors: "
    return [Figure(title + what, seconds, None, goal=GOALS[what.rpartition(", ")[2]]) for what, seconds in told.items()]


def measured(path: str) -> dict[str, float]:
    """In the child: a session whose file is open, then the dialog over it."""
    from PySide6.QtWidgets import QApplication

    from viewer.session.cycles import Cycles
    from viewer.session.session import Session
    from viewer.ui.dialogs.export import ExportDialog
    from viewer.ui.theme import load_theme

    app = QApplication(["picklescope"])
    cycles = Cycles(app)
    theme = load_theme("light")
    session = Session(Path(path))
    session.open()
    until(app, lambda: session.root is not None and not session.jobs.busy)
    seen: dict[str, float] = {}
    dialog = ExportDialog(session, theme, "state_dict", Path(path).parent)

    def show() -> None:
        dialog.show()

    def rule() -> None:
        row = dialog.names.add_rule()
        for sign in "model.layers":
            row.old.setText(row.old.text() + sign)
            row.old.textEdited.emit(row.old.text())
        row.new.setText("layer")
        row.new.textEdited.emit("layer")

    def untick() -> None:
        dialog.parts.tick("model.layers.3", on=False)

    for what, act in (("open", show), ("type a rule", rule), ("untick a branch", untick)):
        seen |= watched(app, session, dialog, what, act)
    for form in ("npz", "safetensors"):
        seen |= watched(app, session, dialog, form, lambda form=form: dialog.choose_form(form))
    seen |= watched(app, session, dialog, "close", dialog.reject)
    session.close()
    cycles.stop()
    return seen


def watched(
    app: object, session: Session, dialog: ExportDialog, what: str, act: Callable[[], None]
) -> dict[str, float]:
    """Do something, and tell when rows and plan were there and how long nothing else could run."""
    from tests.stall import Watch

    found: dict[str, float] = {}
    watch = Watch(0.03)
    watch.start()
    start = time.perf_counter()
    before = dialog.table.cells
    act()

    def ready() -> bool:
        cells = dialog.table.cells
        if "rows" not in found and cells is not None and cells is not before:
            found["rows"] = time.perf_counter() - start
        if "plan" not in found and dialog.plan is not None:
            found["plan"] = time.perf_counter() - start
        return not session.jobs.busy and not dialog._later.isActive() and ("plan" in found or what == "close")

    until(app, ready)
    watch.stop()
    if os.environ.get("PICKLESCOPE_BENCH_STACKS"):
        print(what, *watch.beats.seen, sep="\n", file=sys.stderr)
    found["held"] = watch.beats.worst
    return {f"{what}, {name}": seconds for name, seconds in found.items()}


def until(app: object, ready: Callable[[], bool]) -> None:
    """Let the window run until something is so."""
    from PySide6.QtCore import QEventLoop, QTimer

    del app
    loop, timer = QEventLoop(), QTimer(interval=5)
    timer.timeout.connect(lambda: loop.quit() if ready() else None)
    timer.start()
    loop.exec()


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1])))
