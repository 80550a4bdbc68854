"""Names of files that mean something to Qt, and the first size of the window."""

from __future__ import annotations

import shutil
from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.ui.shell import LEGACY, SMALL_PANES, ZIP, make_window, opened
from viewer.session.settings import Settings
from viewer.session.workspace import Workspace
from viewer.ui.theme import load_theme
from viewer.ui.window import MainWindow


def test_a_name_with_signs_that_qt_takes_for_its_own(qtbot: QtBot, settings: Settings, tmp_path: Path) -> None:
    odd = tmp_path / "a&b [*] <b>c.pth"
    shutil.copy(LEGACY, odd)
    window = make_window(settings)
    qtbot.addWidget(window)
    opened(qtbot, window, ZIP)
    opened(qtbot, window, odd)
    assert window.windowHandle().title() == "a&b [*] <b>c.pth – Picklescope"
    assert window.tabs.tabText(1) == "a&&b [*] <b>c.pth"
    assert window.tabs.tabToolTip(1).endswith("a&amp;b [*] &lt;b&gt;c.pth</qt>")
    window.close()


def test_the_first_size_leaves_room_for_the_title_bar(qtbot: QtBot, settings: Settings) -> None:
    window = MainWindow(Workspace(settings), load_theme("light"), SMALL_PANES)
    qtbot.addWidget(window)
    assert window.height() < window.screen().availableSize().height()
    window.close()
