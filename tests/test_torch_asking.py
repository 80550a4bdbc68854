"""Asking torch whether it loads a file, seen from the program: every answer is a sentence, and no child outlives it."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Final

import pytest

from viewer import torch_client
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.summary.answers import Answer, Loads
from viewer.core.summary.blockers import Blocker
from viewer.core.summary.torch_answer import TorchAnswer, agreement, torch_row
from viewer.wording.torch_answers import TORCH_ANSWERS

HEAD: Final = """
import json, os, signal, sys
def say(**line): print(json.dumps(line), flush=True)
request = json.loads(sys.stdin.readline())
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "file.pt"
    found.write_bytes(b"x" * 100)
    return found


def ask(path: Path, program: str, progress: Progress | None = None) -> TorchAnswer:
    return torch_client.ask_torch(path, False, progress or Progress(), [sys.executable, "-c", program])


def test_what_the_child_is_asked(path: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    said = ask(path, HEAD + f"json.dump(request, open({str(log)!r}, 'w')); say(answer='loaded', version='9.1')")
    assert (said.code, said.loads) == ("loads", Loads.YES)
    assert said.text == "torch 9.1 loads it with weights_only=True."
    assert json.loads(log.read_text()) == {
        "do": "load",
        "path": str(path),
        "mapped": False,
        "memory": 4 * 1024**3 + 100,
    }


@pytest.mark.parametrize(
    ("program", "loads", "text"),
    [
        (
            'say(answer="stops", version="9.1", reason="Unsupported global: GLOBAL a.B", on_cpu=False)',
            Loads.NO,
            "torch 9.1 does not load it with weights_only=True: Unsupported global: GLOBAL a.B.",
        ),
        (
            'say(answer="stops", version="9.1", reason="no CUDA", on_cpu=True)',
            Loads.DEPENDS,
            'torch 9.1 loads it with weights_only=True and map_location="cpu". Without that it stops here: no CUDA.',
        ),
        ('say(answer="absent")', None, "torch was not asked: it is not installed here."),
        (
            'say(answer="old", version="2.6.0")',
            None,
            (
                "torch was not asked: torch 2.6.0 is installed here, whose weights_only has holes. "
                "2.10 or later is needed."
            ),
        ),
        (
            'say(answer="memory", version="9.1")',
            None,
            "torch gave no answer: it needed more than 4,294,967,396 bytes of memory.",
        ),
        ('say(answer="what")', None, "torch could not be asked: it could not be started (what)."),
        ("os._exit(7)", None, "torch gave no answer: its process ended before that (exit code 7)."),
        (
            'print("nonsense", flush=True)',
            None,
            "torch could not be asked: it could not be started (Expecting value: line 1 column 1 (char 0)).",
        ),
    ],
)
def test_answers(path: Path, program: str, loads: Loads | None, text: str) -> None:
    said = ask(path, HEAD + program)
    assert said.loads is loads
    assert said.text == text


@pytest.mark.skipif(sys.platform == "win32", reason="no signals on Windows")
def test_a_killed_child_is_one_sentence(path: Path) -> None:
    said = ask(path, HEAD + "os.kill(os.getpid(), signal.SIGKILL)")
    assert said.text == "torch gave no answer: its process ended before that (signal 9)."


def test_a_child_that_says_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_client, "LOADING", 0.2)
    said = ask(path, "import sys\nfor line in sys.stdin: pass")
    assert said.code == "torch-silent"


def test_stopping_is_quick(path: Path) -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        ask(path, "import sys\nfor line in sys.stdin: pass", progress)


def test_torch_is_looked_for_without_importing_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert torch_client.ask_torch(path, False, Progress()) == TorchAnswer("torch-absent")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert ask(tmp_path, HEAD).code == "no-file"


@pytest.mark.parametrize(
    ("code", "predicted", "agrees"),
    [
        ("loads", Answer(True), True),
        ("loads", Answer(True, (Blocker("device-cuda"),)), True),
        ("loads", Answer(True, (Blocker("damaged"),)), False),
        ("loads-on-cpu", Answer(True, (Blocker("device-cuda"),)), True),
        ("loads-on-cpu", Answer(True), False),
        ("stops", Answer(True, (Blocker("device-cuda"), Blocker("name", {"name": "a.B"}))), True),
        ("stops", Answer(True), False),
        ("torch-absent", Answer(True), None),
    ],
)
def test_agreement(code: str, predicted: Answer, agrees: bool | None) -> None:
    said = TorchAnswer(code, {"version": "9.1", "reason": "no"})
    assert said.agrees(predicted) is agrees
    assert bool(agreement(said, predicted)) is (agrees is not None)
    row = torch_row(said, predicted)
    assert row is not None
    assert row["agrees"] is agrees
    assert code in TORCH_ANSWERS


def test_nobody_asked() -> None:
    assert torch_row(None, Answer(True)) is None
