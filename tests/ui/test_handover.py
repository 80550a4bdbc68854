"""A second start hands its files to the first: what is sent and understood, and what happens when nobody listens."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalSocket
from pytestqt.qtbot import QtBot

from tests.shared import ROOT
from viewer import handing_over
from viewer.handing_over import hand_over, message, server_name
from viewer.ui import handover
from viewer.ui.handover import Handed, Handover


@pytest.fixture
def name(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="picklescope-") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield server_name()


@pytest.fixture
def first(qapp: object, name: str) -> Iterator[Handover]:
    del qapp
    running = Handover()
    assert running.begin(name)
    yield running
    running.close()


def say(name: str, line: bytes) -> bytes:
    """What the first answers to these bytes, by a plain socket."""
    with socket.socket(socket.AF_UNIX) as speaker:
        speaker.settimeout(120)
        speaker.connect(name)
        speaker.sendall(line)
        answer = b""
        while part := speaker.recv(64):
            answer += part
        return answer


def told(qtbot: QtBot, name: str, line: bytes) -> bytes:
    """The same from a thread, since the first answers in this one."""
    answers: list[bytes] = []
    speaker = threading.Thread(target=lambda: answers.append(say(name, line)))
    speaker.start()
    qtbot.waitUntil(lambda: bool(answers))
    speaker.join()
    return answers[0]


def test_the_files_arrive_with_their_folder(
    qtbot: QtBot, first: Handover, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "leave")
    odd = os.fsdecode(b"odd \xff\n\xe4\xbd\xa0.pt#0x10+4")
    line = message(["a.pt", odd])
    with qtbot.waitSignal(first.handed) as signal:
        assert told(qtbot, name, line) == b"taken\n"
    assert signal.args == [Handed((f"{tmp_path}/a.pt", f"{tmp_path}/{odd}"), "leave")]


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"[]\n",
        b"{\n",
        b"[" * 100_000 + b"\n",
        b'{"version": 2, "targets": []}\n',
        b'{"version": 1, "targets": [1]}\n',
        b'{"version": 1, "targets": ["a\\u0000b"]}\n',
        b'{"version": 1, "targets": ["\\ud800"]}\n',
        b"\xff\xfe\n",
    ],
)
def test_what_is_no_message_is_let_go(qtbot: QtBot, first: Handover, name: str, line: bytes) -> None:
    with qtbot.assertNotEmitted(first.handed):
        assert told(qtbot, name, line) == b""


@pytest.mark.parametrize("token", ["a\\u0000b", "\\ud800"])
def test_a_leave_that_no_environment_holds_is_none(qtbot: QtBot, first: Handover, name: str, token: str) -> None:
    with qtbot.waitSignal(first.handed) as signal:
        told(qtbot, name, f'{{"version": 1, "targets": ["a.pt"], "token": "{token}"}}\n'.encode())
    assert signal.args == [Handed(("a.pt",), "")]


def test_a_start_that_says_too_much_is_let_go(
    qtbot: QtBot, first: Handover, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handover, "LONGEST", 1000)
    with qtbot.assertNotEmitted(first.handed), socket.socket(socket.AF_UNIX) as speaker:
        speaker.connect(name)
        speaker.sendall(b"x" * 2000)
        speaker.setblocking(False)

        def closed() -> bool:
            try:
                return speaker.recv(1) == b""
            except BlockingIOError:
                return False
            except ConnectionResetError:
                return True

        qtbot.waitUntil(closed)


def test_without_a_program_that_runs_nothing_is_handed_over(qapp: object, name: str) -> None:
    del qapp
    assert not hand_over(name, ["a.pt"])


@pytest.mark.skipif(os.name == "nt", reason="a folder that is used cannot be removed there")
def test_a_file_of_a_folder_that_is_gone_is_not_handed_over(
    first: Handover, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert not hand_over(name, ["a.pt"])
    assert str(tmp_path / "b.pt") in message([str(tmp_path / "b.pt")]).decode("ascii")


def test_a_program_that_does_not_answer_is_passed_by(qapp: object, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    del qapp
    monkeypatch.setattr(handing_over, "ANSWER_S", 0.05)
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(name)
        deaf.listen()
        assert not hand_over(name, ["a.pt"])


def test_an_answer_that_never_ends_is_not_waited_for(qapp: object, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    del qapp
    monkeypatch.setattr(handing_over, "ANSWER_S", 0.05)
    over = threading.Event()
    with socket.socket(socket.AF_UNIX) as endless:
        endless.bind(name)
        endless.listen()

        def talk() -> None:
            speaker, _ = endless.accept()
            with speaker, contextlib.suppress(OSError):
                while not over.wait(0.005):
                    speaker.sendall(b"x")

        talker = threading.Thread(target=talk)
        talker.start()
        assert not hand_over(name, ["a.pt"])
        over.set()
        talker.join()


def test_a_second_start_is_taken(qtbot: QtBot, first: Handover, name: str, tmp_path: Path) -> None:
    taken: list[bool] = []
    target = str(tmp_path / "a.pt")
    with qtbot.waitSignal(first.handed) as signal:
        other = threading.Thread(target=lambda: taken.append(hand_over(name, [target])))
        other.start()
    qtbot.waitUntil(lambda: bool(taken))
    other.join()
    assert taken == [True]
    assert signal.args[0].targets == (target,)


def test_a_second_start_loads_nothing_large(first: Handover, name: str) -> None:
    del first, name
    asked = "import sys; import viewer.__main__; print([one for one in ('numpy', 'PySide6') if one in sys.modules])"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, cwd=ROOT)
    assert told.stdout == "[]\n"


def test_a_start_that_has_not_spoken_is_let_go_with_the_program(qtbot: QtBot, qapp: object, name: str) -> None:
    """Else its socket would be destroyed under the one who reads it."""
    del qapp
    program = Handover()
    assert program.begin(name)
    silent = QLocalSocket()
    silent.connectToServer(name)
    qtbot.waitUntil(lambda: bool(program._readers))
    with qtbot.captureExceptions() as raised:
        program.close()
        assert program._readers == set()
        qtbot.waitUntil(lambda: silent.state() is QLocalSocket.LocalSocketState.UnconnectedState)
        with qtbot.waitSignal(program.destroyed):
            program.deleteLater()
    assert raised == []


def test_only_one_listens(first: Handover, name: str) -> None:
    second = Handover()
    assert not second.begin(name)
    assert first is not second


def test_the_place_of_a_program_that_died_is_taken(qapp: object, name: str) -> None:
    del qapp
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(name)
        dead.listen()
    assert Path(name).exists()
    running = Handover()
    assert running.begin(name)
    running.close()


def test_nobody_else_can_listen_or_speak(first: Handover, name: str) -> None:
    del first
    assert stat.S_IMODE(Path(name).stat().st_mode) & 0o077 == 0


def test_a_folder_of_others_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(open_to_all))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    used = Path(server_name()).parent
    assert used == tmp_path / f"picklescope-{os.getuid()}"
    assert stat.S_IMODE(used.stat().st_mode) == 0o700
    used.chmod(0o777)
    assert not Path(server_name()).parent.exists()


def test_each_screen_has_a_program_of_its_own(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":12345")
    assert server_name() != name
