"""Sets of files in the window: what is told of a part that was opened, and the way to it and back."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.builders.sets import numbered, shard, sparse_set, write_set
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.ui.shell import make_window, opened
from viewer.core.span import Span
from viewer.core.tensors.indexed import IndexedTensors
from viewer.core.tensors.tensor import Tensor
from viewer.session.settings import Settings
from viewer.ui.dialogs.export import ExportDialog
from viewer.ui.panes import PANES
from viewer.ui.panes.effect import EffectPane
from viewer.ui.panes.hex import HexPane
from viewer.ui.panes.opcodes import OpcodesPane
from viewer.ui.panes.tensors import TensorsPane
from viewer.ui.rendering import choose
from viewer.ui.window import MainWindow
from viewer.ui.window.standing import facts_of

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


def is_offered(window: MainWindow, words: str) -> bool:
    return button(window, words) is not None


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
        qtbot.waitUntil(partial(is_offered, window, words))
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


def test_files_of_ranks_open_on_the_first_of_them(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    for rank in range(2):
        value = {"tok_embeddings.weight": full("float32", (2, 1), [rank, 2 + rank])}
        (tmp_path / f"consolidated.{rank:02}.pth").write_bytes(torch_zip(value))
    opened(qtbot, window, tmp_path)
    session = window.session
    assert session is not None
    assert session.selection.source == "consolidated.00.pth"
    assert session.shown_source is not None
    assert session.shown_source.size == (tmp_path / "consolidated.00.pth").stat().st_size
    # An offset counts in the file that is shown: the folder has no bytes.
    choose(session, "0x8")
    assert (session.selection.source, session.selection.spans[0].start) == ("consolidated.00.pth", 8)


def test_the_status_line_has_the_size_of_the_file_that_is_shown(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    index = index_set(tmp_path)
    opened(qtbot, window, tmp_path / TWO)
    session = window.session
    assert session is not None
    sizes = {"": index.stat().st_size, ONE: (tmp_path / ONE).stat().st_size, TWO: (tmp_path / TWO).stat().st_size}
    assert sizes[ONE] != sizes[TWO]
    for name in (TWO, ONE, ""):
        session.select_member(name, "test")
        assert facts_of(session).size == f"{sizes[name]} bytes"


def test_the_bytes_of_a_folder_can_be_gone_to(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    index_set(tmp_path)
    opened(qtbot, window, tmp_path)
    assert window.actions_by_id["go.offset"].isEnabled()


def test_a_part_is_called_as_the_whole(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "gpt").mkdir()
    index = index_set(tmp_path / "gpt")
    opened(qtbot, window, tmp_path / "gpt" / TWO)
    session = window.session
    assert session is not None
    assert [line.text for line in window.commands._file_lines()] == ["gpt"]
    assert window.windowTitle() == "gpt – Picklescope"
    assert window.tabs.tabText(0) == "gpt"
    window.actions_by_id["file.copy_path"].trigger()
    assert QGuiApplication.clipboard().text() == str(index)
    dialog = ExportDialog(session, window.theme, "npz", tmp_path, (), window)
    qtbot.waitUntil(lambda: bool(dialog.target.text()))
    assert dialog.windowTitle() == "Export gpt"
    assert dialog.target.text() == str(tmp_path / "gpt.npz")


def test_the_place_in_the_part_that_was_opened_is_kept(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    index_set(tmp_path)
    view = opened(qtbot, window, tmp_path / TWO)
    view.session.select_bytes((Span(8, 10),), "test", TWO)
    assert view.place().span == Span(8, 10)
    for other in (ONE, ""):
        view.session.select_bytes((Span(8, 10),), "test", other)
        assert view.place().span is None


def test_large_sets_make_few_tensors_when_they_are_looked_at(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    make = IndexedTensors.make

    def counted(self: IndexedTensors, number: int) -> Tensor:
        made.append(number)
        return make(self, number)

    monkeypatch.setattr(IndexedTensors, "make", counted)
    opened(qtbot, window, sparse_set(tmp_path, 60, 100, (64, 64)))
    session = window.session
    assert session is not None
    assert session.root is not None
    session.select_tensor(session.root.tensors[3000], "test")
    session.select_member(numbered(7, 60), "test")
    session.back()
    assert session.selection.tensor == 3000
    # Qt looks at a thousand rows for the width of a column.
    assert len(set(made)) < 1500
    pane = window.findChild(TensorsPane)
    assert pane is not None
    with qtbot.waitSignal(session.jobs.idle):
        pane.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    assert [pane.model.source_row(row) for row in range(3)] == [5999, 5998, 5997]


def test_pickles_of_a_set_are_found_in_its_files(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "llama").mkdir()
    for rank in range(2):
        value = {"tok_embeddings.weight": full("float32", (2, 1), [rank, 2 + rank])}
        (tmp_path / "llama" / f"consolidated.{rank:02}.pth").write_bytes(torch_zip(value))
    view = opened(qtbot, window, tmp_path / "llama")
    opcodes, effect, hexadecimal = (view.pane(key) for key in ("opcodes", "effect", "hex"))
    assert isinstance(opcodes, OpcodesPane)
    assert isinstance(effect, EffectPane)
    assert isinstance(hexadecimal, HexPane)
    for label in (opcodes.empty, effect.empty):
        assert "No pickle at this level" in label.text()
        assert "Files with pickles inside: 2. Click one in Contents to open it." in label.text()
    view.session.select_document(1, "test")
    qtbot.waitUntil(lambda: hexadecimal.inside.isVisible())
    assert hexadecimal.inside.words.text() == "File consolidated.00.pth of the model"
    assert hexadecimal.inside.back.text() == "Back to llama"
