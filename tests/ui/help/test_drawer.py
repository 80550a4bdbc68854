"""The help drawer: F1, a search, the keyboard there and back, and the way from a problem to its explanation."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.shell import HALF, SMALL_PANES, make_window, opened, program_panes, settled
from viewer.session.settings import Settings
from viewer.ui.help.drawer import HelpDrawer, article
from viewer.ui.panes.problems import ProblemsPane
from viewer.ui.theme import load_theme
from viewer.ui.window import MainWindow
from viewer.wording.problems import PROBLEMS


@pytest.fixture
def real(qtbot: QtBot, settings: Settings) -> MainWindow:
    """A window whose Problems pane is the real one."""
    panes = [*(pane for pane in SMALL_PANES if pane.key != "problems"), *program_panes("problems")]
    window = make_window(settings, panes=panes)
    qtbot.addWidget(window)
    return window


def titles(drawer: HelpDrawer) -> list[str]:
    return [row.target for row in drawer._model.rows]


def test_help_opens_without_a_file(qtbot: QtBot, window: MainWindow) -> None:
    settled(qtbot, window)
    window.actions_by_id["help.problems"].trigger()
    drawer = window.help
    assert drawer.isVisible()
    assert titles(drawer) == sorted(PROBLEMS)
    assert drawer.number.text() == str(len(PROBLEMS))
    assert drawer.geometry().right() == window.stack.geometry().right()
    assert drawer.height() == window.stack.height()
    window.resize(900, 600)
    qtbot.waitUntil(lambda: drawer.height() == window.stack.height())
    assert drawer.geometry().right() == window.stack.geometry().right()


def test_the_text_that_was_asked_for_has_more_height_than_the_list(qtbot: QtBot, window: MainWindow) -> None:
    settled(qtbot, window)
    window.help.open("problems/zip-record-cut")
    qtbot.waitUntil(lambda: window.help.article.height() > 0)
    assert window.help.article.height() > window.help.rows.height()


def test_the_search_lists_what_fits_and_keeps_the_chosen_entry(qtbot: QtBot, window: MainWindow) -> None:
    drawer = window.help
    drawer.open("problems/zip-record-cut")
    assert drawer.chosen is not None
    assert drawer.chosen.key == "zip-record-cut"
    qtbot.keyClicks(drawer.filter, "record cut export")
    assert "zip-record-cut" in titles(drawer)
    assert len(titles(drawer)) < 10
    assert drawer.number.text() == f"{len(titles(drawer))} of {len(PROBLEMS)}"
    assert drawer.chosen.key == "zip-record-cut"
    drawer.filter.setText("no <such> thing")
    assert titles(drawer) == []
    assert drawer.nothing.text() == (
        "<b>Nothing matches &quot;no &lt;such&gt; thing&quot;</b><br>" + f"{len(PROBLEMS)} rows are hidden."
    )
    assert drawer.article.toPlainText() == ""


def test_the_keyboard_walks_the_list_and_escape_leaves(qtbot: QtBot, window: MainWindow) -> None:
    drawer = window.help
    drawer.open("problems")
    qtbot.waitUntil(lambda: QApplication.focusWidget() is drawer.filter)
    qtbot.keyClicks(drawer.filter, "zip-")
    qtbot.keyClick(drawer.filter, Qt.Key.Key_Down)
    assert drawer.rows.hasFocus()
    first = drawer.chosen
    qtbot.keyClick(drawer.rows, Qt.Key.Key_Down)
    assert drawer.chosen is not first
    assert drawer.chosen is not None
    assert drawer.chosen.title in drawer.article.toPlainText()
    qtbot.keyClick(drawer.rows, Qt.Key.Key_Escape)
    assert drawer.isVisible()
    assert drawer.filter.text() == ""
    with qtbot.waitSignal(drawer.closed):
        qtbot.keyClick(drawer.filter, Qt.Key.Key_Escape)
    assert not drawer.isVisible()


def test_a_screen_reader_hears_title_code_and_severity(qtbot: QtBot, window: MainWindow) -> None:
    window.help.open("problems/zip-record-cut")
    index = window.help.rows.currentIndex()
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "The record ‹name› is cut, zip-record-cut, error"
    for widget in (window.help.rows, window.help.filter, window.help.article, window.help.tabs):
        assert QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def test_f1_on_a_problem_explains_its_code_and_escape_goes_back(qtbot: QtBot, real: MainWindow) -> None:
    view = opened(qtbot, real, HALF)
    view.show_pane("problems", focus=True)
    pane = view.pane("problems")
    assert isinstance(pane, ProblemsPane)
    pane.show_row(1)
    code = pane._problems[1][1].code
    assert pane.topic() == f"problems/{code}"
    real.actions_by_id["help.here"].trigger()
    assert real.help.chosen is not None
    assert real.help.chosen.key == code
    assert real.help.article.hasFocus()
    qtbot.keyClick(real.help.article, Qt.Key.Key_Escape)
    assert not real.help.isVisible()
    assert pane.table.hasFocus()


def test_the_link_and_the_menu_of_a_problem_explain_it(qtbot: QtBot, real: MainWindow) -> None:
    view = opened(qtbot, real, HALF)
    pane = view.pane("problems")
    assert isinstance(pane, ProblemsPane)
    pane.show_row(0)
    code = pane._problems[0][1].code
    button = pane.details.what
    assert button is not None
    assert button.text() == "What is this"
    with qtbot.waitSignal(pane.asks) as asked:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked.args == [f"explain.problems/{code}"]
    assert real.help.isVisible()
    real.help.leave()
    pane.what.trigger()
    assert real.help.chosen is not None
    assert real.help.chosen.key == code


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_article_has_the_colours_of_the_theme(window: MainWindow, name: str) -> None:
    theme = load_theme(name)
    window.help.open("problems/zip-record-cut")
    window.help.set_theme(theme)
    entry = window.help.chosen
    assert entry is not None
    assert theme.color("error").name() in article(entry, theme)
    assert theme.color("muted").name() in article(entry, theme)
