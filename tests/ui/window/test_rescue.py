"""Half a download: the bar says what is left, writes it, tells of the rest, and opens the result."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.shell import HALF, make_window, opened
from viewer.session.settings import Settings
from viewer.ui.dialogs.export import ExportDialog
from viewer.ui.panes import PANES
from viewer.ui.window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    made = make_window(settings, panes=PANES)
    qtbot.addWidget(made)
    yield made
    made.close()


def press(place: QWidget, words: str) -> None:
    next(button for button in place.findChildren(QPushButton) if button.text() == words).click()


def test_open_rescue_and_open_what_was_rescued(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = opened(qtbot, window, HALF).session
    press(window.bars, "Rescue 30 whole tensors")
    dialog = window.findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog)
    qtbot.waitUntil(lambda: dialog.plan is not None)
    assert (dialog.plan.form, len(dialog.plan.items), len(dialog.plan.dropped)) == ("state_dict", 30, 0)
    names = {item.name for item in dialog.plan.items}
    target = tmp_path / "rescued.pt"
    dialog.target.setText(str(target))
    dialog.target.textEdited.emit(str(target))
    dialog.verify.setChecked(False)
    qtbot.waitUntil(lambda: dialog.plan is not None and dialog.go.isEnabled())
    dialog.go.click()
    qtbot.waitUntil(lambda: dialog.foot.told is not None)
    told = dialog.foot.told
    assert (told.severity, told.title) == ("done", "Exported 30 tensors to rescued.pt.")
    assert told.sentence == "Of 46 tensors 30 are whole, 1 cut, 15 missing."
    press(dialog, "Copy what is lost")
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "Whole tensors: 30 of 46."
    words = "Of 46 tensors 30 are whole, 1 cut, 15 missing. The list of what is lost is on the clipboard."
    assert dialog.foot.end_words.text() == words
    assert dialog.foot.end_words.accessibleDescription() == "The list of what is lost is on the clipboard."
    assert [line.partition(":")[0] for line in lines[1:]].count("Missing") == 15
    press(dialog, "Open it")
    qtbot.waitUntil(lambda: window.session is not session and window.session.document is not None)
    rescued = window.session
    assert rescued.path == target
    assert {tensor.name for tensor in rescued.document.tensors} == names
    assert (rescued.left, window.status.byte_order.text()) == (None, "little-endian")


def test_the_menu_and_summary_offer_the_same(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, HALF)
    assert window.actions_by_id["file.rescue"].isEnabled()
    assert view.docks["problems"].badge == "17"
    view.show_pane("summary")
    summary = view.pane("summary")
    qtbot.waitUntil(lambda: any(button.isVisible() for button in summary.findChildren(QPushButton)))
    next(one for one in summary.findChildren(QPushButton) if one.text() == "Rescue what is whole").click()
    dialog = window.findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog)
    qtbot.waitUntil(lambda: dialog.plan is not None)
    assert len(dialog.plan.items) == 30
    dialog.reject()


def test_missing_bytes_are_told_in_tensors_contents_and_tensor(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, HALF)
    session, tensors, contents = view.session, view.pane("tensors"), view.pane("contents")
    cut = next(row for row in range(46) if "cut" in tensors.model.index(row, 8).data())
    tensor = session.document.tensors[cut]
    state = tensors.model.index(cut, 8)
    node = session.contents.node_of_tensor(tensor)
    size = contents.model.index_of(node).siblingAtColumn(1)
    role = 3  # Qt.ItemDataRole.ToolTipRole
    assert size.data() == "cut"
    assert size.data(role) == state.data(role)
    missing = state.data().removeprefix("cut, ").removesuffix(" missing")
    assert state.data(role).startswith(f"{missing} of its ")
    session.select_tensor(tensor, "test")
    texts = [label.text() for label in view.pane("tensor").findChildren(type(view.pane("tensor").dtype))]
    assert texts[texts.index("Missing") + 1].startswith(f"{missing} of ")
