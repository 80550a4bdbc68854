"""Another language: which one the system's wish means, and a window that is made anew with the same files."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.shared import ROOT
from viewer import resources
from viewer.session.settings import LANGUAGE, Settings
from viewer.ui.language import Language, languages, of_system

WORDS = {"fa": {"actions": {"Open…": "باز کردن…"}}, "ja": {"actions": {"Open…": "開く…"}}, "zh_CN": {"actions": {}}}


@pytest.fixture
def translated(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Three languages of one word, whatever the program brings."""
    names, read = resources.names, resources.read_text

    def listed(folder: str) -> list[str]:
        return sorted(f"{code}.json" for code in WORDS) if folder == "translations" else names(folder)

    def text(name: str) -> str:
        folder, _, file = name.partition("/")
        return json.dumps(WORDS[file.removesuffix(".json")]) if folder == "translations" else read(name)

    monkeypatch.setattr(resources, "names", listed)
    monkeypatch.setattr(resources, "read_text", text)
    before = QLocale()
    yield
    QLocale.setDefault(before)


@pytest.mark.usefixtures("translated")
@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ("fa_IR", "fa"),
        ("ja_JP", "ja"),
        ("zh_CN", "zh_CN"),
        ("zh_SG", "zh_CN"),
        ("zh_TW", "en"),
        ("en_GB", "en"),
        ("de_DE", "en"),
        ("C", "en"),
    ],
)
def test_what_the_system_asks_for(wish: str, code: str) -> None:
    assert of_system(QLocale(wish)) == code


@pytest.mark.usefixtures("translated")
def test_the_setting_holds_at_once(qtbot: QtBot, qapp: QApplication, settings: Settings) -> None:
    settings.set(LANGUAGE, "en")
    language = Language(qapp, settings)
    assert languages() == ["en", "fa", "ja", "zh_CN"]
    assert QCoreApplication.translate("actions", "Open…") == "Open…"
    with qtbot.waitSignal(language.changed) as told:
        settings.set(LANGUAGE, "fa")
    assert told.args == ["fa"]
    assert QCoreApplication.translate("actions", "Open…") == "باز کردن…"
    assert QCoreApplication.translate("actions", "Close tab") == "Close tab"
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") not in ("", "Cancel")
    assert qapp.layoutDirection() is Qt.LayoutDirection.RightToLeft
    settings.set(LANGUAGE, "en")
    assert QCoreApplication.translate("actions", "Open…") == "Open…"
    assert qapp.layoutDirection() is Qt.LayoutDirection.LeftToRight
    language.deleteLater()


SWITCH = """
import json, sys
from PySide6.QtCore import QTimer
from viewer import resources
from viewer.session.settings import LANGUAGE
from viewer.ui.application import Application, Program
names, read = resources.names, resources.read_text
resources.names = lambda folder: ["fa.json"] if folder == "translations" else names(folder)
words = json.dumps({"actions": {"&File": "پرونده"}})
resources.read_text = lambda name: words if name.startswith("translations/") else read(name)
app = Application(["Picklescope"])
program = Program(app)
program.start(sys.argv[1], sys.argv[2:])
window = program.running.window

def told():
    work = program.running.workspace
    return [session.path.name for session in work.sessions], work.current.path.name

def after():
    if program.running.window is window or program.running.workspace.current.document is None:
        return
    print(json.dumps([told(), program.running.window.menuBar().actions()[0].text(), before]))
    look.stop()
    program.running.window.close()

def switch():
    global before
    if not all(session.document for session in program.running.workspace.sessions):
        return
    ready.stop()
    program.running.workspace.activate(program.running.workspace.sessions[0])
    before = told()
    program.settings.set(LANGUAGE, "fa")
    look.start()

ready, look = QTimer(interval=20), QTimer(interval=20)
ready.timeout.connect(switch)
look.timeout.connect(after)
ready.start()
code = app.exec()
program.stop()
sys.exit(code)
"""


def test_the_window_speaks_another_language_with_the_same_files(
    child_environment: dict[str, str], tmp_path: Path
) -> None:
    files = [str(ROOT / "resources/samples" / name) for name in ("checkpoint_adam.pt", "half_download.pth")]
    environment = child_environment | {"QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-c", SWITCH, str(tmp_path / "s"), *files],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    opened, menu, before = json.loads(done.stdout)
    assert opened == before == [["checkpoint_adam.pt", "half_download.pth"], "checkpoint_adam.pt"]
    assert menu == "پرونده"
    left = [line for line in done.stderr.splitlines() if "propagateSizeHints" not in line and "raise()" not in line]
    assert left == []
