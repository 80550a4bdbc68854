"""The picture in the README is what the program draws now."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtGui import QFontDatabase, QImage
from PySide6.QtWidgets import QApplication

from tests.screens import ALONE
from tests.screens.comparing import FONTS, compare
from tests.shared import ROOT

pytestmark = pytest.mark.skipif(not os.environ.get(ALONE), reason="drawn by test_alone.py, in a process of its own")

SHOWN: Final = ("resources/samples/whole_model_legacy.pth", "--select", "blocks.0.conv.weight", "--size", "1440x900")


def test_the_picture_of_the_window(qapp: QApplication, child_environment: dict[str, str], tmp_path: Path) -> None:
    del qapp
    missing = set(FONTS) - set(QFontDatabase.families())
    if missing:
        pytest.skip(f"{', '.join(sorted(missing))}: not installed")
    file, *choices = SHOWN
    drawn = tmp_path / "window.png"
    command = [sys.executable, "-m", "viewer", "render", file, str(drawn), *choices]
    environment = child_environment | {"QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    compare(QImage(str(drawn)), "window", ROOT / "packaging")
