"""Reduced motion: as the person chose, or as the system wishes, and nothing where nobody answers."""

from __future__ import annotations

import ctypes
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QStyle, QWidget
from pytestqt.qtbot import QtBot

from tests.desktop import PATIENCE
from viewer.session.settings import MOTION, Settings
from viewer.ui import system_motion
from viewer.ui import theme as themes
from viewer.ui.application import Appearance
from viewer.ui.portal_motion import ANIMATIONS, REDUCED, wish
from viewer.ui.system_motion import SystemMotion, has_bus, macos_reduces, windows_reduces
from viewer.ui.widgets import motion
from viewer.ui.window.frame import file_tabs

GENERAL = Qt.UIEffect.UI_General
ROOT = Path(__file__).parents[2]


class Variant:
    """As QtDBus gives values of any kind."""

    def __init__(self, value: object) -> None:
        self._value = value

    def variant(self) -> object:
        return self._value


@pytest.fixture
def widget(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[QWidget]:
    """A widget that can be seen, on a screen; motion is as before afterwards."""
    monkeypatch.setattr(motion, "QGuiApplication", SimpleNamespace(platformName=lambda: "xcb"))
    monkeypatch.setattr(motion._Wish, "effects", None)
    before = QApplication.isEffectEnabled(GENERAL)
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    yield made
    motion.allow_motion(allowed=True)
    QApplication.setEffectEnabled(GENERAL, before)


@pytest.mark.parametrize(
    ("key", "value", "reduced"),
    [
        (REDUCED[1], 1, True),
        (REDUCED[1], 0, False),
        (REDUCED[1], 2, False),
        (REDUCED[1], "1", None),
        (ANIMATIONS[1], False, True),
        (ANIMATIONS[1], True, False),
        (ANIMATIONS[1], 0, None),
    ],
)
def test_answers_are_understood(key: str, value: object, reduced: bool | None) -> None:
    assert wish(key, [value]) is reduced
    assert wish(key, [Variant(Variant(value))]) is reduced


def test_no_answer_is_no_wish() -> None:
    assert wish(REDUCED[1], []) is None


AGREED, OLDER = list(REDUCED), list(ANIMATIONS)


@pytest.mark.parametrize(
    ("known", "changes", "told"),
    [
        ({REDUCED[1]: 1}, [], [True]),
        ({REDUCED[1]: 0}, [[*AGREED, 1], [*AGREED, 1], [*AGREED, 0]], [False, True, False]),
        ({ANIMATIONS[1]: False}, [[*OLDER, True]], [True, False]),
        ({REDUCED[1]: 0, ANIMATIONS[1]: False}, [[*OLDER, False], ["other", REDUCED[1], 1]], [False]),
        ({ANIMATIONS[1]: True}, [[*AGREED, 1], [*OLDER, True]], [False, True]),
        ({REDUCED[1]: 0}, [[*AGREED, "1"]], [False]),
    ],
)
def test_the_portal_is_asked_and_heard(
    known: dict[str, object], changes: list[list[object]], told: list[bool], child_environment: dict[str, str]
) -> None:
    if shutil.which("dbus-run-session") is None:
        pytest.skip("dbus-run-session: not installed, so no portal could be asked")
    child = [sys.executable, "-m", "tests.ui.portal_child", json.dumps(known), json.dumps(changes)]
    done = subprocess.run(
        ["dbus-run-session", "--", *child],
        env=child_environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == told


class Method:
    """A function of a library that ctypes loaded; what it gives can be stated, as there."""

    restype: object = None

    def __init__(self, call: Callable[..., object]) -> None:
        self._call = call

    def __call__(self, *arguments: object) -> object:
        return self._call(*arguments)


class Objc:
    """What macOS has of NSWorkspace: its names are counted, and methods called by their selectors."""

    def __init__(self, reduced: bool, *, workspace: int = 0x5000) -> None:
        self.names: list[bytes] = []
        self.objc_getClass = self.sel_registerName = Method(self._number)
        self._reduced, self._workspace = reduced, workspace
        self.objc_msgSend = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(self._send)

    def _number(self, name: object) -> int:
        assert isinstance(name, bytes)
        self.names.append(name)
        return len(self.names)

    def _send(self, target: int, selector: int) -> int:
        asked = self.names[selector - 1]
        if asked == b"sharedWorkspace":
            assert self.names[target - 1] == b"NSWorkspace"
            return self._workspace
        assert (target, asked) == (self._workspace, b"accessibilityDisplayShouldReduceMotion")
        return int(self._reduced)


@pytest.mark.parametrize("reduced", [True, False])
def test_macos_is_asked_by_its_workspace(reduced: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: Objc(reduced))
    assert macos_reduces() is reduced


def test_a_macos_that_says_nothing_is_no_wish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: Objc(True, workspace=0))
    assert macos_reduces() is None

    def absent(name: str) -> object:
        raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", absent)
    assert macos_reduces() is None


@pytest.mark.parametrize(("known", "animates", "reduced"), [(1, 0, True), (1, 1, False), (0, 0, None)])
def test_windows_is_asked_by_its_parameters(
    known: int, animates: int, reduced: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parameters(what: int, size: int, into: Any, kept: int) -> int:
        assert (what, size, kept) == (0x1042, 0, 0)
        into._obj.value = animates
        return known

    user32 = SimpleNamespace(SystemParametersInfoW=parameters)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(user32=user32), raising=False)
    assert windows_reduces() is reduced


def test_systems_that_tell_no_change_are_asked_again_when_the_person_comes_back(
    qapp: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, answers, told = QObject(), [False, False, True, None], list[bool]()
    system = SystemMotion(owner)
    system.told.connect(told.append)
    monkeypatch.setattr(system_motion.sys, "platform", "win32")
    monkeypatch.setitem(system_motion.READERS, "win32", lambda: answers.pop(0) if answers else None)
    system.ask()
    assert told == [False]
    for state in (Qt.ApplicationState.ApplicationActive, Qt.ApplicationState.ApplicationInactive):
        qapp.applicationStateChanged.emit(state)
    assert (told, len(answers)) == ([False], 2)
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert (told, answers) == ([False, True], [])
    owner.deleteLater()


def test_dragged_tabs_do_not_slide(qapp: QApplication, settings: Settings, qtbot: QtBot) -> None:
    themes.apply(qapp, themes.load_theme("light"))
    tabs = file_tabs()
    qtbot.addWidget(tabs)
    tabs.ensurePolished()
    hint = QStyle.StyleHint.SH_Widget_Animation_Duration
    assert tabs.style().styleHint(hint, None, tabs) == 0


def test_a_bus_is_looked_for_and_never_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_motion.sys, "platform", "linux")
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert not has_bus()
    (tmp_path / "bus").touch()
    assert has_bus()
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert not has_bus()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/bus")
    assert has_bus()


def test_motion_follows_the_system_and_the_person(qapp: QApplication, settings: Settings, widget: QWidget) -> None:
    QApplication.setEffectEnabled(GENERAL, True)
    appearance = Appearance(qapp, settings)

    def moving() -> tuple[bool, bool]:
        return motion.moves(widget), QApplication.isEffectEnabled(GENERAL)

    assert moving() == (True, True)
    appearance._system_motion.told.emit(True)
    assert moving() == (False, False)
    settings.set(MOTION, "none")
    appearance._system_motion.told.emit(False)
    assert moving() == (False, False)
    settings.set(MOTION, "system")
    assert moving() == (True, True)
    appearance.deleteLater()


def test_effects_that_were_off_stay_off(qapp: QApplication, settings: Settings, widget: QWidget) -> None:
    QApplication.setEffectEnabled(GENERAL, False)
    appearance = Appearance(qapp, settings)
    appearance._system_motion.told.emit(False)
    assert not QApplication.isEffectEnabled(GENERAL)
    appearance.deleteLater()
