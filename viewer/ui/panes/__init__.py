"""The panes of a file, one file each. The window knows them by this tuple only."""

from __future__ import annotations

from typing import Final

from viewer.ui.pane import Pane
from viewer.ui.panes.bookmarks import BookmarksPane
from viewer.ui.panes.compare import ComparePane
from viewer.ui.panes.contents import ContentsPane
from viewer.ui.panes.effect import EffectPane
from viewer.ui.panes.hex import HexPane
from viewer.ui.panes.imports import ImportsPane
from viewer.ui.panes.inspector import InspectorPane
from viewer.ui.panes.opcodes import OpcodesPane
from viewer.ui.panes.problems import ProblemsPane
from viewer.ui.panes.search import SearchPane
from viewer.ui.panes.source import SourcePane
from viewer.ui.panes.space import SpacePane
from viewer.ui.panes.summary import SummaryPane
from viewer.ui.panes.tensor import TensorPane
from viewer.ui.panes.tensors import TensorsPane
from viewer.ui.panes.values import ValuesPane

PANES: Final[tuple[type[Pane], ...]] = (
    ContentsPane,
    OpcodesPane,
    EffectPane,
    HexPane,
    InspectorPane,
    SummaryPane,
    SourcePane,
    ComparePane,
    TensorPane,
    ProblemsPane,
    ImportsPane,
    TensorsPane,
    SpacePane,
    ValuesPane,
    SearchPane,
    BookmarksPane,
)
