"""Pictures of Space and of the Tensors dock that a person has looked at: list, groups, health; light and dark.

They hold for one pair of fonts, as those of the tensor pane. `PICKLESCOPE_APPROVE=1` draws them anew: look at each
before it is committed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.builders.torch_values import full, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.screens import ALONE
from tests.screens.comparing import FONTS, compare_with_approved
from tests.ui.panes.conftest import SAMPLES
from viewer.session.session import Session
from viewer.ui.panes.space import SpacePane
from viewer.ui.panes.tensors import TensorsPane
from viewer.ui.theme import Theme, load_theme, palette, style_sheet

pytestmark = pytest.mark.skipif(not os.environ.get(ALONE), reason="drawn by test_alone.py, in a process of its own")

# name: (file, way of the Tensors dock or "" for Space, width, height, size of text)
SCREENS = {
    "space_cut": ("cut", "", 990, 300, 1.0),
    "space_waste": ("sick", "", 990, 300, 1.0),
    "space_large_text": ("cut", "", 990, 420, 2.0),
    "tensors_list": ("cut", "list", 990, 300, 1.0),
    "tensors_groups": ("cut", "groups", 990, 300, 1.0),
    "health": ("sick", "findings", 990, 300, 1.0),
    "health_large_text": ("sick", "findings", 990, 420, 2.0),
}


def sick() -> bytes:
    """A model with something to find, and a slice that keeps its storage."""
    nan, inf = float("nan"), float("inf")
    values: dict[str, object] = {
        "conv.weight": full("float32", (2, 4), [1, nan, 2, nan, 3, nan, 4, 5]),
        "conv.bias": full("float16", (3,), [1, inf, -inf]),
        "bn.running_var": full("float32", (3,), [1, -0.25, 2]),
        "bn.weight": full("float32", (3,), [1, 1, 1]),
        "bn.bias": full("float32", (3,), [0, 0, 0]),
        "head.tiny": full("float32", (3,), [1, 2.0**-149, 2]),
        "head.slice": tensor(storage("float32", range(4000)), (10,), (1,)),
    }
    for name in ("first", "second", "third"):
        values[f"head.{name}"] = full("float32", (2, 3), [0.5, 1, 2, 3, 4, 5])
    return torch_zip(values)


@pytest.fixture
def opened(request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path) -> Iterator[Session]:
    path = SAMPLES / "half_download.pth"
    if SCREENS[request.node.callspec.params["name"]][0] == "sick":
        path = tmp_path / "model.pt"
        path.write_bytes(sick())
    made = Session(path)
    with qtbot.waitSignal(made.jobs.idle):
        made.open()
    yield made
    made.close()


def made(session: Session, theme: Theme, way: str) -> SpacePane | TensorsPane:
    """The pane, without what stands in its header, which the window holds."""
    pane = TensorsPane(session, theme) if way else SpacePane(session, theme)
    for part in pane.header_widgets():
        part.hide()
    if isinstance(pane, TensorsPane):
        pane.ways.choose(way)
        if way == "list":
            # Those with missing bytes.
            pane.bar.field.setText("-whole")
    return pane


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", SCREENS)
def test_they_look_as_approved(opened: Session, plain: QApplication, qtbot: QtBot, theme: str, name: str) -> None:
    _, way, width, height, scale = SCREENS[name]
    loaded = load_theme(theme, text_scale=scale)
    if (loaded.mono_family, QFontInfo(loaded.text()).family()) != FONTS:
        pytest.skip(f"approved in {FONTS}")
    plain.setPalette(palette(loaded))
    plain.setFont(loaded.text())
    pane = made(opened, loaded, way)
    pane.setStyleSheet(style_sheet(loaded))
    qtbot.addWidget(pane)
    pane.resize(width, height)
    with qtbot.waitExposed(pane):
        pane.show()
    if way == "findings":
        opened.health.begin()
    qtbot.waitUntil(lambda: not opened.jobs.busy and is_ready(pane))
    # The keyboard is elsewhere: where it is is told apart by a frame.
    focused = pane.focusWidget()
    if focused is not None:
        focused.clearFocus()
    compare_with_approved(pane, f"{name}_{theme}")


def is_ready(pane: SpacePane | TensorsPane) -> bool:
    """Whether all that it shows is known."""
    if isinstance(pane, SpacePane):
        return pane.nodes is not None
    if pane.ways.current == "groups":
        return pane.shown.groups is not None
    found = pane.session.health.found
    return pane.ways.current == "list" or (found is not None and found.done and not pane.session.health.running)
