"""What else comes back: comparisons, searches, chosen views, dragged parts, the window itself, the order of tabs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QTableView, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.shell import LEGACY, SMALL_PANES, ZIP, opened
from tests.ui.window.starts import Start, pane, starter
from viewer.core.comparing.names import By, Rules
from viewer.session.open_lists import OpenLists, read
from viewer.session.reopening import Reopening
from viewer.session.settings import Settings
from viewer.session.workspace import Workspace
from viewer.ui.panes.compare import ComparePane
from viewer.ui.panes.search import SearchPane
from viewer.ui.panes.space import SpacePane
from viewer.ui.panes.tensor import TensorPane
from viewer.ui.panes.tensors import TensorsPane
from viewer.ui.theme import load_theme
from viewer.ui.widgets.columns import ColumnMenu
from viewer.ui.window import MainWindow
from viewer.ui.window.file_view import FileView


@pytest.fixture
def start(qtbot: QtBot, settings: Settings) -> Start:
    return starter(qtbot, settings)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return Path(shutil.copy(ZIP, tmp_path / "model.pt"))


def compared(qtbot: QtBot, window: MainWindow, model: Path, other: Path) -> ComparePane:
    """Both files are open and are being compared."""
    opened(qtbot, window, other)
    view = opened(qtbot, window, model)
    view.show_pane("compare")
    compare = pane(view, ComparePane)
    compare.compare_with(view.session.peers()[0])
    qtbot.waitUntil(lambda: compare.comparing.found is not None and not compare.comparing.running)
    return compare


def test_what_is_compared_comes_back(qtbot: QtBot, start: Start, model: Path, tmp_path: Path) -> None:
    other = Path(shutil.copy(LEGACY, tmp_path / "other.pth"))
    first = start()
    compare = compared(qtbot, first, model, other)
    compare.comparing.follow(Rules(strip=("module",), by=By.SPELLING))
    compare.comparing.swap()
    qtbot.waitUntil(lambda: compare.comparing.found is not None and not compare.comparing.running)
    kind = next(kind for kind, chip in compare.tensors.chips.chips.items() if kind and not chip.isHidden())
    compare.tensors.chips.chips[kind].click()
    compare.switch.choose("values")
    first.close()

    # The other file alone is not compared: this one may never be opened.
    again = start()
    view = opened(qtbot, again, model)
    view.show_pane("compare")
    alone = pane(view, ComparePane)
    assert alone.comparing.other is None
    assert alone.switch.current == "values"
    opened(qtbot, again, other)
    again.workspace.activate(view.session)
    qtbot.waitUntil(lambda: alone.comparing.found is not None and not alone.comparing.running)
    assert alone.comparing.other is view.session.peers()[0]
    assert alone.comparing.swapped
    assert alone.comparing.rules == Rules(strip=("module",), by=By.SPELLING)
    assert alone.tensors.chips.kind == kind


def test_a_comparison_that_nobody_looked_at_again_is_kept(
    qtbot: QtBot, start: Start, model: Path, tmp_path: Path
) -> None:
    other = Path(shutil.copy(LEGACY, tmp_path / "other.pth"))
    first = start()
    compare = compared(qtbot, first, model, other)
    before = compare.kept()["compared"]
    first.close()
    second = start()
    view = opened(qtbot, second, model)
    view.show_pane("values")
    second.close()
    assert pane(opened(qtbot, start(), model), ComparePane).kept()["compared"] == before


def test_two_branches_of_a_file_that_are_compared_come_back(qtbot: QtBot, start: Start, model: Path) -> None:
    first = start()
    view = opened(qtbot, first, model)
    view.show_pane("compare")
    compare = pane(view, ComparePane)
    compare.compare_with(view.session, ("a", "b"))
    first.close()
    again = opened(qtbot, start(), model)
    again.show_pane("compare")
    other = pane(again, ComparePane).comparing
    qtbot.waitUntil(lambda: other.other is again.session)
    assert [part.root for part in other.parts] == ["a", "b"]


def test_chosen_views_come_back(qtbot: QtBot, start: Start, model: Path) -> None:
    first = start()
    view = opened(qtbot, first, model)
    pane(view, SpacePane).by.choose("storage")
    assert view.session.document is not None
    view.session.select_tensor(view.session.document.tensors[0], "contents")
    tensor = pane(view, TensorPane)
    qtbot.waitUntil(lambda: tensor.arrangement.can_show("values"))
    tensor.arrangement.switch.choose("values")
    first.close()
    again = opened(qtbot, start(), model)
    assert pane(again, SpacePane).by.current == "storage"
    assert pane(again, TensorPane).arrangement.wanted == "values"


def test_what_was_searched_for_comes_back_once_somebody_looks(qtbot: QtBot, start: Start, model: Path) -> None:
    first = start()
    view = opened(qtbot, first, model)
    view.session.search.look("Weight|bias", match_case=True, expression=True)
    qtbot.waitUntil(lambda: not view.session.search.running)
    chips = pane(view, SearchPane).chips
    kind = next(kind for kind in view.session.search.totals)
    chips.chips[kind].click()
    first.close()

    second = start()
    view = opened(qtbot, second, model)
    view.show_pane("values")
    qtbot.waitUntil(lambda: view.docks["values"].is_in_front())
    assert view.session.search.text == ""
    second.close()

    third = start()
    view = opened(qtbot, third, model)
    view.show_pane("search")
    search = view.session.search
    qtbot.waitUntil(lambda: bool(search.totals) and not search.running)
    assert (search.text, search.match_case, search.expression) == ("Weight|bias", True, True)
    assert pane(view, SearchPane).chips.kind == kind
    assert third.toolbar.search.text() == "Weight|bias"


def in_front(qtbot: QtBot, view: FileView, key: str) -> None:
    """The pane is shown, and all that it has."""
    view.show_pane(key)
    qtbot.waitUntil(lambda: view.docks[key].is_in_front() and view.session.document is not None)


def drag(qtbot: QtBot, widget: QWidget, at: QPoint, by: int) -> None:
    """Drag sideways."""
    qtbot.mousePress(widget, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(widget, at + QPoint(by, 0))
    qtbot.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=at + QPoint(by, 0))


def drag_column(qtbot: QtBot, table: QTableView, by: int) -> None:
    """Make the first column wider."""
    header = table.horizontalHeader()
    edge = QPoint(header.sectionViewportPosition(0) + header.sectionSize(0) - 1, header.height() // 2)
    drag(qtbot, header.viewport(), edge, by)


def test_columns_that_were_dragged_stay_whatever_comes_and_come_back(qtbot: QtBot, start: Start, model: Path) -> None:
    first = start()
    view = opened(qtbot, first, model)
    in_front(qtbot, view, "tensors")
    table = pane(view, TensorsPane).table
    before, shapes = table.columnWidth(0), table.columnWidth(2)
    drag_column(qtbot, table, 37)
    width = table.columnWidth(0)
    assert width == before + 37
    # As a document would that came now, and the window that grows.
    table.show_states(False)
    table.resize(table.width() + 50, table.height())
    assert table.columnWidth(0) == width
    # What a hand did not change stays the program's.
    table.setColumnWidth(2, shapes + 20)
    assert table.columnWidth(2) == shapes + 20
    first.close()

    again = opened(qtbot, start(), model)
    # Nobody has to look for that: it holds from the first moment, and the document has come meanwhile.
    assert pane(again, TensorsPane).table.columnWidth(0) == width
    assert pane(again, TensorsPane).table.columnWidth(2) != shapes + 20
    in_front(qtbot, again, "tensors")
    assert pane(again, TensorsPane).table.columnWidth(0) == width


def test_columns_that_were_fitted_by_the_menu_are_kept_too(qtbot: QtBot, start: Start, model: Path) -> None:
    view = opened(qtbot, start(), model)
    in_front(qtbot, view, "tensors")
    table = pane(view, TensorsPane).table
    drag_column(qtbot, table, 91)
    dragged = table.columnWidth(0)
    ColumnMenu(table).fit()
    fitted = [table.columnWidth(column) for column in range(3)]
    assert fitted[0] != dragged
    table.resize(table.width() + 50, table.height())
    assert [table.columnWidth(column) for column in range(3)] == fitted


def test_a_splitter_that_was_dragged_stays_whatever_comes_and_comes_back(
    qtbot: QtBot, start: Start, model: Path
) -> None:
    first = start()
    view = opened(qtbot, first, model)
    in_front(qtbot, view, "space")
    split = pane(view, SpacePane).split
    before = split.sizes()
    handle = split.handle(1)
    drag(qtbot, handle, handle.rect().center(), -60)
    moved = split.sizes()
    assert moved != before
    assert len(view.kept.now()["space"]["sizes"]) == 1
    # Laid the other way it is divided otherwise; and back as it was.
    split.setOrientation(Qt.Orientation.Vertical)
    split.setOrientation(Qt.Orientation.Horizontal)
    split.setSizes(before)
    qtbot.waitUntil(lambda: split.sizes() == moved)
    first.close()

    again = opened(qtbot, start(), model)
    in_front(qtbot, again, "space")
    qtbot.waitUntil(lambda: pane(again, SpacePane).split.sizes() == moved)


@pytest.fixture
def bare(qtbot: QtBot, settings: Settings) -> Start:
    """Makes a window of the size that it gives itself."""

    def make() -> MainWindow:
        window = MainWindow(Workspace(settings), load_theme("light"), SMALL_PANES)
        qtbot.addWidget(window, before_close_func=lambda one: one.workspace.close_all())
        return window

    return make


def test_the_window_stands_where_it_was_after_a_kill(
    qtbot: QtBot, bare: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = bare()
    first.show()
    first.setGeometry(60, 70, 700, 500)
    qtbot.waitUntil(lambda: first.kept_geometry.kept() != b"")
    again = bare()
    assert again.size() == QSize(700, 500)
    # Never at each step of the mouse.
    again.show()
    qtbot.waitUntil(lambda: not again.kept_geometry._soon.isActive())
    asked: list[str] = []
    monkeypatch.setattr(again.workspace.window_folder, "write", lambda *given: asked.append(given[0]))
    for width in range(720, 740, 5):
        again.resize(width, 510)
    assert asked == []
    qtbot.waitUntil(lambda: asked == ["geometry"])
    monkeypatch.undo()


@pytest.mark.parametrize("state", [Qt.WindowState.WindowMaximized, Qt.WindowState.WindowFullScreen])
def test_a_window_that_filled_the_screen_does_so_again(bare: Start, state: Qt.WindowState) -> None:
    first = bare()
    first.setGeometry(10, 40, 700, 500)
    first.setWindowState(state)
    first.show()
    first.close()
    again = bare()
    assert again.windowState() & state
    assert again.normalGeometry().size() == QSize(700, 500)


def test_a_window_of_a_screen_that_is_gone_can_be_seen(bare: Start) -> None:
    first = bare()
    first.setGeometry(9_000, 7_000, 3_000, 2_500)
    first.show()
    first.close()
    again = bare()
    again.show()
    assert again.screen().availableGeometry().contains(again.geometry())


@pytest.mark.parametrize("odd", [b"x", b"\xff" * 100, b"\x01\xd9\xd0\xcb\x00\x03\x00\x00" + b"\x7f" * 58])
def test_an_odd_geometry_gives_way_to_that_of_the_last_end(bare: Start, odd: bytes) -> None:
    first = bare()
    first.setGeometry(60, 70, 700, 500)
    first.show()
    first.close()
    folder = first.workspace.window_folder
    (folder.path / "geometry").write_bytes(odd)
    assert bare().size() == QSize(700, 500)


def test_tabs_come_back_in_the_order_that_they_were_moved_to(
    qtbot: QtBot, start: Start, settings: Settings, model: Path, tmp_path: Path
) -> None:
    others = [Path(shutil.copy(LEGACY, tmp_path / f"{name}.pth")) for name in "ab"]
    window, lists = start(), OpenLists(settings)
    Reopening(window.workspace, lists).begin()
    for path in (model, *others):
        opened(qtbot, window, path)

    def names() -> list[str]:
        lists.folder.settle()
        left = read(lists.folder.read(f"{lists._name}.json", 1 << 20).decode())
        return [Path(path).name for path in left.paths] if left is not None else []

    qtbot.waitUntil(lambda: names() == ["model.pt", "a.pth", "b.pth"])
    window.tabs.moveTab(0, 1)
    qtbot.waitUntil(lambda: names() == ["a.pth", "model.pt", "b.pth"])


def test_panes_that_float_come_back(qtbot: QtBot, start: Start, model: Path) -> None:
    first = start()
    view = opened(qtbot, first, model)
    view.docks["values"].setFloating(True)
    qtbot.waitUntil(lambda: view.arranged)
    first.close()
    again = opened(qtbot, start(), model)
    qtbot.waitUntil(lambda: again.docks["values"].isFloating())
    assert not again.docks["hex"].isFloating()
