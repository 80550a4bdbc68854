"""What the pictures of how often bytes occur have in common: counts, colours, and words on what is below the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip, QWidget
from typing_extensions import override

if TYPE_CHECKING:
    from viewer.ui.theme import Theme

VALUES: Final = 256


class ByteCounts(QWidget):
    """A class that derives from it paints `counts`; their axes have VALUES each. From left to right in any language."""

    axes = 1

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.counts: npt.NDArray[np.int64] = np.zeros((VALUES,) * self.axes, np.int64)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    def set_theme(self, theme: Theme) -> None:
        """Colours or sizes changed."""
        self.theme = theme
        self.updateGeometry()
        self.update()

    def show_counts(self, counts: npt.NDArray[np.int64]) -> None:
        """Show other counts, as many as there are now."""
        self.counts = counts
        self.setAccessibleDescription(self.most())
        self.update()

    def most(self) -> str:
        """What occurs most often, in words."""
        raise NotImplementedError

    def told_at(self, point: QPoint) -> str:
        """What stands at a place, in words; empty where nothing does."""
        raise NotImplementedError

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.told_at(event.pos()), self)
            return True
        return super().event(event)
