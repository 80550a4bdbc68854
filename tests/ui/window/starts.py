"""Windows one after the other over the same settings, as of one person who comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pytestqt.qtbot import QtBot

from tests.ui.shell import make_window
from viewer.session.settings import Settings
from viewer.ui.pane import Pane
from viewer.ui.panes import PANES
from viewer.ui.window import MainWindow
from viewer.ui.window.file_view import FileView

Kind = TypeVar("Kind", bound=Pane)
Start = Callable[[], MainWindow]


def starter(qtbot: QtBot, settings: Settings) -> Start:
    """Makes a window with all panes of the program."""

    def make() -> MainWindow:
        window = make_window(settings, panes=PANES)
        qtbot.addWidget(window, before_close_func=lambda one: one.workspace.close_all())
        return window

    return make


def pane(view: FileView, kind: type[Kind]) -> Kind:
    """The pane of a kind."""
    found = view.docks[kind.key].pane
    assert isinstance(found, kind)
    return found
