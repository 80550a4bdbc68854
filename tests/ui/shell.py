"""A window with small panes of its own, for tests of what lies around the panes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from typing_extensions import override

from tests.shared import ROOT
from viewer.session.session import Session
from viewer.session.settings import Settings
from viewer.session.workspace import Workspace
from viewer.ui.pane import Area, Pane, PaneSpec
from viewer.ui.panes import PANES
from viewer.ui.theme import Theme, apply, load_theme
from viewer.ui.window import MainWindow
from viewer.ui.window.file_view import FileView

SAMPLES: Final = ROOT / "resources" / "samples"
LEGACY: Final = SAMPLES / "whole_model_legacy.pth"
ZIP: Final = SAMPLES / "checkpoint_adam.pt"
HALF: Final = SAMPLES / "half_download.pth"


class SmallPane(Pane):
    """A field and a text. `done`: what it was asked to do."""

    key = "small"
    title = "Small"
    offers: tuple[str, ...] = ()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.done: list[str] = []
        self.field = QLineEdit()
        self.words = QPlainTextEdit(self.title)
        column = QVBoxLayout(self)
        column.addWidget(self.field)
        column.addWidget(self.words)

    @override
    def focus_target(self) -> QWidget:
        return self.words

    @override
    def header_widgets(self) -> list[QWidget]:
        return [QLabel(self.title.lower())] if self.key == "hex" else []

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        return {name: lambda name=name: self.done.append(name) for name in self.offers}


def small(name: str, words: str, place: Area, at: int = 0, keys: str = "", *offers: str) -> PaneSpec:
    """A kind of pane with these facts."""

    class Made(SmallPane):
        key = name
        title = words

    Made.offers = offers
    return PaneSpec(name, words, "tensor", place, Made, at, keys)


def program_panes(*keys: str) -> list[PaneSpec]:
    """The panes of the program with these keys."""
    return [pane for pane in PANES if pane.key in keys]


SMALL_PANES: Final = (
    small("contents", "Contents", Area.STRUCTURE),
    small("opcodes", "Opcodes", Area.STRUCTURE, 1, "", "edit.find"),
    small("hex", "Bytes", Area.BYTES, 0, "Ctrl+Shift+B", "edit.copy_hex", "edit.find"),
    small("inspector", "Inspector", Area.BYTES, 1),
    small("summary", "Summary", Area.RIGHT),
    small("source", "Source", Area.RIGHT, 1),
    small("tensor", "Tensor", Area.RIGHT_LOWER),
    small("problems", "Problems", Area.BOTTOM),
    small("tensors", "Tensors", Area.BOTTOM, 1),
)


def make_window(
    settings: Settings, size: tuple[int, int] = (1440, 900), panes: Sequence[PaneSpec] = SMALL_PANES
) -> MainWindow:
    """A shown window over a workspace of its own."""
    theme = load_theme("light")
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    if not app.styleSheet():
        apply(app, theme)
    window = MainWindow(Workspace(settings), theme, panes)
    window.resize(*size)
    window.show()
    return window


def opened(qtbot: QtBot, window: MainWindow, path: Path) -> FileView:
    """The view of a file that was opened and decoded."""
    session = window.workspace.open(path)
    assert session is not None
    qtbot.waitUntil(lambda: session.document is not None and not session.jobs.busy)
    view = window.views[session]
    settled(qtbot, window)
    return view


def settled(qtbot: QtBot, window: MainWindow) -> None:
    """Let what was put off until the events are done happen."""
    if window.view is not None:
        qtbot.waitUntil(lambda: window.view is None or window.view.complete)
    timers = [window._soon, *(view._later for view in window.views.values())]
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in timers))
