"""The docks of a file: they stand as planned, fold, close, come back, and are left as a person arranged them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui.shell import HALF, LEGACY, SMALL_PANES, ZIP, SmallPane, make_window, opened, settled
from viewer.core.span import Span
from viewer.session.session import Session
from viewer.session.settings import Settings
from viewer.ui.pane import Area, PaneSpec
from viewer.ui.theme import Theme, load_theme
from viewer.ui.window import MainWindow
from viewer.ui.window.failed_pane import FailedPane
from viewer.ui.window.file_view import FileView
from viewer.ui.window.layouts import Layout


def front(view: FileView) -> list[str]:
    return [dock.key for dock in view.in_front()]


def test_the_default_layout_fills_the_window(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    width = {key: dock.width() for key, dock in view.docks.items()}
    assert (width["contents"], width["hex"], width["summary"]) == (318, 672, 436)
    right, status = view.docks["tensor"].geometry(), view.height()
    assert right.bottom() + 1 == status
    # Qt gives a place to the dock that is in front; the others of its tabs follow when they are shown.
    (low,) = [dock for dock in view.in_front() if dock.kind.area is Area.BOTTOM]
    assert low.height() == 198
    assert view.docks["inspector"].height() == 190
    assert view.docks["opcodes"].y() > view.docks["contents"].y()


def test_an_archive_with_source_opens_on_source(qtbot: QtBot, window: MainWindow) -> None:
    assert "source" in front(opened(qtbot, window, LEGACY))


def test_other_files_open_on_summary_with_the_keyboard_on_the_bytes(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    assert "summary" in front(view)
    active = view.active_dock()
    assert active is not None
    assert active.key == "hex"


def test_a_narrow_window_opens_on_the_bytes(qtbot: QtBot, settings: Settings) -> None:
    window = make_window(settings, (900, 600))
    qtbot.addWidget(window)
    view = opened(qtbot, window, LEGACY)
    assert front(view) == ["contents", "hex"]
    tabs = view.docks["hex"].header.tabs
    assert [tabs.tabText(at) for at in range(tabs.count())] == ["Bytes", "Summary", "Source", "Tensor", "Inspector"]
    assert view.docks["problems"].folded
    assert view.docks["problems"].height() == 32
    window.close()


def test_the_default_layout_adapts_to_the_window(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    window.resize(1000, 900)
    qtbot.waitUntil(lambda: "summary" not in front(view))
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: "tensor" in front(view))


def test_a_layout_that_a_person_arranged_is_left_alone(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    view.docks["inspector"].close()
    assert view.arranged
    window.resize(1000, 900)
    settled(qtbot, window)
    assert view.docks["tensor"].is_in_front()
    view.apply(Layout.BYTES)
    settled(qtbot, window)
    assert not view.docks["tensor"].is_in_front()


def test_clicking_a_tab_shows_its_pane(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    header = view.docks["summary"].header
    assert [header.tabs.tabText(at) for at in range(2)] == ["Summary", "Source"]
    qtbot.mouseClick(header.tabs, Qt.MouseButton.LeftButton, pos=header.tabs.tabRect(1).center())
    qtbot.waitUntil(lambda: "source" in front(view))
    settled(qtbot, window)
    assert not view.arranged
    assert header.tabs.currentIndex() == 0


def test_dragging_a_separator_is_arranging(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    at = QPoint(view.docks["contents"].geometry().right() + 4, 100)
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(view, at + QPoint(40, 0))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at + QPoint(40, 0))
    assert view.arranged


def test_folding_leaves_the_header_and_unfolding_brings_the_height_back(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    dock = view.docks["tensors"]
    dock.header.fold.click()
    qtbot.waitUntil(lambda: dock.height() == 32)
    assert not dock.pane.isVisible()
    assert view.docks["problems"].folded
    dock.header.fold.click()
    qtbot.waitUntil(lambda: dock.height() == 198)
    assert dock.pane.isVisible()


def test_below_stand_the_tensors_or_what_is_wrong(qtbot: QtBot, window: MainWindow) -> None:
    whole, damaged = opened(qtbot, window, ZIP), opened(qtbot, window, HALF)
    qtbot.waitUntil(lambda: whole.docks["tensors"] in whole.in_front() or not whole.isVisible())
    assert damaged.docks["problems"].is_in_front()


def test_only_what_lies_below_can_be_folded(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    can = {key for key, dock in view.docks.items() if dock.is_in_front() and dock.header.fold.isVisible()}
    assert can == {"tensors", "inspector"}


def test_showing_a_folded_pane_unfolds_it(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    view.fold(view.docks["problems"], folded=True)
    view.show_pane("tensors", focus=True)
    settled(qtbot, window)
    assert view.docks["tensors"].is_in_front()


def test_badges_stand_beside_the_title_in_every_header_of_the_group(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    view.docks["tensors"].pane.badge_changed.emit("46")
    settled(qtbot, window)
    tabs = view.docks["problems"].header.tabs
    badge = tabs.tabButton(1, tabs.ButtonPosition.RightSide)
    assert badge.text() == "46"


@pytest.mark.parametrize("layout", list(Layout))
def test_panes_that_a_layout_leaves_out_can_be_shown(qtbot: QtBot, window: MainWindow, layout: Layout) -> None:
    view = opened(qtbot, window, ZIP)
    view.apply(layout)
    settled(qtbot, window)
    for key in view.docks:
        view.show_pane(key)
        qtbot.waitUntil(lambda key=key: view.docks[key].is_in_front())


def test_f6_walks_the_panes_in_both_directions(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    walked = []
    for _ in range(8):
        active = view.active_dock()
        walked.append(active.key if active is not None else None)
        view.walk(1)
    order = ["hex", "inspector", "summary", "tensor", "tensors", "contents", "opcodes", "hex"]
    assert walked == order
    view.walk(-1)
    active = view.active_dock()
    assert active is not None
    assert active.key == "hex"


def test_the_pane_with_the_keyboard_has_the_accent_line(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    view.show_pane("tensor", focus=True)
    settled(qtbot, window)
    active = {key for key, dock in view.docks.items() if dock.header.tabs.property("active")}
    assert active == {"tensor"}


def test_the_active_pane_is_asked_first(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    for key in ("opcodes", "hex"):
        view.show_pane(key, focus=True)
        view.commands()["edit.find"]()
        pane = view.pane(key)
        assert isinstance(pane, SmallPane)
        assert pane.done == ["edit.find"]


def test_how_a_file_was_left_is_found_again(qtbot: QtBot, settings: Settings) -> None:
    first = make_window(settings)
    qtbot.addWidget(first)
    view = opened(qtbot, first, ZIP)
    view.docks["tensor"].close()
    view.fold(view.docks["problems"], folded=True)
    view.show_pane("source")
    view.session.select_bytes((Span(64, 68),), "test")
    settled(qtbot, first)
    first.close()

    second = make_window(settings)
    qtbot.addWidget(second)
    again = opened(qtbot, second, ZIP)
    assert again.arranged
    assert not again.docks["tensor"].isVisible()
    assert again.docks["problems"].folded
    assert again.docks["problems"].height() == 32
    assert "source" in front(again)
    assert again.session.selection.span == Span(64, 68)
    other = opened(qtbot, second, HALF)
    assert not other.arranged
    assert other.docks["tensor"].isVisible()
    second.close()


def test_floating_and_back(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    dock = view.docks["tensors"]
    view.show_pane("tensors")
    dock.float_action.trigger()
    qtbot.waitUntil(dock.isFloating)
    assert dock.height() >= 320
    settled(qtbot, window)
    assert dock.header.tabs.count() == 1
    assert [dock.header.tabs.tabText(0)] == ["Tensors"]
    dock.float_action.trigger()
    qtbot.waitUntil(lambda: not dock.isFloating())


def test_moving_a_pane_by_its_menu(qtbot: QtBot, window: MainWindow) -> None:
    view = opened(qtbot, window, ZIP)
    dock = view.docks["contents"]
    move = next(action for action in dock.menu.actions() if action.text() == "Move to the right")
    move.trigger()
    settled(qtbot, window)
    assert view.arranged
    assert dock.x() > view.docks["hex"].x()


def test_a_file_opened_behind_another_opens_on_source_too(qtbot: QtBot, window: MainWindow) -> None:
    window.workspace.open_targets([str(LEGACY), str(ZIP)])
    first, second = window.workspace.sessions
    qtbot.waitUntil(lambda: first.document is not None and second.document is not None)
    window.workspace.activate(first)
    qtbot.waitUntil(lambda: "source" in front(window.views[first]))


def test_a_pane_that_cannot_be_made_says_so_once(
    qtbot: QtBot, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries, told = [], []

    class Broken(SmallPane):
        key = "broken"

        def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
            super().__init__(session, theme, parent)
            tries.append(self.key)
            raise ZeroDivisionError

    window = make_window(settings, panes=[*SMALL_PANES, PaneSpec("broken", "Broken", "tensor", Area.RIGHT, Broken)])
    qtbot.addWidget(window)
    monkeypatch.setattr("sys.excepthook", lambda kind, *_: told.append(kind))
    view = opened(qtbot, window, ZIP)
    view.show_pane("broken", focus=True)
    pane = view.pane("broken")
    assert isinstance(pane, FailedPane)
    assert pane.isVisible()
    assert "could not be shown" in pane.words.text()
    assert (tries, told) == (["broken"], [ZeroDivisionError])
    # What was made of it before it failed is gone.
    qtbot.waitUntil(lambda: view.docks["broken"].findChildren(Broken) == [])
    assert all(dock.made for dock in view.docks.values())
    view.set_theme(load_theme("dark"))
    window.close()


def test_sizes_are_left_alone_while_docks_are_put_in_place(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = opened(qtbot, window, ZIP)
    view.arranged = True
    place = view.place()
    view.arranged = False
    asked: list[object] = []
    monkeypatch.setattr(view, "resizeDocks", lambda *given: asked.append(given))
    view.resize(view.width() + 10, view.height())
    assert asked, "the view shares its room out as it grows"

    def grown(*_: object) -> bool:
        asked.clear()
        view.resize(view.width() + 10, view.height())
        return not asked

    # Qt lets the view grow to what the docks need, in the midst of it.
    monkeypatch.setattr(view, "restoreState", grown)
    view.restore(place)
    assert view.arranged, "docks that stand nowhere yet were given sizes"
