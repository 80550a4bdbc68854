"""The window as a picture, with a file open and decoded: what `picklescope render` runs in a process of its own."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QEventLoop, QSize, QTimer, SignalInstance
from PySide6.QtGui import QImage, QImageWriter

from viewer.core.errors import ExportError, ViewerError
from viewer.core.source import printable
from viewer.core.span import Span
from viewer.core.tensors.path import shown
from viewer.session.offsets import OffsetError, parse_offset
from viewer.session.session import Session
from viewer.session.setting import Setting
from viewer.session.settings import COLOURS, CONTRAST, LANGUAGE, THEME, Settings
from viewer.session.workspace import Workspace
from viewer.ui.application import Appearance, Application
from viewer.ui.language import ENGLISH, Language
from viewer.ui.window import MainWindow
from viewer.ui.words import of_failure

DONE: Final = 0
FAILED: Final = 2
LONGEST_MS: Final = 120_000
MOST_LOOKS: Final = 10


def main(argv: Sequence[str]) -> int:
    """Draw one picture; gives the exit code. The arguments were checked by the command already."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("picture")
    parser.add_argument("--theme", default="light")
    parser.add_argument("--colours", default=COLOURS.default)
    parser.add_argument("--contrast", default="usual")
    parser.add_argument("--language", default=ENGLISH)
    parser.add_argument("--width", type=int, default=1440)
    parser.add_argument("--height", type=int, default=900)
    parser.add_argument("--select", default="")
    given = parser.parse_args(argv)
    app = Application(["picklescope"])
    # A caret that blinks would be there or not by chance.
    app.setCursorFlashTime(0)
    try:
        size = QSize(given.width, given.height)
        looks = {THEME: given.theme, COLOURS: given.colours, CONTRAST: given.contrast, LANGUAGE: given.language}
        picture = render(app, given.file, size, looks, given.select)
        save(picture, Path(given.picture))
    except ViewerError as failure:
        sys.stderr.write(f"picklescope: {printable(of_failure(failure))}\n")
        return FAILED
    return DONE


def render(
    app: Application, file: str, size: QSize, looks: Mapping[Setting[str], str] | None = None, select: str = ""
) -> QImage:
    """The window with the file, or with the welcome page for "". Raises what the file cannot be opened for.

    `looks`: settings that are other ones than usual; it is light and English otherwise, whatever the system is.
    """
    with tempfile.TemporaryDirectory(prefix="picklescope-") as folder:
        settings = Settings(Path(folder) / "settings.ini")
        for setting, value in {THEME: "light", CONTRAST: "usual", LANGUAGE: ENGLISH, **(looks or {})}.items():
            settings.set(setting, value)
        Language(app, settings)
        appearance = Appearance(app, settings)
        workspace = Workspace(settings)
        window = MainWindow(workspace, appearance.theme)
        window.resize(size)
        window.show()
        try:
            if file:
                show(window, file, select)
            return settled(window)
        finally:
            window.close()


def show(window: MainWindow, file: str, select: str) -> None:
    """Open a file, wait until it is decoded and every pane is ready. Raises ViewerError."""
    workspace, refusals = window.workspace, list[Exception]()
    workspace.refused.connect(lambda path, failure: refusals.append(failure))
    session = workspace.open(file)
    if session is None:
        raise refusals[0]
    session.failed.connect(refusals.append)
    while session.jobs.busy and not refusals:
        wait_for(session.jobs.idle, session.failed)
    if refusals:
        raise refusals[0]
    if select:
        choose(session, select)
    while window.view is not None and not window.view.complete:
        rest()
    rest()
    while session.jobs.busy:
        wait_for(session.jobs.idle)


def choose(session: Session, select: str) -> None:
    """Select a tensor by name or path, or a byte by its offset. Raises ExportError for what is neither."""
    document = session.document
    for tensor in document.tensors if document is not None else ():
        if select in (tensor.name, shown(tensor.path)):
            session.select_tensor(tensor, "render")
            return
    try:
        shown_source = session.shown_source
        at = parse_offset(select, 0, shown_source.size if shown_source is not None else 0)
    except OffsetError as fault:
        raise ExportError("select-unknown", name=select) from fault
    session.select_bytes((Span(at, at + 1),), "render", session.selection.source)


def wait_for(*signals: SignalInstance) -> None:
    """Let the program live until one of the signals comes."""
    loop = QEventLoop()
    for signal in signals:
        signal.connect(loop.quit)
    QTimer.singleShot(LONGEST_MS, loop.quit)
    loop.exec()
    for signal in signals:
        signal.disconnect(loop.quit)


def rest() -> None:
    """Let layouts and timers that were due come to rest."""
    for _ in range(3):
        loop = QEventLoop()
        QTimer.singleShot(0, loop.quit)
        loop.exec()


def settled(window: MainWindow) -> QImage:
    """The window once it looks the same two times: docks that were moved may lie a pixel off their place at first."""
    picture = QImage()
    for _ in range(MOST_LOOKS):
        rest()
        before, picture = picture, window.grab().toImage()
        if picture == before:
            break
    return picture


def save(picture: QImage, path: Path) -> None:
    """Write the picture. Raises ExportError."""
    writer = QImageWriter(str(path), QByteArray(b"png"))
    if not writer.write(picture):
        raise ExportError("target-unwritable", path=printable(str(path)), reason=writer.errorString())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
