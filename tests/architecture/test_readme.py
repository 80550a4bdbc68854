"""README.md and the changelog keep their promises: commands, options, keys, menus, paths, the picture."""

from __future__ import annotations

import re
import shlex
from typing import Final

import pytest

from tests.shared import ROOT
from viewer.cli import make_parser
from viewer.starting import INSTALL, NEW_WINDOW, UNINSTALL, is_command
from viewer.ui.actions import ACTIONS
from viewer.ui.menu_titles import MENUS
from viewer.wording.panes import PANE_KEYS

TEXT: Final = (ROOT / "README.md").read_text(encoding="utf-8")
CHANGES: Final = (ROOT / "packaging" / "CHANGELOG.md").read_text(encoding="utf-8")
FIRST: Final = (
    "python -m pip install -c packaging/constraints.txt . && picklescope resources/samples/whole_model_legacy.pth"
)
SECOND: Final = "python -m pip install -c packaging/constraints.txt '.[test]' && python -m pytest"
COMMANDS: Final = re.findall(r"^picklescope (.+)|`picklescope ([^`]+)`", TEXT, re.MULTILINE)
OPTION: Final = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
KEYS: Final = re.compile(r"(?<![\w+])(?:(?:Ctrl|Alt|Shift)\+)+(?:F\d+|[A-Z][a-z]*\b|[\d,\]])|(?<![\w+])F\d+\b")
MENU: Final = re.compile(r"\b(File|Edit|View|Go|Tensor|Tools|Window|Help) > ([^`]+?)(?=[.,;)]|$)", re.MULTILINE)
IN_FIELDS: Final = {"Shift+Enter"}
"""Keys of a field, which no list has."""
LANGUAGES: Final = ("View", "Language")
"""A menu that is made of what is there, as no other is."""
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


@pytest.mark.parametrize("command", ["".join(found) for found in COMMANDS])
def test_every_command_is_taken(command: str) -> None:
    words = shlex.split(command, comments=True)
    if words == ["COMMAND", "--help"]:
        words[0] = "inspect"
    if words[-1] == "--help":
        with pytest.raises(SystemExit, match=r"^0$"):
            make_parser().parse_args(words)
    elif is_command(words[0]):
        make_parser().parse_args(words)
    else:
        assert {word for word in words if word.startswith("-")} <= {NEW_WINDOW, INSTALL, UNINSTALL}


def test_every_option_that_is_named_is_one() -> None:
    commands = make_parser()._subparsers._group_actions[0].choices
    known = {flag for command in commands.values() for flag in command._option_string_actions}
    named = set(OPTION.findall(TEXT + CHANGES))
    foreign = {"--dist", "--deb", "--torch"}  # of pytest, smoke.py, build.py
    assert len(named) >= 20
    assert named - known - foreign == {NEW_WINDOW, INSTALL, UNINSTALL}


def test_every_key_that_is_named_is_one() -> None:
    known = {key for action in ACTIONS for key in action.shortcuts} | {key for pane in PANE_KEYS for key in pane.keys}
    named = set(KEYS.findall(TEXT + CHANGES))
    assert len(named) >= 15
    assert named - known == IN_FIELDS


def test_every_menu_entry_that_is_named_is_one() -> None:
    entries = {(action.menu, action.title.rstrip("…")) for action in ACTIONS} | {LANGUAGES}
    entries |= {tuple(menu.split("/")) for menu in MENUS if "/" in menu}
    named = MENU.findall(TEXT + CHANGES)
    assert len(named) >= 8
    for menu, words in named:
        assert any(menu == of and words.startswith(title) for of, title in entries), f"{menu} > {words}"
