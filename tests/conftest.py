"""What every test gets: an offscreen Qt, settings of its own, and an eye on threads and log messages.

No Qt is imported here: tests/core runs where Qt is not installed (`-p no:pytest-qt`).
"""

from __future__ import annotations

import gc
import logging
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

import hypothesis
import pytest

from tests.shared import ABSENT, SHARED, shared_folder

XDG: Final = ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
TESTS: Final = Path(__file__).parent
WITH_SETTINGS: Final = frozenset({"session", "ui", "journeys", "screens"})
QT_KEYS: Final = ("qt_api", "qt_log_level_fail", "qt_log_ignore", "qt_no_exception_capture", "qt_wait_signal_raising")
PATIENCE: Final = 60.0
DESCRIPTORS: Final = Path("/proc/self/fd")
MOST_OPEN: Final = 200

hypothesis.settings.register_profile("steady", derandomize=True, deadline=None)
hypothesis.settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Without pytest-qt its keys in pyproject.toml would be unknown."""
    if not pluginmanager.has_plugin("pytest-qt"):
        for key in QT_KEYS:
            parser.addini(key, "read by pytest-qt only", type="linelist" if key == "qt_log_ignore" else "string")


def pytest_configure(config: pytest.Config) -> None:
    """This process's Qt draws offscreen and sees nothing of the person's settings; children choose for themselves."""
    config.addinivalue_line("markers", "shared: opens a file of ../shared")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    for name in ("QT_STYLE_OVERRIDE", "QT_SCALE_FACTOR", "QT_FONT_DPI"):
        os.environ.pop(name, None)
    home = Path(tempfile.mkdtemp(prefix="picklescope-tests-"))
    config.stash[HOME] = home
    for name in XDG:
        os.environ[name] = str(home / name.lower())


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave nothing behind."""
    shutil.rmtree(config.stash[HOME], ignore_errors=True)


HOME: Final = pytest.StashKey[Path]()


def pytest_runtest_logfinish() -> None:
    """Have the files given back that tests left open: reading makes all objects old, so that Python rarely looks."""
    if DESCRIPTORS.is_dir() and sum(1 for _ in DESCRIPTORS.iterdir()) > _room.most:
        gc.collect()
        _room.most = MOST_OPEN + sum(1 for _ in DESCRIPTORS.iterdir())


class _Room:
    """How many descriptors may be open before the collector is called: those of fixtures stay."""

    most: int = MOST_OPEN


_room: Final = _Room()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many files of ../shared were tried."""
    if not SHARED.is_dir():
        terminalreporter.write_line(f"Note: {ABSENT}.")
        return
    ran = sum("shared" in report.keywords for report in terminalreporter.getreports("passed") if report.when == "call")
    terminalreporter.write_line(f"Tests over files of ../shared that passed: {ran}.")


@pytest.fixture
def qtbot(qapp: object, request: pytest.FixtureRequest) -> object:
    """pytest-qt's, but patient: on a busy machine a thing comes late, and that is no fault."""
    del qapp
    from tests.patient import PatientBot

    return PatientBot(request)


@pytest.fixture
def shared(request: pytest.FixtureRequest) -> Path:
    """The folder ../shared; skips where it is absent."""
    request.node.add_marker(pytest.mark.shared)
    return shared_folder()


@pytest.fixture(autouse=True)
def own_settings(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that may keep settings have each a place of their own for them."""
    if request.node.path.relative_to(TESTS).parts[0] not in WITH_SETTINGS:
        return
    home = request.getfixturevalue("tmp_path_factory").mktemp("home")
    for name in XDG:
        monkeypatch.setenv(name, str(home / name.lower()))
    from PySide6.QtCore import QSettings

    for form in (QSettings.Format.NativeFormat, QSettings.Format.IniFormat):
        QSettings.setPath(form, QSettings.Scope.UserScope, str(home / "xdg_config_home"))


@pytest.fixture(autouse=True)
def cycles_end_here(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a test with widgets leaves in cycles ends in this thread, as in the program: never in a job's."""
    if request.node.path.relative_to(TESTS).parts[0] not in WITH_SETTINGS:
        yield
        return
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def no_leaked_threads() -> Iterator[None]:
    """A test that leaves a thread running fails."""
    before = set(threading.enumerate())
    yield
    running = still_running(before, PATIENCE)
    if running:
        pytest.fail(f"threads still run: {', '.join(running)}", pytrace=False)


def still_running(before: set[threading.Thread], patience: float) -> list[str]:
    """Names of the threads that were not there before and do not end. Threads that Qt started are not meant."""
    left = [thread for thread in threading.enumerate() if thread not in before]
    left = [thread for thread in left if not isinstance(thread, threading._DummyThread)]
    for thread in left:
        thread.join(patience)
    return [thread.name for thread in left if thread.is_alive()]


class Kept(logging.Handler):
    """Collects what is logged at WARNING or above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(f"{record.levelname} {record.name}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def no_log_warnings(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test during which something is logged at WARNING or above fails, unless it asks for `logged`."""
    kept = Kept()
    logging.getLogger().addHandler(kept)
    request.node.stash[LOGGED] = kept.messages
    yield
    logging.getLogger().removeHandler(kept)
    if kept.messages and "logged" not in request.fixturenames:
        pytest.fail("logged: " + "; ".join(kept.messages), pytrace=False)


LOGGED: Final = pytest.StashKey[list[str]]()


@pytest.fixture
def logged(request: pytest.FixtureRequest, no_log_warnings: None) -> list[str]:
    """What the test logged at WARNING or above, as "LEVEL logger: message"; asking for it permits it."""
    del no_log_warnings
    return request.node.stash[LOGGED]


@pytest.fixture
def no_stall(qapp: object) -> Callable[..., AbstractContextManager[object]]:
    """`with no_stall(): ...` fails when the GUI thread is held for over 100 ms inside the block.

    All of the program is loaded before, as it is soon after a start: else what is looked at first would be held.
    """
    del qapp
    from tests.stall import no_stall as watch
    from viewer.ui.warming import load_all

    load_all()
    return watch


@pytest.fixture
def child_environment() -> Iterator[dict[str, str]]:
    """The environment for a program started by a test: settings are the test's, the platform is the child's choice.

    Its runtime folder is of this test alone: no start finds a program of another test. Paths of sockets are short.
    """
    environment = dict(os.environ)
    environment.pop("QT_QPA_PLATFORM", None)
    environment["PYTHONWARNINGS"] = "default"
    with tempfile.TemporaryDirectory(prefix="picklescope-") as folder:
        environment["XDG_RUNTIME_DIR"] = folder
        yield environment


@pytest.fixture
def desktop(child_environment: dict[str, str]) -> Iterator[object]:
    """A real screen with a window manager (tests.desktop.Desktop); mark the test xvfb.

    The program there was started before: nothing greets who has come for something else (test_first_start.py does).
    """
    from tests.desktop import Desktop

    kept = Path(child_environment["XDG_CONFIG_HOME"], "picklescope", "picklescope.ini")
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text("[window]\ntour=true\n", encoding="utf-8")
    own = Desktop(child_environment)
    yield own
    own.close()
