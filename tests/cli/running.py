"""Running the commands: in this process for what they say, in a child for what only a process can do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.shared import ROOT
from viewer.cli import main

PROGRAM = "import sys; from viewer.cli import main; sys.exit(main(sys.argv[1:]))"


def inspected(path: Path, capfdbinary: pytest.CaptureFixture[bytes], *flags: str) -> tuple[dict[str, Any], int]:
    """The JSON object of a file and the exit code; nothing else stands on stdout."""
    code = main(["inspect", str(path), "--json", *flags])
    out, _ = capfdbinary.readouterr()
    assert out.count(b"\n") == 1
    return json.loads(out), code


def run(*arguments: str | bytes, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """The program in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error", **more.pop("env", {})}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        capture_output="stdout" not in more,
        env=environment,
        check=False,
        timeout=300,
        **more,
    )
