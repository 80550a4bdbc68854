"""The header of a dock: the tabs of the panes that share its place, the pane's own buttons, fold, and a menu.

Presses that nobody else wants go on to the dock, which can be dragged by its header.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QMouseEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QTabBar, QWidget
from typing_extensions import override

from viewer.ui.theme import Theme, icon, paint_bar
from viewer.ui.widgets.labels import IconButton


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab: the pane's key, its title in the person's language, the count beside it, and its icon's name.

    `alarm`: what in the pane must not be missed: the tab has the icon of errors then, and tells this under the mouse.
    """

    key: str
    title: str
    badge: str = ""
    icon: str = ""
    alarm: str = ""


class PaneTabs(QTabBar):
    """Tabs that let the dock be dragged by them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setUsesScrollButtons(True)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        event.ignore()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        event.ignore()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        event.ignore()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.ignore()


class PaneHeader(QWidget):
    """The 32 px line above a pane.

    chosen: a tab was clicked.
        Signal(key: str)
    fold_asked: the pane should be folded to this line, or unfolded.
        Signal()
    menu_asked: what else can be done with it, below the button `more`.
        Signal()
    """

    chosen = Signal(str)
    fold_asked = Signal()
    menu_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tabs: tuple[Tab, ...] = ()
        self._named: dict[int, tuple[str, str, str, str]] = {}
        self._folded = False
        self._counted = True
        self._counts_width = 0
        self._titled = True
        self._titles_width = 0
        self._least = QSize()
        self.tabs = PaneTabs(self)
        self.tabs.currentChanged.connect(self._tell)
        self.tabs.setAccessibleName(self.tr("Panes at this place"))
        self.own: list[QWidget] = []
        self.fold = IconButton(theme, "chevron-down", self.tr("Fold"), self)
        self.fold.clicked.connect(self.fold_asked)
        self.more = IconButton(theme, "more", self.tr("More"), self)
        self.more.clicked.connect(self.menu_asked)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(2)
        self._row.addWidget(self.tabs)
        self._row.addStretch(1)
        self._row.addWidget(self.fold)
        self._row.addWidget(self.more)
        self.set_foldable(can=False)
        self.set_theme(theme)

    def set_tabs(self, tabs: Sequence[Tab], current: str) -> None:
        """Show these tabs, the one of `current` in front. Tells nobody."""
        self.tabs.blockSignals(True)
        if tuple(tabs) != self._tabs:
            self._tabs = tuple(tabs)
            self._counted = self._titled = True
            while self.tabs.count() > len(tabs):
                self.tabs.removeTab(self.tabs.count() - 1)
                self._named.pop(self.tabs.count(), None)
            while self.tabs.count() < len(tabs):
                self.tabs.addTab("")
            for at, tab in enumerate(tabs):
                self.tabs.setAccessibleTabName(at, tab.alarm or tab.title)
                self._set_badge(at, tab.badge)
            self._name_tabs()
        keys = [tab.key for tab in tabs]
        if current in keys:
            self.tabs.setCurrentIndex(keys.index(current))
            self._name_tabs()
        self.tabs.blockSignals(False)
        self._fit()

    def take(self, widgets: Sequence[QWidget]) -> None:
        """The pane's own widgets, between the tabs and the buttons."""
        for widget in widgets:
            self._row.insertWidget(self._row.indexOf(self.fold), widget)
            self.own.append(widget)
        self._fit()

    def set_active(self, *, active: bool) -> None:
        """The line under the current tab: accent where the keyboard is, else grey."""
        if self.tabs.property("active") != active:
            self.tabs.setProperty("active", active)
            self.tabs.style().unpolish(self.tabs)
            self.tabs.style().polish(self.tabs)
            self.tabs.update()

    def set_foldable(self, *, can: bool) -> None:
        """Whether the pane can be folded to this line."""
        self.fold.setVisible(can)

    def set_folded(self, *, folded: bool) -> None:
        """The chevron points where the pane will go."""
        self._folded = folded
        self._fit()
        name, words = ("chevron-up", self.tr("Unfold")) if folded else ("chevron-down", self.tr("Fold"))
        self.fold.set_icon(self._theme, name, words)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self._least = QSize(theme.px(60), theme.px(32))
        self.setFixedHeight(theme.px(32))
        self._row.setContentsMargins(theme.px(2), 0, theme.px(6), theme.px(1))
        self.fold.set_theme(theme)
        self.more.set_theme(theme)
        self.tabs.setIconSize(QSize(theme.px(16), theme.px(16)))
        self._titled = True
        self._named.clear()
        self._name_tabs()
        self.update()
        self._size_badges()
        self._fit()

    def _size_badges(self) -> None:
        """Counts take the room that the font needs; the tab bar lays its tabs out anew."""
        for at in range(self.tabs.count()):
            badge = self.tabs.tabButton(at, QTabBar.ButtonPosition.RightSide)
            if isinstance(badge, QLabel):
                self._colour(badge, at)
                badge.adjustSize()
        self.tabs.setElideMode(self.tabs.elideMode())

    @override
    def minimumSizeHint(self) -> QSize:
        # Qt asks ten thousand times while docks are arranged.
        return self._least

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            # A widget of the pane needs more room than before, or less.
            self._fit()
        return done

    def _fit(self) -> None:
        """The tabs come before the pane's own widgets, which make do with what is left or go."""
        buttons = sum(button.width() for button in (self.fold, self.more) if not button.isHidden())
        room = self.width() - buttons - self._theme.px(12)
        wanted = self._fit_titles(room)
        self.tabs.setMinimumWidth(max(0, min(wanted, room)))
        left = room - wanted
        for widget in self.own:
            needed = max(widget.minimumSizeHint().width(), widget.minimumWidth())
            widget.setVisible(not self._folded and needed <= left)
            left -= needed if needed <= left else 0

    def _fit_titles(self, room: int) -> int:
        """The width that the tabs want; where not even titles have room, only the current tab keeps its own."""
        if not self._titled and self._titles_width <= room:
            self._titled = True
            self._name_tabs()
        if not self._titled:
            return self.tabs.sizeHint().width()
        wanted = self._fit_counts(room)
        if wanted <= room or not all(tab.icon for tab in self._tabs):
            return wanted
        self._titled, self._titles_width = False, wanted
        self._name_tabs()
        return self.tabs.sizeHint().width()

    def _name_tabs(self) -> None:
        """Titles, or icons that tell their titles under the mouse."""
        for at, tab in enumerate(self._tabs):
            named = self._titled or at == self.tabs.currentIndex()
            name, role = ("error", "error") if tab.alarm else ("" if named else tab.icon, "muted")
            tooltip = tab.alarm or ("" if named else tab.title)
            wanted = (tab.title if named else "", name, role, tooltip)
            # Each of these has Qt lay all tabs out anew.
            if self._named.get(at) != wanted:
                self._named[at] = wanted
                self.tabs.setTabText(at, wanted[0])
                self.tabs.setTabIcon(at, icon(self._theme, name, role) if name else QIcon())
                self.tabs.setTabToolTip(at, tooltip)

    def _fit_counts(self, room: int) -> int:
        """The width that the tabs want; counts that have no room go, since half a number is another number."""
        wanted = self.tabs.sizeHint().width()
        counted = wanted + (0 if self._counted else self._counts_width) <= room
        if counted == self._counted:
            return wanted
        self._counted = counted
        for at, tab in enumerate(self._tabs):
            self._set_badge(at, tab.badge if counted else "")
        left = self.tabs.sizeHint().width()
        self._counts_width = abs(left - wanted)
        return left

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        paint_bar(self, self._theme.color("pane"), self._theme.color("border"))

    def _set_badge(self, at: int, text: str) -> None:
        known = self.tabs.tabButton(at, QTabBar.ButtonPosition.RightSide)
        if isinstance(known, QLabel) and text:
            known.setText(text)
            self._size_badges()
            return
        badge = None
        if text:
            badge = QLabel(text)
            badge.setProperty("muted", True)
            badge.setContentsMargins(0, 0, 0, 2)
            badge.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._colour(badge, at)
        if badge is not None or known is not None:
            self.tabs.setTabButton(at, QTabBar.ButtonPosition.RightSide, badge)

    def _colour(self, badge: QLabel, at: int) -> None:
        alarming = bool(at < len(self._tabs) and self._tabs[at].alarm)
        badge.setStyleSheet(f"color: {self._theme.color('error').name()}; font-weight: bold" if alarming else "")

    def _tell(self, at: int) -> None:
        if 0 <= at < len(self._tabs):
            self.chosen.emit(self._tabs[at].key)
