"""Clean processes with torch at hand: importing torch takes seconds, so one process does it and forks for each run.

Each run has a process of its own that holds nothing but the standard library, numpy and torch, started as
`python -I` would start it: no current folder, no user's packages, no environment that Python reads.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

SERVER: Final = Path(__file__).with_name("warm_server.py")
CAN_FORK: Final = sys.platform == "linux"


def run_clean(
    script: str | Path, *arguments: object, cwd: str | Path | None = None, given: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a script as `python -I SCRIPT ARGUMENTS`, with `given` on its standard input."""
    command = [sys.executable, "-I", str(script), *map(str, arguments)]
    if not CAN_FORK:
        return subprocess.run(command, cwd=cwd, input=given, capture_output=True, text=True, check=False)
    code, out, err = _server().ask(str(script), [str(one) for one in arguments], str(cwd or Path.cwd()), given)
    return subprocess.CompletedProcess(command, code, out, err)


def run_clean_text(text: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """The same with the text of a script."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.py"
        script.write_text(text, encoding="utf-8")
        return run_clean(script, *arguments)


class _Server:
    """The process that forks."""

    def __init__(self) -> None:
        command = [sys.executable, "-I", str(SERVER)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self.stop)

    def ask(self, script: str, arguments: list[str], cwd: str, given: str) -> tuple[int, str, str]:
        """Exit code, standard output, standard error."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"script": script, "arguments": arguments, "cwd": cwd, "given": given}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process that forks ended with {self._process.wait()}")
        answer = json.loads(line)
        return answer["code"], answer["out"], answer["err"]

    def stop(self) -> None:
        """End it; its pipes are closed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


@cache
def _server() -> _Server:
    return _Server()
