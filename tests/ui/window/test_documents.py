"""Files inside files: the path says where one is, and leads back."""

from __future__ import annotations

import gc
import gzip
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from tests.builders.tars import member, tar
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.ui.shell import LEGACY, ZIP, make_window, opened, program_panes
from viewer.session.settings import Settings


def test_the_path_leads_through_files_inside_files(qtbot: QtBot, settings: Settings, tmp_path: Path) -> None:
    inner = torch_zip({"w": full("float32", (2,), [1, 2])})
    path = tmp_path / "model.tar.gz"
    path.write_bytes(gzip.compress(tar(member(b"weights.pt", inner))))
    window = make_window(settings)
    qtbot.addWidget(window)
    opened(qtbot, window, path)
    session = window.session
    assert session is not None
    crumbs = window.toolbar.breadcrumb
    assert [crumb.text for crumb in crumbs.crumbs] == ["model.tar.gz", "gzip", "weights.pt"]
    place = next(placed for placed in crumbs.placed if placed.text == "gzip")
    qtbot.mouseClick(crumbs, Qt.MouseButton.LeftButton, pos=place.rect.center())
    assert (session.selection.document, session.document) == (1, session.documents[1])
    assert [crumb.text for crumb in crumbs.crumbs] == ["model.tar.gz", "gzip"]
    first = crumbs.placed[0]
    qtbot.mouseClick(crumbs, Qt.MouseButton.LeftButton, pos=first.rect.center())
    assert session.document is session.documents[0]
    assert [crumb.text for crumb in crumbs.crumbs] == ["model.tar.gz"]
    window.close()


def test_the_palette_keeps_its_lines_when_a_menu_opens_over_it(qtbot: QtBot, settings: Settings) -> None:
    window = make_window(settings)
    qtbot.addWidget(window)
    opened(qtbot, window, LEGACY)
    opened(qtbot, window, ZIP)
    palette = window.commands_palette
    window.actions_by_id["tools.palette"].trigger()
    palette.field.setText(LEGACY.name)
    titles = palette.titles
    assert titles.count(LEGACY.name) > 1
    for name in ("File", "Window", "Tools", "Help"):
        window.menus.menu(name).aboutToShow.emit()
    gc.collect()
    palette.view.viewport().repaint()
    palette.field.setText(LEGACY.name[:-1])
    assert palette.titles == titles
    with qtbot.waitSignal(window.workspace.current_changed):
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.session is window.workspace.sessions[0]
    window.close()


def test_lines_of_menus_do_not_pile_up(qtbot: QtBot, settings: Settings) -> None:
    window = make_window(settings)
    qtbot.addWidget(window)
    opened(qtbot, window, LEGACY)
    window.menus.entries()
    before = len(window.findChildren(QAction))
    for _ in range(5):
        window.menus.entries()
    assert len(window.findChildren(QAction)) == before
    window.close()


def test_the_palette_leaves_when_the_file_it_was_asked_in_is_closed(qtbot: QtBot, settings: Settings) -> None:
    window = make_window(settings)
    qtbot.addWidget(window)
    view = opened(qtbot, window, LEGACY)
    view.show_pane("hex", focus=True)
    window.actions_by_id["tools.palette"].trigger()
    window.workspace.close(window.workspace.sessions[0])
    qtbot.waitUntil(lambda: not isValid(view))
    qtbot.keyClick(window.commands_palette.field, Qt.Key.Key_Escape)
    assert not window.commands_palette.isVisible()
    window.close()


def test_a_line_of_a_menu_whose_file_ended_meanwhile_does_nothing(qtbot: QtBot, settings: Settings) -> None:
    window = make_window(settings, panes=program_panes("summary", "compare"))
    qtbot.addWidget(window)
    opened(qtbot, window, LEGACY)
    opened(qtbot, window, ZIP)
    first, second = window.workspace.sessions
    window.workspace.activate(first)
    menus = {name: window.menus.menu(name) for name in ("Window/Open files", "Tools/Compare with")}
    for name in ("Window", "Tools"):
        window.menus.menu(name).aboutToShow.emit()
    lines = [next(line for line in menu.actions() if line.text() == ZIP.name) for menu in menus.values()]
    window.workspace.close(second)
    for line in lines:
        line.trigger()
        assert window.session is first
    assert window.tabs.count() == 1
    view = window.views[first]
    assert not view.docks["compare"].is_in_front()
    window.close()
