"""The start of the program: window, command, child process; and `render` as a person runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtGui import QImage

import viewer.__main__ as start
from tests.shared import ROOT
from viewer import resources
from viewer.ui import application

SAMPLES: Final = ROOT / "resources" / "samples"


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "viewer", *words],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_help_and_version_need_no_window() -> None:
    version = run("--version", QT_QPA_PLATFORM="none such")
    assert (version.returncode, version.stdout.split()[0]) == (0, "picklescope")
    told = run("--help", QT_QPA_PLATFORM="none such")
    assert told.returncode == 0
    assert all(name in told.stdout for name in ("inspect", "export", "render", "FILE[#OFFSET[+LENGTH]]"))


def test_a_command_loads_no_qt() -> None:
    program = "import sys; from viewer.__main__ import main; main(['--version']); print('PySide6' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split()[-1] == "False"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_render_draws_the_window_with_a_file(tmp_path: Path, theme: str) -> None:
    picture = tmp_path / "window.png"
    done = run("render", str(SAMPLES / "checkpoint_adam.pt"), str(picture), "--theme", theme, "--size", "1000x700")
    assert (done.returncode, done.stdout) == (0, "")
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1000, 700)
    dark = image.pixelColor(4, 4).lightness() < 128
    assert dark == (theme == "dark")


LATER: Final = """
import sys
from PySide6.QtWidgets import QApplication
from viewer.ui import rendering
from viewer.ui.hexview.view import HexView

settled = rendering.settled

def later(window):
    settled(window)
    views = [one for one in QApplication.allWidgets() if isinstance(one, HexView) and one._blink.lit]
    assert views, "no caret is shown"
    for view in views:
        if view._blink.timer.isActive():
            view._blink.timer.timeout.emit()
    return settled(window)

rendering.settled = later
sys.exit(rendering.main(sys.argv[1:]))
"""
"""Draws when a blink would have passed."""


def test_render_draws_the_same_each_time(tmp_path: Path) -> None:
    asked = ("--width", "1100", "--height", "700", "--select", "0x40")
    for name in ("one.png", "two.png"):
        words = [str(SAMPLES / "whole_model_legacy.pth"), str(tmp_path / name), *asked]
        program = ["-m", "viewer.ui.rendering"] if name == "one.png" else ["-c", LATER]
        done = subprocess.run(
            [sys.executable, *program, *words],
            cwd=ROOT,
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert QImage(str(tmp_path / "one.png")) == QImage(str(tmp_path / "two.png"))


def test_render_speaks_the_language_that_is_asked_for(tmp_path: Path) -> None:
    sides = {}
    for language in ("en", "fa"):
        picture = tmp_path / f"{language}.png"
        done = run("render", str(SAMPLES / "checkpoint_adam.pt"), str(picture), "--language", language)
        assert done.returncode == 0, done.stderr
        image = QImage(str(picture))
        ground = image.pixel(image.width() // 2, 4)
        half = image.width() // 2
        inked = [x for x in range(image.width()) if any(image.pixel(x, y) != ground for y in range(8, 24))]
        sides[language] = sum(x > half for x in inked) > len(inked) // 2
    # The words of the menu bar.
    assert sides == {"en": False, "fa": True}


@pytest.mark.parametrize(("colours", "theme"), [("usual", "light"), ("distinct", "light-distinct")])
def test_render_has_the_colours_that_are_asked_for(tmp_path: Path, colours: str, theme: str) -> None:
    picture = tmp_path / "x.png"
    done = run("render", str(SAMPLES / "whole_model_legacy.pth"), str(picture), "--colours", colours)
    assert done.returncode == 0, done.stderr
    image = QImage(str(picture))
    seen = {image.pixel(x, y) & 0xFFFFFF for x in range(image.width()) for y in range(0, image.height(), 4)}
    fills = {
        name: int(json.loads(resources.read_text(f"themes/{name}.json"))["regions"]["memo"]["fill"][1:], 16)
        for name in ("light", "light-distinct")
    }
    assert {name for name, fill in fills.items() if fill in seen} == {theme}


def test_render_selects_a_tensor(tmp_path: Path) -> None:
    pictures = []
    for select in ("0", "conv1.weight"):
        done = run("render", str(SAMPLES / "checkpoint_adam.pt"), str(tmp_path / "x.png"), "--select", select)
        assert done.returncode == 0, done.stderr
        pictures.append((tmp_path / "x.png").read_bytes())
    assert pictures[0] != pictures[1]


@pytest.mark.parametrize(
    ("file", "more", "sentence"),
    [
        ("no.pt", (), "no.pt: there is no such file."),
        (str(SAMPLES), (), "whole_model_legacy.pth, whole_model_zip.pt."),
        (
            str(SAMPLES / "checkpoint_adam.pt"),
            ("--select", "nobody"),
            "There is no tensor and no byte nobody in this file.",
        ),
    ],
)
def test_render_says_why_not(tmp_path: Path, file: str, more: tuple[str, ...], sentence: str) -> None:
    done = run("render", file, str(tmp_path / "x.png"), *more)
    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("picklescope")]
    assert line.endswith(sentence)
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "x.png").exists()


def test_render_says_where_it_could_not_write(tmp_path: Path) -> None:
    done = run("render", "", str(tmp_path / "no" / "x.png"))
    assert done.returncode == 2
    assert "could not be written" in done.stderr


@pytest.mark.parametrize("words", [("--size", "big"), ("--theme", "pink"), ("--language", "xx"), ()])
def test_render_wants_sensible_words(words: tuple[str, ...]) -> None:
    assert run("render", *(("", "x.png") if words else ()), *words).returncode == 2


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there a window needs no X11 and no Wayland")
def test_without_a_screen_one_sentence_is_said() -> None:
    done = run(str(SAMPLES / "checkpoint_adam.pt"), QT_QPA_PLATFORM="", DISPLAY="", WAYLAND_DISPLAY="")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("picklescope: there is no screen for a window.")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="a folder that is used cannot be removed there")
@pytest.mark.usefixtures("qapp")
def test_a_start_in_a_folder_that_is_gone_stands_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    stood: list[tuple[list[str], str]] = []

    def started(targets: list[str]) -> int:
        stood.append((targets, str(Path.cwd())))
        return 0

    monkeypatch.setattr(application, "run", started)
    monkeypatch.setattr(start, "hand_over", lambda name, targets: False)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert start.main(["a.pt"]) == 0
    assert stood == [(["a.pt"], os.sep)]
