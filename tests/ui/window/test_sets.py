"""Sets of files in the window: what is told of a part that was opened, and the way to it and back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.builders.sets import numbered, shard, write_set
from tests.ui.shell import make_window, opened
from viewer.session.settings import Settings
from viewer.ui.panes import PANES
from viewer.ui.window import MainWindow

ONE, TWO = numbered(1, 2), numbered(2, 2)
ALONE: Final = "Show this file alone"
WHOLE: Final = "Show the whole model"


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    made = make_window(settings, panes=PANES)
    qtbot.addWidget(made)
    yield made
    made.close()


def index_set(folder: Path) -> Path:
    files = {ONE: shard({"a": ([1], [1])}), TWO: shard({"b": ([2], [2, 3])})}
    return write_set(folder, files, {"a": ONE, "b": TWO})


def button(window: MainWindow, words: str) -> QPushButton | None:
    found = (one for one in window.bars.findChildren(QPushButton) if one.text() == words)
    return next(found, None)


def test_a_part_is_told_of_and_can_be_shown_alone_and_whole_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    index_set(tmp_path)
    opened(qtbot, window, tmp_path / TWO)
    session = window.session
    assert session is not None
    assert session.root is not None
    assert len(session.root.tensors) == 2
    for words, tensors in ((ALONE, 1), (WHOLE, 2), (ALONE, 1)):
        qtbot.waitUntil(lambda words=words: button(window, words) is not None)
        offered = button(window, words)
        assert offered is not None
        with qtbot.waitSignal(session.document_changed):
            offered.click()
        assert session.root is not None
        assert len(session.root.tensors) == tensors


@pytest.mark.parametrize("name", ["", "model.safetensors.index.json"])
def test_a_folder_and_an_index_are_the_whole(qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str) -> None:
    index_set(tmp_path)
    opened(qtbot, window, tmp_path / name)
    assert window.session is not None
    assert window.session.root is not None
    assert len(window.session.root.files) == 3
    assert button(window, ALONE) is None
