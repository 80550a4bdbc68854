"""The palette finds commands by what other programs call them, and by their English names in every language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.shell import HALF, ZIP, make_window, opened, settled
from viewer.session.settings import LANGUAGE, Settings
from viewer.ui.command_words import MENU_WORDS, WORDS
from viewer.ui.dialogs.export import ExportDialog
from viewer.ui.language import Language
from viewer.ui.panes import PANES
from viewer.ui.widgets.command_palette import matching
from viewer.ui.window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    made = make_window(settings, panes=PANES)
    qtbot.addWidget(made)
    yield made
    made.close()


def run(window: MainWindow, name: str) -> None:
    window.actions_by_id[name].trigger()


def done_with(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    assert session is not None
    qtbot.waitUntil(lambda: not session.jobs.busy)


def test_the_words_are_those_of_commands_that_there_are(window: MainWindow) -> None:
    ids = {entry.action.objectName() for entry in window.menus.entries()}
    assert set(WORDS) <= ids
    assert set(MENU_WORDS) <= set(window.commands.changing_menus())


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("settings", "Preferences…"),
        ("color blind", "Preferences…"),
        ("memory limit", "Preferences…"),
        ("dark mode", "Dark"),
        ("zoom in", "Larger"),
        ("hash", "Checksums of the bytes"),
        ("md5", "Checksums of the bytes"),
        ("jump", "Go to offset…"),
        ("reload", "Read again"),
        ("hotkeys", "Keyboard shortcuts"),
        ("repair", "Rescue whole tensors…"),
        ("safetensors", "Export safetensors…"),
        ("numpy", "Export npz…"),
        ("torch.load", "Ask torch"),
        ("map_location", "Copy loading code"),
        ("malware", "Save import report…"),
        ("virus", "Imports"),
        ("health", "Tensors"),
        ("treemap", "Space"),
        ("stack", "Effect"),
        ("tutorial", "Tour in three steps"),
        ("version", "About Picklescope"),
        ("example", "A whole model with its source"),
        ("source code", "Save source as files…"),
        ("endian", "Inspector"),
    ],
)
def test_a_command_is_found_by_what_others_call_it(window: MainWindow, typed: str, found: str) -> None:
    assert matching(typed, window.menus.entries())[0].title == found


def test_a_name_comes_before_another_word_and_a_chance_in_a_word_is_none(window: MainWindow) -> None:
    entries = window.menus.entries()
    assert [entry.title for entry in matching("reset", entries)[:2]] == ["Reset", "Preferences…"]
    assert "Summary" not in {entry.title for entry in matching("eters view", entries)}


@pytest.fixture
def japanese(qapp: QApplication, settings: Settings) -> Iterator[None]:
    settings.set(LANGUAGE, "en")
    language = Language(qapp, settings)
    settings.set(LANGUAGE, "ja")
    yield
    settings.set(LANGUAGE, "en")
    language.deleteLater()


@pytest.mark.usefixtures("japanese")
def test_english_names_and_words_are_found_in_every_language(window: MainWindow) -> None:
    entries = window.menus.entries()
    for typed in ("preferences", "settings", "設定"):
        assert matching(typed, entries)[0].action.objectName() == "edit.preferences"


def test_what_fits_nothing_is_told_where_the_commands_stood(qtbot: QtBot, window: MainWindow) -> None:
    settled(qtbot, window)
    run(window, "tools.palette")
    palette = window.commands_palette
    assert (palette.view.isVisible(), palette.nothing.isVisible()) == (True, False)
    palette.field.setText("zzz qqq")
    assert (palette.view.isVisible(), palette.nothing.isVisible()) == (False, True)
    assert palette.nothing.text() == "No such command"
    assert palette.rect().contains(palette.nothing.geometry())
    palette.field.setText("")
    assert (palette.view.isVisible(), palette.nothing.isVisible()) == (True, False)


def test_the_code_that_loads_a_file_is_copied_from_any_pane(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, ZIP)
    run(window, "tools.copy_code")
    done_with(qtbot, window)
    assert "torch.load" in QGuiApplication.clipboard().text()
    assert window.bars.shown[0].title == "The loading code is on the clipboard"


def test_where_no_code_loads_a_file_that_is_said(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, HALF)
    QGuiApplication.clipboard().setText("before")
    run(window, "tools.copy_code")
    done_with(qtbot, window)
    assert QGuiApplication.clipboard().text() == "before"
    assert "No code loads this file as it is" in [message.title for message in window.bars.shown]


def test_safetensors_is_a_command_of_its_own(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, ZIP)
    run(window, "file.export_safetensors")
    dialog = window.findChild(ExportDialog)
    assert dialog is not None
    assert dialog.exporter.form == "safetensors"
    done_with(qtbot, window)
