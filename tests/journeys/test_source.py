"""A person whose training code is lost: read a class, see where it is used, save all as files, make a recovery kit."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from tests.desktop import wait_until
from tests.journeys.driven_program import Driven

pytestmark = pytest.mark.xvfb


def lead(program: Driven, what: str, then: str) -> None:
    """Click until it led on: bars that come and go may move the window under the mouse."""
    for _ in range(5):
        program.click(what)
        try:
            return wait_until(lambda: program.look(then) is not None, "", 20.0)
        except pytest.fail.Exception:
            continue
    pytest.fail(f"{what} never led to {then}", pytrace=False)


def write(program: Driven, target: Any, then: str = "Close") -> None:
    """Fill in the dialog on top, let it write and press a button of its end; torch checks nothing, that takes long."""
    program.click("dialog target")
    program.keys("ctrl+a")
    program.desktop.xdotool("type", str(target))
    program.scroll_to("verify")
    program.click("dialog verify")
    program.click("dialog go")
    program.wait("progress", key="export", ended=True)
    program.click(f"end {then}")


def test_from_a_class_to_its_objects_and_out_of_the_file(program: Driven, tmp_path: Any) -> None:
    lead(program, "button source Class", "keyboard Filter")
    program.desktop.xdotool("type", "residual")
    program.keys("Return")
    program.wait("selection", line=None)
    program.click("button source blocks.1")
    seen = program.wait("selection", start=0x1E74)
    assert seen["contents"].startswith("1 ResidualBlock")
    program.desktop.picture(tmp_path / "used.png")

    lead(program, "button source Save as files", "dialog target")
    write(program, tmp_path / "files")
    text = (tmp_path / "files" / "zoo" / "blocks.py").read_text(encoding="utf-8")
    assert [node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef)] == ["Stem", "ResidualBlock"]

    lead(program, "tab summary", "button summary Recovery kit")
    lead(program, "button summary Recovery kit", "dialog target")
    write(program, tmp_path / "kit")
    wait_until((tmp_path / "kit" / "load.py").is_file, "no kit was written")
    assert {"README.txt", "load.py", "model.json", "weights.pt"} <= {path.name for path in (tmp_path / "kit").iterdir()}
