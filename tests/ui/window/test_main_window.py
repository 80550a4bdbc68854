"""The window: files in tabs, commands that are on when they can act, news in bars, everything reachable by keys."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from tests.ui.shell import HALF, LEGACY, SAMPLES, ZIP, SmallPane, make_window, opened, settled
from viewer.core.span import Span
from viewer.session.session import OPENING
from viewer.session.settings import TEXT_SIZE, THEME, Settings
from viewer.ui.pane import Pane
from viewer.ui.panes import PANES
from viewer.ui.theme import load_theme
from viewer.ui.widgets.message_bar import MessageBar
from viewer.ui.widgets.status_line import KEPT_FREE
from viewer.ui.window import MainWindow
from viewer.ui.window.dock import PaneDock
from viewer.ui.window.pane_making import PaneMaking


def on(window: MainWindow) -> set[str]:
    return {spec.id for spec, action in window.actions_by_id if action.isEnabled()}


def run(window: MainWindow, name: str) -> None:
    window.actions_by_id[name].trigger()


def bars(window: MainWindow) -> list[str]:
    return [message.title for message in window.bars.shown]


def press(window: MainWindow, title: str) -> None:
    """Click the button with these words in a bar."""
    from PySide6.QtWidgets import QPushButton

    buttons = [button for bar in window.findChildren(MessageBar) for button in bar.findChildren(QPushButton)]
    next(button for button in buttons if button.text() == title).click()


def test_without_a_file_the_welcome_page_is_shown(qtbot: QtBot, window: MainWindow) -> None:
    settled(qtbot, window)
    assert window.stack.currentWidget() is window.welcome
    assert window.windowTitle() == "Picklescope"
    assert not window.toolbar.isVisible()
    assert window.status.idle.isVisible()
    assert {"file.open", "tools.palette", "help.about", "file.quit"} <= on(window)
    assert not {"file.close", "go.offset", "file.export_npz", "edit.find", "window.next_pane"} & on(window)


def test_a_file_is_shown_with_its_name_and_facts(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, LEGACY)
    assert window.stack.currentWidget() is view
    assert window.windowTitle() == "whole_model_legacy.pth – Picklescope"
    assert not window.tabs.isVisible()
    assert window.toolbar.isVisible()
    facts = [label.text() for label in window.status._facts]
    assert facts == ["Legacy archive, protocol 2", "little-endian", "", "32,102 bytes"]
    assert {"file.close", "go.offset", "file.export_npz", "edit.find", "edit.copy_hex"} <= on(window)
    assert not {"go.back", "tensor.show_bytes", "window.next_tab", "edit.copy_text", "go.next_problem"} & on(window)


def test_several_ranges_are_counted_together(qtbot: QtBot, window: MainWindow) -> None:
    session = opened(qtbot, window, ZIP).session
    session.select_bytes((Span(0, 4), Span(16, 40)), "test")
    qtbot.waitUntil(lambda: session.selection.spans == (Span(0, 4), Span(16, 40)))
    assert window.status.length.text() == "28 bytes in 2 ranges"
    assert window.status.length.toolTip() == "0x1C: 0x0–0x4, 0x10–0x28"
    session.select_bytes((Span(0, 33),), "test")
    qtbot.waitUntil(lambda: window.status.length.text() == "33 bytes")
    assert window.status.length.toolTip() == "0x21: 0x0–0x21"


def test_selecting_moves_breadcrumb_and_status(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    session = view.session
    assert session.document is not None
    tensor = next(one for one in session.document.tensors if one.name == "conv1.weight")
    session.select_tensor(tensor, "test", (0, 0, 0, 1))
    texts = [crumb.text for crumb in window.toolbar.breadcrumb.crumbs]
    assert texts == ["checkpoint_adam.pt", "data.pkl", "model_state_dict", "conv1.weight", "[0, 0, 0, 1]"]
    assert window.status.length.text() == "4 bytes"
    assert window.status.owner.text() == "float32"
    assert float(window.status.detail.text().replace("−", "-")) != 0
    settled(qtbot, window)
    assert {"tensor.show_bytes", "tensor.export"} <= on(window)


def test_a_crumb_selects_its_node(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    session = view.session
    assert session.document is not None
    assert session.contents is not None
    session.select_tensor(session.document.tensors[0], "test")
    crumb = window.toolbar.breadcrumb
    place = next(placed for placed in crumb.placed if placed.text == "model_state_dict")
    qtbot.mouseClick(crumb, Qt.MouseButton.LeftButton, pos=place.rect.center())
    node = session.selection.node
    assert node is not None
    assert session.contents.label(node).text == "model_state_dict"


def test_offsets_are_copied_by_a_click(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    view.session.select_bytes((Span(4992, 5024),), "test")
    window.status.hexadecimal.click()
    assert QGuiApplication.clipboard().text() == "0x1380"
    window.status.decimal.click()
    assert QGuiApplication.clipboard().text() == "4992"


def test_several_files_stand_in_tabs_and_keys_walk_them(qtbot: QtBot, window: MainWindow) -> None:
    for path in (LEGACY, ZIP, HALF):
        opened(qtbot, window, path)
    assert window.tabs.isVisible()
    names = [window.tabs.tabText(at) for at in range(3)]
    assert names == ["whole_model_legacy.pth", "checkpoint_adam.pt", "half_download.pth"]
    assert window.tabs.currentIndex() == 2
    run(window, "window.next_tab")
    assert window.windowTitle().startswith("whole_model_legacy.pth")
    run(window, "window.previous_tab")
    assert window.tabs.currentIndex() == 2
    window.tabs.setCurrentIndex(1)
    assert window.session is window.workspace.sessions[1]
    run(window, "file.close")
    assert [window.tabs.tabText(at) for at in range(window.tabs.count())] == [names[0], names[2]]


def test_moving_a_tab_changes_the_order_of_the_keys(qtbot: QtBot, window: MainWindow) -> None:
    for path in (LEGACY, ZIP):
        opened(qtbot, window, path)
    window.tabs.moveTab(1, 0)
    assert [session.path.name for session in window.workspace.sessions] == [
        "checkpoint_adam.pt",
        "whole_model_legacy.pth",
    ]


def test_a_key_right_after_a_change_is_not_lost(qtbot: QtBot, window: MainWindow) -> None:
    first = opened(qtbot, window, LEGACY)
    qtbot.waitUntil(window.isActiveWindow)
    assert not window.actions_by_id["window.next_tab"].isEnabled()
    window.workspace.open(ZIP)
    assert window.view is not first
    # as the keys come that waited while the window was busy: before anything that was put off
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert window.view is first


def test_the_same_file_twice_is_one_tab(qtbot: QtBot, window: MainWindow) -> None:
    first = opened(qtbot, window, ZIP)
    opened(qtbot, window, LEGACY)
    window.commands.open_paths([str(ZIP)])
    assert window.view is first
    assert window.tabs.count() == 2


def test_closing_while_decoding_leaves_nothing_behind(qtbot: QtBot, window: MainWindow) -> None:
    window.workspace.open(ZIP)
    assert window.session is not None
    assert window.session.jobs.is_running(OPENING)
    window.workspace.close(window.session)
    assert window.stack.currentWidget() is window.welcome
    assert window.views == {}


def test_the_window_closes_with_files_open(qtbot: QtBot, settings: Settings) -> None:
    window = make_window(settings)
    qtbot.addWidget(window)
    window.workspace.open_targets([str(ZIP), str(LEGACY)])
    window.close()
    assert window.workspace.sessions == []
    again = make_window(settings)
    qtbot.addWidget(again)
    assert [row.title for row in again.welcome.recent.rows] == ["whole_model_legacy.pth", "checkpoint_adam.pt"]
    again.close()


def test_a_missing_file_is_one_sentence(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.commands.open_paths([str(tmp_path / "no.pt")])
    (message,) = window.bars.shown
    assert message.title == "no.pt was not opened."
    assert message.sentence.endswith("no.pt: there is no such file.")
    assert window.stack.currentWidget() is window.welcome


def test_a_folder_offers_to_choose_a_file_in_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def choose(parent: object, title: str, folder: str, *rest: object) -> tuple[list[str], str]:
        asked.append(folder)
        return [str(ZIP)], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", choose)
    window.commands.open_paths([str(tmp_path)])
    qtbot.waitUntil(lambda: bool(window.bars.shown))
    assert window.bars.shown[0].sentence.endswith("is a folder. Choose a file in it.")
    press(window, "Choose a file in it")
    assert asked == [str(tmp_path)]
    assert window.session is not None
    assert window.session.path == ZIP
    assert bars(window) == []


def test_damage_is_told_and_the_place_shown(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, HALF)
    (message,) = window.bars.shown
    assert message.severity == "error"
    assert message.title == "This file ends early."
    assert message.sentence.endswith("Of 46 tensors 30 are whole, 1 cut, 15 missing.")
    press(window, "Show problems")
    assert view.docks["problems"].is_in_front()
    opened(qtbot, window, ZIP)
    assert bars(window) == []


def test_a_bar_that_was_closed_stays_away_until_the_file_is_read_again(qtbot: QtBot, window: MainWindow) -> None:
    session = opened(qtbot, window, HALF).session
    window.bars.close_first()
    session.document_changed.emit()
    assert bars(window) == []
    with qtbot.waitSignal(session.jobs.idle):
        session.reread(byteorder="big")
    assert bars(window) == ["This file ends early."]


def test_a_changed_byte_is_told_after_opening(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    data = bytearray(ZIP.read_bytes())
    record = data.index(b"/data/0")
    data[data.index(b"Z" * 4, record) + 200] ^= 1
    path = tmp_path / "flipped.pt"
    path.write_bytes(data)
    view = opened(qtbot, window, path)
    qtbot.waitUntil(lambda: view.session.sums.done)
    qtbot.waitUntil(lambda: bool(window.bars.shown))
    assert "fit" in window.bars.shown[0].title
    press(window, "Show the place")
    assert view.session.selection.span is not None
    assert view.session.selection.origin == "problems"


def test_problems_are_walked_by_keys(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, HALF)
    document = view.session.document
    assert document is not None
    starts = sorted({problem.span.start for problem in document.problems if problem.span is not None})
    run(window, "go.next_problem")
    assert view.session.selection.span is not None
    assert view.session.selection.span.start == starts[0]
    run(window, "go.previous_problem")
    assert view.session.selection.span.start == starts[-1]


def test_a_changed_file_can_be_read_again(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = Path(shutil.copy(ZIP, tmp_path / "model.pt"))
    view = opened(qtbot, window, path)
    view.session.select_bytes((Span(40, 44),), "test")
    with path.open("ab") as file:
        file.write(b"more")
    qtbot.waitUntil(lambda: bars(window) == ["The file has changed on disk."])
    press(window, "Read again")
    qtbot.waitUntil(lambda: window.session is not None and window.session.document is not None)
    assert window.session is not None
    assert window.session is not view.session
    assert window.session.selection.span == Span(40, 44)
    assert window.status._facts[3].text() == f"{ZIP.stat().st_size + 4:,} bytes"
    assert "The file has changed on disk." not in bars(window)


def test_go_to_by_keys(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    run(window, "go.offset")
    assert window.go_to.isVisible()
    qtbot.keyClicks(window.go_to.field, "0x1F4")
    assert window.go_to.said.text() == "0x1F4   500   BINUNICODE 'bn1.running_mean'"
    qtbot.keyClick(window.go_to.field, Qt.Key.Key_Return)
    assert view.session.selection.span == Span(500, 501)
    assert not window.go_to.isVisible()
    assert view.active_dock() is view.docks["hex"]
    run(window, "go.back")
    run(window, "go.last_byte")
    size = ZIP.stat().st_size
    assert view.session.selection.span == Span(size - 1, size)
    run(window, "go.first_byte")
    assert view.session.selection.span == Span(0, 1)
    settled(qtbot, window)
    run(window, "go.back")
    assert view.session.selection.span == Span(size - 1, size)
    settled(qtbot, window)
    run(window, "go.forward")
    assert view.session.selection.span == Span(0, 1)


def test_pane_commands_reach_the_pane(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    pane = view.pane("hex")
    assert isinstance(pane, SmallPane)
    run(window, "edit.copy_hex")
    run(window, "edit.find")
    assert pane.done == ["edit.copy_hex", "edit.find"]


def test_what_a_pane_says_is_a_bar_of_its_file(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    pane = view.pane("tensor")
    assert pane is not None
    pane.message.emit("note", "Values are shown raw.", "They are packed.")
    assert bars(window) == ["Values are shown raw."]
    opened(qtbot, window, LEGACY)
    assert bars(window) == []


def test_panes_can_be_closed_and_opened_by_the_menu(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    action = window.pane_actions["tensor"]
    assert action.isChecked()
    action.trigger()
    settled(qtbot, window)
    assert not view.docks["tensor"].isVisible()
    assert not action.isChecked()
    action.trigger()
    qtbot.waitUntil(lambda: view.docks["tensor"].is_in_front())


def test_theme_and_text_size_are_settings(qtbot: QtBot, window: MainWindow) -> None:
    settings = window.workspace.settings
    run(window, "view.theme.dark")
    assert settings.get(THEME) == "dark"
    settled(qtbot, window)
    assert window.actions_by_id["view.theme.dark"].isChecked()
    assert not window.actions_by_id["view.theme.system"].isChecked()
    run(window, "view.text_larger")
    run(window, "view.text_larger")
    run(window, "view.text_smaller")
    assert settings.get(TEXT_SIZE) == 110
    run(window, "view.text_normal")
    assert settings.get(TEXT_SIZE) == 100


def test_another_theme_reaches_every_part(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    dark = load_theme("dark", text_scale=1.5)
    window.set_theme(dark)
    assert {dock.pane.theme.name for dock in view.docks.values()} == {"dark"}
    assert view.docks["hex"].header.height() == 48
    assert window.status.height() == 39 - KEPT_FREE


def test_narrow_windows_have_icons_without_words(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, ZIP)
    styles = {button.toolButtonStyle() for button in window.toolbar._buttons}
    assert styles == {Qt.ToolButtonStyle.ToolButtonTextBesideIcon}
    window.resize(1000, 800)
    styles = {button.toolButtonStyle() for button in window.toolbar._buttons}
    assert styles == {Qt.ToolButtonStyle.ToolButtonIconOnly}


def test_copy_path(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, ZIP)
    run(window, "file.copy_path")
    assert QGuiApplication.clipboard().text() == str(ZIP)
    run(window, "file.copy_path")
    told = [(message.severity, message.title) for message in window.bars.shown]
    assert told.count(("done", "The path is on the clipboard")) == 1


def test_the_window_comes_back_with_its_size(qtbot: QtBot, settings: Settings) -> None:
    first = make_window(settings, (760, 560))
    qtbot.addWidget(first)
    first.close()
    second = MainWindow(first.workspace, load_theme("light"), [])
    qtbot.addWidget(second)
    assert (second.width(), second.height()) == (760, 560)


def test_recent_files_that_are_gone_are_told(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = Path(shutil.copy(ZIP, tmp_path / "model.pt"))
    view = opened(qtbot, window, path)
    path.unlink()
    window.workspace.close(view.session)
    qtbot.waitUntil(lambda: [row.state for row in window.welcome.recent.rows] == ["Missing"])
    (row,) = window.welcome.recent.rows
    assert (row.faded, row.facts) == (True, ("Missing",))
    window.welcome.chosen.emit(row.target)
    assert bars(window) == ["model.pt was not opened."]
    press(window, "Remove from the list")
    assert window.welcome.recent.rows == ()


def test_files_are_pinned_from_the_menus(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, ZIP)
    opened(qtbot, window, HALF)
    recent = window.workspace.recent
    run(window, "file.pin")
    settled(qtbot, window)
    assert window.actions_by_id["file.pin"].isChecked()
    window.menus.menu("File").aboutToShow.emit()
    lines = window.menus.menu("File/Pin recent files").actions()
    assert [(line.text(), line.isChecked()) for line in lines] == [(HALF.name, True), (ZIP.name, False)]
    lines[1].trigger()
    assert [file.pinned for file in recent.files] == [True, True]
    run(window, "file.pin")
    settled(qtbot, window)
    assert not window.actions_by_id["file.pin"].isChecked()
    assert [(Path(file.path).name, file.pinned) for file in recent.files] == [(ZIP.name, True), (HALF.name, False)]


def test_a_missing_file_is_found(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(shutil.copy(ZIP, tmp_path / "model.pt"))
    view = opened(qtbot, window, path)
    window.workspace.recent.pin(path, pinned=True)
    window.workspace.close(view.session)
    moved = path.rename(tmp_path / "other.pt")
    qtbot.waitUntil(lambda: not window.workspace.jobs.busy)
    window.welcome.chosen.emit(str(path))
    begun: list[str] = []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (begun.append(given[2]), (str(moved), ""))[1])
    press(window, "Find it\u2026")
    assert begun == [str(tmp_path)]
    assert window.session is not None
    assert window.session.path == moved
    assert [(file.path, file.pinned) for file in window.workspace.recent.files] == [(str(moved), True)]
    assert window.workspace.recent.gone == frozenset()


def test_the_palette_lists_every_menu_entry_and_runs_one(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, ZIP)
    run(window, "tools.palette")
    palette = window.commands_palette
    titles = palette.titles
    assert {spec.text for spec, _ in window.actions_by_id} <= set(titles)
    assert {"Contents", "Tensors", "A state_dict in a zip", "checkpoint_adam.pt"} <= set(titles)
    qtbot.keyClicks(palette.field, "gooff")
    assert palette.titles[0] == "Go to offset…"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert window.go_to.isVisible()


def test_escape_leaves_the_palette_and_gives_the_keyboard_back(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    before = view.docks["hex"].pane.focus_target()
    qtbot.waitUntil(lambda: window.focusWidget() is before)
    run(window, "tools.palette")
    qtbot.keyClick(window.commands_palette.field, Qt.Key.Key_Escape)
    assert not window.commands_palette.isVisible()
    assert window.focusWidget() is before


def test_every_menu_entry_can_be_used(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, no_log_warnings: None
) -> None:
    """Each one once, with a file, a tensor and a place selected; what opens is closed again."""
    del no_log_warnings
    shown: list[QUrl] = []
    # Each waits for a person, and no one comes.
    for asks, nothing in (
        ("getOpenFileName", ("", "")),
        ("getOpenFileNames", ([], "")),
        ("getSaveFileName", ("", "")),
        ("getExistingDirectory", ""),
    ):
        monkeypatch.setattr(QFileDialog, asks, lambda *_, nothing=nothing: nothing)
    monkeypatch.setattr(QDesktopServices, "openUrl", shown.append)
    names = [
        entry.action.objectName()
        for entry in window.menus.entries()
        if entry.action.objectName() and entry.action.objectName() not in ("file.quit", "file.close")
    ]
    assert len(names) > 45
    for name in names:
        if window.session is None:
            view = opened(qtbot, window, HALF)
            document = view.session.document
            assert document is not None
            view.session.select_tensor(document.tensors[0], "test")
            settled(qtbot, window)
        action = window.findChild(type(window.actions_by_id["file.open"]), name)
        action.trigger()
        for dialog in QApplication.topLevelWidgets():
            if dialog is not window and dialog.inherits("QDialog") and dialog.isVisible():
                dialog.close()
        settled(qtbot, window)
    assert len(shown) == 1


def test_menu_lines_that_change_are_filled_when_they_open(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, ZIP)
    window.menus.menu("File").aboutToShow.emit()
    recent = [action.text() for action in window.menus.menu("File/Open recent").actions()]
    assert recent == ["checkpoint_adam.pt", "Clear"]
    window.menus.menu("Help").aboutToShow.emit()
    assert len(window.menus.menu("Help/Samples").actions()) == len(list(SAMPLES.glob("*.p*")))
    window.menus.menu("Window").aboutToShow.emit()
    assert [action.isChecked() for action in window.menus.menu("Window/Open files").actions()] == [True]


def test_opening_another_file_makes_one_pane_a_turn(
    qtbot: QtBot, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bytes are there at once; every other pane is made in a turn of its own, so that none waits for all."""
    turns: list[list[str]] = [[]]
    make, make_next = PaneDock.make, PaneMaking._make_next

    def made(dock: PaneDock) -> Pane:
        if not dock.made:
            turns[-1].append(dock.key)
        return make(dock)

    def next_one(making: PaneMaking) -> None:
        turns.append([])
        make_next(making)
        turns.append([])

    monkeypatch.setattr(PaneDock, "make", made)
    monkeypatch.setattr(PaneMaking, "_make_next", next_one)
    window = make_window(settings, panes=PANES)
    qtbot.addWidget(window)
    for path in (ZIP, LEGACY):
        turns[:] = [[]]
        view = opened(qtbot, window, path)
        qtbot.waitUntil(lambda view=view: all(dock.made for dock in view.docks.values()))
        assert turns[0] == ["hex"]
        assert max(map(len, turns)) == 1
        assert sorted(key for turn in turns for key in turn) == sorted(view.docks)
    window.close()


def test_where_room_lacks_the_last_facts_go_first(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    view.session.select_bytes((Span(4992, 5024),), "test")
    shown = [fact.isVisible() for fact in window.status._facts]
    assert shown == [True, True, False, True]
    window.resize(640, 600)
    qtbot.waitUntil(lambda: not window.status._facts[3].isVisible())
    assert window.status._facts[0].isVisible()
    assert window.status.read_only.geometry().right() <= window.status.width()
    window.resize(1440, 900)
    qtbot.waitUntil(window.status._facts[3].isVisible)
