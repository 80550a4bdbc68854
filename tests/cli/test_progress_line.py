"""The last line of a terminal: how far, how fast, how long, and nothing where nobody looks."""

from __future__ import annotations

import io
import sys

import pytest

from viewer.cli.export import ProgressLine
from viewer.core import progress


class Terminal(io.StringIO):
    """What a person would look at."""

    def isatty(self) -> bool:
        return True


def shown(text: str) -> str:
    """What stands in the line in the end."""
    return text.rpartition("\r")[2]


def test_bytes_rate_and_time_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, now = Terminal(), 50.0
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "INTERVAL", 0.0)
    with ProgressLine(lambda: now) as line:
        line.progress.step("export", 0, 4_800_000_000)
        assert shown(terminal.getvalue()) == "Writing: 0 bytes of 4.80 GB"
        now = 54.0
        line.progress.step("export", 1_240_000_000, 4_800_000_000)
        assert shown(terminal.getvalue()) == "Writing: 1.24 GB of 4.80 GB, 310 MB/s, 11 s left"
        line.progress.step("opcodes", 5, 10)
        assert shown(terminal.getvalue()) == "Reading opcodes: 50 %"
    assert shown(terminal.getvalue()) == ""


def test_a_file_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    with ProgressLine() as line:
        line.progress.step("export", 1, 2)
    assert file.getvalue() == ""
