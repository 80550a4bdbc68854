"""Training states in `inspect`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.torch_values import adam_state_dict, full
from tests.builders.torch_zip import torch_zip
from tests.cli.running import inspected
from viewer.__main__ import main

Capture = pytest.CaptureFixture[bytes]
SETTINGS = "lr 0.001, betas (0.9, 0.999), weight_decay 0, step 7"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    one = full("float32", (), [7])
    target = tmp_path / "last.pt"
    target.write_bytes(torch_zip({"epoch": 3, "optimizer": adam_state_dict([(one, one, one)])}))
    return target


def test_rows(path: Path, capfdbinary: Capture) -> None:
    found, code = inspected(path, capfdbinary)
    assert code == 0
    assert found["training"] == [
        {
            "document": 0,
            "path": [],
            "kind": "progress",
            "params": {"settings": "epoch 3"},
            "text": "Progress: epoch 3",
        },
        {
            "document": 0,
            "path": ["optimizer"],
            "kind": "optimizer-one",
            "params": {"kind": "Adam", "settings": SETTINGS},
            "text": f"Adam state of 1 parameter: {SETTINGS}",
        },
    ]


def test_lines(path: Path, capfdbinary: Capture) -> None:
    assert main(["inspect", str(path)]) == 0
    lines = capfdbinary.readouterr().out.decode().splitlines()
    at = lines.index("Training state")
    assert lines[at + 1 : at + 3] == ["  Progress: epoch 3", f"  optimizer: Adam state of 1 parameter; {SETTINGS}"]
