"""Faults of the program itself: told in a bar, written to a log, with a report to copy. The program goes on.

The report holds versions and the lines of this program that were run, nothing of a file: the words of an exception
may quote one, so they are left out until the person asks for them.
"""

from __future__ import annotations

import logging
import os
import platform
import sys
import traceback
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from logging.handlers import RotatingFileHandler
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QStandardPaths, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from viewer import __version__
from viewer.ui.widgets.message_bar import Message
from viewer.ui.words import of_failure

if TYPE_CHECKING:
    from viewer.ui.window import MainWindow

log = logging.getLogger(__name__)

LOG_BYTES: Final = 1 << 20
LOGS_KEPT: Final = 3
LOG_NAME: Final = "picklescope.log"
FRAMES: Final = 40
KEY: Final = "fault"
QUIET: Final = 5.0
"""Seconds without a fault after which the same one is told again."""
Origin = tuple[type[BaseException], tuple[str, int] | None]
"""The kind of an exception, and the file and line that raised it."""


class Faults:
    """Takes exceptions that nobody caught, until `restore`."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._last: dict[Origin, float] = {}
        self._is_telling = False
        self._before = sys.excepthook
        sys.excepthook = self._tell
        self._forgetting = window.workspace.forgotten.connect(clear_log)

    def restore(self) -> None:
        """Give Python its own hook back."""
        sys.excepthook = self._before
        QObject.disconnect(self._forgetting)

    def _tell(self, kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
        if isinstance(fault, KeyboardInterrupt):
            QApplication.quit()
            return
        if not self._is_new((kind, _place(trace))):
            return
        log.error("not caught", exc_info=(kind, fault, trace))
        if self._is_telling:
            return
        self._is_telling = True
        try:
            self._say(fault)
        finally:
            self._is_telling = False

    def _is_new(self, origin: Origin) -> bool:
        """False while a fault comes again and again, as one in painting does with each bar that tells of it."""
        now = monotonic()
        before = self._last.get(origin)
        self._last[origin] = now
        return before is None or now - before > QUIET

    def _say(self, fault: BaseException) -> None:
        short, full = report(fault), report(fault, words=True)
        title = QApplication.translate("Faults", "Something went wrong in the program.")
        copied = QApplication.translate("Faults", "The report is on the clipboard.")
        copied_full = QApplication.translate("Faults", "The report with its words is on the clipboard.")
        actions = (
            (QApplication.translate("Faults", "Copy report"), partial(_copy, short, copied)),
            (QApplication.translate("Faults", "Copy with its words"), partial(_copy, full, copied_full)),
        )
        self._window.say(Message("error", title, of_failure(fault), actions, key=KEY, stays=True))


def _copy(text: str, done: str) -> str:
    """Put the text on the clipboard; gives the sentence that says so."""
    QGuiApplication.clipboard().setText(text)
    return done


def report(fault: BaseException, *, words: bool = False) -> str:
    """What a person can send: versions, and what was being run. `words`: those of the exceptions too."""
    lines = [f"Picklescope {__version__}", *versions()]
    for at, one in enumerate(_chain(fault)):
        lines += ["", "Before that:" if at else "What was being run, innermost last:"]
        frames = traceback.extract_tb(one.__traceback__)
        if len(frames) > FRAMES:
            lines.append(f"  {len(frames) - FRAMES} outer lines left out")
        lines += [f"  {_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames[-FRAMES:]]
        lines.append(f"{type(one).__qualname__}: {one}" if words else type(one).__qualname__)
    return "\n".join(lines) + "\n"


def versions() -> Iterator[str]:
    """Of what the program stands on."""
    yield f"Python {platform.python_version()}, Qt {qVersion()} ({QGuiApplication.platformName()})"
    yield f"{platform.system()} {platform.release()} {platform.machine()}"
    frozen = getattr(sys, "frozen", False)
    yield "Bundle" if frozen else "Installed as a package"


def log_path() -> Path:
    """Where the log stands."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.StateLocation)) / LOG_NAME


def keep_log() -> logging.Handler | None:
    """Write warnings and errors to the log from now on; None where its folder cannot be written."""
    path = log_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=LOGS_KEPT, encoding="utf-8", delay=True)
    except OSError:
        return None
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    return handler


def stop_log(handler: logging.Handler | None) -> None:
    """The end of it."""
    if handler is not None:
        logging.getLogger().removeHandler(handler)
        handler.close()


def clear_log() -> None:
    """Keep nothing of what was logged: what the system says of a file names it."""
    path = log_path()
    for number in range(1, LOGS_KEPT + 1):
        with suppress(OSError):
            path.with_name(f"{LOG_NAME}.{number}").unlink()
    with suppress(OSError):
        # Emptied, not removed: whoever has it open, another window too, goes on writing at its end.
        os.truncate(path, 0)


def _chain(fault: BaseException) -> Iterator[BaseException]:
    """An exception and those that led to it, the last first."""
    seen: set[int] = set()
    now: BaseException | None = fault
    while now is not None and id(now) not in seen:
        seen.add(id(now))
        yield now
        now = now.__cause__ or (None if now.__suppress_context__ else now.__context__)


def _place(trace: TracebackType | None) -> tuple[str, int] | None:
    """The file and line where something was raised."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return (trace.tb_frame.f_code.co_filename, trace.tb_lineno) if trace is not None else None


def _short(path: str) -> str:
    """The path within the program or its libraries: what stands above it tells of the person."""
    parts = Path(path).parts
    for mark in ("site-packages", "dist-packages"):
        if mark in parts:
            return "/".join(parts[len(parts) - parts[::-1].index(mark) :])
    if "viewer" in parts:
        return "/".join(parts[len(parts) - parts[::-1].index("viewer") - 1 :])
    return parts[-1] if parts else path
