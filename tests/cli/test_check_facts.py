"""How objects fit the texts of their classes, in `inspect --json` and in its text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, module
from tests.cli.running import inspected
from viewer.cli import main

Capture = pytest.CaptureFixture[bytes]
TEXT = """class Net(nn.Module):
    def __init__(self):
        self.add = nn.ReLU()
    def forward(self, x):
        return self.add(x)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with two modules that lack an attribute."""
    cls = ModuleClass("nets", "Net", "/home/user/nets.py", TEXT)
    made = tmp_path / "model.pth"
    made.write_bytes(legacy({"model": module(cls), "ema": module(cls)}))
    return made


def test_the_key(path: Path, capfdbinary: Capture) -> None:
    (row,) = inspected(path, capfdbinary)[0]["checks"]
    assert row == {
        "document": 0,
        "code": "attribute-missing",
        "severity": "warning",
        "class": "nets.Net",
        "origin": "stored",
        "line": 3,
        "text_of": "nets.Net",
        "text": (
            "Net lacks add, which __init__ sets in line 3. forward reads it in line 5 and will fail with an "
            "AttributeError: loading does not run __init__. The stored text is what was on disk when the model was "
            "saved, which may be newer than the code that made the object."
        ),
        "fix": (
            "for module in model.modules():\n"
            '    if type(module).__name__ == "Net" and not hasattr(module, "add"):\n'
            "        module.add = nn.ReLU()"
        ),
        "count": 2,
        "places": [["model"], ["ema"]],
        "params": {
            "class_name": "Net", "line": 3, "name": "add", "setter": "__init__", "method": "forward", "read_line": 5,
        },
    }  # fmt: skip


def test_the_lines(path: Path, capfdbinary: Capture) -> None:
    assert main(["inspect", str(path)]) == 0
    lines = capfdbinary.readouterr()[0].decode().splitlines()
    first = lines.index("Objects and their classes")
    assert lines[first + 1].startswith("  warning: Net lacks add, which __init__ sets in line 3. forward reads it")
    assert lines[first + 1].endswith(" [model and 1 more]")
    assert lines[first + 2 : first + 5] == [
        "      for module in model.modules():",
        '          if type(module).__name__ == "Net" and not hasattr(module, "add"):',
        "              module.add = nn.ReLU()",
    ]


def test_a_file_without_objects(tmp_path: Path, capfdbinary: Capture) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"words")
    assert inspected(path, capfdbinary)[0]["checks"] == []
    main(["inspect", str(path)])
    assert b"Objects and their classes" not in capfdbinary.readouterr()[0]
