"""A person's way in a real window: start by command, click a byte, see all panes follow, export, use the result."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders.torch_values import packed
from tests.desktop import wait_until
from tests.journeys.driven_program import SAMPLE

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.xvfb


def test_click_a_byte_and_everything_follows(program, tmp_path):
    seen = program.choose(0xA5)
    assert seen["opcode"].startswith("GLOBAL")
    assert seen["contents"].startswith("TheModelClass")
    assert "0xA5" in seen["status"]
    seen = program.choose(0xD0)
    assert seen["line"] == seen["source_line"] == 1
    assert seen["opcode"].startswith("BINUNICODE")
    program.desktop.picture(tmp_path / "clicked.png")


def test_export_npz_and_read_it_with_numpy(program, tmp_path):
    target = tmp_path / "weights.npz"
    program.keys("ctrl+shift+e")
    program.click("dialog target")
    program.keys("ctrl+a")
    program.desktop.xdotool("type", str(target))
    program.click("dialog go")
    wait_until(target.is_file, "no npz was written")
    program.click("end Close")
    raw = SAMPLE.read_bytes()
    with np.load(target) as arrays:
        assert set(arrays.files) >= {"conv.conv.weight", "conv.conv.bias", "fc.weight", "fc.bias"}
        weight = arrays["conv.conv.weight"]
        assert weight.dtype == np.float32
        assert weight.shape == (8, 1, 5, 5)
        for name in arrays.files:
            stored = packed("float32", arrays[name].ravel().tolist()) if arrays[name].dtype == np.float32 else b""
            assert stored in raw, name
    assert [path.name for path in tmp_path.iterdir()] == ["weights.npz"]


def test_go_to_and_back(program):
    program.keys("ctrl+l")
    program.desktop.xdotool("type", "0x2A46")
    program.keys("Return")
    seen = program.wait("selection", start=0x2A46)
    assert seen["tensor"] == "conv.conv.weight"
    assert seen["element"] == [0, 0, 0, 0]
    program.keys("ctrl+Home")
    program.wait("selection", start=0)
    program.keys("alt+Left")
    program.wait("selection", start=0x2A46)
