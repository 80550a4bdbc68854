"""The commands as a person meets them: bad input, odd names, closed pipes, locales, help."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders.legacy import legacy
from tests.builders.pickles import Stream
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.cli.running import PROGRAM, inspected, run
from tests.shared import ROOT
from viewer import starting
from viewer.cli import COMMANDS, main
from viewer.starting import is_command

PLAIN = torch_zip({"w": full("float32", (2,), [1, 2])})


def one_sentence(text: bytes) -> bool:
    """True for one line without a traceback."""
    return text.count(b"\n") == 1 and b"Traceback" not in text and len(text) > 20


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_missing_and_folder(tmp_path: Path, flags: tuple[str, ...], capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for path in (tmp_path / "absent", tmp_path, tmp_path / "absent" / "below", tmp_path / ("x" * 300)):
        assert main(["inspect", str(path), *flags]) == 2
        out, err = capfdbinary.readouterr()
        assert out == b""
        assert one_sentence(err), err


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has no users to switch to")
def test_no_permission(tmp_path: Path) -> None:
    path = tmp_path / "secret.pt"
    path.write_bytes(PLAIN)
    path.chmod(0)
    if os.geteuid() != 0:
        done = run("inspect", str(path))
    elif shutil.which("setpriv"):
        for folder in (tmp_path, *tmp_path.parents):
            if folder.stat().st_uid == 0 and folder.is_relative_to("/tmp"):
                folder.chmod(0o755)
        # As another user, who may read neither root's home nor the file: the program is started before it changes.
        program = "import os, sys; import viewer.cli; os.setgroups([]); os.setgid(65534); os.setuid(65534); " + PROGRAM
        done = subprocess.run(
            [sys.executable, "-c", program, "inspect", str(path)],
            capture_output=True,
            cwd=ROOT,
            check=False,
            timeout=300,
        )
    else:
        pytest.skip("root reads everything and there is no setpriv")
    assert done.returncode == 2
    assert done.stdout == b""
    assert b"not permitted" in done.stderr
    assert one_sentence(done.stderr)


def test_a_name_that_is_no_utf_8(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path)
    name = folder + b"/model\xff\xe9.pt"
    Path(os.fsdecode(name)).write_bytes(PLAIN)
    done = run("inspect", name, "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"model\\udcff\\udce9.pt" in done.stdout
    assert os.fsencode(json.loads(done.stdout)["file"]["path"]) == name
    text = run("inspect", name)
    assert (text.returncode, text.stderr) == (0, b"")
    assert b"torch-zip" in text.stdout
    missing = run("inspect", folder + b"/no\xff")
    assert missing.returncode == 2
    assert one_sentence(missing.stderr)


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_json_is_utf_8_whatever_the_locale(tmp_path: Path, locale: str) -> None:
    path = tmp_path / "m.pt"
    path.write_bytes(torch_zip({"größe \ud800": full("float32", (1,), [1])}))
    done = run("inspect", str(path), "--json", env={"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert "größe \\ud800".encode() in done.stdout
    assert json.loads(done.stdout)["keys"] == ["größe \ud800"]
    text = run("inspect", str(path), env={"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"})
    assert text.returncode == 0, text.stderr


@pytest.mark.parametrize("flags", [("--json", "--opcodes"), ("--opcodes",)])
def test_a_closed_pipe(tmp_path: Path, flags: tuple[str, ...]) -> None:
    path = tmp_path / "long.pkl"
    path.write_bytes(Stream().start().raw(b"N0" * 200_000).ops("NONE STOP").data)
    reader, writer = os.pipe()
    os.close(reader)
    done = run("inspect", str(path), *flags, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert done.returncode == 2
    assert one_sentence(done.stderr), done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "m.pt"
    path.write_bytes(PLAIN)
    with open("/dev/full", "wb") as full_device:
        done = run("inspect", str(path), "--json", stdout=full_device, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert one_sentence(done.stderr), done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("inspect",),
        ("inspect", "x", "--byteorder", "middle"),
        ("inspect", "x", "--encoding", "klingon"),
        ("inspect", "x", "--encoding", "rot13"),
        ("inspect", "x", "--nonsense"),
        ("frobnicate",),
        (),
    ],
)
def test_wrong_arguments(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "usage" in capsys.readouterr().err


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {command.name} " in shown for command in COMMANDS)
    assert main(["inspect", "--help"]) == 0
    shown = capsys.readouterr().out
    for flag in ("--json", "--hash", "--opcodes", "--regions", "--values", "--byteorder", "--encoding"):
        assert flag in shown


def test_words_that_are_commands() -> None:
    assert tuple(command.name for command in COMMANDS) == starting.COMMANDS
    assert is_command("inspect")
    assert not is_command("./inspect")
    assert not is_command("model.pt")


def test_text_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.pth"
    path.write_bytes(legacy({"w": full("float32", (2, 3), range(6)), "epoch": 3})[:-4])
    assert main(["inspect", str(path), "--hash", "--regions", "--opcodes", "--values"]) == 1
    shown = capsys.readouterr().out
    for text in (
        f"{path}: torch-legacy",
        "root: dict",
        "keys: w, epoch",
        "w  float32  [2, 3]",
        "cut: 20 bytes are there",
        "Storage 94268654570176 is cut",
        "Opcodes of object",
        "BINUNICODE  'epoch'",
        "storage-count  94268654570176",
        "epoch  int  3",
        "_rebuild_tensor_v2  1 x  called",
    ):
        assert text in shown, text


def test_control_characters_of_a_file_do_not_reach_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.pt"
    path.write_bytes(torch_zip({"a\x1b[31m\n\u202eb": full("int8", (1,), [3])}))
    assert main(["inspect", str(path), "--opcodes", "--values", "--regions"]) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "a\\x1b[31m\\n\\u202eb" in shown


def test_nothing_is_written_beside_the_file(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "m.pt"
    path.write_bytes(torch_zip({"w": full("float32", (2,), [1, 2])}, deflated=True))
    inspected(path, capfdbinary, "--hash", "--opcodes", "--regions", "--values")
    assert [entry.name for entry in tmp_path.iterdir()] == ["m.pt"]


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that can close a stream")
@pytest.mark.parametrize("flags", ["", "--json"])
def test_streams_that_were_closed_from_the_start(tmp_path: Path, flags: str) -> None:
    path = tmp_path / "model.pt"
    path.write_bytes(PLAIN)
    program = f'"{sys.executable}" -c "{PROGRAM}" inspect "$1" {flags}'
    environment = os.environ | {"PYTHONPATH": str(ROOT)}

    def told(command: str, target: Path) -> subprocess.CompletedProcess[bytes]:
        words = ["sh", "-c", command, "sh", str(target)]
        return subprocess.run(words, capture_output=True, env=environment, check=False, timeout=300)

    closed = told(f"{program} >&-", path)
    assert (closed.returncode, closed.stderr) == (2, b"picklescope: the output could not be written: it is closed.\n")
    silent = told(f"{program} 2>&-", tmp_path / "absent")
    assert (silent.returncode, silent.stdout) == (2, b"")
