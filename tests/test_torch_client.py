"""The torch child seen from the program: every way that it can answer or fail to is one sentence."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.builders.torch_values import full, state_dict
from tests.core.export.reading import document_of, exported
from viewer import torch_client
from viewer.core.errors import CancelledError
from viewer.core.export.plan import Report, Verdict
from viewer.core.progress import Progress

HEAD: Final = """
import json, os, signal, sys
def say(**line): print(json.dumps(line), flush=True)
def hear(): return json.loads(sys.stdin.readline())
request = hear()
"""
READY: Final = HEAD + 'say(answer="ready", version="9.1")\n'


@pytest.fixture
def report(tmp_path: Path) -> Report:
    """A written state_dict of two tensors."""
    value = state_dict({"w": full("float32", (2, 3), range(6)), "n": full("int64", (), [7])})
    return exported(document_of(value), tmp_path / "out.pt")


def ask(report: Report, program: str, progress: Progress | None = None) -> Verdict:
    """The verdict with a child that runs this program."""
    return torch_client.verify_with_torch(report, progress or Progress(), [sys.executable, "-c", program])


def test_a_child_that_agrees(report: Report, tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = READY + (
        f"lines = [request]\n"
        f"while (line := hear()).get('do') != 'end':\n"
        f"    lines.append(line)\n"
        f"    say(answer='working')\n"
        f"    if line.get('do') == 'sync': say(answer='same')\n"
        f"json.dump(lines, open({str(log)!r}, 'w'))\n"
        f"say(answer='verified', version='9.1')\n"
    )
    verdict = ask(report, program)
    assert (verdict.code, verdict.good) == ("torch-verified", True)
    assert verdict.text == "Verified: torch 9.1 loads it with weights_only=True and reads the same tensors (2)."
    lines = json.loads(log.read_text())
    assert lines[0] == {"do": "verify", "path": str(report.path), "count": 2, "memory": 4 * 1024**3 + report.nbytes}
    assert lines[1] == {"name": "w", "kind": "plain", "dtype": "float32", "shape": [2, 3], "stride": [3, 1]}
    # hashlib.sha256(struct.pack("<6f", *range(6)))
    assert lines[2] == {"sha256": "e2c0a71510b5394df7773b63fb5f54372b84c3564e67811bde7d665be227976d"}
    assert lines[3]["name"] == "n"
    assert list(lines[4]) == ["sha256"]
    assert lines[5:] == [{"do": "sync"}]


@pytest.mark.parametrize(
    ("program", "code", "good", "text"),
    [
        (HEAD + 'say(answer="absent")', "torch-absent", None, "Not verified: torch is not installed here."),
        (
            HEAD + 'say(answer="old", version="2.6.0")',
            "torch-old",
            None,
            "Not verified: torch 2.6.0 is installed here; safe loading needs 2.10 or later.",
        ),
        (
            HEAD + 'say(answer="broken", reason="libc10.so: no such file")',
            "torch-broken",
            None,
            "Not verified: torch could not be started (libc10.so: no such file).",
        ),
        (
            HEAD + 'say(answer="refuses", version="9.1", reason="Weights only load failed")',
            "torch-refuses",
            False,
            "torch 9.1 does not load the file: Weights only load failed.",
        ),
        (
            READY + 'hear(); hear(); say(answer="differs", version="9.1", reason="the elements of w differ")',
            "torch-differs",
            False,
            "torch 9.1 reads other values than were written: the elements of w differ.",
        ),
        (
            HEAD + 'say(answer="memory", version="9.1")',
            "torch-memory",
            None,
            "Not verified: torch needed more than 4,294,967,296 bytes of memory.",
        ),
        (
            READY + "os._exit(7)",
            "torch-died",
            None,
            "Not verified: the torch process ended before it answered (exit code 7).",
        ),
        (HEAD + 'print("nonsense", flush=True); hear()', "torch-broken", None, ""),
        (HEAD + 'print("[1]", flush=True); hear()', "torch-broken", None, ""),
        (HEAD + 'say(answer="what"); hear()', "torch-broken", None, "Not verified: torch could not be started (what)."),
        ("", "torch-died", None, "Not verified: the torch process ended before it answered (exit code 0)."),
    ],
)
def test_other_answers(report: Report, program: str, code: str, good: bool | None, text: str) -> None:
    verdict = ask(report, program)
    assert (verdict.code, verdict.good) == (code, good)
    assert "{" not in verdict.text
    assert verdict.text == text or not text


@pytest.mark.skipif(sys.platform == "win32", reason="no signals on Windows")
def test_a_child_that_dies(report: Report) -> None:
    verdict = ask(report, READY + "os.kill(os.getpid(), signal.SIGBUS)")
    assert verdict == Verdict("torch-died", None, {"reason": "signal 7" if sys.platform == "linux" else "signal 10"})


def test_a_child_that_says_nothing(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_client, "PATIENCE", 0.2)
    verdict = ask(report, "import sys\nfor line in sys.stdin: pass")
    assert verdict.code == "torch-silent"


def test_a_program_that_cannot_be_started(report: Report) -> None:
    verdict = torch_client.verify_with_torch(report, Progress(), ["/nowhere/at/all"])
    assert (verdict.code, verdict.params) == ("torch-broken", {"reason": "No such file or directory"})


def test_stopping_is_quick_and_leaves_no_process(report: Report) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Watched(subprocess.Popen):
        def __init__(self, *arguments: Any, **more: Any) -> None:
            super().__init__(*arguments, **more)
            started.append(self)

    progress = Progress()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch_client.subprocess, "Popen", Watched)
        progress.cancel()
        with pytest.raises(CancelledError):
            ask(report, "import sys\nfor line in sys.stdin: pass", progress)
    assert [process.poll() for process in started] == [-9 if sys.platform != "win32" else 1]


@pytest.mark.skipif(sys.platform == "win32", reason="no descriptors to close on Windows")
@pytest.mark.parametrize(
    "program",
    [
        "import os, time\nos.close(1)\ntime.sleep(600)",
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(600)",
    ],
    ids=["says nothing more", "reads nothing"],
)
def test_a_child_that_hangs_is_killed_at_the_next_look(report: Report, program: str) -> None:
    class Stopping(Progress):
        looks = 0

        def check(self) -> None:
            self.looks += 1
            if self.looks == 30:
                self.cancel()
            super().check()

    with pytest.raises(CancelledError):
        ask(report, program, Stopping())


def test_torch_is_looked_for_without_importing_it(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert torch_client.verify(report, Progress()) == Verdict("torch-absent", None)


def test_npz_needs_no_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_client, "child_command", lambda: ["/nowhere/at/all"])
    report = exported(document_of({"w": full("float32", (1,), [1])}), tmp_path / "out.npz", "npz")
    assert torch_client.verify(report, Progress()).code == "numpy-verified"
