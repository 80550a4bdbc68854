"""Versions of modules in `inspect --json` and in its text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from tests.cli.running import inspected
from viewer.cli import main

Capture = pytest.CaptureFixture[bytes]
STATISTICS = ("weight", "running_mean", "running_var")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A checkpoint with two old norms, a linear layer, and one more whose version is not stored."""
    tensors = {f"{norm}.{name}": full("float32", (3,), range(3)) for norm in ("bn1", "bn2") for name in STATISTICS}
    tensors |= {"fc.weight": full("float32", (2, 3), range(6)), "last.weight": full("float32", (2, 3), range(6))}
    made = tmp_path / "model.pth"
    made.write_bytes(torch_zip({"net": state_dict(tensors, {"": 1, "bn1": 1, "bn2": 1, "fc": 1}), "epoch": 3}))
    return made


def test_the_key_lists_what_is_stated_or_converted(path: Path, capfdbinary: Capture) -> None:
    rows = inspected(path, capfdbinary)[0]["versions"]
    assert [(row["branch"], row["module"], row["stored"], row["today"], row["code"]) for row in rows] == [
        ("net", "", 1, None, None),
        ("net", "bn1", 1, 2, "counter-added"),
        ("net", "bn2", 1, 2, "counter-added"),
        ("net", "fc", 1, None, None),
    ]
    assert set(rows[0]) == {"document", "branch", "module", "class", "stored", "today", "code", "text"}
    assert rows[0]["text"] is None
    assert rows[1]["text"] == (
        "The counter of batches will be added. This norm was saved before version 2 and has no num_batches_tracked. "
        "load_state_dict adds it, with the value that the module has, which is 0 for a new one."
    )


def test_the_lines_name_the_modules_of_one_conversion_together(path: Path, capfdbinary: Capture) -> None:
    assert main(["inspect", str(path)]) == 0
    lines = capfdbinary.readouterr()[0].decode().splitlines()
    at = lines.index("Versions of modules")
    assert lines[at + 1].startswith("  note: The counter of batches will be added. This norm was saved")
    assert lines[at + 1].endswith(" [net: bn1, bn2]")
    assert not lines[at + 2].startswith("  ")


def test_nothing_is_said_where_nothing_happens(tmp_path: Path, capfdbinary: Capture) -> None:
    path = tmp_path / "model.pth"
    path.write_bytes(torch_zip(state_dict({"fc.weight": full("float32", (2, 3), range(6))}, {"": 1, "fc": 1})))
    main(["inspect", str(path)])
    assert b"Versions of modules" not in capfdbinary.readouterr()[0]
