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


EDITED = """import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        self.gate = nn.Sigmoid()
    def forward(self, x):
        return self.gate(x)
"""


def test_a_file_of_the_person_is_held_against_the_objects(path: Path, tmp_path: Path, capfdbinary: Capture) -> None:
    edited = tmp_path / "edited.py"
    edited.write_text(EDITED, encoding="utf-8")
    rows = inspected(path, capfdbinary, "--source", str(edited))[0]["checks"]
    assert [(row["origin"], row["code"], row["line"], row["params"]["name"]) for row in rows] == [
        ("stored", "attribute-missing", 3, "add"),
        ("supplied", "attribute-missing", 6, "gate"),
    ]
    assert main(["inspect", str(path), "--source", str(edited)]) == 0
    assert b"Net lacks gate, which __init__ sets in line 6." in capfdbinary.readouterr()[0]


def test_of_two_files_with_a_class_the_last_counts(path: Path, tmp_path: Path, capfdbinary: Capture) -> None:
    arguments = []
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(EDITED.replace("gate", name), encoding="utf-8")
        arguments += ["--source", str(tmp_path / f"{name}.py")]
    rows = inspected(path, capfdbinary, *arguments)[0]["checks"]
    assert [row["params"]["name"] for row in rows if row["origin"] == "supplied"] == ["two"]


def test_a_file_that_is_no_python_is_a_sentence(path: Path, tmp_path: Path, capfdbinary: Capture) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("class Net(:\n", encoding="utf-8")
    assert main(["inspect", str(path), "--source", str(broken)]) == 2
    out, err = capfdbinary.readouterr()
    assert out == b""
    assert b"broken.py" in err
    assert b"Line 1: " in err
