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


def test_many_tabs_scroll_instead_of_losing_their_names(qtbot: QtBot, settings: Settings, tmp_path: Path) -> None:
    window = make_window(settings, (900, 600))
    qtbot.addWidget(window)
    for number in range(15):
        path = tmp_path / f"checkpoint_of_epoch_{number}.pth"
        path.write_bytes(b"text")
        opened(qtbot, window, path)
    assert min(window.tabs.tabRect(at).width() for at in range(15)) >= 120
    window.close()


def test_reading_again_keeps_the_tab_in_its_place(qtbot: QtBot, settings: Settings, tmp_path: Path) -> None:
    window = make_window(settings)
    qtbot.addWidget(window)
    names = ["a.txt", "b.txt", "c.txt"]
    for name in names:
        (tmp_path / name).write_bytes(b"text")
        opened(qtbot, window, tmp_path / name)
    window.commands.reload(window.workspace.sessions[1])
    assert [window.tabs.tabText(at) for at in range(3)] == names
    assert [session.path.name for session in window.workspace.sessions] == names
    assert window.session is not None
    assert window.session.path.name == "b.txt"
    window.close()


def test_reading_a_deleted_file_again_keeps_what_is_open(qtbot: QtBot, settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "gone.pth"
    shutil.copy(LEGACY, path)
    window = make_window(settings)
    qtbot.addWidget(window)
    view = opened(qtbot, window, path)
    session = window.session
    path.unlink()
    window.actions_by_id["file.reload"].trigger()
    assert window.session is session
    assert window.stack.currentWidget() is view
    assert session is not None
    assert session.document is not None
    window.close()
