"""The button that asks torch: what it says while torch works, and torch's answer with whether it was predicted."""

import sys

import pytest
from PySide6.QtCore import Qt

from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from viewer import torch_client
from viewer.session.session import Session
from viewer.session.torch_answers import torch_answers
from viewer.ui.theme import load_theme
from viewer.ui.widgets.torch_section import TorchSection

STOPS = """
import json, sys
json.loads(sys.stdin.readline())
print(json.dumps({"answer": "stops", "version": "9.1", "reason": "no way", "on_cpu": False}), flush=True)
"""


@pytest.fixture
def section(tmp_path, qtbot, monkeypatch):
    monkeypatch.setattr(torch_client, "torch_is_there", lambda: True)
    monkeypatch.setattr(torch_client, "child_command", lambda: [sys.executable, "-c", STOPS])
    path = tmp_path / "file.pt"
    path.write_bytes(torch_zip(state_dict({"a": full("float32", (1,), [1])})))
    session = Session(path)
    with qtbot.waitSignal(session.jobs.idle):
        session.open()
    made = TorchSection(load_theme("light"), torch_answers(session))
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    session.close()


def test_torch_answers_otherwise(section, qtbot):
    assert section.button.text() == "Ask torch"
    qtbot.mouseClick(section.button, Qt.MouseButton.LeftButton)
    assert section.button.text() == "Stop asking torch"
    qtbot.waitUntil(lambda: section.line is not None)
    assert section.button.text() == "Ask torch"
    words = [label.text().replace("\u200b", "") for label in (section.line.title, section.line.detail)]
    assert words == [
        "torch 9.1 does not load it with weights_only=True: no way.",
        "That was not predicted, which is a fault of Picklescope. Please report it.",
    ]
    assert section.line.isVisible()


def test_stopping(section, qtbot, monkeypatch):
    monkeypatch.setattr(torch_client, "child_command", lambda: [sys.executable, "-c", "import sys; sys.stdin.read()"])
    qtbot.mouseClick(section.button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(section.button, Qt.MouseButton.LeftButton)
    assert section.button.text() == "Ask torch"
    assert section.line is None
