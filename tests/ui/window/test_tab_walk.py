"""The whole window by keyboard alone: Tab and Shift+Tab come everywhere, in reading order, and one sees where."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from tests.ui.shell import HALF, LEGACY, ZIP, opened, settled
from tests.ui.walking import judge
from viewer.ui.window import MainWindow
from viewer.ui.window.layouts import Layout

WALKS = [*((LEGACY, layout) for layout in Layout), (ZIP, Layout.BYTES), (HALF, Layout.BYTES)]


@pytest.mark.parametrize(("path", "layout"), WALKS, ids=lambda part: getattr(part, "stem", str(part)))
def test_tab_comes_everywhere(qtbot: QtBot, whole: MainWindow, path: Path, layout: Layout) -> None:
    view = opened(qtbot, whole, path)
    view.apply(layout)
    settled(qtbot, whole)
    judge(whole)


@pytest.mark.parametrize("action", ["edit.find", "go.offset", "edit.search"])
def test_what_opens_in_the_window_is_walked_too(qtbot: QtBot, whole: MainWindow, action: str) -> None:
    opened(qtbot, whole, LEGACY)
    whole.actions_by_id[action].trigger()
    settled(qtbot, whole)
    judge(whole, marked=False)


@pytest.mark.parametrize("action", ["edit.preferences", "file.export_state_dict"])
def test_dialogs_are_walked_too(qtbot: QtBot, whole: MainWindow, action: str) -> None:
    opened(qtbot, whole, LEGACY)
    whole.actions_by_id[action].trigger()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    assert whole.session is not None
    qtbot.waitUntil(lambda: whole.session is not None and not whole.session.jobs.busy)
    judge(dialog)
    dialog.reject()
