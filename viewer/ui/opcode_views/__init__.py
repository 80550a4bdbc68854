"""Ways to look at the opcodes: one file, one view. The pane knows them by this tuple only."""

from __future__ import annotations

from typing import Final

from viewer.ui.opcode_views.base import OpcodeView
from viewer.ui.opcode_views.listing import ListingView
from viewer.ui.opcode_views.stream import StreamView
from viewer.ui.opcode_views.tree import TreeView

VIEWS: Final[tuple[type[OpcodeView], ...]] = (TreeView, StreamView, ListingView)
