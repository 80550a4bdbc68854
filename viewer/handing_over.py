"""A second start gives its files to the program that runs, before it loads anything large; viewer/ui/handover.py takes.

The two speak over a local socket in the person's own runtime folder (nobody else can reach it), one name a screen, so
that a window on another screen is never taken for this one. A message is one line of JSON; the answer is `taken`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import socket
import stat
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

VERSION: Final = 1
TAKEN: Final = b"taken\n"
CONNECT_S: Final = 0.5
ANSWER_S: Final = 10.0
TOKENS: Final = ("XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID")


def hand_over(name: str, targets: Sequence[str]) -> bool:
    """Give the targets to the program that runs. False where none runs, or none answers: then open a window."""
    try:
        line = message(targets)
        return _by_pipe(name, line) if sys.platform == "win32" else _by_socket(name, line)
    except OSError:
        return False


def message(targets: Sequence[str]) -> bytes:
    """The line that says what this start was asked for. Raises OSError where the folder of a target is gone."""
    told = {"version": VERSION, "targets": [absolute(text) for text in targets], "token": _token()}
    return json.dumps(told).encode("ascii") + b"\n"


def _by_socket(name: str, line: bytes) -> bool:
    with socket.socket(socket.AF_UNIX) as speaker:
        speaker.settimeout(CONNECT_S)
        speaker.connect(name)
        # One deadline for all of the answer: letters that come one by one must not hold this start.
        end = time.monotonic() + ANSWER_S
        speaker.settimeout(ANSWER_S)
        speaker.sendall(line)
        answer = b""
        while len(answer) < len(TAKEN) and (left := end - time.monotonic()) > 0:
            speaker.settimeout(left)
            part = speaker.recv(len(TAKEN) - len(answer))
            if not part:
                break
            answer += part
        return answer == TAKEN


def _by_pipe(name: str, line: bytes) -> bool:
    with open(rf"\\.\pipe\{name}", "r+b", buffering=0) as pipe:  # a pipe's name is no path
        pipe.write(line)
        return pipe.read(len(TAKEN)) == TAKEN


def server_name() -> str:
    """Where the program of this person on this screen listens: a path, on Windows the name of a pipe."""
    screen = "|".join(os.environ.get(key, "") for key in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
    mark = hashlib.sha256(screen.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    if sys.platform == "win32":
        return f"picklescope-{os.environ.get('USERNAME', '')}-{mark}"
    return str(_own_folder() / f"picklescope-{mark}")


def absolute(target: str) -> str:
    """A target as the other program finds it, whose folder is another one. Raises OSError where this one is gone."""
    if Path(target).is_absolute():
        return target
    return os.path.join(Path.cwd(), target)  # noqa: PTH118  # a Path would take "./a#1" and "a#1" for the same


def _own_folder() -> Path:
    """A folder that nobody else can write: of the session, else one made for this."""
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    if given and _is_own(Path(given)):
        return Path(given)
    made = Path(tempfile.gettempdir()) / f"picklescope-{os.getuid()}"
    with contextlib.suppress(OSError):
        made.mkdir(mode=0o700)
    # Of another person, or open to all: a path that cannot be listened at, so that each start has a window of its own.
    return made if _is_own(made) else made / "not-ours"


def _is_own(folder: Path) -> bool:
    try:
        facts = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.getuid() and not facts.st_mode & 0o022


def _token() -> str:
    return next((os.environ[key] for key in TOKENS if os.environ.get(key)), "")
