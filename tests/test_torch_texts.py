"""The texts of torch's own classes, asked of a child: every way that it can answer or fail to is one sentence."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Final

import pytest

from viewer import torch_client
from viewer.core.code.torch_text import TorchText, TorchTexts
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress

HEAD: Final = """
import json, os, sys
def say(**line): print(json.dumps(line), flush=True)
request = json.loads(sys.stdin.readline())
"""
LINEAR: Final = "torch.nn.modules.linear.Linear"
GIVEN: Final = f"""say(answer="class", name="{LINEAR}", text="class Linear: pass", file="linear.py", line=7,
    signature="(a, b)", bases=["torch.nn.modules.module.Module"])
"""
CANNOT: Final = "The texts of torch's own classes cannot be had: "


def ask(program: str, *names: str, progress: Progress | None = None) -> TorchTexts:
    """The texts with a child that runs this program."""
    return torch_client.torch_texts(names or (LINEAR,), progress or Progress(), [sys.executable, "-c", program])


def test_texts_and_refusals(tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = HEAD + (
        f"json.dump(request, open({str(log)!r}, 'w'))\n"
        f"{GIVEN}say(answer='working')\n"
        f"say(answer='class', name='torch.os.system', refused='class-unknown')\n"
        f"say(answer='classes', version='9.1')\n"
    )
    found = ask(program, LINEAR, "torch.os.system", LINEAR)
    assert json.loads(log.read_text()) == {"do": "classes", "names": [LINEAR, "torch.os.system"]}
    bases = ("torch.nn.modules.module.Module",)
    assert found.texts == {LINEAR: TorchText(LINEAR, "class Linear: pass", "linear.py", 7, "(a, b)", bases, "9.1")}
    assert (found.failure, found.sentence(), found.sentence(LINEAR)) == ("", "", "")
    assert found.sentence("torch.os.system") == "The installed torch 9.1 has no module class torch.os.system."


@pytest.mark.parametrize(
    ("program", "failure", "sentence"),
    [
        (HEAD + 'say(answer="absent")', "torch-absent", CANNOT + "torch is not installed."),
        (
            HEAD + 'say(answer="old", version="2.6.0")',
            "torch-old",
            "The texts of torch's own classes are not read from torch 2.6.0; 2.10 or later is needed.",
        ),
        (
            HEAD + 'say(answer="broken", reason="libc10.so: no such file")',
            "torch-broken",
            CANNOT + "torch could not be started (libc10.so: no such file).",
        ),
        (
            HEAD + GIVEN + "os._exit(7)",
            "torch-died",
            CANNOT + "the torch process ended before it answered (exit code 7).",
        ),
        ("", "torch-died", CANNOT + "the torch process ended before it answered (exit code 0)."),
        (HEAD + 'print("nonsense", flush=True)', "torch-broken", ""),
        (HEAD + 'say(answer="what")', "torch-broken", CANNOT + "torch could not be started (what)."),
        (HEAD + 'say(answer="class", name="x"); say(answer="classes", version="9.1")', "torch-broken", ""),
        (
            HEAD + GIVEN.replace('["torch.nn.modules.module.Module"]', "3") + 'say(answer="classes", version="9.1")',
            "torch-broken",
            CANNOT + "torch could not be started (bases is no list).",
        ),
    ],
)
def test_other_answers(program: str, failure: str, sentence: str) -> None:
    found = ask(program)
    assert (found.texts, found.failure) == ({}, failure)
    assert "{" not in found.sentence(LINEAR)
    assert found.sentence() == sentence or not sentence


def test_a_child_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_client, "PATIENCE", 0.2)
    assert ask("import sys\nfor line in sys.stdin: pass").failure == "torch-silent"


def test_a_program_that_cannot_be_started() -> None:
    found = torch_client.torch_texts([LINEAR], Progress(), ["/nowhere/at/all"])
    assert found.sentence() == CANNOT + "torch could not be started (No such file or directory)."


def test_stopping() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        ask("import sys\nfor line in sys.stdin: pass", progress=progress)


def test_no_child_is_started_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_client, "child_command", lambda: ["/nowhere/at/all"])
    assert torch_client.torch_texts([], Progress()) == TorchTexts()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert torch_client.torch_texts([LINEAR], Progress()).failure == "torch-absent"
