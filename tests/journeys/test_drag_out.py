"""Tensors and branches dragged out of the window into a file manager, by a real mouse."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.desktop import wait_until
from tests.journeys.driven_program import SAMPLE, Driven
from tests.journeys.test_file_manager import MANAGER, manager
from viewer.core.opening import open_document

pytestmark = pytest.mark.xvfb
AWAY = ((12, 8), (40, 20), (80, 30))
"""Steps of the mouse before it leaves for the file manager: far enough to be a drag."""


@pytest.fixture(autouse=True)
def manager_is_there() -> None:
    if shutil.which(MANAGER) is None or shutil.which("dbus-run-session") is None:
        pytest.skip(f"{MANAGER} or dbus-run-session: not installed, so no file manager could be driven")


def drag(program: Any, row: str, folder: Path, name: str) -> Path:
    """Drag a row onto the window of a folder, until the file is there."""
    desktop = program.desktop
    own = desktop.window("picklescope")
    desktop.xdotool("windowsize", own, "920", "860", "windowmove", own, "0", "0")
    window = manager(desktop, folder)
    desktop.xdotool("windowsize", window, "420", "420", "windowmove", window, "960", "120")
    wait_until(lambda: "Position: 96" in desktop.xdotool("getwindowgeometry", window), "the windows stayed in a heap")
    for _ in range(5):
        x, y = (int(number) for number in program.where(row))
        desktop.xdotool("mousemove", "--sync", str(x), str(y), "mousedown", "1")
        for right, down in AWAY:
            desktop.xdotool("mousemove", "--sync", str(x + right), str(y - down))
        # The two programs come to terms by messages at each step of the mouse, as slow as the machine is.
        for step in range(30):
            desktop.xdotool("mousemove", "--sync", str(1150 + step), str(330 + step))
        desktop.xdotool("mouseup", "1")
        if has_come(folder / name):
            return folder / name
    pytest.fail(f"{name} did not come into the folder", pytrace=False)


def has_come(path: Path) -> bool:
    """True when the file is there after a moment."""
    try:
        wait_until(path.is_file, "", 20.0)
    except pytest.fail.Exception:
        return False
    return True


def test_a_tensor_becomes_an_npy(program: Driven, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    program.click("tab tensors")
    path = drag(program, "row tensors conv.conv.weight", folder, "conv.conv.weight.npy")
    wait_until(lambda: path.stat().st_size > 128, "the file stayed empty")
    document = open_document(SAMPLE)
    tensor = next(one for one in document.tensors if one.name == "conv.conv.weight")
    assert np.load(path).shape == tensor.shape


def test_the_whole_file_becomes_a_state_dict(program: Driven, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    path = drag(program, "row contents TheModelClass", folder, "whole_model_legacy_state.pt")
    wait_until(lambda: path.stat().st_size > 20_000, "the file stayed empty")
    assert len(open_document(path).tensors) == 8
