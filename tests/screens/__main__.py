"""Draws every screen of the window into a folder: `python -m tests.screens FOLDER [--language fa] [--text 200] ...`.

For looking at them, best many at once (`montage FOLDER/*.png -tile 3x -geometry 820x+6+6 sheet.png`).
What the check of test_clipping.py finds in them is printed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path


def main(argv: Sequence[str]) -> int:
    """Gives 1 where something is cut."""
    parser = argparse.ArgumentParser(prog="python -m tests.screens")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", default="en")
    parser.add_argument("--theme", default="light")
    parser.add_argument("--text", type=int, default=100, help="size of the text in percent")
    parser.add_argument("--size", default="1366x744")
    parser.add_argument("--only", default="", help="names of screens that are drawn begin so")
    given = parser.parse_args(argv)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="picklescope-screens-") as made:
        return draw(given, Path(made))


def draw(given: argparse.Namespace, made: Path) -> int:
    """Draw what was asked for; `made`: for files that are shown."""
    from tests.screens.clipping import faults
    from tests.screens.gallery import Gallery
    from viewer.session.settings import LANGUAGE, MOTION, TEXT_SIZE, THEME, Settings
    from viewer.session.workspace import Workspace
    from viewer.ui.application import Appearance, Application
    from viewer.ui.language import Language
    from viewer.ui.number_forms import NumberForms
    from viewer.ui.window import MainWindow

    app = Application(["picklescope"])
    settings = Settings(made / "settings.ini")
    for setting, value in ((THEME, given.theme), (LANGUAGE, given.language), (MOTION, "none")):
        settings.set(setting, value)
    settings.set(TEXT_SIZE, given.text)
    kept = Language(app, settings), NumberForms(settings)
    window = MainWindow(Workspace(settings), Appearance(app, settings).theme)
    window.resize(*map(int, given.size.split("x")))
    window.show()
    found: dict[str, str] = {}
    for name, screen in Gallery(window, wait, made).screens():
        if name.startswith(given.only):
            screen.grab().save(str(given.folder / f"{name}.png"))
        for fault in faults(screen):
            found.setdefault(fault, name)
    window.close()
    del kept
    for fault, name in found.items():
        sys.stdout.write(f"{name}: {fault}\n")
    return int(bool(found))


def wait(is_so: Callable[[], bool]) -> None:
    """Let the program live until it is so."""
    from PySide6.QtCore import QEventLoop, QTimer

    while True:
        loop = QEventLoop()
        QTimer.singleShot(1, loop.quit)
        loop.exec()
        if is_so():
            return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
