"""About has the size that its words need, also when the text gets larger or smaller while it is open."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.ui.dialogs.about import About
from viewer.ui.measures import follow
from viewer.ui.theme import apply, load_theme


def test_another_text_size_reaches_it(qtbot: QtBot, qapp: QApplication) -> None:
    usual, large = load_theme("light"), load_theme("light", text_scale=1.5)
    sizes = []
    try:
        apply(qapp, usual)
        about = About(usual)
        qtbot.addWidget(about)
        with qtbot.waitExposed(about):
            about.show()
        for theme in (usual, large, usual):
            apply(qapp, theme)
            follow(theme)
            made = About(theme)
            qtbot.addWidget(made)
            assert about.minimumWidth() == made.minimumWidth() == theme.px(420)
            assert about.size() == made.size()
            sizes.append(about.size())
    finally:
        apply(qapp, usual)
    assert sizes[0] == sizes[2] != sizes[1]
