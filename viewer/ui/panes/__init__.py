"""The panes of a file, one file each. The window knows them by this tuple only; each is loaded when it is wanted."""

from __future__ import annotations

from typing import Final

from viewer.ui.pane import Area, PaneSpec
from viewer.wording import QT_TRANSLATE_NOOP

PANES: Final[tuple[PaneSpec, ...]] = (
    PaneSpec("contents", QT_TRANSLATE_NOOP("panes", "Contents"), "archive", Area.STRUCTURE, "contents:ContentsPane"),
    PaneSpec("opcodes", QT_TRANSLATE_NOOP("panes", "Opcodes"), "pickle", Area.STRUCTURE, "opcodes:OpcodesPane", 1),
    PaneSpec("effect", QT_TRANSLATE_NOOP("panes", "Effect"), "effect", Area.STRUCTURE, "effect:EffectPane", 2),
    PaneSpec("hex", QT_TRANSLATE_NOOP("panes", "Bytes"), "bytes", Area.BYTES, "hex:HexPane"),
    PaneSpec(
        "inspector", QT_TRANSLATE_NOOP("panes", "Inspector"), "inspector", Area.BYTES, "inspector:InspectorPane", 1
    ),
    PaneSpec(
        "summary",
        QT_TRANSLATE_NOOP("panes", "Summary"),
        "summary",
        Area.RIGHT,
        "summary:SummaryPane",
        tells_alarms=True,
    ),
    PaneSpec("source", QT_TRANSLATE_NOOP("panes", "Source"), "source", Area.RIGHT, "source:SourcePane", 1),
    PaneSpec("compare", QT_TRANSLATE_NOOP("panes", "Compare"), "compare", Area.RIGHT, "compare:ComparePane", 2),
    PaneSpec("tensor", QT_TRANSLATE_NOOP("panes", "Tensor"), "tensor", Area.RIGHT_LOWER, "tensor:TensorPane"),
    PaneSpec("problems", QT_TRANSLATE_NOOP("panes", "Problems"), "warning", Area.BOTTOM, "problems:ProblemsPane"),
    PaneSpec(
        "imports",
        QT_TRANSLATE_NOOP("panes", "Imports"),
        "shield",
        Area.BOTTOM,
        "imports:ImportsPane",
        1,
        tells_alarms=True,
    ),
    PaneSpec("tensors", QT_TRANSLATE_NOOP("panes", "Tensors"), "tensor", Area.BOTTOM, "tensors:TensorsPane", 2),
    PaneSpec("space", QT_TRANSLATE_NOOP("panes", "Space"), "space", Area.BOTTOM, "space:SpacePane", 3),
    PaneSpec("values", QT_TRANSLATE_NOOP("panes", "Values"), "list", Area.BOTTOM, "values:ValuesPane", 3),
    PaneSpec("search", QT_TRANSLATE_NOOP("panes", "Search results"), "search", Area.BOTTOM, "search:SearchPane", 4),
    PaneSpec(
        "bookmarks", QT_TRANSLATE_NOOP("panes", "Bookmarks"), "bookmark", Area.BOTTOM, "bookmarks:BookmarksPane", 5
    ),
)
