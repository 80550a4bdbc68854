"""Pictures of the views of a tensor that a person has looked at, light and dark.

They hold for one pair of fonts; with others they cannot be compared. `PICKLESCOPE_APPROVE=1` draws them anew: look at
each before it is committed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFontInfo, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.screens import ALONE
from tests.screens.test_hex import HERE, MOST_OTHER, NEAR, pixels
from viewer.session.session import Session
from viewer.ui.panes.tensor import TensorPane
from viewer.ui.previews.heat_map import HeatMapPreview
from viewer.ui.previews.histogram import HistogramPreview
from viewer.ui.previews.statistics import StatisticsPreview
from viewer.ui.theme import load_theme, palette, style_sheet

pytestmark = pytest.mark.skipif(not os.environ.get(ALONE), reason="drawn by test_alone.py, in a process of its own")

FONTS = ("DejaVu Sans Mono", "Noto Sans")
SCREENS = {
    "all": ("values", 840, 760),
    "values": ("values", 440, 560),
    "histogram": ("histogram", 440, 560),
    "heat_map": ("heat_map", 440, 560),
    "image": ("image", 440, 560),
}


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Iterator[Session]:
    path = tmp_path / "model.pt"
    numbers = np.round(np.sin(np.arange(8 * 3 * 5 * 5) * 1.7) * np.linspace(0.1, 2, 600), 3).tolist()
    numbers[17] = float("nan")
    path.write_bytes(torch_zip({"conv.weight": full("float32", [8, 3, 5, 5], numbers)}))
    made = Session(path)
    with qtbot.waitSignal(made.jobs.idle, timeout=20_000):
        made.open()
    yield made
    made.close()


@pytest.fixture
def plain(qapp: QApplication) -> Iterator[QApplication]:
    """The program, whose palette a test may change."""
    before = qapp.palette()
    yield qapp
    qapp.setPalette(before)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", SCREENS)
def test_the_views_look_as_approved(session: Session, plain: QApplication, qtbot: QtBot, theme: str, name: str) -> None:
    loaded = load_theme(theme)
    if (loaded.mono_family, QFontInfo(loaded.text()).family()) != FONTS:
        pytest.skip(f"approved in {FONTS}")
    view, width, height = SCREENS[name]
    plain.setPalette(palette(loaded))
    pane = TensorPane(session, loaded)
    pane.setStyleSheet(style_sheet(loaded))
    qtbot.addWidget(pane)
    pane.resize(width, height)
    with qtbot.waitExposed(pane):
        pane.show()
    assert session.document is not None
    pane.switch.choose(view)
    session.select_tensor(session.document.tensors[0], "test", (1, 2, 3, 4))
    qtbot.waitUntil(lambda: all(is_drawn(preview) for preview in pane.previews), timeout=20_000)
    qtbot.waitUntil(lambda: not session.jobs.busy, timeout=20_000)
    for _ in range(4):
        # What was shown and hidden last asks its layout, that the one around it, and so on.
        QCoreApplication.sendPostedEvents()
    drawn, file = pane.grab().toImage(), HERE / f"tensor_{name}_{theme}.png"
    if os.environ.get("PICKLESCOPE_APPROVE"):
        drawn.save(str(file))
    approved, now = pixels(QImage(str(file))), pixels(drawn)
    assert now.shape == approved.shape
    other = (np.abs(now - approved).max(axis=2) > NEAR).mean()
    assert other <= MOST_OTHER


def is_drawn(preview: object) -> bool:
    """Whether a preview that can be seen has all its numbers."""
    if isinstance(preview, StatisticsPreview):
        return preview.found is not None
    if isinstance(preview, HistogramPreview) and preview.isVisible():
        return preview.plot.plot is not None and preview.plot.found is not None
    if isinstance(preview, HeatMapPreview) and preview.isVisible():
        return preview.map.loaded is not None
    return True
