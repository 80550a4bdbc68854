"""The dock of one pane: its header, and a body that can be folded away."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QPalette
from PySide6.QtWidgets import QDockWidget, QMenu, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.ui.pane import Pane
from viewer.ui.theme import Theme
from viewer.ui.widgets.motion import FREE
from viewer.ui.widgets.pane_header import PaneHeader


class Body(QWidget):
    """Holds the pane. Its least size is small whatever the pane wants, so that docks can share any window."""

    def __init__(self, pane: Pane, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        column.addWidget(pane)

    def set_theme(self, theme: Theme) -> None:
        """Sizes changed."""
        self._theme = theme
        self.updateGeometry()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(120), 0)

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(300), self._theme.px(200))


class PaneDock(QDockWidget):
    """One pane in its dock.

    closed_by_person: the dock was closed by its menu, not by a layout.
        Signal()
    """

    closed_by_person = Signal()

    def __init__(self, pane: Pane, title: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.pane = pane
        self.badge = ""
        self.folded = False
        self.unfolded_height = 0
        self._theme = theme
        self.setObjectName(f"dock.{pane.key}")
        self._body = Body(pane, theme)
        self.setWidget(self._body)
        self.menu = QMenu(self)
        self.float_action = QAction(self.tr("Float"), self, checkable=True)
        self.float_action.triggered.connect(lambda on: self.setFloating(on))
        self.topLevelChanged.connect(self.float_action.setChecked)
        self.close_action = QAction(self.tr("Close"), self)
        self.close_action.triggered.connect(self._close)
        self.header = PaneHeader(theme, pane.header_widgets(), self.menu)
        self.setTitleBarWidget(self.header)

    @property
    def key(self) -> str:
        """The key of the pane."""
        return self.pane.key

    def set_folded(self, *, folded: bool) -> None:
        """Show the header only, or all."""
        self.folded = folded
        self.pane.setVisible(not folded)
        self.setMaximumHeight(self.header.height() if folded else FREE)
        self.header.set_folded(folded=folded)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self._body.set_theme(theme)
        self.header.set_theme(theme)
        if self.folded:
            self.setMaximumHeight(self.header.height())
        self.pane.set_theme(theme)

    def is_in_front(self) -> bool:
        """True when the pane can be seen: open, not folded, not behind another tab."""
        return self.isVisible() and not self.folded and not self.visibleRegion().isEmpty()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed_by_person.emit()

    def _close(self) -> None:
        self.close()
        target = self.parentWidget()
        if isinstance(target, QWidget):
            target.setFocus(Qt.FocusReason.OtherFocusReason)
