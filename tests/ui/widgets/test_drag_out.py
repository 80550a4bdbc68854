"""Dragging rows out of views: the file is whole before the drag starts, and holds what was dragged."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QDrag, QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.shell import HALF, LEGACY, ZIP
from viewer.core.opening import open_document
from viewer.session.session import Session
from viewer.ui.panes.contents import ContentsPane
from viewer.ui.panes.tensors import TensorsPane
from viewer.ui.theme import load_theme
from viewer.ui.widgets.drag_out import PASTED, DragFolder, clear_left


@pytest.fixture
def sessions(qtbot: QtBot) -> Iterator[list[Session]]:
    made: list[Session] = []
    yield made
    for session in made:
        session.close()


@pytest.fixture
def dropped(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """What was carried out; nothing is dropped here, because there is no desktop."""
    found: list[Path] = []

    def carry(drag: QDrag, actions: Qt.DropAction) -> Qt.DropAction:
        found.extend(Path(url.toLocalFile()) for url in drag.mimeData().urls())
        return actions

    monkeypatch.setattr(QDrag, "exec", carry)
    return found


def session_of(qtbot: QtBot, sessions: list[Session], path: Path) -> Session:
    session = Session(path)
    sessions.append(session)
    session.open()
    qtbot.waitUntil(lambda: session.document is not None and not session.jobs.busy)
    return session


def hold(monkeypatch: pytest.MonkeyPatch, *, held: bool) -> None:
    """Whether the button is still down when the file is whole."""
    buttons = Qt.MouseButton.LeftButton if held else Qt.MouseButton.NoButton
    monkeypatch.setattr(QGuiApplication, "mouseButtons", staticmethod(lambda: buttons))


def drag(qtbot: QtBot, session: Session, view: QAbstractItemView, row: QPoint) -> None:
    """Press on a row and move away."""
    place = view.viewport()
    QTest.mousePress(place, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, row)
    for step in (5, 30, 60):
        move(place, QPoint(row.x() + step, row.y()))
    QTest.mouseRelease(place, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, row)
    qtbot.waitUntil(lambda: not session.jobs.busy)


@pytest.mark.parametrize("name", ["fc.weight", "TheModelClass"])
def test_a_row_is_copied_as_the_file_that_dragging_it_gives(
    qtbot: QtBot, sessions: list[Session], dropped: list[Path], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """What the mouse drags into a file manager the keyboard pastes there."""
    session = session_of(qtbot, sessions, LEGACY)
    pane = ContentsPane(session, load_theme("light"))
    qtbot.addWidget(pane)
    pane.resize(400, 600)
    pane.show()
    assert pane.model.tree is not None
    assert pane.commands() == {}, "no row is chosen"
    found = [index for index in rows_of(pane) if pane.model.data(index).split()[0] == name.split(".")[-1]]
    pane.tree.setCurrentIndex(found[0])
    told: list[tuple[str, ...]] = []
    pane.message.connect(lambda *words: told.append(words))
    pane.commands()["edit.copy_file"]()
    qtbot.waitUntil(lambda: bool(told))
    pasted = QGuiApplication.clipboard().mimeData()
    path = Path(pasted.urls()[0].toLocalFile())
    assert path.is_file()
    assert bytes(pasted.data(PASTED).data()) == b"copy\n" + path.as_uri().encode()
    assert told == [("done", f"{path.name} is copied as a file.", "Paste it in a file manager.")]
    hold(monkeypatch, held=True)
    row = pane.tree.visualRect(found[0]).center()
    drag(qtbot, session, pane.tree, row)
    assert dropped == [path], "the same file, not made twice"


def rows_of(pane: ContentsPane, above: QModelIndex | None = None) -> Iterator[QModelIndex]:
    place = above or QModelIndex()
    for row in range(pane.model.rowCount(place)):
        index = pane.model.index(row, 0, place)
        yield index
        pane.tree.expand(index)
        yield from rows_of(pane, index)


def move(place: QWidget, at: QPoint) -> None:
    """A move with the button down, which QTest cannot make."""
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    where = QPointF(at), QPointF(place.mapToGlobal(at))
    QApplication.sendEvent(place, QMouseEvent(QEvent.Type.MouseMove, *where, Qt.MouseButton.NoButton, left, none))


def row_of(view: QAbstractItemView, name: str) -> QPoint:
    """A place in the row that begins with this name."""
    for y in range(2, view.viewport().height(), 4):
        index = view.indexAt(QPoint(60, y))
        if index.isValid() and str(index.siblingAtColumn(0).data()).startswith(name):
            return QPoint(60, y)
    raise LookupError(name)


def shown(qtbot: QtBot, pane: TensorsPane | ContentsPane) -> QAbstractItemView:
    qtbot.addWidget(pane)
    pane.resize(900, 600)
    pane.show()
    return pane.table if isinstance(pane, TensorsPane) else pane.tree


def test_a_tensor_is_an_npy(
    qtbot: QtBot, sessions: list[Session], dropped: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    hold(monkeypatch, held=True)
    session = session_of(qtbot, sessions, LEGACY)
    pane = TensorsPane(session, load_theme("light"))
    view = shown(qtbot, pane)
    drag(qtbot, session, view, row_of(view, "fc.bias"))
    assert [path.name for path in dropped] == ["fc.bias.npy"]
    assert np.load(dropped[0]).shape == (10,)


def test_several_rows_are_a_state_dict_and_stay_chosen(
    qtbot: QtBot, sessions: list[Session], dropped: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    hold(monkeypatch, held=True)
    session = session_of(qtbot, sessions, LEGACY)
    pane = TensorsPane(session, load_theme("light"))
    view = shown(qtbot, pane)
    view.selectAll()
    drag(qtbot, session, view, row_of(view, "fc.bias"))
    assert len(pane.chosen()) == 8
    assert [path.name for path in dropped] == ["whole_model_legacy_state.pt"]
    assert len(open_document(dropped[0]).tensors) == 8
    # A click without a drag chooses the row alone.
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=row_of(view, "fc.bias"))
    assert [tensor.name for tensor in pane.chosen()] == ["fc.bias"]


def test_a_branch_of_contents_has_its_own_names(
    qtbot: QtBot, sessions: list[Session], dropped: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    hold(monkeypatch, held=True)
    session = session_of(qtbot, sessions, ZIP)
    pane = ContentsPane(session, load_theme("light"))
    view = shown(qtbot, pane)
    drag(qtbot, session, view, row_of(view, "model_state_dict"))
    assert [path.name for path in dropped] == ["model_state_dict.pt"]
    found = open_document(dropped[0])
    assert len(found.tensors) == 16
    assert found.tensors[0].name == "conv1.weight"


def test_rows_without_tensors_are_not_dragged(
    qtbot: QtBot, sessions: list[Session], dropped: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    hold(monkeypatch, held=True)
    session = session_of(qtbot, sessions, ZIP)
    pane = ContentsPane(session, load_theme("light"))
    view = shown(qtbot, pane)
    drag(qtbot, session, view, row_of(view, "epoch"))
    assert dropped == []


def test_a_file_that_took_longer_waits_for_the_next_drag(
    qtbot: QtBot, sessions: list[Session], dropped: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    hold(monkeypatch, held=False)
    session = session_of(qtbot, sessions, LEGACY)
    pane = TensorsPane(session, load_theme("light"))
    view = shown(qtbot, pane)
    with qtbot.waitSignal(pane.message) as told:
        drag(qtbot, session, view, row_of(view, "fc.bias"))
    assert told.args[:2] == ["note", "fc.bias.npy is ready to be dragged."]
    assert dropped == []
    drag(qtbot, session, view, row_of(view, "fc.bias"))
    assert [path.name for path in dropped] == ["fc.bias.npy"]


def test_what_cannot_be_made_is_told(
    qtbot: QtBot, sessions: list[Session], dropped: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    hold(monkeypatch, held=True)
    session = session_of(qtbot, sessions, HALF)
    pane = TensorsPane(session, load_theme("light"))
    view = shown(qtbot, pane)
    pane.table.setCurrentIndex(pane.model.index(45, 0))
    pane.table.scrollTo(pane.model.index(45, 0))
    name = pane.model.index(45, 0).data()
    with qtbot.waitSignal(pane.message) as told:
        drag(qtbot, session, view, row_of(view, name))
    assert told.args[:2] == ["error", "This cannot be dragged out as a file."]
    assert "missing" in told.args[2]
    assert dropped == []


KILLED = """
import os, signal
from viewer.ui.widgets.drag_out import DragFolder, clear_left
folder = DragFolder()
(folder.new() / "left.npy").write_bytes(bytes(9))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process is killed by a signal")
def test_what_a_killed_program_left_is_taken_away_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = os.environ | {"TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", KILLED], env=own, cwd=Path(__file__).parents[3], check=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert len(list(tmp_path.glob("picklescope-drag-*/*/left.npy"))) == 1
    foreign = tmp_path / "picklescope-drag-of-somebody"
    foreign.mkdir()
    first = DragFolder()
    kept = first.new()
    assert list(tmp_path.glob("picklescope-drag-*/*/left.npy")) == []
    second = DragFolder()
    second.new()
    assert kept.is_dir()
    assert foreign.is_dir()


LIVING = """
import sys
from viewer.ui.widgets import drag_out
place = drag_out.FOLDER.new()
(place / "mine.npy").write_bytes(b"mine")
if sys.argv[1:] == ["unseen"]:
    # as the lock of a process of another container reads here: nobody runs under its number
    lock = place.parent / drag_out.LOCK
    lines = lock.read_text().splitlines()
    lock.write_text("\\n".join(["4194305", *lines[1:]]) + "\\n")
print("made", flush=True)
sys.stdin.readline()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process is killed by a signal")
@pytest.mark.parametrize("ways", [[], ["unseen"]])
def test_files_of_a_program_that_runs_are_left_alone(tmp_path: Path, ways: list[str]) -> None:
    own = os.environ | {"TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", LIVING, *ways]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=own, cwd=Path(__file__).parents[3], stdin=pipe, stdout=pipe) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"made\n"
        clear_left(tmp_path)
        assert [path.read_bytes() for path in tmp_path.glob("*/*/mine.npy")] == [b"mine"]
        program.kill()
    clear_left(tmp_path)
    assert list(tmp_path.iterdir()) == []
