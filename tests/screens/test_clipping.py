"""No words are cut: every screen with large text on a small screen, in the languages that take the most room.

Where it fails, `python -m tests.screens FOLDER --language CODE --text 200` draws the screens.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QHBoxLayout, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.screens import ALONE
from tests.screens.clipping import SCREEN, TITLE_BAR, faults
from tests.screens.gallery import Gallery
from tests.screens.test_languages import LETTERS
from viewer.session.settings import LANGUAGE, MOTION, TEXT_SIZE, THEME, Settings
from viewer.session.workspace import Workspace
from viewer.ui.application import Appearance, Application
from viewer.ui.language import ENGLISH, Language
from viewer.ui.number_forms import NumberForms
from viewer.ui.widgets.labels import Box
from viewer.ui.window import MainWindow

pytestmark = pytest.mark.skipif(not os.environ.get(ALONE), reason="run by test_alone.py, in a process of its own")

LARGE: Final = SCREEN - QSize(0, TITLE_BAR)


@pytest.fixture(scope="session")
def qapp_cls() -> type[QApplication]:
    return Application


@pytest.fixture
def window(request: pytest.FixtureRequest, qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    """A window that speaks the language of the test, with text of its size."""
    code, percent, size = (request.node.callspec.params[name] for name in ("code", "percent", "size"))
    if LETTERS.get(code, "Noto Sans") not in QFontDatabase.families():
        pytest.skip(f"{LETTERS[code]} is not installed")
    settings = Settings(tmp_path / "settings.ini")
    for setting, value in ((THEME, "light"), (LANGUAGE, code), (MOTION, "none")):
        settings.set(setting, value)
    settings.set(TEXT_SIZE, percent)
    language, appearance, numbers = Language(qapp, settings), Appearance(qapp, settings), NumberForms(settings)
    made = MainWindow(Workspace(settings), appearance.theme)
    qtbot.addWidget(made)
    made.resize(size)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.close()
    settings.set(LANGUAGE, ENGLISH)
    for one in (language, appearance, numbers):
        one.deleteLater()


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard", extend=True)
@pytest.mark.parametrize(
    ("code", "percent", "size"),
    # Those whose letters come from other fonts than the program's own; `python -m tests.screens` tries any other.
    [("ja", 200, LARGE), ("fa", 200, LARGE)],
    ids=lambda value: str(value) if not isinstance(value, QSize) else f"{value.width()}x{value.height()}",
)
def test_no_words_are_cut(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, code: str, percent: int, size: QSize
) -> None:
    del code, percent
    gallery, found = Gallery(window, qtbot.waitUntil, tmp_path), dict[str, str]()
    for name, screen in gallery.screens():
        for fault in faults(screen):
            found.setdefault(fault, name)
        assert screen is not window or window.size() == size, name
    assert not found, "\n".join(f"{name}: {fault}" for fault, name in found.items())


def test_what_is_cut_is_found(qtbot: QtBot) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    parts: tuple[QWidget, ...] = QLabel("Some words"), QPushButton("Some words"), QCheckBox("Some words"), Box()
    row = QHBoxLayout(whole)
    for part in parts:
        row.addWidget(part)
        if isinstance(part, QComboBox):
            part.addItem("Some words")
    with qtbot.waitExposed(whole):
        whole.show()
    assert not faults(whole)
    for part in parts:
        part.setMaximumWidth(part.width() - 8)
    qtbot.waitUntil(lambda: len(faults(whole)) == len(parts))
    outside = QLabel("Outside", whole)
    outside.adjustSize()
    outside.move(whole.width() - 4, 0)
    outside.show()
    assert any("is not within" in words for words in faults(whole))
