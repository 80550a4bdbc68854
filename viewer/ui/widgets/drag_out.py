"""Dragging tensors out of a view into a file manager: the file is made as the drag begins, the drag starts when it is.

A file manager asks for the address of a file at once and reads it when it likes, so the file has to be whole before.
Small ones are in a few milliseconds; where the button is let go before a large one is whole, it is kept for the next
drag of the same thing. Drags only ever copy. All files go with the program.

Without a mouse the same file is put on the clipboard, and pasted in a file manager.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final
from weakref import WeakMethod

from PySide6.QtCore import (
    QByteArray,
    QEvent,
    QLockFile,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    QUrl,
    Signal,
)
from PySide6.QtGui import QDrag, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication
from typing_extensions import override

from viewer.core.export.hidden import held, is_free
from viewer.core.progress import Progress
from viewer.core.source import printable
from viewer.session.session import Session
from viewer.ui.models.drag_loads import Load, make
from viewer.ui.words import of_failure

DRAG: Final = "drag out"
PREFIX: Final = "picklescope-drag-"
LOCK: Final = ".lock"
PASTED: Final = "x-special/gnome-copied-files"
KEPT: Final = 8
"""Files that are kept: a file manager may still be reading those of the last drags."""


class DragFolder:
    """The folder of the dragged files, of its own for each of them, so that two may have one name."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._lock: QLockFile | None = None
        self._held = ExitStack()
        self._last: deque[Path] = deque()

    def new(self) -> Path:
        """An empty folder; the oldest goes when there are too many. Raises OSError."""
        if self._folder is None or not self._folder.is_dir():
            clear_left(Path(tempfile.gettempdir()))
            self._folder = Path(tempfile.mkdtemp(prefix=PREFIX))
            self._held.enter_context(held(self._folder))
            self._lock = QLockFile(str(self._folder / LOCK))
            self._lock.setStaleLockTime(0)
            self._lock.tryLock(0)
            atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        while len(self._last) >= KEPT:
            shutil.rmtree(self._last.popleft(), ignore_errors=True)
        self._last.append(Path(tempfile.mkdtemp(dir=self._folder)))
        return self._last[-1]


def clear_left(place: Path) -> None:
    """Take away the folders that programs left which were killed: their locks name processes that are no more.

    A process may be no more and yet run, in a container of its own: the lock of the system tells that.
    """
    for folder in place.glob(f"{PREFIX}*"):
        if folder.is_symlink() or not (folder / LOCK).is_file() or not is_free(folder):
            continue
        lock = QLockFile(str(folder / LOCK))
        lock.setStaleLockTime(0)
        if lock.tryLock(0):
            shutil.rmtree(folder, ignore_errors=True)


FOLDER: Final = DragFolder()


class DragOut(QObject):
    """Watches a view. `load(index)`: what is dragged from there, None for nothing.

    told: something to tell in a bar: severity word, title, sentence.
        Signal(severity: str, title: str, sentence: str)
    """

    told = Signal(str, str, str)

    def __init__(self, session: Session, view: QAbstractItemView, load: Callable[[QModelIndex], Load | None]) -> None:
        super().__init__(view)
        self._session = session
        self._view = view
        self._load = WeakMethod(load)
        self._pressed: QPoint | None = None
        self._index = QPersistentModelIndex()
        self._postponed = False
        self._is_copied = False
        self._made: tuple[Load, Path] | None = None
        view.viewport().installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if not isinstance(event, QMouseEvent):
            return False
        if kind == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            return self._press(event)
        if kind == QEvent.Type.MouseMove and event.buttons() == Qt.MouseButton.LeftButton:
            return self._move(event)
        if kind == QEvent.Type.MouseButtonRelease and event.button() == Qt.MouseButton.LeftButton:
            return self._release(event)
        return False

    def _press(self, event: QMouseEvent) -> bool:
        at = event.position().toPoint()
        index = self._view.indexAt(at)
        self._pressed, self._index = (at, QPersistentModelIndex(index)) if index.isValid() else (None, self._index)
        # A click on one of several chosen rows chooses it alone, but only when it does not become a drag.
        several = len(self._view.selectionModel().selectedRows()) > 1
        is_plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        self._postponed = several and is_plain and self._view.selectionModel().isSelected(index)
        return self._postponed

    def _move(self, event: QMouseEvent) -> bool:
        if self._pressed is None:
            # The press began a drag, or it was elsewhere: no rows are chosen on the way.
            return self._is_dragging
        far = (event.position().toPoint() - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        if far:
            self._pressed = None
            self._is_copied = False
            self._begin(self._view.model().index(self._index.row(), 0, self._index.parent()))
        return True

    def _release(self, event: QMouseEvent) -> bool:
        was_click, self._pressed = self._pressed is not None, None
        if self._postponed and was_click:
            self._view.clearSelection()
            self._view.setCurrentIndex(self._view.indexAt(event.position().toPoint()))
        was_postponed, self._postponed = self._postponed, False
        return was_postponed

    @property
    def _is_dragging(self) -> bool:
        return self._session.jobs.is_running(DRAG)

    def copy(self) -> None:
        """Do for the row of the keyboard what dragging it does; the file goes to the clipboard when it is whole."""
        self._is_copied = True
        self._begin(self._view.currentIndex().siblingAtColumn(0))

    def _begin(self, index: QModelIndex) -> None:
        """Make the file off the GUI thread; the drag starts when it is whole and the button still held."""
        load = self._load()
        found = load(index) if load is not None and index.isValid() else None
        document = self._session.root
        if found is None or document is None:
            return
        if self._made is not None and self._made[0] == found and self._made[1].is_file():
            self._hand_over(self._made[1])
            return

        def work(progress: Progress) -> tuple[Load, Path]:
            return found, make(found, document, FOLDER.new(), progress)

        self._session.start(DRAG, work, self._ready, self._failed)

    def _ready(self, made: tuple[Load, Path]) -> None:
        self._made = made
        if self._is_copied or QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            self._hand_over(made[1])
            return
        title = self.tr("{name} is ready to be dragged.").format(name=printable(made[1].name))
        self.told.emit("note", title, self.tr("It took longer than the button was held. Drag it once more."))

    def _hand_over(self, path: Path) -> None:
        if self._is_copied:
            self._put_on_clipboard(path)
        else:
            self.carry(path)

    def _failed(self, failure: Exception) -> None:
        words = (
            self.tr("This cannot be copied as a file.")
            if self._is_copied
            else self.tr("This cannot be dragged out as a file.")
        )
        self.told.emit("error", words, of_failure(failure))

    def _put_on_clipboard(self, path: Path) -> None:
        data = QMimeData()
        address = QUrl.fromLocalFile(str(path))
        data.setUrls([address])
        # Some file managers paste nothing else.
        data.setData(PASTED, QByteArray(b"copy\n" + address.toEncoded().data()))
        QGuiApplication.clipboard().setMimeData(data)
        title = self.tr("{name} is copied as a file.").format(name=printable(path.name))
        self.told.emit("done", title, self.tr("Paste it in a file manager."))

    def carry(self, path: Path) -> None:
        """Hand the file to whatever it is dropped on; it is copied there."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        drag = QDrag(self._view)
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)
