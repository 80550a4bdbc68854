"""Dropping files on any part of the window: one, several, a folder, something else."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from tests.ui.shell import LEGACY, SAMPLES, ZIP, SmallPane, opened
from viewer.core.errors import SourceError
from viewer.ui.widgets.drop_overlay import Offer
from viewer.ui.window import MainWindow
from viewer.ui.window.drops import local_paths
from viewer.ui.window.news import MOST_AT_ONCE

COPY = Qt.DropAction.CopyAction
MOVE = Qt.DropAction.MoveAction
LEFT = Qt.MouseButton.LeftButton
NO_KEYS = Qt.KeyboardModifier.NoModifier


def files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def enter(target: QObject, data: QMimeData) -> QDragEnterEvent:
    event = QDragEnterEvent(QPoint(20, 20), COPY | MOVE, data, LEFT, NO_KEYS)
    event.setAccepted(False)
    QApplication.sendEvent(target, event)
    return event


def drop(target: QObject, data: QMimeData) -> QDropEvent:
    """A whole drag: enter, move, drop."""
    entered = enter(target, data)
    moved = QDragMoveEvent(QPoint(30, 30), COPY | MOVE, data, LEFT, NO_KEYS)
    QApplication.sendEvent(target, moved)
    event = QDropEvent(QPointF(30, 30), COPY | MOVE, data, LEFT, NO_KEYS)
    event.setAccepted(False)
    QApplication.sendEvent(target, event)
    assert entered.isAccepted() == event.isAccepted()
    return event


def pane_part(name: str) -> Callable[[MainWindow], QObject]:
    def find(window: MainWindow) -> QObject:
        view = window.view
        pane = view.pane("hex") if view is not None else None
        assert isinstance(pane, SmallPane)
        found = getattr(pane, name)
        assert isinstance(found, QObject)
        return found

    return find


PARTS: list[tuple[str, Callable[[MainWindow], QObject]]] = [
    ("window", lambda window: window),
    ("menu bar", lambda window: window.menuBar()),
    ("toolbar", lambda window: window.toolbar.breadcrumb),
    ("status line", lambda window: window.status.owner),
    ("pane", lambda window: window.view.docks["tensor"] if window.view is not None else window),
    ("header", lambda window: window.view.docks["tensor"].header if window.view is not None else window),
]


@pytest.mark.parametrize("part", [part for _, part in PARTS], ids=[name for name, _ in PARTS])
def test_a_file_dropped_on_any_part_is_opened(
    qtbot: QtBot, window: MainWindow, part: Callable[[MainWindow], QObject]
) -> None:
    opened(qtbot, window, LEGACY)
    event = drop(part(window), files(ZIP))
    assert event.isAccepted()
    assert event.dropAction() == COPY
    assert [session.path for session in window.workspace.sessions] == [LEGACY, ZIP]


@pytest.mark.parametrize("part", ["field", "words"])
def test_a_text_field_does_not_keep_the_drop(qtbot: QtBot, window: MainWindow, part: str) -> None:
    """A real drop reaches the native window first, before the field that would take the address as text."""
    view = opened(qtbot, window, LEGACY)
    pane = view.pane("hex")
    assert isinstance(pane, SmallPane)
    assert getattr(pane, part).acceptDrops()
    handle = window.windowHandle()
    assert handle is not None
    assert drop(handle, files(ZIP)).isAccepted()
    assert window.session is not None
    assert window.session.path == ZIP
    assert pane.field.text() == ""


def test_on_the_welcome_page(qtbot: QtBot, window: MainWindow) -> None:
    assert drop(window.welcome.zone, files(ZIP)).isAccepted()
    assert window.session is not None


def test_several_files_each_get_a_tab(qtbot: QtBot, window: MainWindow) -> None:
    paths = [ZIP, LEGACY, SAMPLES / "half_download.pth"]
    drop(window, files(*paths))
    assert [session.path for session in window.workspace.sessions] == paths
    assert window.tabs.count() == 3


def test_a_folder_without_a_model_is_a_sentence(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    drop(window, files(tmp_path))
    qtbot.waitUntil(lambda: bool(window.bars.shown))
    (message,) = window.bars.shown
    assert message.sentence == f"{tmp_path} is a folder. Choose a file in it."
    assert window.workspace.sessions == []


def test_a_folder_with_two_models_offers_to_open_both(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    paths = [tmp_path / "best.pt", tmp_path / "last.pt"]
    for path in paths:
        path.write_bytes(ZIP.read_bytes())
    drop(window, files(tmp_path))
    qtbot.waitUntil(lambda: bool(window.bars.shown))
    (message,) = window.bars.shown
    assert [words for words, _ in message.actions] == ["Open all 2", "Choose a file in it"]
    button = next(button for button in window.bars.findChildren(QPushButton) if button.text() == "Open all 2")
    button.click()
    assert [session.path for session in window.workspace.sessions] == paths
    assert window.bars.shown == []


def test_a_folder_with_very_many_models_offers_a_choice(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    for number in range(MOST_AT_ONCE + 1):
        (tmp_path / f"step_{number}.pt").write_bytes(b"x")
    drop(window, files(tmp_path))
    qtbot.waitUntil(lambda: bool(window.bars.shown))
    assert [words for words, _ in window.bars.shown[0].actions] == ["Choose a file in it"]


def test_files_and_a_folder_together(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    drop(window, files(ZIP, tmp_path, LEGACY))
    qtbot.waitUntil(lambda: [session.path for session in window.workspace.sessions] == [ZIP, LEGACY])
    assert len(window.bars.shown) == 1


def test_a_folder_with_a_model_is_opened(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    for number in range(2):
        (folder / f"consolidated.0{number}.pth").write_bytes(ZIP.read_bytes())
    drop(window, files(folder))
    session = window.session
    assert session is not None
    qtbot.waitUntil(lambda: session.document is not None)
    assert session.document is not None
    assert [file.name for file in session.document.files] == ["consolidated.00.pth", "consolidated.01.pth"]
    assert window.tabs.tabText(0) == "parts"


def test_the_overlay_says_what_a_drop_does(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    overlay = window.drops.overlay
    enter(window, files(ZIP))
    assert overlay.isVisible()
    assert overlay.geometry() == window.rect()
    assert (overlay.offer.title, overlay.offer.subject, overlay.offer.fact) == (
        "Drop to open",
        "checkpoint_adam.pt",
        "46.7 kB",
    )
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert not overlay.isVisible()
    enter(window, files(ZIP, LEGACY))
    assert overlay.offer.subject == "2 files"
    QApplication.sendEvent(window, QDragLeaveEvent())
    enter(window, files(tmp_path))
    assert (overlay.offer.title, overlay.offer.icon) == ("Drop to open", "folder")
    drop(window, files(ZIP))
    assert not overlay.isVisible()


def test_text_and_addresses_of_other_machines_are_left_alone(qtbot: QtBot, window: MainWindow) -> None:
    text = QMimeData()
    text.setText("hello")
    remote = QMimeData()
    remote.setUrls([QUrl("https://example.org/model.pt")])
    for data in (text, remote):
        assert not drop(window, data).isAccepted()
        assert not window.drops.overlay.isVisible()
    assert window.workspace.sessions == []


def test_names_that_are_no_utf8_and_names_with_signs(qtbot: QtBot, tmp_path: Path) -> None:
    data = QMimeData()
    odd = [QUrl.fromEncoded(b"file:///tmp/a%FF.pt"), QUrl.fromLocalFile("/tmp/a b#12.pt")]
    data.setUrls(odd)
    assert local_paths(data) == [os.fsdecode(b"/tmp/a\xff.pt"), "/tmp/a b#12.pt"]


def test_leaving_is_not_swallowed(qtbot: QtBot, window: MainWindow) -> None:
    assert not window.drops.eventFilter(window, QEvent(QEvent.Type.DragLeave))


def test_python_files_are_given_to_the_checkpoint_that_is_shown(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    view = opened(qtbot, window, LEGACY)
    code = tmp_path / "nets.py"
    code.write_text("class Net:\n    pass\n", encoding="utf-8")
    enter(window, files(code))
    offer = window.drops.overlay.offer
    assert (offer.title, offer.subject) == ("Drop to give the source of whole_model_legacy.pth", "nets.py")
    with qtbot.waitSignal(view.session.code.supplied_one) as given:
        drop(window, files(code, ZIP))
    assert given.args[0].path == code
    assert [session.path for session in window.workspace.sessions] == [LEGACY, ZIP]


def test_a_python_file_is_opened_where_no_checkpoint_is_shown(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    code = tmp_path / "nets.py"
    code.write_text("class Net:\n    pass\n", encoding="utf-8")
    enter(window, files(code))
    assert window.drops.overlay.offer.title == "Drop to open"
    drop(window, files(code))
    assert [session.path for session in window.workspace.sessions] == [code]
    qtbot.waitUntil(lambda: window.session is not None and window.session.document is not None)
    again = tmp_path / "more.py"
    again.write_text("x = 1\n", encoding="utf-8")
    drop(window, files(again))
    assert [session.path for session in window.workspace.sessions] == [code, again]


def drop_at(window: MainWindow, data: QMimeData, x: int) -> None:
    """A whole drag that ends at this place across."""
    enter(window, data)
    QApplication.sendEvent(window, QDragMoveEvent(QPoint(x, 300), COPY | MOVE, data, LEFT, NO_KEYS))
    QApplication.sendEvent(window, QDropEvent(QPointF(x, 300), COPY | MOVE, data, LEFT, NO_KEYS))


def test_two_zones_where_a_file_can_be_compared(qtbot: QtBot, window: MainWindow) -> None:
    enter(window, files(ZIP))
    assert window.drops.overlay.second is None
    opened(qtbot, window, LEGACY)
    window.drops.overlay.vanish()
    data = files(ZIP)
    enter(window, data)
    overlay = window.drops.overlay
    assert overlay.second is not None
    assert overlay.second == Offer("Drop to compare", ZIP.name, f"with {LEGACY.name}", "compare")
    assert overlay.offer.title == "Drop to open"
    QApplication.sendEvent(window, QDragMoveEvent(QPoint(window.width() - 40, 300), COPY, data, LEFT, NO_KEYS))
    assert overlay.offer.title == "Drop to compare"
    QApplication.sendEvent(window, QDragMoveEvent(QPoint(40, 300), COPY, data, LEFT, NO_KEYS))
    assert overlay.offer.title == "Drop to open"


def test_a_file_dropped_on_the_second_zone_is_compared(qtbot: QtBot, window: MainWindow) -> None:
    first = opened(qtbot, window, LEGACY)
    compared: list[object] = []
    window.drops.compared.connect(compared.append)
    drop_at(window, files(ZIP), window.width() - 40)
    assert compared == [[str(ZIP)]]
    assert [session.path for session in window.workspace.sessions] == [LEGACY, ZIP]
    # The comparison stands in the tab of the file that was open.
    assert window.session is first.session
    qtbot.waitUntil(lambda: not any(session.jobs.busy for session in window.workspace.sessions))


def test_two_files_dropped_on_the_second_zone_are_compared_with_each_other(qtbot: QtBot, window: MainWindow) -> None:
    enter(window, files(LEGACY, ZIP))
    second = window.drops.overlay.second
    assert second is not None
    assert second == Offer("Drop to compare", LEGACY.name, f"with {ZIP.name}", "compare")
    drop_at(window, files(LEGACY, ZIP), window.width() - 40)
    assert [session.path for session in window.workspace.sessions] == [LEGACY, ZIP]
    assert window.session is not None
    assert window.session.path == LEGACY
    qtbot.waitUntil(lambda: not any(session.jobs.busy for session in window.workspace.sessions))


@pytest.mark.parametrize("name", ["model.pt", "nets.py"])
def test_what_may_not_be_looked_at_is_told_in_a_sentence(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    """As below a folder that the person may not enter: asking for facts of the file is forbidden too."""
    closed = tmp_path / "closed"
    looked_at, opened_at = Path.stat, os.open

    def stat(path: Path, **more: bool) -> os.stat_result:
        if closed in path.parents:
            raise PermissionError(13, "Permission denied", str(path))
        return looked_at(path, **more)

    def open_(path: str | Path, *more: int, **named: int) -> int:
        if str(path).startswith(str(closed)):
            raise PermissionError(13, "Permission denied", str(path))
        return opened_at(path, *more, **named)

    monkeypatch.setattr(Path, "stat", stat)
    monkeypatch.setattr(os, "open", open_)
    data = files(closed / name)
    enter(window, data)
    words = "Its permissions, or those of its folder, forbid to look at it."
    assert (window.drops.overlay.offer.subject, window.drops.overlay.offer.fact) == (name, words)
    with qtbot.waitSignal(window.workspace.refused) as told:
        drop(window, data)
    failure = told.args[1]
    assert isinstance(failure, SourceError)
    assert failure.code == "file-not-permitted"
    assert not window.workspace.sessions


def test_what_is_gone_before_it_is_dropped_is_told(window: MainWindow, tmp_path: Path) -> None:
    enter(window, files(tmp_path / "gone.pt"))
    assert window.drops.overlay.offer.fact == "It is not there any more."
