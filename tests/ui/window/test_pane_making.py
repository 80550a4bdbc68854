"""Panes are made without holding the window: one a turn, their code in a thread, each part where it will stand."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot
from typing_extensions import override

from tests.ui.shell import LEGACY, SMALL_PANES, ZIP, SmallPane, make_window, opened
from viewer.session.session import Session
from viewer.session.settings import Settings
from viewer.ui.hexview import surface
from viewer.ui.pane import Area, Pane, PaneSpec
from viewer.ui.panes import PANES
from viewer.ui.theme import Theme
from viewer.ui.window import MainWindow
from viewer.ui.window.failed_pane import FailedPane
from viewer.ui.window.file_view import FileView
from viewer.ui.window.layouts import Layout

SLOW_S: Final = 0.004
"""How long a slow pane is made: longer than the beat of a timer, which must come between two of them."""
MOST: Final = 2
"""How often a part of a pane may be dressed while the pane is made, on the average: once when it is made itself."""


class Dressed(QObject):
    """Counts how often widgets are told that they wear another style: each move of a finished one tells all in it."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.StyleChange
        return False


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    session = Session(LEGACY)
    with qtbot.waitSignal(session.document_changed, check_params_cb=lambda: session.document is not None):
        session.open()
    return session


@pytest.mark.parametrize("kind", PANES, ids=lambda kind: str(kind.key))
def test_parts_of_a_pane_are_made_where_they_stand(
    qtbot: QtBot, window: MainWindow, session: Session, kind: PaneSpec
) -> None:
    app, dressed = QApplication.instance(), Dressed()
    assert isinstance(app, QApplication)
    make = kind.load()
    app.installEventFilter(dressed)
    pane = make(session, window.theme)
    app.removeEventFilter(dressed)
    qtbot.addWidget(pane)
    parts = len(pane.findChildren(QWidget))
    assert 0 < dressed.count <= MOST * parts
    session.close()


class SlowPane(SmallPane):
    """Takes longer than a beat."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        end = time.monotonic() + SLOW_S
        while time.monotonic() < end:
            pass


def slow(number: int) -> PaneSpec:
    """A kind of pane of its own."""
    made = type("Made", (SlowPane,), {"key": f"slow{number}"})
    return PaneSpec(f"slow{number}", f"Slow {number}", "tensor", Area.RIGHT, made, number)


def test_what_waits_has_its_turn_between_two_panes(qtbot: QtBot, settings: Settings) -> None:
    window = make_window(settings, panes=[*SMALL_PANES[:3], *map(slow, range(6))])
    qtbot.addWidget(window)
    told: list[str] = []
    beat = QTimer(window, interval=1)
    beat.timeout.connect(lambda: told.append(""))
    beat.start()
    window.workspace.added.connect(lambda session: told_of(window.views[session], told.append))
    opened(qtbot, window, ZIP)
    beat.stop()
    made = [at for at, key in enumerate(told) if key.startswith("slow")]
    assert len(made) == 6
    assert all("" in told[first:then] for first, then in pairwise(made))
    window.close()


def told_of(view: FileView, tell: Callable[[str], None]) -> None:
    """Tell the key of each pane when it is made."""
    for dock in view.docks.values():
        dock.pane_made.connect(lambda pane: tell(pane.key))


def test_the_code_of_a_pane_is_loaded_in_a_thread(
    qtbot: QtBot, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make_window(settings)
    qtbot.addWidget(window)
    load, loaded = PaneSpec.load, dict[str, list[str]]()

    def loading(kind: PaneSpec) -> type[Pane]:
        loaded.setdefault(kind.key, []).append(threading.current_thread().name)
        return load(kind)

    monkeypatch.setattr(PaneSpec, "load", loading)
    monkeypatch.setattr(PaneSpec, "is_loaded", property(lambda kind: kind.key in loaded))
    view = opened(qtbot, window, ZIP)
    # The bytes come with the first picture.
    assert set(loaded) == set(view.docks)
    assert loaded.pop("hex") == [threading.main_thread().name]
    assert all(names[0].startswith("viewer-job") for names in loaded.values()), loaded
    window.close()


def test_a_pane_whose_code_cannot_be_loaded_says_so(
    qtbot: QtBot, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = PaneSpec("missing", "Missing", "tensor", Area.RIGHT, "no_such_module:Pane", 9)
    assert not missing.is_loaded
    told: list[type[BaseException]] = []
    monkeypatch.setattr("sys.excepthook", lambda kind, *_: told.append(kind))
    window = make_window(settings, panes=[*SMALL_PANES, missing])
    qtbot.addWidget(window)
    view = opened(qtbot, window, ZIP)
    assert isinstance(view.pane("missing"), FailedPane)
    assert told == [ModuleNotFoundError]
    window.close()


def test_a_file_that_comes_back_is_arranged_once(
    qtbot: QtBot, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make_window(settings)
    qtbot.addWidget(window)
    view = opened(qtbot, window, ZIP)
    view.show_pane("source")
    qtbot.waitUntil(lambda: "source" in view.place().front)
    window.workspace.close(view.session)
    arranged, apply = list[str](), FileView.apply

    def counted(of: FileView, layout: Layout, front: Sequence[str] = ()) -> None:
        arranged.append(of.session.path.name)
        apply(of, layout, front)

    monkeypatch.setattr(FileView, "apply", counted)
    again = opened(qtbot, window, ZIP)
    assert arranged == [ZIP.name]
    assert again.docks["source"].is_in_front()
    window.close()


def test_bytes_that_nobody_sees_are_not_drawn(
    qtbot: QtBot, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = Mock(wraps=surface.Canvas)
    window = make_window(settings, panes=PANES)
    qtbot.addWidget(window)
    monkeypatch.setattr(surface, "Canvas", drawn)
    opened(qtbot, window, ZIP)
    # The pane has two views more, for what is compared.
    assert drawn.call_count == 1
    window.close()


def test_the_menu_of_a_pane_is_made_when_it_is_wanted(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = list[QMenu]()
    monkeypatch.setattr(QMenu, "popup", lambda menu, _: shown.append(menu))
    view = opened(qtbot, window, ZIP)
    dock = view.docks["hex"]
    assert dock.findChildren(QMenu) == []
    dock.header.more.click()
    assert dock.findChildren(QMenu) == shown
    assert [menu.actions()[0].text() for menu in shown] == ["Move to the left"]
