"""Parts of a pane that leave out what has no room, in place of asking the pane for more of it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from viewer.ui.theme import Theme

LEAST: Final = 180


class FittingWidget(QWidget):
    """Derive from it and say what is left out at which width (`fit`)."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme

    def fit(self) -> None:
        """Show what has room."""
        raise NotImplementedError

    @override
    def minimumSizeHint(self) -> QSize:
        # What does not fit is left out, so the words of today set no limit.
        return QSize(self.theme.px(LEAST), super().minimumSizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        before = self._shown()
        self.fit()
        if self._shown() != before:
            # To show a part lays out all above at once, and the layout that resizes this then goes on with old places.
            self.updateGeometry()

    def _shown(self) -> list[QWidget]:
        parts = self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return [part for part in parts if not part.isHidden()]
