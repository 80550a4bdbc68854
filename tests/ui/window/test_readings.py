"""Byte order, text of Python 2 and the limit of unpacking are choices of the window: status line, menus, buttons."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.builders.torch_values import Storage, full, packed, state_dict, tensor
from tests.builders.torch_zip import torch_zip
from tests.ui.shell import make_window, opened
from viewer.core.tensors.window import read
from viewer.session.session import Session
from viewer.session.settings import Settings
from viewer.ui.panes import PANES
from viewer.ui.window import MainWindow

INNER: Final = torch_zip({"w": full("float32", (2,), [1, 2])})
PYTHON2: Final = b"(dp0\nS'\\xc3\\xa9'\np1\nI7\ns."

# menus drop down for real, which Qt's offscreen screen cannot do quite
pytestmark = pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    made = make_window(settings, panes=PANES)
    qtbot.addWidget(made)
    yield made
    made.close()


def session_of(qtbot: QtBot, window: MainWindow, path: Path, data: bytes) -> Session:
    path.write_bytes(data)
    opened(qtbot, window, path)
    assert window.session is not None
    return window.session


def lines(menu: QMenu) -> dict[str, bool]:
    return {action.text(): action.isChecked() for action in menu.actions()}


def choose(qtbot: QtBot, session: Session, menu: QMenu, words: str) -> None:
    action = next(action for action in menu.actions() if action.text() == words)
    with qtbot.waitSignal(session.jobs.idle):
        action.trigger()
    menu.close()


def buttons(inside: QWidget) -> list[str]:
    return [button.text() for button in inside.findChildren(QPushButton) if button.isVisible()]


def test_the_byte_order_is_chosen_in_the_status_line(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = session_of(qtbot, window, tmp_path / "a.pt", INNER)
    field, menu = window.status.byte_order, window.commands.readings.menu
    assert field.text() == "little-endian"
    qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
    assert lines(menu) == {"As the file says": True, "little-endian": False, "big-endian": False}
    choose(qtbot, session, menu, "big-endian")
    assert field.text() == "big-endian, chosen"
    qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
    assert lines(menu)["big-endian"]
    choose(qtbot, session, menu, "As the file says")
    assert field.text() == "little-endian"


def test_an_archive_without_the_mark_says_so(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session_of(qtbot, window, tmp_path / "a.pt", torch_zip({"w": full("float32", (2,), [1, 2])}, version="1.6"))
    assert window.status.byte_order.text() == "little-endian, not stated"
    qtbot.mouseClick(window.status.byte_order, Qt.MouseButton.LeftButton)
    assert "As torch assumes: little-endian" in lines(window.commands.readings.menu)
    window.commands.readings.menu.close()


def test_the_choices_stand_in_the_menu_bar(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session_of(qtbot, window, tmp_path / "a.pt", INNER)
    places = [(entry.place, entry.title) for entry in window.menus.entries()]
    assert ("Tools › Byte order", "big-endian") in places
    assert not any(place == "Tools › Text of Python 2" for place, _ in places)
    session_of(qtbot, window, tmp_path / "b.pkl", PYTHON2)
    places = [(entry.place, entry.title) for entry in window.menus.entries()]
    assert ("Tools › Text of Python 2", "latin-1") in places
    assert not any(place == "Tools › Byte order" for place, _ in places)


def test_text_of_python_2_is_read_in_another_encoding(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = session_of(qtbot, window, tmp_path / "a.pkl", PYTHON2)
    assert not window.status.byte_order.isVisible()
    assert window.status.text.text() == "Python 2 text: UTF-8"
    qtbot.mouseClick(window.status.text, Qt.MouseButton.LeftButton)
    choose(qtbot, session, window.commands.readings.menu, "latin-1")
    assert window.status.text.text() == "Python 2 text: latin-1, chosen"


def test_a_choice_outlives_reading_the_file_from_the_disk_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    session = session_of(qtbot, window, tmp_path / "a.gz", gzip.compress(INNER))
    with qtbot.waitSignal(session.jobs.idle):
        session.reread(byteorder="big")
    session.select_tensor(session.document.tensors[0], "test", (1,))
    window.actions_by_id["file.reload"].trigger()
    assert window.session is not session
    qtbot.waitUntil(lambda: window.session is not None and window.session.document is not None)
    assert window.status.byte_order.text() == "big-endian, chosen"
    assert (window.session.selection.document, window.session.selection.element) == (1, (1,))


def test_more_is_unpacked_by_a_button(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = session_of(qtbot, window, tmp_path / "a.gz", gzip.compress(INNER))
    with qtbot.waitSignal(session.jobs.idle):
        session.reread(most_unpacked=500)
    assert session.document is session.documents[0]
    problems, summary = window.view.pane("problems"), window.view.pane("summary")
    window.view.show_pane("problems")
    window.view.show_pane("summary")
    assert "Unpack up to 2.00 kB" in buttons(problems)
    qtbot.waitUntil(lambda: "Unpack up to 2.00 kB" in buttons(summary))
    assert "Unpack up to 2.00 kB" in buttons(window.bars)
    assert window.actions_by_id["tools.unpack_more"].isEnabled()
    button = next(one for one in window.bars.findChildren(QPushButton) if one.text() == "Unpack up to 2.00 kB")
    with qtbot.waitSignal(session.jobs.idle):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert session.document.format == "torch-zip"
    assert not window.bars.shown


def test_swapped_numbers_are_told_with_the_button_that_settles_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    values = Storage("float32", packed("float32", [1.0, 2.5, -3.0, 4.0], ">"))
    data = torch_zip(state_dict({"w": tensor(values, (4,))}), version="1.6")
    session = session_of(qtbot, window, tmp_path / "a.pt", data)
    (message,) = window.bars.shown
    assert (message.severity, message.title) == ("warning", "The numbers look as if their bytes were swapped.")
    button = next(one for one in window.bars.findChildren(QPushButton) if one.text() == "Read as big-endian")
    with qtbot.waitSignal(session.jobs.idle):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not window.bars.shown
    assert read(session.document.tensors[0]).tolist() == [1.0, 2.5, -3.0, 4.0]
    window.view.show_pane("summary")
    qtbot.waitUntil(lambda: "Read as torch assumes" in buttons(window.view.pane("summary")))
