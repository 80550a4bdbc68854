"""What stands in the place of a pane that could not be made."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from viewer.ui.pane import Pane
from viewer.ui.widgets.wrapped import WrappedLabel

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.ui.theme import Theme


class FailedPane(Pane):
    """One sentence."""

    key: ClassVar[str] = "failed"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.words = WrappedLabel(
            self.tr(
                "This pane could not be shown: something went wrong in the program. All other panes work as before. "
                "Close the file and open it again to try once more."
            ),
            self,
        )
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.words, 0, Qt.AlignmentFlag.AlignTop)
        self._space()

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._space()

    def _space(self) -> None:
        self._column.setContentsMargins(*(self.theme.px(16),) * 4)
