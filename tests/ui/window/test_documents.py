"""Files inside files: the path says where one is, and leads back."""

from __future__ import annotations

import gzip
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.builders.tars import member, tar
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.ui.shell import make_window, opened
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
