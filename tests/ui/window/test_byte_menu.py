"""View > Cells of bytes: what a cell shows, chosen in the menu bar for the file that is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.shell import make_window, opened, program_panes
from viewer.session.settings import BYTE_CELLS, BYTE_ORDER, Settings
from viewer.ui.hexview.numbers import LETTERS, Cells
from viewer.ui.panes.hex import HexPane
from viewer.ui.window import MainWindow
from viewer.ui.window.menus import Line

SAMPLES = Path(__file__).parents[3] / "resources" / "samples"


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    made = make_window(settings, panes=program_panes("hex"))
    qtbot.addWidget(made)
    yield made
    made.close()


def lines(window: MainWindow) -> dict[str, Line]:
    return {line.text: line for line in window.commands._byte_menu.lines()}


def test_there_is_nothing_to_choose_without_a_file(window: MainWindow) -> None:
    assert lines(window) == {}


def test_each_type_and_order_can_be_chosen(qtbot: QtBot, window: MainWindow, settings: Settings) -> None:
    opened(qtbot, window, SAMPLES / "whole_model_legacy.pth")
    assert list(lines(window)) == ["Bytes", *LETTERS, "Little-endian", "Big-endian"]
    assert [line.text for line in lines(window).values() if line.checked] == ["Bytes", "Little-endian"]
    lines(window)["float16"].act()
    lines(window)["Big-endian"].act()
    assert (settings.get(BYTE_CELLS), settings.get(BYTE_ORDER)) == ("float16", "big")
    assert window.view is not None
    pane = window.view.docks["hex"].pane
    assert isinstance(pane, HexPane)
    assert pane.view.form.cells == Cells("float16", big=True)
    assert [line.text for line in lines(window).values() if line.checked] == ["float16", "Big-endian"]


def test_the_choices_are_commands_of_the_palette(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, SAMPLES / "whole_model_legacy.pth")
    names = {(entry.place, entry.title) for entry in window.menus.entries()}
    assert ("View › Cells of bytes", "bfloat16") in names
    assert ("View", "How the bytes look…") in names
