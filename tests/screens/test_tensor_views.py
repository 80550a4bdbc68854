"""Pictures of the views of a tensor that a person has looked at, light and dark.

They hold for one pair of fonts; with others they cannot be compared. `PICKLESCOPE_APPROVE=1` draws them anew: look at
each before it is committed.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.builders.torch_values import full, storage
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global
from tests.screens import ALONE
from tests.screens.comparing import FONTS, compare_with_approved
from viewer.session.session import Session
from viewer.ui.panes.tensor import TensorPane
from viewer.ui.previews.channels import ChannelsPreview
from viewer.ui.previews.entries import EntriesPreview
from viewer.ui.previews.heat_map import HeatMapPreview
from viewer.ui.previews.held import HeldPreview
from viewer.ui.previews.histogram import HistogramPreview
from viewer.ui.previews.parts import PartsPreview
from viewer.ui.previews.statistics import StatisticsPreview
from viewer.ui.theme import load_theme, palette, style_sheet

pytestmark = pytest.mark.skipif(not os.environ.get(ALONE), reason="drawn by test_alone.py, in a process of its own")

SCREENS = {
    "all": ("values", 840, 760, "conv.weight"),
    "values": ("values", 440, 560, "conv.weight"),
    "histogram": ("histogram", 440, 560, "conv.weight"),
    "bar": ("histogram", 440, 560, "conv.weight"),
    "heat_map": ("heat_map", 440, 560, "conv.weight"),
    "image": ("image", 440, 560, "conv.weight"),
    "channels": ("channels", 440, 640, "quantised"),
    "channels_wide": ("channels", 840, 760, "quantised"),
    "parts": ("values", 440, 640, "sparse"),
    "entries": ("entries", 440, 560, "sparse"),
    "nested": ("held", 440, 560, "nested"),
}
ELEMENTS = {"conv.weight": (1, 2, 3, 4), "quantised": (2, 3), "sparse": None, "nested": None}
HOOKS: OrderedDict[str, object] = OrderedDict()


def quantised() -> Call:
    """Five rows of seven, a scale for each row."""
    scales = full("float64", (5,), [0.01, 0.02, 0.125, 0.5, 1])
    quantizer = (Global("torch", "per_channel_affine"), scales, full("int64", (5,), [0, 1, -3, 4, 0]), 0)
    held = storage("qint8", [at * 29 % 255 - 127 for at in range(35)])
    return Call(Global("torch._utils", "_rebuild_qtensor"), (held, 0, (5, 7), (7, 1), quantizer, False, HOOKS))


def sparse() -> Call:
    """Nine of 10,000 elements, twice at one index."""
    rows, columns = [0, 0, 3, 17, 17, 41, 60, 60, 99], [4, 90, 12, 0, 0, 55, 7, 8, 99]
    values = full("float32", (9,), [1.5, -2, 0.25, 3, 4, float("nan"), 1e-6, -7.75, 12])
    parts = (full("int64", (2, 9), [*rows, *columns]), values, (100, 100), False)
    return Call(Global("torch._utils", "_rebuild_sparse_tensor"), (Global("torch", "sparse_coo"), parts))


def nested() -> Call:
    """Three matrices of other sizes in one buffer."""
    sizes, strides = [2, 3, 4, 2, 1, 5], [3, 1, 2, 1, 5, 1]
    parts = (
        full("float32", (19,), range(19)),
        full("int64", (3, 2), sizes),
        full("int64", (3, 2), strides),
        full("int64", (3,), [0, 6, 14]),
    )
    return Call(Global("torch._utils", "_rebuild_nested_tensor"), parts)


def tensor_file(folder: Path) -> Path:
    """A file with a tensor of each kind that has views of its own."""
    path = folder / "model.pt"
    numbers = np.round(np.sin(np.arange(8 * 3 * 5 * 5) * 1.7) * np.linspace(0.1, 2, 600), 3).tolist()
    numbers[17] = float("nan")
    tensors = {"conv.weight": full("float32", [8, 3, 5, 5], numbers)}
    path.write_bytes(torch_zip({**tensors, "quantised": quantised(), "sparse": sparse(), "nested": nested()}))
    return path


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Iterator[Session]:
    made = Session(tensor_file(tmp_path))
    with qtbot.waitSignal(made.jobs.idle):
        made.open()
    yield made
    made.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", SCREENS)
def test_the_views_look_as_approved(session: Session, plain: QApplication, qtbot: QtBot, theme: str, name: str) -> None:
    loaded = load_theme(theme)
    if (loaded.mono_family, QFontInfo(loaded.text()).family()) != FONTS:
        pytest.skip(f"approved in {FONTS}")
    view, width, height, tensor = SCREENS[name]
    plain.setPalette(palette(loaded))
    pane = TensorPane(session, loaded)
    pane.setStyleSheet(style_sheet(loaded))
    qtbot.addWidget(pane)
    pane.resize(width, height)
    with qtbot.waitExposed(pane):
        pane.show()
    assert session.document is not None
    pane.switch.choose(view)
    shown = next(each for each in session.document.tensors if each.name == tensor)
    session.select_tensor(shown, "test", ELEMENTS[tensor])
    if name == "parts":
        next(preview for preview in pane.previews if isinstance(preview, PartsPreview)).links[2].click()
    for preview in pane.previews:
        if isinstance(preview, EntriesPreview | HeldPreview | ChannelsPreview) and preview.isVisible():
            preview.table.setCurrentIndex(preview.table.model().index(1, 0))
    qtbot.waitUntil(lambda: all(is_drawn(preview) for preview in pane.previews))
    qtbot.waitUntil(lambda: not session.jobs.busy)
    if name == "bar":
        choose_bar(pane, qtbot)
    compare_with_approved(pane, f"tensor_{name}_{theme}")


def choose_bar(pane: TensorPane, qtbot: QtBot) -> None:
    """As a click on it does."""
    view = next(preview for preview in pane.previews if isinstance(preview, HistogramPreview))
    view.plot.setFocus(Qt.FocusReason.ShortcutFocusReason)
    for _ in range(24):
        qtbot.keyClick(view.plot, Qt.Key.Key_Right)
    qtbot.keyClick(view.plot, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.walk.next.isVisible() and not pane.session.jobs.busy)


def is_drawn(preview: object) -> bool:
    """Whether a preview that can be seen has all its numbers."""
    if isinstance(preview, StatisticsPreview) and preview.isVisible():
        return preview.found is not None
    if isinstance(preview, HistogramPreview) and preview.isVisible():
        return preview.plot.plot is not None and preview.plot.found is not None
    if isinstance(preview, HeatMapPreview) and preview.isVisible():
        return preview.map.loaded is not None
    return True
