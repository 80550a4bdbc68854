"""Files inside files: the path says where one is, and leads back."""

from __future__ import annotations

import gzip
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

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
