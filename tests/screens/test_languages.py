"""Pictures of the whole window in each language that a person has looked at: words that are cut, sides, fonts.

They hold for one set of fonts; where those of a language are not installed its pictures are skipped, and where they
are nothing is: a fallback that is no longer found fails. `PICKLESCOPE_APPROVE=1` draws them anew: look at each before
it is committed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.screens import ALONE
from tests.screens.comparing import FONTS, compare_with_approved
from tests.ui.shell import HALF, LEGACY, opened, settled
from viewer.session.settings import LANGUAGE, THEME, Settings
from viewer.session.workspace import Workspace
from viewer.ui.application import Appearance, Application
from viewer.ui.fallbacks import fallbacks
from viewer.ui.language import ENGLISH, Language
from viewer.ui.window import MainWindow

pytestmark = pytest.mark.skipif(not os.environ.get(ALONE), reason="drawn by test_alone.py, in a process of its own")

LETTERS: Final = {"zh_CN": "Noto Sans CJK SC", "ja": "Noto Sans CJK JP", "fa": "Noto Sans Arabic"}
"""The family that draws the letters of a language."""
THEMES: Final = {"zh_CN": "light", "ja": "dark", "fa": "light"}
SCREENS: Final = {
    "window": (QSize(1000, 700), LEGACY),
    "welcome": (QSize(900, 640), None),
    "help": (QSize(1000, 700), HALF),
}


@pytest.fixture(scope="session")
def qapp_cls() -> type[QApplication]:
    return Application


@pytest.fixture
def window(request: pytest.FixtureRequest, qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    """A window that speaks the language of the test."""
    code = request.node.callspec.params["code"]
    if LETTERS[code] not in QFontDatabase.families():
        pytest.skip(f"{LETTERS[code]} is not installed")
    settings = Settings(tmp_path / "settings.ini")
    settings.set(THEME, THEMES[code])
    settings.set(LANGUAGE, code)
    language = Language(qapp, settings)
    appearance = Appearance(qapp, settings)
    made = MainWindow(Workspace(settings), appearance.theme)
    qtbot.addWidget(made)
    yield made
    made.close()
    settings.set(LANGUAGE, ENGLISH)
    language.deleteLater()
    appearance.deleteLater()


@pytest.mark.parametrize("code", LETTERS)
@pytest.mark.parametrize("name", SCREENS)
def test_they_look_as_approved(window: MainWindow, qtbot: QtBot, code: str, name: str) -> None:
    theme = window.theme
    if (theme.mono_family, QFontInfo(QFont(theme.text_family)).family()) != FONTS:
        pytest.skip(f"approved in {FONTS}")
    assert fallbacks() == (() if code == "fa" else (LETTERS[code],))
    size, file = SCREENS[name]
    window.resize(size)
    with qtbot.waitExposed(window):
        window.show()
    if file is not None:
        view = opened(qtbot, window, file)
        session = view.session
        assert session.document is not None
        if name == "help":
            window.bars.close_first()
            window.help.open("opcodes/BUILD")
        qtbot.waitUntil(lambda: view.complete and not session.jobs.busy)
        settled(qtbot, window)
    focused = QApplication.focusWidget()
    if focused is not None:
        # Where the keyboard is a caret comes and goes.
        focused.clearFocus()
    compare_with_approved(window, f"language_{name}_{code}")
