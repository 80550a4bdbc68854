"""A text size that is chosen while the program runs reaches all that is there, as if the program was started with it.

Screens are made with large text; then again with usual text, made large, and made usual again. What widgets and
layouts were given (fonts, icons, margins, gaps, least and most sizes, heights of rows) must be the same each time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.screens import ALONE
from tests.screens.gallery import Gallery
from tests.screens.measuring import Facts, measure
from viewer.session.settings import MOTION, TEXT_SIZE, THEME, Settings
from viewer.session.workspace import Workspace
from viewer.ui.application import Appearance, Application
from viewer.ui.panes import PANES
from viewer.ui.window import MainWindow

pytestmark = pytest.mark.skipif(not os.environ.get(ALONE), reason="run by test_alone.py, in a process of its own")

USUAL, LARGE = 100, 200
STATIONS: Final = ("tensor_large", "preferences", "shortcuts")
"""Screens at which all is measured that was made until then, hidden or not: panes, previews, bars, dialogs."""


@pytest.fixture(scope="session")
def qapp_cls() -> type[QApplication]:
    return Application


@contextmanager
def program(qtbot: QtBot, app: QApplication, folder: Path, percent: int) -> Iterator[tuple[Settings, Gallery]]:
    """A window that was started with this text size."""
    folder.mkdir()
    settings = Settings(folder / "settings.ini")
    for setting, value in ((THEME, "light"), (MOTION, "none")):
        settings.set(setting, value)
    settings.set(TEXT_SIZE, percent)
    appearance = Appearance(app, settings)
    window = MainWindow(Workspace(settings), appearance.theme)
    appearance.changed.connect(window.set_theme)
    window.resize(1366, 744)
    with qtbot.waitExposed(window):
        window.show()
    yield settings, Gallery(window, qtbot.waitUntil, folder)
    window.close()
    window.deleteLater()
    appearance.deleteLater()
    qtbot.waitUntil(lambda: not window.workspace.sessions)


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard", extend=True)
def test_a_text_size_that_is_chosen_later_reaches_all(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    with program(qtbot, qapp, tmp_path / "large", LARGE) as (_, gallery):
        wanted = {name: measure(screen) for name, screen in gallery.screens() if name in STATIONS}
    assert wanted.keys() == set(STATIONS)
    for pane in PANES:
        assert any(place.endswith(f"> {pane.key}") for place in wanted["tensor_large"]), f"{pane.key} is not there"
    wrong = dict[str, str]()
    with program(qtbot, qapp, tmp_path / "usual", USUAL) as (settings, gallery):
        for name, screen in gallery.screens():
            if name not in STATIONS:
                continue
            before = measure(screen)
            settings.set(TEXT_SIZE, LARGE)
            gallery.settle()
            large = measure(screen)
            settings.set(TEXT_SIZE, USUAL)
            gallery.settle()
            for way, seen, due in (("larger", large, wanted[name]), ("back", measure(screen), before)):
                for fault in differences(seen, due):
                    wrong.setdefault(f"{way}: {fault}", name)
    assert not wrong, "\n".join(f"{name}: {fault}" for fault, name in wrong.items())


def differences(seen: Facts, due: Facts) -> Iterator[str]:
    """What is not as it has to be, of what is there both times."""
    for place in seen.keys() & due.keys():
        for fact in seen[place].keys() & due[place].keys():
            if seen[place][fact] != due[place][fact]:
                yield f"{place}: {fact} is {seen[place][fact]}, not {due[place][fact]}"
