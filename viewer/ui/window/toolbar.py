"""The toolbar: open, back and forward, search, the path to the selection, find, go to, export, all commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolBar, QToolButton, QWidget

from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.breadcrumb import Breadcrumb
from viewer.ui.widgets.labels import Menu
from viewer.ui.widgets.search_box import SearchBox

if TYPE_CHECKING:
    from viewer.ui.actions import Actions

THIN = "\u2009"
"""Qt leaves hardly any room between icon and word."""


class ToolBar(QToolBar):
    """Icons with words, icons only in a narrow window; back and forward never have words."""

    def __init__(self, actions: Actions, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Toolbar"))
        self.setObjectName("toolbar")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.search = SearchBox(theme)
        self.breadcrumb = Breadcrumb(theme)
        self._buttons: list[QToolButton] = []
        self._narrow = False
        self._fill(actions)
        self.set_theme(theme)

    @property
    def open_button(self) -> QToolButton:
        """The button that opens files."""
        return self._buttons[0]

    def set_theme(self, theme: Theme) -> None:
        """Colours or sizes changed."""
        self.setIconSize(QSize(theme.px(16), theme.px(16)))
        self.search.set_theme(theme)
        self.breadcrumb.set_theme(theme)
        self.export.setIcon(icon(theme, "export"))

    def set_narrow(self, *, narrow: bool) -> None:
        """Leave the words out."""
        if narrow == self._narrow:
            return
        self._narrow = narrow
        look = Qt.ToolButtonStyle.ToolButtonIconOnly if narrow else Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        for button in self._buttons:
            button.setToolButtonStyle(look)

    def _fill(self, actions: Actions) -> None:
        words = {
            "file.open": self.tr("Open"),
            "edit.find": self.tr("Find"),
            "go.offset": self.tr("Go to"),
            "tools.palette": self.tr("Commands"),
        }
        for name in ("file.open", "go.back", "go.forward"):
            self._add(actions, name, words.get(name, ""))
        self.addSeparator()
        self.addWidget(self.search)
        self.addSeparator()
        self.addWidget(self.breadcrumb)
        for name in ("edit.find", "go.offset"):
            self._add(actions, name, words[name])
        self.export = QToolButton()
        self.export.setText(THIN + self.tr("Export"))
        self.export.setAccessibleName(self.tr("Export"))
        self.export.setToolTip(self.tr("Export"))
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = Menu(self.export)
        forms = ("state_dict", "npz", "safetensors", "source", "recovery")
        menu.addActions([*(actions[f"file.export_{form}"] for form in forms), actions["tensor.export"]])
        self.export.setMenu(menu)
        self.export.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._buttons.append(self.export)
        self.addWidget(self.export)
        self._add(actions, "tools.palette", words["tools.palette"])

    def _add(self, actions: Actions, name: str, words: str) -> None:
        action = actions[name]
        if words:
            action.setIconText(f"{THIN}{words}")
        self.addAction(action)
        button = self.widgetForAction(action)
        if not isinstance(button, QToolButton):
            return
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(action.text())
        if words:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            self._buttons.append(button)
