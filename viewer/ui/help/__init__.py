"""The pages of the help, one file each. The drawer knows them by this tuple only."""

from __future__ import annotations

from typing import Final

from viewer.ui.help.base import HelpPage
from viewer.ui.help.opcode_filter import OpcodeFilterPage
from viewer.ui.help.opcodes import OpcodesPage
from viewer.ui.help.panes import PanesPage
from viewer.ui.help.problems import ProblemsPage
from viewer.ui.help.shortcuts import ShortcutsPage
from viewer.ui.help.tensor_filter import TensorFilterPage

PAGES: Final[tuple[type[HelpPage], ...]] = (
    PanesPage,
    ProblemsPage,
    OpcodesPage,
    ShortcutsPage,
    OpcodeFilterPage,
    TensorFilterPage,
)
