"""Panes that work out what they show when they come to the front, and what they export, in a whole window."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.builders.torch_values import storage, tensor
from tests.builders.torch_zip import torch_zip
from viewer.session.settings import Settings
from viewer.session.workspace import Workspace
from viewer.ui.dialogs.export import ExportDialog
from viewer.ui.panes import PANES
from viewer.ui.panes.space import SpacePane
from viewer.ui.panes.values import ValuesPane
from viewer.ui.theme import load_theme
from viewer.ui.window import MainWindow
from viewer.ui.window.file_view import FileView


@pytest.fixture
def view(qtbot: QtBot, settings: Settings, tmp_path: Path) -> FileView:
    """A slice that keeps its storage, in a window with all panes."""
    path = tmp_path / "slice.pt"
    path.write_bytes(torch_zip({"epoch": 3, "w": tensor(storage("float32", range(1000)), (10,), (1,))}))
    window = MainWindow(Workspace(settings), load_theme("light"), PANES)
    qtbot.addWidget(window)
    window.resize(1440, 900)
    window.show()
    session = window.workspace.open(path)
    assert session is not None
    qtbot.waitUntil(lambda: bool(session.documents) and window.view is not None and window.view.complete)
    assert window.view is not None
    return window.view


def test_panes_behind_tabs_wait_until_they_come_to_the_front(qtbot: QtBot, view: FileView) -> None:
    space, values = view.pane("space"), view.pane("values")
    assert isinstance(space, SpacePane)
    assert isinstance(values, ValuesPane)
    assert space.nodes is None
    view.docks["space"].raise_()
    qtbot.waitUntil(lambda: space.nodes is not None)
    assert values.tables is None
    view.docks["values"].raise_()
    qtbot.waitUntil(lambda: values.tables is not None)


def test_a_compact_export_is_offered_without_what_is_wasted(qtbot: QtBot, view: FileView) -> None:
    space = view.pane("space")
    assert isinstance(space, SpacePane)
    view.docks["space"].raise_()
    qtbot.waitUntil(lambda: space.nodes is not None)
    space.compact.click()
    dialog = view.window().findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog)
    qtbot.waitUntil(lambda: dialog.plan is not None and dialog.plan.content.compact)
    assert dialog.plan is not None
    assert dialog.plan.nbytes == space.nodes.account.compact if space.nodes is not None else False
    assert dialog.plan.nbytes < 3000
    dialog.reject()
