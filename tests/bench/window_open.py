"""A 2 GB checkpoint in the window: from opening to the first row of bytes and to the whole tree, and the memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench import Figure
from tests.builders.large import sparse_legacy

TENSORS, ELEMENTS = 400, 1_310_720


def run() -> list[Figure]:
    """Open the file in a window of a fresh process."""
    with tempfile.TemporaryDirectory(prefix="picklescope-bench-") as folder:
        path = Path(folder) / "two_gigabytes.pth"
        size = sparse_legacy(path, TENSORS, ELEMENTS)
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": folder}
        command = [sys.executable, "-m", "tests.bench.window_open", str(path)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        told = json.loads(done.stdout.splitlines()[-1])
        started = time.perf_counter()
        subprocess.run(["wc", "-c", str(path)], capture_output=True, check=True)
        peer = time.perf_counter() - started
    name = f"{size / 1e9:.1f} GB, {TENSORS} tensors: "
    return [
        Figure(name + "first row of bytes after opening (peer: wc -c)", told["bytes"], peer, goal="0.1"),
        Figure(name + "tree ready after opening", told["tree"], None, goal="0.3"),
        Figure(name + "resident memory", told["resident"] / 1e6, None, "MB", "under 250"),
        Figure(name + "longest hold of the window meanwhile", told["held"], None, goal="0.1"),
        Figure(name + "torch in sys.modules", float(told["torch"]), None, "", "0"),
    ]


def measured(path: str) -> dict[str, float]:
    """In the child: a window that is up, then the file."""
    from PySide6.QtCore import QEventLoop, QTimer

    from tests.stall import LIMIT, Watch
    from viewer.session.settings import Settings
    from viewer.session.workspace import Workspace
    from viewer.ui.application import Appearance, Application
    from viewer.ui.panes.contents import ContentsPane
    from viewer.ui.panes.hex import HexPane
    from viewer.ui.warming import load_all
    from viewer.ui.window import MainWindow

    load_all()
    app = Application(["picklescope"])
    settings = Settings()
    workspace = Workspace(settings)
    window = MainWindow(workspace, Appearance(app, settings).theme)
    window.resize(1440, 900)
    window.show()
    loop = QEventLoop()
    QTimer.singleShot(500, loop.quit)
    loop.exec()
    seen: dict[str, float] = {}
    watch = Watch(LIMIT)
    watch.start()
    start = time.perf_counter()
    session = workspace.open(path)
    view = window.view
    assert session is not None
    assert view is not None
    pane, contents = view.pane("hex"), view.pane("contents")
    assert isinstance(pane, HexPane)
    assert isinstance(contents, ContentsPane)
    pane.view.repaint()
    seen["bytes"] = time.perf_counter() - start

    def decoded() -> None:
        if session.document is not None:
            contents.tree.viewport().repaint()
            seen["tree"] = time.perf_counter() - start
            loop.quit()

    session.document_changed.connect(decoded)
    if session.document is None:
        loop.exec()
    QTimer.singleShot(1500, loop.quit)
    loop.exec()
    watch.stop()
    seen["held"] = watch.beats.worst
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    seen["resident"] = pages * os.sysconf("SC_PAGE_SIZE")
    seen["torch"] = "torch" in sys.modules
    window.close()
    workspace.close_all()
    return seen


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1])))
