"""The line under Problems: checksums of a large file are read when asked, can be stopped, and say what they found."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from viewer.session import sums
from viewer.ui.panes.problems import ProblemsPane


@pytest.fixture
def pane(opened, shown, tmp_path, monkeypatch):
    """Over an archive with a changed byte that counts as large."""
    monkeypatch.setattr(sums, "SMALL", 10)
    data = bytearray(torch_zip({"a": full("float32", (4,), range(4))}))
    data[data.index(b"\x00\x00\x80\x3f\x00\x00\x00\x40") + 3] ^= 1
    path = tmp_path / "flipped.pt"
    path.write_bytes(data)
    return shown(ProblemsPane, opened(path))


def press(qtbot, pane):
    qtbot.mouseClick(pane.check, Qt.MouseButton.LeftButton)


def test_checked_when_asked(pane, qtbot):
    assert pane.check.text() == "Check checksums"
    assert pane.sums.text() == "Checksums were not read to the end: the file is large, or it was stopped."
    press(qtbot, pane)
    qtbot.waitUntil(lambda: pane.session.sums.done)
    assert not pane.check.isVisible()
    assert pane.sums.text() == "Checksums were read; what does not fit is listed."
    assert pane.model.index(0, 0).data().startswith("The bytes of a ")
    assert "tensor-checksum" in [pane.model.index(row, 2).data() for row in range(pane.model.rowCount())]


def test_stopped_and_asked_again(pane, qtbot):
    steps = []
    pane.session.progressed.connect(lambda key, step: steps.append((key, step)))
    press(qtbot, pane)
    assert (pane.check.text(), pane.sums.text()) == ("Stop", "Checksums are being read.")
    press(qtbot, pane)
    assert pane.check.text() == "Check checksums"
    assert steps[-1] == (sums.SUMS, None)
    press(qtbot, pane)
    qtbot.waitUntil(lambda: pane.session.sums.done)
    assert pane.session.sums.bad == 1
