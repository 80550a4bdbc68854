"""A running window is told to speak other languages: words follow, what stands in the file does not."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QFontDatabase, QFontMetrics, QImage, QStandardItemModel
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from tests.shared import ROOT
from tests.translations.sentences import CODES, translations
from tests.ui.shell import LEGACY
from viewer.session.settings import LANGUAGE, Settings
from viewer.ui import fallbacks
from viewer.ui.dialogs.preferences import Preferences
from viewer.ui.language import languages
from viewer.ui.theme import load_theme
from viewer.ui.widgets.rows import RowTable
from viewer.ui.window.menus import plain
from viewer.ui.window.speaking import language_lines

SPOKEN: Final = ("en", "ja", "zh_CN", "fa", "en")
WORDS: Final = ("menus", "panes", "heads", "dialog")
OF_THE_FILE: Final = ("bytes", "code", "tensors", "opcodes", "span", "field")
SAME_EVERYWHERE: Final = {"dtype", "weights_only", "0"}
NAMES: Final = ["English", "简体中文", "日本語", "فارسی"]


@pytest.fixture
def locale() -> Iterator[None]:
    before = QLocale()
    yield
    QLocale.setDefault(before)


def run(arguments: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=240,
    )


def words_of(seen: dict[str, Any]) -> list[str]:
    heads = [head for part in seen["heads"].values() for head in part]
    return [*seen["menus"], *seen["panes"], *heads, *seen["dialog"]]


def test_menus_panes_tables_and_dialogs_follow_and_the_file_stays(
    child_environment: dict[str, str], tmp_path: Path
) -> None:
    environment = child_environment | {"LC_ALL": "C.UTF-8"}
    module = ["-m", "tests.ui.language_child"]
    done = run([*module, str(tmp_path / "s"), str(LEGACY), *SPOKEN[1:]], environment)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert len(seen) == len(SPOKEN)
    english = seen[0]
    assert all(english[part] for part in (*WORDS, *OF_THE_FILE))
    for code, one in zip(SPOKEN, seen, strict=True):
        assert [one[part] for part in OF_THE_FILE] == [english[part] for part in OF_THE_FILE], code
        assert one["shown"], code
        same = {was for was, now in zip(words_of(english), words_of(one), strict=True) if was == now}
        assert same == (SAME_EVERYWHERE if code != "en" else set(words_of(english))), code
    assert seen[1]["menus"][0] == translations("ja")["actions"]["&File"]
    assert seen[2]["dialog"][0] == translations("zh_CN")["Preferences"]["Preferences"]
    left = [line for line in done.stderr.splitlines() if "propagateSizeHints" not in line and "raise()" not in line]
    assert left == []


WRITING = """
import sys
from threading import Event
from PySide6.QtCore import QTimer
from viewer.session.settings import LANGUAGE
from viewer.ui.application import Application, Program
from viewer.ui.window.exporting import EXPORT
app = Application(["Picklescope"])
program = Program(app)
program.settings.set(LANGUAGE, "en")
program.start(sys.argv[1], sys.argv[2:])
window, free, ended = program.running.window, Event(), []

def begin():
    session = program.running.workspace.current
    if session.document is None or session.jobs.busy:
        return
    ready.stop()
    session.jobs.start(EXPORT, lambda progress: free.wait(120), ended.append)
    program.settings.set(LANGUAGE, "ja")
    QTimer.singleShot(0, lambda: QTimer.singleShot(0, release))

def release():
    assert program.running.window is window and not ended
    free.set()
    if WAY == "tab":
        program.running.workspace.close(program.running.workspace.current)
    if WAY == "window":
        window.close()
    else:
        look.start()

def after():
    if program.running.window is not window:
        print(ended, program.language.code)
        look.stop()
        program.running.window.close()

ready, look = QTimer(interval=20), QTimer(interval=20)
ready.timeout.connect(begin)
look.timeout.connect(after)
ready.start()
code = app.exec()
app.processEvents()
if WAY == "window":
    print(program.running.window is window)
program.stop()
sys.exit(code)
"""


STANDING = """
import sys
from PySide6.QtCore import QTimer
from viewer.session.settings import LANGUAGE
from viewer.ui.application import Application, Program
app = Application(["Picklescope"])
program = Program(app)
program.settings.set(LANGUAGE, "en")
program.start(sys.argv[1], sys.argv[2:])
old, make, stood, gone = program.running.window, program._make, [], []
old.destroyed.connect(lambda: gone.append(program.running.window.isVisible()))

def made():
    stood.append(old.isVisible() and not old.updatesEnabled())
    return make()

def look():
    session = program.running.workspace.current
    if session.document is None or session.jobs.busy:
        return
    if program.language.code == "en":
        program.settings.set(LANGUAGE, "ja")
    elif gone:
        print(stood, gone)
        timer.stop()
        program.running.window.close()

program._make = made
timer = QTimer(interval=20)
timer.timeout.connect(look)
timer.start()
code = app.exec()
program.stop()
sys.exit(code)
"""


def test_the_old_window_stands_until_the_new_one_is_drawn(child_environment: dict[str, str], tmp_path: Path) -> None:
    done = run(["-c", STANDING, str(tmp_path / "s"), str(LEGACY)], child_environment)
    assert (done.returncode, done.stdout.strip()) == (0, "[True] [True]"), done.stderr


@pytest.mark.parametrize(("way", "said"), [("", "[True] ja"), ("tab", "[] ja"), ("window", "True")])
def test_a_file_that_is_being_written_is_waited_for(
    child_environment: dict[str, str], tmp_path: Path, way: str, said: str
) -> None:
    """Also where its tab is closed; with the window nothing is left to speak another language."""
    script = f"WAY = {way!r}\n{WRITING}"
    done = run(["-c", script, str(tmp_path / "s"), str(LEGACY)], child_environment | {"LC_ALL": "C.UTF-8"})
    assert (done.returncode, done.stdout.strip()) == (0, said), done.stderr


def test_every_language_that_there_is_can_be_chosen_by_its_own_name(qtbot: QtBot, settings: Settings) -> None:
    assert sorted(languages()) == sorted(["en", *CODES])
    assert sorted(LANGUAGE.choices) == sorted(["system", *languages()])
    dialog = Preferences(settings, load_theme("light"))
    qtbot.addWidget(dialog)
    field = dialog.fields[LANGUAGE.key]
    assert isinstance(field, QComboBox)
    assert [field.itemText(at) for at in range(field.count())][1:] == NAMES
    lines = language_lines(settings)
    assert [line.text for line in lines][1:] == NAMES
    assert [line.checked for line in lines] == [True, False, False, False, False]
    lines[3].act()
    assert settings.get(LANGUAGE) == field.currentData() == "ja"
    assert [line.checked for line in language_lines(settings)] == [False, False, False, True, False]


@pytest.mark.usefixtures("locale", "qapp")
@pytest.mark.parametrize(
    ("spoken", "family"),
    [("zh_CN", "Source Han Sans SC"), ("ja_JP", "Yu Gothic UI"), ("zh_TW", ""), ("en_US", ""), ("fa_IR", "")],
)
def test_letters_have_the_shapes_of_the_language(monkeypatch: pytest.MonkeyPatch, spoken: str, family: str) -> None:
    there = {"Source Han Sans SC", "Yu Gothic UI", "Meiryo UI", "WenQuanYi Zen Hei"}
    monkeypatch.setattr(QFontDatabase, "hasFamily", staticmethod(lambda name: name in there or name.startswith("Deja")))
    fallbacks.clear()
    QLocale.setDefault(QLocale(spoken))
    try:
        theme = load_theme("light")
        assert theme.fallbacks == ((family,) if family else ())
        assert theme.text("title").families() == [theme.text_family, *theme.fallbacks]
        assert theme.mono("head").families() == [theme.mono_family, *theme.fallbacks]
    finally:
        fallbacks.clear()


@pytest.mark.parametrize(
    ("title", "seen"),
    [
        ("&File", "File"),
        ("T&ools", "Tools"),
        ("ファイル(&F)", "ファイル"),
        ("打开(&O)…", "打开…"),
        ("言語 (Language)", "言語 (Language)"),
        ("a && b", "a & b"),
    ],
)
def test_the_palette_leaves_the_marks_of_keys_out(title: str, seen: str) -> None:
    assert plain(title) == seen


def test_a_column_has_room_for_its_title(qtbot: QtBot) -> None:
    theme, title = load_theme("light"), "オフセットとバイト数"
    table = RowTable(theme)
    qtbot.addWidget(table)
    model = QStandardItemModel(0, 3, table)
    model.setHorizontalHeaderLabels([title, "B", "C"])
    table.setModel(model)
    for column, width in enumerate((20, 90)):
        table.setColumnWidth(column, width)
    assert table.columnWidth(0) > QFontMetrics(theme.text("caption")).horizontalAdvance(title)
    assert table.columnWidth(1) == 90


def test_the_command_line_stays_english(child_environment: dict[str, str]) -> None:
    command = ["-m", "viewer", "inspect", str(LEGACY)]
    plain = run(command, child_environment | {"LC_ALL": "C.UTF-8"})
    other = run(command, child_environment | {"LC_ALL": "ja_JP.UTF-8", "LANGUAGE": "ja"})
    assert plain.returncode == other.returncode == 0
    assert plain.stdout == other.stdout
    assert plain.stdout.isascii() or "\N{HIRAGANA LETTER NO}" not in plain.stdout


def test_a_picture_speaks_the_language_that_is_asked_for(child_environment: dict[str, str], tmp_path: Path) -> None:
    pictures = []
    for number, asked in enumerate(([], ["--language", "en"], ["--language", "ja"])):
        target = tmp_path / f"{number}.png"
        environment = child_environment | {"LC_ALL": "C.UTF-8", "LANGUAGE": "fa"}
        done = run(["-m", "viewer", "render", "", str(target), "--size", "640x480", *asked], environment)
        assert done.returncode == 0, done.stderr
        pictures.append(QImage(str(target)))
    assert pictures[0] == pictures[1]
    assert pictures[0] != pictures[2]
