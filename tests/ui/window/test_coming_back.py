"""What comes back with a file in the panes of the program: filters, order, open rows, what is in front."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.ui.shell import LEGACY, ZIP, opened, settled
from tests.ui.window.starts import Start, pane, starter
from tests.ui.window.test_main_window import bars, press, run
from viewer.core.tree import ROOT
from viewer.session.bookmarks import Bookmark
from viewer.session.settings import RECENT, Settings
from viewer.session.state_folder import StateFolder
from viewer.ui.opcode_views.tree import TreeView
from viewer.ui.panes.contents import ContentsPane
from viewer.ui.panes.imports import ImportsPane
from viewer.ui.panes.opcodes import OpcodesPane
from viewer.ui.panes.tensors import TensorsPane
from viewer.ui.panes.values import ValuesPane
from viewer.ui.widgets.rows import RowTree
from viewer.ui.window import MainWindow


@pytest.fixture
def start(qtbot: QtBot, settings: Settings) -> Start:
    return starter(qtbot, settings)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return Path(shutil.copy(ZIP, tmp_path / "model.pt"))


def open_rows(tree: RowTree) -> set[str]:
    """The first words of all rows that are open."""
    model, found, waiting = tree.model(), set[str](), [tree.rootIndex()]
    while waiting:
        above = waiting.pop()
        for row in range(model.rowCount(above)):
            index = model.index(row, 0, above)
            if tree.isExpanded(index):
                found.add(str(index.data()))
                waiting.append(index)
    return found


def open_last(tree: RowTree, levels: int) -> None:
    """Open the last row that opens, then the last one of those under it, and so on."""
    model, above = tree.model(), tree.rootIndex()
    for _ in range(levels):
        rows = [model.index(row, 0, above) for row in range(model.rowCount(above))]
        above = next(index for index in reversed(rows) if model.hasChildren(index))
        tree.expand(above)


def kept(window: MainWindow) -> dict[str, object]:
    """What stands on the disk of the one file that was open."""
    folder = window.workspace.places.folder
    folder.settle()
    names = folder.names()
    row = json.loads(folder.read(names[0], 1 << 20)) if names else {}
    assert isinstance(row, dict)
    return row


def test_filters_and_order_come_back(qtbot: QtBot, start: Start, model: Path) -> None:
    first = start()
    view = opened(qtbot, first, model)
    pane(view, OpcodesPane).filter_by("BINPUT")
    tensors = pane(view, TensorsPane)
    tensors.bar.field.setText("*.weight")
    tensors.table.sort_by(0, descending=True)
    pane(view, ImportsPane).filter.setText("torch")
    pane(view, ImportsPane).notable.setChecked(True)
    pane(view, ValuesPane).bar.field.setText("lr")
    first.close()

    again = opened(qtbot, start(), model)
    opcodes, tensors = pane(again, OpcodesPane), pane(again, TensorsPane)
    assert opcodes.filter.text() == "BINPUT"
    qtbot.waitUntil(lambda: opcodes.views.currentWidget() is opcodes.stream)
    assert tensors.bar.field.text() == "*.weight"
    names = [tensors.model.index(row, 0).data() for row in range(tensors.model.rowCount())]
    assert names == sorted(names, reverse=True)
    assert len(names) > 1
    assert all(name.endswith(".weight") for name in names)
    assert pane(again, ImportsPane).filter.text() == "torch"
    assert pane(again, ImportsPane).notable.isChecked()
    assert pane(again, ValuesPane).bar.field.text() == "lr"


def test_open_rows_come_back(qtbot: QtBot, start: Start, model: Path) -> None:
    first = start()
    view = opened(qtbot, first, model)
    view.show_pane("contents")
    contents = pane(view, ContentsPane)
    tree = contents.tree
    archive = contents.model.index(0, 0)
    inner = contents.model.index(1, 0, archive)
    tree.expand(inner)
    tree.collapse(contents.model.index(0, 0, archive))
    closed, still_open = contents.model.index(2, 0), open_rows(tree)
    tree.expand(closed)
    tree.collapse(closed)
    view.show_pane("opcodes")
    opcodes = pane(view, OpcodesPane).view("tree")
    assert isinstance(opcodes, TreeView)
    open_last(opcodes.tree, 4)
    opcodes_open = open_rows(opcodes.tree)
    first.close()

    again = opened(qtbot, start(), model)
    again.show_pane("contents")
    found = pane(again, ContentsPane).tree
    qtbot.waitUntil(lambda: open_rows(found) == still_open)
    again.show_pane("opcodes")
    other = pane(again, OpcodesPane).view("tree")
    assert isinstance(other, TreeView)
    qtbot.waitUntil(lambda: open_rows(other.tree) == opcodes_open)
    assert len(opcodes_open) > 1


def test_groups_of_tensors_come_back(qtbot: QtBot, start: Start, model: Path) -> None:
    first = start()
    view = opened(qtbot, first, model)
    view.show_pane("tensors")
    tensors = pane(view, TensorsPane)
    tensors.ways.choose("groups")
    qtbot.waitUntil(lambda: tensors.groups_model.rowCount() > 0)
    for row in range(tensors.groups_model.rowCount()):
        tensors.tree.collapse(tensors.groups_model.index(row, 0))
    tensors.tree.expand(tensors.groups_model.index(0, 0))
    before = open_rows(tensors.tree)
    first.close()

    again = opened(qtbot, start(), model)
    other = pane(again, TensorsPane)
    assert other.ways.current == "groups"
    qtbot.waitUntil(lambda: open_rows(other.tree) == before)


def test_panes_in_front_come_back_without_an_arrangement(qtbot: QtBot, start: Start, model: Path) -> None:
    first = start()
    view = opened(qtbot, first, model)
    view.show_pane("compare")
    view.show_pane("values", focus=True)
    qtbot.waitUntil(lambda: view.active_dock() is view.docks["values"])
    qtbot.waitUntil(lambda: not view._later.isActive())
    assert not view.arranged
    first.close()

    again = opened(qtbot, start(), model)
    assert not again.arranged
    assert {"compare", "values"} <= {dock.key for dock in again.in_front()}
    qtbot.waitUntil(lambda: again.active_dock() is again.docks["values"])


def test_panes_in_front_come_back_in_a_tab_behind_another(
    qtbot: QtBot, start: Start, model: Path, tmp_path: Path
) -> None:
    """As after a fault: all files are opened before the window is shown, and one is looked at."""
    other = Path(shutil.copy(LEGACY, tmp_path / "other.pth"))
    first = start()
    view = opened(qtbot, first, model)
    view.show_pane("compare")
    view.show_pane("values", focus=True)
    qtbot.waitUntil(lambda: view.active_dock() is view.docks["values"])
    qtbot.waitUntil(lambda: not view._later.isActive())
    first.close()

    again = start()
    again.hide()
    session, second = again.workspace.open(model), again.workspace.open(other)
    assert session is not None
    assert second is not None
    qtbot.waitUntil(lambda: session.document is not None and second.document is not None)
    again.show()
    settled(qtbot, again)
    again.workspace.activate(session)
    settled(qtbot, again)
    view = again.views[session]
    qtbot.waitUntil(lambda: {"compare", "values"} <= {dock.key for dock in view.in_front()})
    qtbot.waitUntil(lambda: view.active_dock() is view.docks["values"])


def test_a_tab_that_was_never_looked_at_again_loses_nothing(qtbot: QtBot, start: Start, model: Path) -> None:
    first = start()
    pane(opened(qtbot, first, model), ImportsPane).filter.setText("torch")
    first.close()
    second = start()
    second.workspace.open(model)
    second.close()
    assert pane(opened(qtbot, start(), model), ImportsPane).filter.text() == "torch"


def test_what_is_typed_is_kept_a_while_later(
    qtbot: QtBot, start: Start, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never at each key, and before the file is closed."""
    window = start()
    view = opened(qtbot, window, model)
    qtbot.waitUntil(lambda: not window.keeping._soon.isActive())
    asked: list[str] = []
    monkeypatch.setattr(window.workspace.places.folder, "write", lambda *given: asked.append(given[0]))
    field = pane(view, ImportsPane).filter
    for letter in "torch":
        qtbot.keyClicks(field, letter)
    assert asked == []
    assert window.keeping._soon.isActive()
    qtbot.waitUntil(lambda: bool(asked))
    monkeypatch.undo()


def test_what_cannot_be_kept_from_the_beginning_is_told(
    qtbot: QtBot, settings: Settings, start: Start, model: Path
) -> None:
    """The lists of an older version are written before there is a window."""
    settings.set(RECENT, json.dumps([{"path": str(model)}]))
    settings.state_folder.write_bytes(b"")
    window = start()
    assert bars(window) == ["How files are left could not be kept."]
    assert [file.path for file in window.workspace.recent.files] == [str(model)]


def test_a_moved_file_is_told(qtbot: QtBot, start: Start, model: Path) -> None:
    first = start()
    opened(qtbot, first, model)
    first.close()
    moved = model.rename(model.with_name("other.pt"))
    second = start()
    opened(qtbot, second, moved)
    assert bars(second) == ["other.pt was moved since it was open."]
    assert str(model) in second.bars.shown[0].sentence


def test_a_changed_file_is_told_and_can_begin_anew(qtbot: QtBot, start: Start, model: Path) -> None:
    first = start()
    pane(opened(qtbot, first, model), ImportsPane).filter.setText("torch")
    first.close()
    with model.open("ab") as file:
        file.write(b"more")
    second = start()
    view = opened(qtbot, second, model)
    assert "model.pt has changed since it was open." in bars(second)
    assert pane(view, ImportsPane).filter.text() == "torch"
    press(second, "Begin anew")
    qtbot.waitUntil(lambda: second.session is not None and second.session.document is not None)
    assert second.session is not None
    assert pane(second.views[second.session], ImportsPane).filter.text() == ""
    assert "model.pt has changed since it was open." not in bars(second)


def test_reading_again_is_no_news(qtbot: QtBot, start: Start, model: Path) -> None:
    window = start()
    view = opened(qtbot, window, model)
    pane(view, ImportsPane).filter.setText("torch")
    with model.open("ab") as file:
        file.write(b"more")
    window.commands.reload(view.session)
    qtbot.waitUntil(lambda: window.session is not None and window.session.document is not None)
    assert window.session is not None
    assert pane(window.views[window.session], ImportsPane).filter.text() == "torch"
    assert "model.pt has changed since it was open." not in bars(window)


def test_a_file_is_forgotten_when_that_is_confirmed(qtbot: QtBot, start: Start, model: Path) -> None:
    first = start()
    view = opened(qtbot, first, model)
    view.session.bookmarks.add(Bookmark("", 3, 4))
    pane(view, ImportsPane).filter.setText("torch")
    run(first, "file.pin")
    run(first, "file.forget")
    assert len(view.session.bookmarks) == 1
    press(first, "Forget")
    assert len(view.session.bookmarks) == 0
    assert first.workspace.recent.files == ()
    first.close()
    again = opened(qtbot, start(), model)
    assert pane(again, ImportsPane).filter.text() == ""
    assert len(again.session.bookmarks) == 0


def test_all_files_are_forgotten(qtbot: QtBot, start: Start, model: Path) -> None:
    first = start()
    view = opened(qtbot, first, model)
    view.session.bookmarks.add(Bookmark("", 3, 4))
    first.workspace.recent.pin(model, pinned=True)
    qtbot.waitUntil(lambda: bool(kept(first)))
    run(first, "file.forget_all")
    press(first, "Forget")
    first.close()
    assert first.workspace.places.folder.names() == []
    assert first.workspace.recent.files == ()
    again = opened(qtbot, start(), model)
    assert len(again.session.bookmarks) == 0


def test_a_folder_that_cannot_be_written_is_told_once(
    qtbot: QtBot, settings: Settings, start: Start, model: Path
) -> None:
    settings.state_folder.write_bytes(b"")
    window = start()
    view = opened(qtbot, window, model)
    qtbot.waitUntil(lambda: "How files are left could not be kept." in bars(window))
    window.bars.close_first()
    pane(view, ImportsPane).filter.setText("torch")
    window.keeping.keep(view.session, view)
    window.workspace.places.folder.settle()
    assert "How files are left could not be kept." not in bars(window)


@pytest.mark.parametrize(
    "odd",
    [
        {"contents": {"open": {"0 torch-zip 1": [7, 7, 7]}}, "opcodes": {"mode": 3, "filter": ["x"]}},
        {"contents": {"open": [1, 2]}, "tensors": {"sort": [99, True], "way": "x", "filter": 1}},
        {"tensors": {"sort": [True, 1], "open": {"": ["x"]}}, "values": {"kind": None}, "compare": {"sort": "ab"}},
        {"search": {"text": "a", "case": 1, "kind": []}, "space": {"by": {}, "sizes": {"split 1": [9, "x"]}}},
        {"space": {"sizes": {"split 1": [0, 0]}}, "tensors": {"sizes": {"columns 1": [1] * 99}}, "tensor": {"view": 1}},
        {"compare": {"view": 3, "kind": ["x"], "compared": {"with": "a", "roots": [1], "by": {}}}},
        {"compare": {"compared": {"with": "", "roots": "ab", "rename": [["a"]], "strip": [], "by": "name"}}},
        {"imports": 3, "values": [], "hex": {"x": 1}, "none": {}},
    ],
)
def test_odd_things_that_were_kept_harm_nothing(
    qtbot: QtBot, start: Start, model: Path, odd: dict[str, object]
) -> None:
    first = start()
    opened(qtbot, first, model)
    first.close()
    folder: StateFolder = first.workspace.places.folder
    (name,) = folder.names()
    row = json.loads(folder.read(name, 1 << 20))
    key = f"0 torch-zip {model.stat().st_size}"
    parts = {**odd, "contents": {"open": {key: [-1, 0, 0, 10**9, 5, 1, -7, 3, 1]}}, **odd}
    (folder.path / name).write_text(json.dumps({**row, "kept": parts, "arrangement": "odd"}), encoding="ascii")
    view = opened(qtbot, start(), model)
    assert pane(view, TensorsPane).table.sorted_by() is None
    assert view.session.contents is not None
    assert view.session.contents.tree.count(ROOT) > 0
    assert not view.docks["hex"].isFloating()
    qtbot.keyClick(pane(view, ContentsPane).tree, Qt.Key.Key_Down)
