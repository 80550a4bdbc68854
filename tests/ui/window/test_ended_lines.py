"""Lines of a menu outlive the file that they act on, in the palette too: chosen then, they do nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.ui.shell import make_window, opened, program_panes
from viewer.session.settings import BYTE_LOOK, Settings
from viewer.ui.window import MainWindow

FILES: Final = {
    "plain.pt": torch_zip({"w": full("float32", (2,), [1, 2])}),
    "python2.pkl": b"(dp0\nS'\\xc3\\xa9'\np1\nI7\ns.",
}
OF_A_FILE: Final = {
    "plain.pt": {"Cells of bytes", "Byte order", "Compare with", "Open files"},
    "python2.pkl": {"Cells of bytes", "Text of Python 2", "Compare with", "Open files"},
}


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    made = make_window(settings, panes=program_panes("hex", "compare"))
    qtbot.addWidget(made)
    yield made
    made.close()


def held(window: MainWindow) -> dict[str, list[QAction]]:
    """The lines of the menus that change with what is open, as the palette holds them."""
    titles = {title for title, _ in window.commands.changing_menus().values()}
    found: dict[str, list[QAction]] = {}
    for entry in window.menus.entries():
        place = entry.place.rpartition(" › ")[2]
        if place in titles:
            found.setdefault(place, []).append(entry.action)
    return found


@pytest.mark.parametrize("name", FILES)
def test_a_line_of_a_file_that_ended_does_nothing(
    qtbot: QtBot,
    window: MainWindow,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    for file, data in FILES.items():
        (tmp_path / file).write_bytes(data)
    opened(qtbot, window, next(tmp_path / file for file in FILES if file != name))
    opened(qtbot, window, tmp_path / name)
    session = window.session
    assert session is not None
    asked: list[object] = []
    monkeypatch.setattr(session, "decode", asked.append)
    stale = held(window)
    assert set(stale) >= OF_A_FILE[name]
    window.workspace.close(session)
    other = window.session
    before = [settings.get(setting) for setting in BYTE_LOOK]
    for title in OF_A_FILE[name] - {"Open files"}:
        for action in stale[title]:
            action.trigger()
    next(action for action in stale["Open files"] if action.text() == name).trigger()
    assert not asked, "it is read again"
    assert [settings.get(setting) for setting in BYTE_LOOK] == before
    assert window.session is other
