"""Every link of the help, and every link into it, leads to a page or an entry that is there, in each language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.translations.sentences import CODES
from viewer.core.pickles.opcodes import OPCODES
from viewer.ui.actions import ACTIONS
from viewer.ui.help import PAGES
from viewer.ui.help.drawer import HelpDrawer, article
from viewer.ui.language import Sentences
from viewer.ui.panes import PANES
from viewer.ui.theme import load_theme
from viewer.ui.window import MainWindow
from viewer.ui.window.helping import PAGES as MENU
from viewer.wording.problems import PROBLEMS

LINK = re.compile('<a href="([^"]*)"')


@pytest.fixture(params=("en", *CODES))
def drawer(request: pytest.FixtureRequest, qapp: QApplication, qtbot: QtBot) -> Iterator[HelpDrawer]:
    """The help in each language."""
    sentences = Sentences(request.param) if request.param != "en" else None
    if sentences is not None:
        qapp.installTranslator(sentences)
    window = QWidget()
    qtbot.addWidget(window)
    beside = QWidget(window)
    window.resize(900, 700)
    beside.resize(900, 700)
    yield HelpDrawer(load_theme("light"), beside, window)
    if sentences is not None:
        qapp.removeTranslator(sentences)


def test_each_link_to_another_page_leads_to_what_was_looked_for(drawer: HelpDrawer) -> None:
    keys = [page.key for page in PAGES]
    followed = set()
    for there in keys:
        drawer.open(there)
        wanted = max((entry.title for entry in drawer.entries()), key=len)
        for here in keys:
            drawer.open(here)
            drawer.filter.setText(wanted)
            links = LINK.findall(drawer.nothing.text())
            assert bool(links) == (not any(entry.holds(wanted.casefold().split()) for entry in drawer.entries()))
            for link in links:
                drawer.nothing.linkActivated.emit(link)
                assert drawer.page.key == link
                assert drawer.chosen is not None
                assert drawer.article.toPlainText().startswith(drawer.chosen.title[:1])
                followed.add(link)
    assert followed >= {"panes", "problems", "opcodes", "filter", "tensor-filter"}


def test_no_article_has_a_link_that_nothing_follows(drawer: HelpDrawer) -> None:
    theme = load_theme("light")
    for page in PAGES:
        drawer.open(page.key)
        assert [entry.key for entry in drawer.entries() if "<a " in article(entry, theme)] == []


def test_each_topic_that_is_asked_for_has_an_entry(drawer: HelpDrawer) -> None:
    topics = [f"panes/{pane.key}" for pane in PANES]
    topics += [f"problems/{code}" for code in PROBLEMS]
    topics += [f"opcodes/{facts.name}" for facts in OPCODES.values()]
    for topic in topics:
        page, _, key = topic.partition("/")
        drawer.open(topic)
        assert drawer.page.key == page
        assert drawer.chosen is not None
        assert drawer.chosen.key == key


def test_each_line_of_the_menu_leads_to_a_page(window: MainWindow) -> None:
    assert set(MENU) <= {spec.id for spec in ACTIONS}
    for command, page in MENU.items():
        window.actions_by_id[command].trigger()
        assert window.help.page.key == page
        assert window.help.chosen is not None
