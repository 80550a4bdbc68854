"""Files dragged over any part of a window, and what happens when they are dropped."""

from __future__ import annotations

import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from viewer.core.folder import is_folder
from viewer.core.source import printable
from viewer.session.offsets import parse_target
from viewer.ui.widgets.drop_overlay import DropOverlay, Offer
from viewer.ui.words import count, size

if TYPE_CHECKING:
    from viewer.ui.theme import Theme

PAIR = 2
ENTERS = (QEvent.Type.DragEnter, QEvent.Type.DragMove)


class DropTarget(QObject):
    """Takes drags for the whole window: at the window itself and, so that no text field gets them, at its handle.

    `taker`: the name of the open file that takes .py files as the source of its classes, "" where none does.
    `partner`: the name of the open file that others can be compared with, "" where there is none.

    dropped: files were dropped that are to be opened.
        Signal(paths: list[str])
    compared: files were dropped that are to be compared: one with the open file, or two with each other.
        Signal(paths: list[str])
    given: .py files were dropped for the file that takes them.
        Signal(paths: list[str])
    """

    dropped = Signal(object)
    compared = Signal(object)
    given = Signal(object)

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self.overlay = DropOverlay(theme, window)
        self.taker: Callable[[], str] = str
        self.partner: Callable[[], str] = str
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def watch(self, handle: QObject | None) -> None:
        """Take the drags of a native window too."""
        if handle is not None:
            handle.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in ENTERS and isinstance(event, QDragMoveEvent):
            return self._enter(event)
        if kind == QEvent.Type.DragLeave:
            self.overlay.vanish()
        elif kind == QEvent.Type.Drop and isinstance(event, QDropEvent):
            return self._drop(event)
        return False

    def _enter(self, event: QDragMoveEvent) -> bool:
        paths = local_paths(event.mimeData())
        # What is dragged out of the program is not for the program.
        if not paths or event.source() is not None:
            return False
        # Only ever a copy: a file manager that moves would take the file away.
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if not self.overlay.isVisible():
            self.overlay.appear(self._offer(paths), self._second(paths))
        self.overlay.point(event.position())
        return True

    def _drop(self, event: QDropEvent) -> bool:
        paths = local_paths(event.mimeData())
        is_second = self.overlay.is_second(event.position()) and self._second(paths) is not None
        self.overlay.vanish()
        if not paths or event.source() is not None:
            return False
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if is_second:
            self.compared.emit(paths)
            return True
        given = [path for path in paths if is_python(path)] if self.taker() else []
        opened = [path for path in paths if path not in given]
        if given:
            self.given.emit(given)
        if opened:
            self.dropped.emit(opened)
        return True

    def _offer(self, paths: Sequence[str]) -> Offer:
        title, taker = self.tr("Drop to open"), self.taker()
        if taker and all(map(is_python, paths)):
            names = ", ".join(printable(Path(path).name) for path in paths)
            words = self.tr("It is read, not run, and not opened.")
            return Offer(self.tr("Drop to give the source of {name}").format(name=taker), names, words, "source")
        if len(paths) > 1:
            return Offer(title, self.tr("{0} files").format(count(len(paths))), self.tr("each in a tab of its own"))
        path = Path(paths[0])
        name = printable(path.name)
        if is_folder(path):
            return Offer(title, name, self.tr("The model in this folder, whole."), "folder")
        try:
            facts = path.stat()
        except FileNotFoundError:
            return Offer(title, name, self.tr("It is not there any more."))
        except (OSError, ValueError):
            return Offer(title, name, self.tr("Its permissions, or those of its folder, forbid to look at it."))
        return Offer(title, name, size(facts.st_size) if stat.S_ISREG(facts.st_mode) else "")

    def _second(self, paths: Sequence[str]) -> Offer | None:
        """What the second zone offers: nothing for source, and where there is nothing to compare with."""
        partner, title = self.partner(), self.tr("Drop to compare")
        if any(map(is_python, paths)) or len(paths) > PAIR:
            return None
        names = [printable(Path(path).name) for path in paths]
        other = names[1] if len(names) == PAIR else partner
        return Offer(title, names[0], self.tr("with {0}").format(other), "compare") if other else None


def is_python(path: str) -> bool:
    """True for the name of a Python file."""
    return path.lower().endswith(".py") and not is_folder(Path(path))


def local_paths(data: QMimeData) -> list[str]:
    """Paths of the files of this machine that are dragged, in their order; byte for byte, also what is no UTF-8."""
    addresses = [bytes(url.toEncoded().data()).decode("ascii") for url in data.urls() if url.isLocalFile()]
    return [str(parse_target(address).path) for address in addresses]
