"""The menu of a pane: what the mouse does by dragging its header or its edges, and closing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from viewer.ui.window.dock import PaneDock
from viewer.wording import QT_TRANSLATE_NOOP

MOVES: Final = (
    (QT_TRANSLATE_NOOP("FileView", "Move to the left"), Qt.DockWidgetArea.LeftDockWidgetArea),
    (QT_TRANSLATE_NOOP("FileView", "Move to the right"), Qt.DockWidgetArea.RightDockWidgetArea),
    (QT_TRANSLATE_NOOP("FileView", "Move to the bottom"), Qt.DockWidgetArea.BottomDockWidgetArea),
)
SIZES: Final = (
    (QT_TRANSLATE_NOOP("FileView", "Wider"), Qt.Orientation.Horizontal, 1),
    (QT_TRANSLATE_NOOP("FileView", "Narrower"), Qt.Orientation.Horizontal, -1),
    (QT_TRANSLATE_NOOP("FileView", "Taller"), Qt.Orientation.Vertical, 1),
    (QT_TRANSLATE_NOOP("FileView", "Lower"), Qt.Orientation.Vertical, -1),
)
STEP: Final = 48
"""Pixels by which a pane grows, at the usual size of texts."""


def fill_menu(
    dock: PaneDock, move: Callable[[Qt.DockWidgetArea], None], resize: Callable[[Qt.Orientation, int], None]
) -> None:
    """Give the dock's menu its lines. `resize`: by so many steps along a way."""
    for words, area in MOVES:
        _add(dock, words, partial(move, area))
    dock.menu.addSeparator()
    for words, way, steps in SIZES:
        _add(dock, words, partial(resize, way, steps))
    dock.menu.addSeparator()
    dock.menu.addActions([dock.float_action, dock.close_action])


def resize_dock(window: QMainWindow, dock: PaneDock, way: Qt.Orientation, by: int) -> None:
    """Make a dock larger by pixels, or smaller; what stands beside it makes room. A floating one grows itself."""
    across = way == Qt.Orientation.Horizontal
    if dock.isFloating():
        dock.resize(dock.width() + (by if across else 0), dock.height() + (0 if across else by))
    else:
        window.resizeDocks([dock], [max(1, (dock.width() if across else dock.height()) + by)], way)


def _add(dock: PaneDock, words: str, act: Callable[[], None]) -> None:
    line = QAction(QCoreApplication.translate("FileView", words), dock)
    line.triggered.connect(lambda _=False: act())
    dock.menu.addAction(line)
