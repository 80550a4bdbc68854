"""The lines of View > Cells of bytes: what a cell of the Bytes pane shows, for the file that is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from viewer.session.settings import BYTE_CELLS, BYTE_ORDER, BYTE_TYPES
from viewer.ui.window.menus import Line

if TYPE_CHECKING:
    from viewer.ui.panes.hex import HexPane
    from viewer.ui.window.frame import Frame


class ByteMenu(QObject):
    """Chooses the cells by way of the pane, which lets them begin where the storage does."""

    def __init__(self, window: Frame) -> None:
        super().__init__(window)
        self._window = window

    def lines(self) -> Sequence[Line]:
        """A line for each type and for each byte order; none without a file."""
        pane, session = self._pane(), self._window.session
        if pane is None or session is None:
            return []
        look, holds = pane.options.look, partial(self._window.workspace.has, session)
        names = {"": self.tr("Bytes"), **{name: name for name in BYTE_TYPES}}
        chosen, order = look.get(BYTE_CELLS), look.get(BYTE_ORDER)
        kinds = [
            Line(words, partial(look.set_cells, name), name == chosen, holds=holds) for name, words in names.items()
        ]
        orders = {"little": self.tr("Little-endian"), "big": self.tr("Big-endian")}
        return [
            *kinds,
            *(
                Line(words, partial(look.choose, BYTE_ORDER, name), name == order, holds=holds)
                for name, words in orders.items()
            ),
        ]

    def _pane(self) -> HexPane | None:
        view = self._window.view
        dock = view.docks.get("hex") if view is not None else None
        if dock is None or not dock.made:
            return None
        from viewer.ui.panes.hex import HexPane

        return dock.pane if isinstance(dock.pane, HexPane) else None
