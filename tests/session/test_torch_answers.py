"""Asking torch from the window: in a thread, stopped at once, and about the state of the file that is open."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from viewer import torch_client
from viewer.core.summary.answers import Loads
from viewer.session.session import Session
from viewer.session.torch_answers import TorchAnswers, torch_answers

ANSWER = """
import json, sys
json.loads(sys.stdin.readline())
print(json.dumps({"answer": "loaded", "version": "9.1"}), flush=True)
"""
SILENT = "import sys\nfor line in sys.stdin: pass"


@pytest.fixture
def session(tmp_path: Path, qtbot: QtBot) -> Iterator[Session]:
    path = tmp_path / "file.pt"
    path.write_bytes(torch_zip(state_dict({"a": full("float32", (1,), [1])})))
    made = Session(path)
    with qtbot.waitSignal(made.jobs.idle):
        made.open()
    yield made
    made.close()


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(torch_client, "torch_is_there", lambda: True)
    monkeypatch.setattr(torch_client, "child_command", lambda: [sys.executable, "-c", ANSWER])
    return monkeypatch


def test_one_a_session(session: Session) -> None:
    assert torch_answers(session) is torch_answers(session)


def test_an_answer_and_what_was_predicted(session: Session, child: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    answers = torch_answers(session)
    with qtbot.waitSignal(answers.changed):
        answers.ask()
    assert answers.running
    qtbot.waitUntil(lambda: answers.asked is not None)
    assert answers.asked is not None
    assert answers.asked.said.text == "torch 9.1 loads it with weights_only=True."
    assert answers.asked.predicted.loads is Loads.YES
    assert not answers.running


def test_stopping_ends_the_child(session: Session, child: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    child.setattr(torch_client, "child_command", lambda: [sys.executable, "-c", SILENT])
    answers = torch_answers(session)
    answers.ask()
    answers.stop()
    assert (answers.running, answers.asked) == (False, None)
    assert not session.jobs.busy


def test_another_state_of_the_file_forgets_the_answer(
    session: Session, child: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    answers = torch_answers(session)
    answers.ask()
    qtbot.waitUntil(lambda: answers.asked is not None)
    with qtbot.waitSignal(session.document_changed):
        session.reread(encoding="latin-1")
    assert answers.asked is None


def test_nothing_is_asked_before_the_file_was_read(tmp_path: Path, qtbot: QtBot) -> None:
    session = Session(tmp_path / "none.pt")
    answers = TorchAnswers(session)
    answers.ask()
    assert not answers.running
    session.close()
