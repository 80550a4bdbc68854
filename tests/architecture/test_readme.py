"""README.md keeps its promises: the two commands, the paths it names, the picture."""

from __future__ import annotations

import re
from typing import Final

from tests.shared import ROOT

TEXT: Final = (ROOT / "README.md").read_text(encoding="utf-8")
FIRST: Final = (
    "python -m pip install -c packaging/constraints.txt . && picklescope resources/samples/whole_model_legacy.pth"
)
SECOND: Final = "python -m pip install -c packaging/constraints.txt '.[test]' && python -m pytest"
PATHS: Final = re.compile(r"`((?:viewer|resources|tests|packaging|\.ci)/[\w./-]*)`")


def test_the_two_commands_stand_there_word_for_word() -> None:
    lines = TEXT.splitlines()
    assert lines.count(FIRST) == 1
    assert lines.count(SECOND) == 1


def test_every_path_that_is_named_exists() -> None:
    named = {path for path in PATHS.findall(TEXT) if "NAME" not in path}
    assert len(named) >= 10
    assert {path for path in named if not (ROOT / path).exists()} == set()


def test_the_picture_is_there() -> None:
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", TEXT)
    assert len(pictures) == 1
    assert (ROOT / pictures[0]).read_bytes()[:4] == b"\x89PNG"
